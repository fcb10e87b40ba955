"""score, evaluate, cross-validation, comparison and the page give the same number for the same documents."""

import json
import re
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import PredefinedSplit, cross_val_score

from bayesift import Document, TextClassifier
from bayesift.classify.cross_validation import by_fold, cross_validate
from bayesift.classify.evaluation import UNLEARNED, measure
from bayesift.errors import BadInput, Notice
from bayesift.evaluate import f_measure
from bayesift.learn.registry import LEARNERS
from bayesift.report import evaluation_page

pytestmark = pytest.mark.filterwarnings("ignore:.* never learned:bayesift.errors.Notice")

TEXTS = ["wheat harvest", "corn crop wheat", "oil prices", "opec oil output", "oil wheat", "gold mine"] * 6
LABELS = [("grain",), ("grain",), ("crude",), ("crude",), ("crude", "grain"), ()] * 6
TEST = ["wheat crop", "oil and gas", "corn", "copper mine", "opec"]
TRUTH = [("grain",), ("crude", "gas"), ("grain",), ("copper",), ("crude",)]  # gas and copper are never learned


def documents(texts, labels):
    return [Document(f"d{i}", body=text, labels=own) for i, (text, own) in enumerate(zip(texts, labels))]


def expected_micro_f1(given, truth):
    tp = sum(len(set(a) & set(b)) for a, b in zip(given, truth))
    return 2 * tp / (sum(map(len, given)) + sum(map(len, truth)))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("kind", ["sets", "one"])
def test_every_way_of_measuring_agrees(learner, kind):
    if kind == "sets":
        model = TextClassifier(learner).fit(TEXTS, LABELS)
        test, y = documents(TEST, TRUTH), TRUTH
        given = model.predict(TEST)
    else:
        some = [i for i, own in enumerate(LABELS) if len(own) == 1]
        model = TextClassifier(learner).fit([TEXTS[i] for i in some], [LABELS[i][0] for i in some])
        y = [own[0] for own in TRUTH]
        test = documents(TEST, [(own,) for own in y])
        given = [(label,) for label in model.predict(TEST)]
    micro = expected_micro_f1(given, [d.labels for d in test])
    assert model.score(TEST, y) == pytest.approx(micro)
    assert model.score(test) == pytest.approx(micro)
    report = model.evaluate(test)
    assert report.summary["micro F1"] == pytest.approx(micro)
    assert report.summary["log-evidence per decision"] > -5.0
    right = np.mean([set(a) == set(d.labels) for a, d in zip(given, test)])
    assert report.summary["exact match"] == pytest.approx(right)
    assert report.summary["mean confidence"] == pytest.approx(model.confidence(TEST).mean())
    page = evaluation_page(model, measure(model, test)).html()
    for name, value in report.summary.items():
        shown = re.search(f"<b>([^<]*)</b><span>{re.escape(name)}</span>", page)
        assert shown is None or shown.group(1) == f"{value:.3f}"
    assert f"<b>{micro:.3f}</b><span>micro F1</span>" in page


def test_labels_that_were_never_learned_are_unlikely_and_missed():
    model = TextClassifier().fit(TEXTS, LABELS)
    with pytest.warns(Notice, match="2 labels were never learned and count as missed, e.g. 'copper'"):
        found = measure(model, TEST, TRUTH)
    assert found.labels == ["crude", "grain", "copper", "gas"]
    assert (found.probabilities[:, 2:] == UNLEARNED).all()
    assert not found.decisions[:, 2:].any()
    row = {r.label: r for r in found.report().rows}["gas"]
    assert (row.support, row.recall) == (1, 0.0)
    with pytest.warns(Notice) as notes:
        model.score(["wheat"], [("Grain",)])
    assert [str(note.message) for note in notes] == [
        "1 label was never learned and counts as missed, e.g. 'Grain'",
        "labels that differ only in case or spaces are different labels: 'grain', 'Grain'",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)
        model.score(["wheat"], [("grain",)])


@pytest.mark.parametrize("learner", ["multilabel", "perceptron", "categoriser"])
def test_cross_validation_is_the_score_of_each_fold(learner):
    labels = [*LABELS[:-1], ("rare", "grain")]  # one document: absent from one training part
    model = TextClassifier(learner)
    found = cross_validate(model, TEXTS, labels, folds=3, seed=1)
    rare = found.labels.index("rare")
    assert found.probabilities[-1, rare] == UNLEARNED
    scores = []
    for k, part in enumerate(by_fold(found)):
        held, rest = np.flatnonzero(found.folds == k), np.flatnonzero(found.folds != k)
        fitted = clone(model).fit([TEXTS[i] for i in rest], [labels[i] for i in rest])
        scores.append(fitted.score([TEXTS[i] for i in held], [labels[i] for i in held]))
        assert part.report().summary["micro F1"] == pytest.approx(scores[-1])
    ours = cross_val_score(model, TEXTS, labels, cv=PredefinedSplit(found.folds))
    assert ours.tolist() == pytest.approx(scores)
    summary = found.report().summary
    assert summary["micro F1"] == pytest.approx(f_measure(found.truth, found.decisions))
    assert np.isfinite(summary["log-evidence per decision"])
    assert {r.label: r for r in found.report().rows}["rare"].roc_area == 0.5  # nothing is known of it


def test_cross_validation_of_single_labels_and_of_a_matrix():
    some = [i for i, own in enumerate(LABELS) if len(own) == 1]
    texts, y = [TEXTS[i] for i in some], [LABELS[i][0] for i in some]
    assert cross_validate(TextClassifier(), texts, y, folds=3).report().summary["accuracy"] > 0.9
    Y = np.array([[label == name for name in ("never", "crude", "grain")] for label in y]).astype(int)
    found = cross_validate(TextClassifier(), texts, Y, folds=3)
    assert found.labels == [1, 2]
    assert found.report().summary["exact match"] > 0.9


@pytest.mark.parametrize(
    ("labels", "folds", "message"),
    [
        ([("a",)], 2, "needs 2 labelled documents or more, not 1"),
        ([("a",), ("b",), ("a",)], 600, "from 2 to 3"),
        ([("a",), (), (), ()], 2, r"fold [12] of 2 .*\(no document has a label"),
        ([(), ()], 2, "no document has a label"),
    ],
)
def test_what_cannot_be_cross_validated_is_said(labels, folds, message):
    with pytest.raises(BadInput, match=message):
        cross_validate(TextClassifier(), ["wheat", "oil", "corn", "gold"][: len(labels)], labels, folds=folds)


def test_the_command_line_agrees(run, tmp_path):
    train, test = (tmp_path / name for name in ("train.jsonl", "test.jsonl"))
    for path, texts, labels in ((train, TEXTS, LABELS), (test, TEST, TRUTH)):
        path.write_text("".join(json.dumps({"text": t, "labels": own}) + "\n" for t, own in zip(texts, labels)))
    model, other, figures, sides = (tmp_path / name for name in ("x.model", "y.model", "e.json", "c.json"))
    run("train", train, model)
    run("train", train, other, "--rule", "0.5")
    assert run("evaluate", model, test, "--json", figures).code == 0
    micro = json.loads(figures.read_text())["summary"]["micro F1"]
    assert micro == pytest.approx(TextClassifier().fit(TEXTS, LABELS).score(TEST, TRUTH))
    assert run("compare", model, other, "--on", test, "--json", sides).code == 0
    assert json.loads(sides.read_text())["micro"]["f1"][0] == pytest.approx(micro)
    result = run("cross-validate", train, "--folds", "3", "--json", figures)
    found = cross_validate(TextClassifier(), TEXTS, LABELS, folds=3)
    assert json.loads(figures.read_text())["summary"]["macro F1"] == found.report().summary["macro F1"]
    assert "mean over folds ± standard deviation: micro F1 " in result.err
