"""Ctrl-C ends the installed command with one line at any moment, its imports included."""

import json
import subprocess
import sys

import pytest

# Interrupt the process when it begins to import a module: a moment that does not depend on the machine's speed.
CODE = """
import os, signal, sys
moment = sys.argv.pop(1)
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == moment:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
from bayesift.__main__ import main
main()
"""
MOMENTS = ["bayesift.cli", "typer", "bayesift.cli.update", "numpy", "scipy.sparse", "sklearn", "numba", "llvmlite"]


@pytest.mark.parametrize("module", MOMENTS)
def test_an_interrupt_while_modules_are_imported(tmp_path, module):
    data = tmp_path / "x.jsonl"
    data.write_text("".join(json.dumps({"text": f"{c} wheat", "labels": [c]}) + "\n" for c in "ab" * 5))
    command = [sys.executable, "-c", CODE, module, "train", data, tmp_path / "x.model"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 130
    assert result.stderr.startswith("bayesift: interrupted")
    assert result.stderr.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["x.jsonl"]


def test_an_interrupt_that_python_cannot_raise_is_not_lost():
    code = (
        "import os, signal, sys\nfrom bayesift import __main__\n"
        "class Held:\n    def __del__(self):\n        os.kill(os.getpid(), signal.SIGINT)\n        sum(range(100))\n"
        "import bayesift.cli.main\nbayesift.cli.main.run = lambda: (hash(Held()), print('goes on'))\n__main__.main()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "bayesift: interrupted\n")


def test_an_ignored_interrupt_stays_ignored():
    code = (
        "import os, signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nfrom bayesift import __main__\n"
        "import bayesift.cli.main\nbayesift.cli.main.run = lambda: os.kill(os.getpid(), signal.SIGINT)\n__main__.main()"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
