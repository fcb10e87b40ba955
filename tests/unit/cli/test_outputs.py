"""No verb and no option destroys a file: other kinds and inputs are refused, streams are written to."""

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bayesift import TextClassifier, load
from bayesift.cli.outputs import DOCUMENTS, FIGURES, MODEL, PREDICTIONS, check_outputs, model_lock
from bayesift.errors import BadInput

COMMAND = [sys.executable, "-m", "bayesift"]
LINES = [{"id": f"d{i}", "text": ["wheat corn", "oil barrel"][i % 2], "labels": ["ab"[i % 2]]} for i in range(40)]


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "data.jsonl", LINES)


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "x.model"
    TextClassifier().fit([d["text"] for d in LINES], [d["labels"] for d in LINES]).save(path)
    return path


@pytest.fixture
def writers(tmp_path, data, model):
    """Every way to write a file: the arguments of a verb, with OUT for the file."""
    stream = write(tmp_path / "stream.jsonl", [d | {"id": str(i)} for i, d in enumerate(LINES * 3)])
    return {
        "train": ["train", data, "OUT"],
        "update --output": ["update", model, data, "--output", "OUT"],
        "predict --output": ["predict", model, data, "--output", "OUT"],
        "evaluate --report": ["evaluate", model, data, "--report", "OUT"],
        "evaluate --json": ["evaluate", model, data, "--json", "OUT"],
        "explain --html": ["explain", model, data, "--html", "OUT"],
        "compare --json": ["compare", model, model, "--on", data, "--json", "OUT"],
        "cross-validate --json": ["cross-validate", data, "--folds", "2", "--json", "OUT"],
        "compare-learners --json": ["compare-learners", data, "--learner", "bomc", "--json", "OUT"],
        "simulate --report": ["simulate", stream, "--report", "OUT"],
        "simulate --log": ["simulate", stream, "--log", "OUT"],
        "corpus export": ["corpus", "export", data, "OUT"],
    }


WRITERS = ["train", "update --output", "predict --output", "evaluate --report", "evaluate --json", "explain --html"]
WRITERS += ["compare --json", "cross-validate --json", "compare-learners --json", "simulate --report", "simulate --log"]
WRITERS += ["corpus export"]


@pytest.mark.parametrize("name", WRITERS)
def test_only_a_file_of_its_kind_is_replaced(run, writers, tmp_path, data, model, name):
    def call(out):
        return run(*(out if argument == "OUT" else argument for argument in writers[name]))

    assert name in writers
    mine = tmp_path / "mine.csv"
    mine.write_text("text,labels\nprecious,x\n")
    for precious in (mine, data, model, tmp_path, tmp_path / "no" / "x"):
        if precious == model and name in ("train", "update --output"):
            continue
        before = {p: p.read_bytes() for p in (mine, data, model)}
        result = call(precious)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith(f"bayesift: {precious}: ")
        assert result.err.count("\n") == 1
        assert {p: p.read_bytes() for p in (mine, data, model)} == before
    out = tmp_path / "out"
    out.touch()  # an empty file holds nothing that could be lost
    for _ in range(2):  # the second time its own output is in the way
        assert call(out).code == 0
        assert out.stat().st_size


@pytest.mark.parametrize("name", ["train", "predict --output", "evaluate --json", "explain --html", "corpus export"])
def test_a_pipe_and_standard_output_are_written_to(run, writers, tmp_path, monkeypatch, name):
    def call(out):
        return run(*(out if argument == "OUT" else argument for argument in writers[name]))

    monkeypatch.chdir(tmp_path)
    assert call("out").code == 0
    expected, read, fifo = Path("out").read_bytes(), [], tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()), daemon=True)
    reader.start()
    assert call(fifo).code == 0
    reader.join(10)
    assert read == [expected]
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    command = [*COMMAND, *("-" if argument == "OUT" else str(argument) for argument in writers[name])]
    assert subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout == expected  # no table beside it
    assert not Path("-").exists()


def test_two_outputs_need_two_names(run, model, data, tmp_path):
    for out in (tmp_path / "r", "-"):
        result = run("evaluate", model, data, "--report", out, "--json", out)
        assert (result.code, result.out, "two outputs" in result.err) == (2, "", True)


def test_standard_input_may_be_the_output_too(model, data):
    before = data.read_bytes()
    with data.open("rb") as stdin:
        result = subprocess.run([*COMMAND, "predict", model, "--output", data], stdin=stdin, capture_output=True)
    assert (result.returncode, b"both input and output" in result.stderr) == (2, True)
    with data.open("ab") as stdout:
        result = subprocess.run([*COMMAND, "predict", model, data], stdout=stdout, stderr=subprocess.PIPE)
    assert result.returncode == 2
    assert data.read_bytes() == before


def test_no_model_for_a_terminal(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(BadInput, match="terminal"):
        check_outputs((Path("-"), MODEL))


def test_other_names_of_an_input(tmp_path):
    mine = write(tmp_path / "mine", [{"id": "1"}])
    (tmp_path / "link").symlink_to(mine)
    os.link(mine, tmp_path / "twin")
    for name in ("link", "twin", "../" + tmp_path.name + "/mine"):
        with pytest.raises(BadInput, match="both input and output"):
            check_outputs((tmp_path / name, PREDICTIONS), inputs=(mine,))


def test_kinds_are_told_apart(tmp_path):
    contents = {
        PREDICTIONS: [b'{"id":"1","labels":[],"probabilities":{', b"text;labels;probabilities;confidence\n"],
        DOCUMENTS: [b'{"id":"1","body":"x"}\n', b'{"id":"1","terms":{"3":0.5},"labels":[]}\n'],
        FIGURES: [b'{\n  "name": "x",\n  "documents": 3, "summary": {}', b'{"names":["a","b"],"micro":{},"macro":{}}'],
    }
    path = tmp_path / "x"
    for kind, heads in contents.items():
        for head in heads:
            path.write_bytes(head)
            check_outputs((path, kind))
            for other in (MODEL, *contents.keys() - {kind}):
                with pytest.raises(BadInput, match=f"already exists and is not {other.name}"):
                    check_outputs((path, other))


def test_reproduce_keeps_files_that_hold_no_results(run, tmp_path):
    mine = tmp_path / "RESULTS.md"
    mine.write_text("# Mine\n")
    for option, value in (("--docs", tmp_path), ("--json", mine)):
        result = run("reproduce", "chai2002-table2", option, value)
        assert (result.code, mine.read_text()) == (2, "# Mine\n")
        assert "already exists and is not" in result.err


def test_the_demo_keeps_what_is_in_its_folder(run, tmp_path):
    (tmp_path / "docstrings.model").write_text("mine")
    result = run("demo", "--output", tmp_path, "--data", tmp_path)
    assert (result.code, "already exists and is not a model file" in result.err) == (2, True)
    assert run("demo", "--output", "-").code == 2


def test_update_keeps_mode_and_link(run, tmp_path, data, model):
    model.chmod(0o600)
    link, before = tmp_path / "link", model.read_bytes()
    link.symlink_to(model)
    assert run("update", link, data).code == 0
    assert link.is_symlink()
    assert model.read_bytes() != before
    assert stat.S_IMODE(model.stat().st_mode) == 0o600


def test_two_updates_at_once_are_both_learned(model, data):
    with model_lock(model):
        processes = [
            subprocess.Popen([*COMMAND, "update", str(model), str(data)], stderr=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        first = [process.stderr.readline() for process in processes]  # both wait for us, then one for the other
    assert all("waiting for another command that writes" in line for line in first)
    assert ["40 documents learned" in process.communicate()[1] for process in processes] == [True, True]
    assert load(model).n_documents_ == 120


def test_train_waits_for_an_update(model, data):
    with model_lock(model):
        process = subprocess.Popen([*COMMAND, "train", data, model], stderr=subprocess.PIPE, text=True)
        assert "waiting" in process.stderr.readline()
        load(model).partial_fit(["wheat"], [["a"]]).save(model)
        assert process.poll() is None
    assert "40 documents" in process.communicate()[1]
    assert load(model).n_documents_ == 40
