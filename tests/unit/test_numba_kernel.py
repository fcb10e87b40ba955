"""Kernels work where nothing can be cached."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import caching

from bayesift.numba_kernel import kernel


def test_without_any_cache_directory(monkeypatch):
    for implementation in (caching.CompileResultCacheImpl, caching.CacheImpl):
        monkeypatch.setattr(implementation, "_locator_classes", [])

    @kernel
    def twice(x):
        return 2 * x

    assert twice(4) == 8


def test_errors_of_the_function_itself_are_not_hidden():
    with pytest.raises(KeyError, match="no_such_option"):
        kernel(no_such_option=True)(lambda x: x)(1)


FIRST_USE = """
import sys
from bayesift import progress
progress.announced = set() if sys.argv[1] == "command" else None
from kernels import thrice
print(thrice(14))
"""


def test_compiling_is_announced_on_the_command_line_and_only_at_first_use(tmp_path):
    (tmp_path / "kernels.py").write_text(
        "from bayesift.numba_kernel import kernel\n@kernel\ndef thrice(x):\n    return 3 * x\n"
    )
    places = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    places = os.pathsep.join(str(Path(place).absolute()) for part in places for place in part.split(os.pathsep))

    def run(way, cache):
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / cache), "PYTHONPATH": places}
        done = subprocess.run([sys.executable, "-c", FIRST_USE, way], capture_output=True, text=True, env=environment)
        assert done.stdout == "42\n", done.stderr
        return done.stderr

    assert run("command", "a").startswith("bayesift: compiling numerical kernels")
    assert run("command", "a") == ""
    assert run("library", "b") == ""
