"""Every example runs, and says what it promises."""

import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import bayesift

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = sorted((DOCS.parent / "examples").glob("*.py"))
SAYS = {
    "prior_terms.py": "with prior terms: P(crude) = ",
    "quickstart.py": "micro F1 0.9",
    "search.py": "by cross-validation",
    "stream.py": "of the last 100",
}


def test_all_are_known():
    assert {e.name for e in EXAMPLES} == set(SAYS)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.stem)
def test_an_example_runs(example, capsys):
    runpy.run_path(str(example), run_name="__main__")
    assert SAYS[example.name] in capsys.readouterr().out


def test_the_readme_runs(tmp_path, monkeypatch, capsys):
    """Its first block of Python, as it stands."""
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    code = readme.split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert "micro F1" in capsys.readouterr().out
    assert list(tmp_path.iterdir())  # a model was saved


def test_the_tutorial_runs_as_written_from_an_empty_folder(run, tmp_path, monkeypatch):
    verbs = run_blocks(DOCS / "tutorial.md", run, tmp_path, monkeypatch)
    assert verbs >= {
        "split",
        "cross-validate",
        "train",
        "inspect",
        "evaluate",
        "explain",
        "predict",
        "update",
        "compare",
    }
    made = {p.name for p in Path.cwd().iterdir()}
    assert made >= {"mine.train.jsonl", "mine.test.jsonl", "mine.model", "report.html", "answers.csv", "labelled.jsonl"}
    assert len(Path("labelled.jsonl").read_text().splitlines()) == 3


def test_the_examples_of_file_formats_run(run, tmp_path, monkeypatch):
    run_blocks(DOCS / "file-formats.md", run, tmp_path, monkeypatch)


def run_blocks(page, run, tmp_path, monkeypatch):
    """Run all blocks of shell and Python of a page, in order, in an empty folder; return the verbs that were used."""
    folder, programs = tmp_path / "empty", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    (programs / "bayesift").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -c "from bayesift.cli.main import main; main()" "$@"\n'
    )
    (programs / "bayesift").chmod(0o755)
    here = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(bayesift.__file__).parents[1]),
    }
    monkeypatch.chdir(folder)
    verbs = set()
    for language, code in re.findall(r"```(sh|python)\n(.*?)```", page.read_text(), re.DOTALL):
        if language == "python":
            exec(compile(code, "tutorial.md", "exec"), {})
            continue
        for line in code.splitlines():
            verbs |= set(re.findall(r"\bbayesift ([a-z-]+)", line))
            if line.startswith("bayesift ") and not set("|<>&;$`") & set(line):  # without a shell, to save time
                result = run(*shlex.split(line)[1:])
                code, err = result.code, result.err
            else:
                done = subprocess.run(["sh", "-c", line], env=os.environ | here, capture_output=True, text=True)
                code, err = done.returncode, done.stderr
            assert (code, "Traceback" in err) == (0, False), (line, err)
    return verbs
