"""The commands and the code on the pages run as they are written, each page from an empty folder."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import bayesift

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = sorted(p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md") if BLOCK.search(p.read_text("utf-8")))
TUTORIAL = {
    "corpus", "split", "cross-validate", "train", "inspect", "evaluate", "explain", "predict", "update", "compare",
    "simulate",
}  # fmt: skip


def test_pages_with_code_are_found():
    assert {"tutorial.md", "index.md", "guides/filtering.md", "reference/file-formats.md"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs_as_written(page, run, tmp_path, monkeypatch, capfd):
    verbs, names = run_blocks(DOCS / page, run, tmp_path, monkeypatch)
    check = CHECKS.get(page)
    if check is not None:
        check(verbs, names, capfd)


def check_tutorial(verbs, names, capfd):
    assert verbs == TUTORIAL
    made = {p.name for p in Path.cwd().iterdir()}
    assert made >= {"mine.train.jsonl", "mine.test.jsonl", "mine.model", "report.html", "predictions.csv"}
    assert len(Path("labelled.jsonl").read_text().splitlines()) == 3


def check_filtering(verbs, names, capfd):
    kinds = [type(event).__name__ for event in names["events"]]
    assert kinds[0] == "TopicAdded"
    assert kinds.count("Received") == 4
    assert kinds.count("Shown") == kinds.count("Judged") > 0
    assert Path("g.filter").read_bytes() == Path("again.filter").read_bytes()
    assert names["f"].topics == ["oil", "crops"]
    assert names["f"].topic("crops").answer("doc-19") is False
    assert names["outcome"].kind == "delivered"


def check_precision_recall(verbs, names, capfd):
    assert names["predicted"].sum() > (names["p"] > 0.5).sum()  # a missed label costs more, so more are predicted


def check_learner(verbs, names, capfd):
    assert names["model"].predict(["wheat harvest in May", "oil prices rose"]) == [("wheat",), ("oil",)]


CHECKS = {
    "tutorial.md": check_tutorial,
    "guides/filtering.md": check_filtering,
    "guides/precision-recall.md": check_precision_recall,
    "contributing/add-a-learner.md": check_learner,
}


def run_blocks(page, run, tmp_path, monkeypatch):
    """Run the blocks of shell and Python of a page in order in an empty folder; return the verbs used and all names."""
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
    verbs, names = set(), {"__name__": "page"}
    monkeypatch.setitem(sys.modules, "page", type(sys)("page"))  # where classes that a page defines live
    for language, code in BLOCK.findall(page.read_text("utf-8")):
        if language == "python":
            exec(compile(code, str(page), "exec"), names)
            continue
        for line in code.splitlines():
            verbs |= set(re.findall(r"\bbayesift ([a-z-]+)", line))
            if line.startswith("bayesift ") and not set("|<>&;$`") & set(line):  # without a shell, to save time
                result = run(*shlex.split(line)[1:])
                status, err = result.code, result.err
            else:
                done = subprocess.run(["sh", "-c", line], env=os.environ | here, capture_output=True, text=True)
                status, err = done.returncode, done.stderr
            assert (status, "Traceback" in err) == (0, False), (line, err)
    return verbs, names
