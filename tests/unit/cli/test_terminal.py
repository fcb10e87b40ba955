"""Labels and texts are shown as they are: markup is no markup, and escape codes do not reach the terminal."""

import json

import pytest

from bayesift import TextClassifier
from bayesift.classify.inputs import as_names

LABELS = ["b[/b]", "news [sport]", "news [politics]", ":smile:", "back\u202ewards"]
OF_EARLIER_VERSIONS = {"red": "red \x1b[31m", "bell": "\x9b31m\x07", "two": "two\nlines"}  # nothing learns these now
TEXT = "wheat \x1b[31m [bold]corn[/bold] \x07 oil"


@pytest.fixture
def files(tmp_path):
    names = [*LABELS, *OF_EARLIER_VERSIONS]
    lines = [{"text": f"word{i % 8} {TEXT}", "labels": [names[i % 8]]} for i in range(80)]
    data, path = tmp_path / "x.jsonl", tmp_path / "x.model"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines if line["labels"][0] in LABELS))
    model = TextClassifier().fit([line["text"] for line in lines], [line["labels"] for line in lines])
    model.classes_ = as_names([OF_EARLIER_VERSIONS.get(name, name) for name in model.classes_])
    model.save(path)
    return data, path


def is_harmless(text):
    return not any(c in text for c in "\x07\x1b\x9b\u202e")


@pytest.mark.parametrize(
    "verb",
    [("train", "DATA", "NEW"), ("update", "MODEL", "DATA"), ("evaluate", "MODEL", "DATA"), ("inspect", "MODEL"),
     ("compare", "MODEL", "MODEL", "--on", "DATA"), ("explain", "MODEL", "DATA", "--first", "8"),
     ("cross-validate", "DATA", "--folds", "2")],
)  # fmt: skip
def test_nothing_acts_on_the_terminal(run, files, tmp_path, verb):
    names = {"DATA": files[0], "MODEL": files[1], "NEW": tmp_path / "new.model"}
    result = run(*(names.get(argument, argument) for argument in verb))
    assert result.code == 0
    assert is_harmless(result.out)
    assert is_harmless(result.err)


def test_labels_with_markup_are_shown_whole(run, files):
    shown = run("inspect", files[1]).out
    measured = run("evaluate", *reversed(files)).out
    for label in ("b[/b]", "[sport]", "[politics]", ":smile:", r"back\u202ewards"):
        assert label in shown
        assert label in measured
    for label in (r"\x1b[31m", r"\x9b31m\x07"):
        assert label in shown
    assert "[bold]corn[/bold]" in run("explain", files[1], "--text", TEXT, "--label", "b[/b]").out


def test_notes_and_new_labels(run, files, tmp_path):
    few = tmp_path / "few.jsonl"
    few.write_text(files[0].read_text() + json.dumps({"text": "wheat", "labels": ["new \u202e"]}) + "\n")
    trained = run("train", few, tmp_path / "y.model")
    assert r"fewer than 3 documents: new \u202e" in trained.err
    updated = run("update", files[1], few)
    assert r"new labels: new \u202e" in updated.err
    few.write_text(json.dumps({"text": "wheat", "labels": ["new \x1b[2J"]}) + "\n")
    wrong = run("train", few, tmp_path / "y.model")
    assert (wrong.code, is_harmless(wrong.err)) == (2, True)
    assert r"few.jsonl:1: the label 'new \x1b[2J' has a line break, a tab or a control character" in wrong.err


def test_inspect_checks_the_digest_once(run, files, monkeypatch):
    from bayesift.model_file import file

    digest, calls = file._digest, []
    monkeypatch.setattr(file, "_digest", lambda *given: calls.append(1) or digest(*given))
    assert run("inspect", files[1]).code == 0
    assert len(calls) == 1


@pytest.mark.parametrize("text", ["🎉🎉", "the of and", "rare"])
def test_documents_without_a_term(run, tmp_path, text):
    data = tmp_path / "x.jsonl"
    data.write_text("".join(json.dumps({"text": text, "labels": [c]}) + "\n" for c in "ab" * 5))
    result = run("train", data, tmp_path / "x.model", "--min-df", "100000")
    assert (result.code, result.out) == (2, "")
    assert "no term is left to learn from" in result.err
    assert not (tmp_path / "x.model").exists()
