"""A name that is not there is answered before anything slow is imported."""

import subprocess
import sys

import pytest

COMMAND = """
import sys
from bayesift.cli.main import run
code = run(sys.argv[1:])
assert not {"numpy", "numba", "sklearn"} & set(sys.modules), "slow"
sys.exit(code)
"""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train", "no.csv", "x.model"], "no.csv: no such file or corpus; corpora are: docstrings"),
        (["cross-validate", "docstring"], "docstring: no such file or corpus"),
        (["predict", "no.model"], "no.model: no such model file"),
        (["update", "no.model", "no.csv"], "no.model: no such model file"),
        (["evaluate", "no.model", "docstrings"], "no.model: no such model file"),
        (["train", "docstrings", "x.model", "--lerner", "gp"], "--lerner"),
    ],
)
def test_a_wrong_name_needs_no_slow_import(arguments, words, tmp_path):
    done = subprocess.run([sys.executable, "-c", COMMAND, *arguments], capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert done.stdout == ""
