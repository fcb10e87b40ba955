"""What an explanation says: the reason of a decision, exact deviations, words as they stand, readable text."""

import dataclasses
import re

import numpy as np
import pytest
from scipy import sparse

from bayesift import Document, TextClassifier, TextVectorizer
from bayesift.classify.explain import decision
from bayesift.classify.explanation import Contribution, Explanation
from bayesift.classify.label_terms import label_terms, weak_labels
from bayesift.errors import BadInput
from bayesift.text.vocabulary import Vocabulary

TEXTS = ["wheat harvests", "corn crop wheat", "oil prices", "opec oil output", "oil wheat"] * 6
LABELS = [("grain",), ("grain",), ("crude",), ("crude",), ("crude", "grain")] * 6


@pytest.fixture(scope="module")
def model():
    return TextClassifier().fit(TEXTS, LABELS)


def test_a_label_given_below_its_threshold_says_why():
    """Every training document has a label, so a text about nothing gets the closest one."""
    model = TextClassifier().fit(TEXTS, LABELS)
    object.__setattr__(model.classifier_.rule_, "thresholds_", (0.9, 0.9))
    found = model.explain(["weather"])[0]
    assert found.predicted
    assert found.probability <= found.threshold
    assert "every training document had a label, so the closest one is predicted" in found.headline
    assert f"threshold {found.threshold:.3f}".rstrip("0") in found.headline


@pytest.mark.parametrize(
    ("rule", "p", "given", "reason"),
    [
        (None, 0.3, True, r"best for macro and micro F1; threshold 0\.03$"),
        (None, 0.9, True, r"^threshold 0\.03$"),
        ("0.5", 0.6, True, r"^threshold 0\.5$"),
        ("max-f1", 0.3, True, r"best for the label's F1; threshold 0\.03$"),
    ],
)
def test_a_label_given_below_one_half_says_why(rule, p, given, reason):
    model = TextClassifier(rule=rule).fit(TEXTS, [own[:1] if i else () for i, own in enumerate(LABELS)])
    if rule != "0.5":
        object.__setattr__(model.classifier_.rule_, "thresholds_", (0.03, 0.03))
    if rule is None:
        object.__setattr__(model.classifier_.rule_, "competition_", (0.0, 0.0))
    assert re.search(reason, decision(model, 0, np.array([p, 0.1]), given)[1])


def test_the_closest_label_is_the_closest_to_the_thresholds_of_the_document():
    """Label 0 is the closer one by the labels' thresholds, label 1 by those of this document."""
    model = TextClassifier().fit(TEXTS, [own[:1] for own in LABELS]).classifier_
    p = np.array([[0.40, 0.35]])
    for competition, closest in (((0.0, 0.0), 0), ((0.0, -1.0), 1)):
        model.rule_ = dataclasses.replace(model.rule_, thresholds_=(0.6, 0.55), competition_=competition)
        model.calibration_.positives[:] = 0  # base rates below both
        assert not model.rule_.decide(p).any()
        assert model.labels_of(p)[0].tolist() == [closest == 0, closest == 1]


def test_a_label_above_its_threshold_that_gives_way_to_another_says_why():
    """No training document has two labels, so a document about both gets one of them."""
    model = TextClassifier().fit(TEXTS, [own[:1] for own in LABELS])
    object.__setattr__(model.classifier_.rule_, "thresholds_", (0.01, 0.01))
    found = model.explain(["oil wheat corn"], ["crude", "grain"])
    assert [entry.predicted for entry in found].count(True) == 1
    assert all(entry.probability > entry.threshold for entry in found)
    (other,) = (entry for entry in found if not entry.predicted)
    assert "no training document had two labels, and another is farther above its threshold" in other.headline


def test_a_probability_is_never_shown_equal_to_a_threshold_that_it_exceeds(model):
    entry = dataclasses.replace(model.explain(["oil"])[0], probability=0.98601, threshold=0.98597)
    assert "p = 0.98601 " in entry.headline
    assert "p = 0.986 " in dataclasses.replace(entry, threshold=0.5).headline
    assert "p = 0.986 " in dataclasses.replace(entry, threshold=None).headline


def test_single_labels_have_their_own_reason():
    model = TextClassifier().fit(TEXTS, [own[0] for own in LABELS])
    yes, no = model.explain(["wheat crop"], ["grain", "crude"])
    assert yes.reason == "the most probable label"
    assert no.reason == "another label is more probable"


def test_the_deviation_of_the_total_is_that_of_the_field():
    """The perceptron's weights are correlated: variances do not add up."""
    model = TextClassifier("perceptron").fit(TEXTS, LABELS)
    learner = model.classifier_.learner_
    for text in ("oil wheat prices", "corn crop"):
        for c, label in enumerate(model.classes_):
            found = model.explain([text], [label])[0]
            m, v = learner.predict_field(model.vectorize([text]))
            assert found.total.mean == pytest.approx(m[0, c])
            assert found.total.sd == pytest.approx(v[0, c] ** 0.5)


def test_words_are_shown_as_they_stand_in_the_document():
    vectorizer = TextVectorizer(zones=["title"], ngrams=2)
    texts = [Document(str(i), "Energy", f"rates of supplies {i % 2}") for i in range(12)]
    model = TextClassifier(vectorizer=vectorizer).fit(texts, [("a",), ("b",)] * 6)
    found = model.explain([Document("x", "ENERGY", "Rates, rates supplying")], ["a"], max_terms=50)[0]
    words = {part.term: part.word for part in found.words}
    assert words["title:energi"] == "title:ENERGY"
    assert words["suppli"] == "supplying"
    assert words["rate suppli"] == "Rates supplying"


def test_an_explanation_prints_as_text(model):
    text = str(model.explain(["Wheats and opec"], ["grain"])[0])
    head, unit, *lines = text.splitlines()
    assert re.match(r"grain: (not )?predicted, p = ", head)
    assert unit == "adds to the field:"
    rows = {line.split()[0]: line for line in lines if line.startswith("  ")}
    assert rows["Wheats"].index("|") < rows["Wheats"].index("#")
    assert rows["opec"].index("|") > rows["opec"].index("#")
    assert {"prior", "total"} <= set(rows)
    assert "Contribution(" not in text
    part = Contribution("total", 0.0, None)
    assert str(Explanation(0, "x", False, 0.1, None, "why", "log-odds", part, part, (), part, (), 0.0))


def test_explaining_vectorises_and_predicts_once(model, monkeypatch):
    calls = []
    transform = TextVectorizer.transform
    monkeypatch.setattr(TextVectorizer, "transform", lambda self, X: calls.append(len(X)) or transform(self, X))
    model.explain(["oil", "wheat"], ["grain", "crude"])
    assert calls == [2]


def test_the_terms_of_many_labels_are_named_at_once(model, monkeypatch):
    """And are those of each label alone."""
    alone = [model.label_terms(label, 5) for label in model.classes_]
    calls = []
    names = Vocabulary.names
    monkeypatch.setattr(Vocabulary, "names", lambda self, terms: calls.append(len(terms)) or names(self, terms))
    assert label_terms(model, model.classes_.tolist(), 5) == alone
    assert len(calls) == 1
    assert weak_labels(model) == {entry.label: entry.weak_evidence for entry in alone if entry.weak_evidence}
    assert len(calls) == 1


@pytest.mark.parametrize("learner", ["multilabel", "perceptron", "logistic"])
def test_weights_give_the_mean_and_variance_of_the_field(learner):
    model = TextClassifier(learner).fit(TEXTS, LABELS)
    row = sparse.csr_matrix(model.vectorize(["oil wheat output"]))
    m, v = model.classifier_.learner_.predict_field(row)
    for c, weights in enumerate(model.classifier_.learner_.weights([0, 1])):
        mean = weights.prior + row.data @ weights.mean[row.indices]
        assert mean == pytest.approx(float(m[0, c]), abs=1e-4)
        found = weights.variance(row.indices, row.data, prior=True)
        assert found == pytest.approx(float(v[0, c]), rel=1e-3)
        assert np.sqrt(weights.variance(row.indices[:1], row.data[:1])) == pytest.approx(
            row.data[0] * weights.sd[row.indices[0]]
        )


def test_the_threshold_shown_is_the_one_that_decided():
    """The threshold of a label moves with the other labels of the document."""
    model = TextClassifier().fit([*TEXTS, "tax"], [*LABELS, ()])  # one document without a label
    texts = ["wheat", "oil", "wheat oil", "opec", "wheat crop oil prices"]
    found = model.explain(texts, ["grain", "crude"])
    assert [e.predicted for e in found] == [e.probability > e.threshold for e in found]
    assert len({e.threshold for e in found if e.label == "grain"}) > 1


def test_a_text_is_not_a_list_of_labels(model):
    with pytest.raises(BadInput, match="give a list: labels=\\['grain'\\]"):
        model.explain(["wheat"], labels="grain")
