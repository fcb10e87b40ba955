"""compare-learners, as a shell user meets it."""

import json

import numpy as np
import pytest

from bayesift.classify import compare_learners
from bayesift.classify.compare_learners import too_large

WORDS = {"grain": "wheat corn barley crop", "crude": "oil barrel opec refinery", "ship": "port vessel cargo tanker"}


def documents(n=60):
    rng = np.random.default_rng(0)
    for i in range(n):
        own = list(WORDS)[i % 3]
        words = [*rng.choice(WORDS[own].split(), 3), *rng.choice(["said", "year", "rose"], 3)]
        yield {"id": f"d{i}", "body": " ".join(words), "labels": [own]}


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_prints_every_learner_and_a_choice(run, tmp_path):
    data, figures = write(tmp_path / "d.jsonl", documents()), tmp_path / "c.json"
    result = run("compare-learners", data, "--json", figures)
    assert result.code == 0, result.err
    names = ["multilabel", "best", "bomc", "wide", "perceptron", "gp", "logistic", "probit", "categoriser"]
    assert all(f"\n{name} " in result.out for name in names)
    assert "a held-out fifth: 12 of 60 documents" in result.out
    found = json.loads(figures.read_text())
    assert [row["learner"] for row in found["learners"]] == names
    assert found["summary"]["choice"] in names
    assert f"choose {found['summary']['choice']}: " in result.err
    assert all(row["micro_f1"] > 0.8 and row["model_bytes"] > 100 for row in found["learners"])
    assert run("compare-learners", data, "--learner", "bomc", "--json", figures).code == 0  # its own file is replaced


def test_named_learners_in_folds_give_the_same_figures_again(run, tmp_path):
    data = write(tmp_path / "d.jsonl", documents())
    options = ("--learner", "categoriser", "--learner", "multilabel", "--folds", "3", "--seed", "4")
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    for path in (first, second):
        result = run("compare-learners", data, *options, "--json", path)
        assert result.code == 0
        assert "3-fold cross-validation: 60 documents" in result.out
    one, two = (json.loads(path.read_text())["learners"] for path in (first, second))
    same = ("learner", "micro_f1", "macro_f1", "calibration_error", "model_bytes")
    assert [[row[k] for k in same] for row in one] == [[row[k] for k in same] for row in two]
    assert [row["learner"] for row in one] == ["categoriser", "multilabel"]


def test_one_label_per_document(run, tmp_path):
    data = write(tmp_path / "d.jsonl", documents())
    assert run("compare-learners", data, "--one-label", "--learner", "logistic").code == 0


def test_words_are_those_of_the_options(run, tmp_path):
    lines = [{"body": ("of the" if i % 2 else "and a"), "labels": ["ab"[i % 2]]} for i in range(40)]
    data, figures = write(tmp_path / "d.jsonl", lines), tmp_path / "c.json"
    assert run("compare-learners", data, "--learner", "bomc").code == 2  # there are stop words only
    options = ("--stop-words", "none", "--stem", "none")
    assert run("compare-learners", data, "--learner", "bomc", *options, "--json", figures).code == 0
    assert json.loads(figures.read_text())["learners"][0]["micro_f1"] == 1.0
    assert "no stop words for 'missing'" in run("compare-learners", data, "--stop-words", "missing").err


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        ([{"body": "wheat"}, {"body": "oil"}], (), "no labelled documents"),
        ([{"body": "wheat", "labels": ["grain"]}], (), "2 labelled documents or more"),
        ([{"body": "wheat", "labels": ["grain"]}] * 3, (), "5 folds of 3 documents"),
        ([{"body": "wheat", "labels": []}] * 30, (), "no document has a label"),
        ([*documents(), "wheat"], (), "d.jsonl:61: "),
        (documents(), ("--learner", "svm"), "no learner 'svm'"),
        (documents(), ("--folds", "100"), "100 folds of 60 documents"),
    ],
)
def test_bad_input_is_said_in_one_line(run, tmp_path, lines, options, message):
    result = run("compare-learners", write(tmp_path / "d.jsonl", lines), *options)
    assert result.code == 2
    assert message in result.err
    assert len([line for line in result.err.splitlines() if not line.startswith("bayesift: note")]) == 1


def test_learners_that_would_take_very_long_are_skipped_unless_named():
    assert list(too_large(["gp", "multilabel"], 100_000, 20)) == ["gp"]
    assert not too_large(["gp", "logistic"], 2_000, 20)
    texts = [d["body"] for d in documents()]
    found = compare_learners(texts, [tuple(d["labels"]) for d in documents()], learners=["bomc"])
    assert (found.choice, dict(found.skipped)) == ("bomc", {})
