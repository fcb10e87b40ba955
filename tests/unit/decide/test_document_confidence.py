"""The probability that all labels of a document are right."""

import numpy as np
import pytest
from scipy.special import expit, logit

from bayesift import TextClassifier, load, load_corpus
from bayesift.arrays import label_matrix
from bayesift.decide.document_confidence import INDEPENDENT, document_confidence, fit_curve
from bayesift.decide.logistic import WORTH
from bayesift.evaluate.reliability import reliability

RNG = np.random.default_rng(0)


def product(labels, p):
    return np.where(labels, p, 1.0 - p).prod(axis=1)


def test_without_a_curve_it_is_the_product():
    p = RNG.random((50, 7))
    labels = p > 0.4
    assert np.array_equal(document_confidence(labels, p), product(labels, p))
    assert document_confidence(np.zeros((2, 0)), np.zeros((2, 0)), (1.2, 0.3)).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("curve", [(1.0, 0.0), (1.3, 0.8), (0.8, -0.4)])
def test_a_curve_is_found_again_and_its_likelihood_is_the_greatest(curve):
    p = RNG.random((20_000, 3)) ** 3
    labels = p > 0.5
    x = logit(product(labels, p))
    right = RNG.random(len(p)) < expit(curve[0] * x + curve[1])
    truth = labels ^ (~right[:, None] & (np.arange(3) == 0))
    found = fit_curve(labels, p, truth)
    assert np.allclose(found, curve, atol=0.06)

    def penalised(a, b):
        q = expit(a * x + b)
        return np.log(np.where(right, q, 1.0 - q)).sum() - 0.5 * WORTH * ((a - 1.0) ** 2 + b**2)

    for da, db in ((0.01, 0.0), (-0.01, 0.0), (0.0, 0.01), (0.0, -0.01)):
        assert penalised(found[0] + da, found[1] + db) < penalised(*found)


def test_a_curve_is_found_where_few_documents_are_right():
    """One Newton step from (1, 0) goes too far here, and the next ones diverge."""
    x = -np.linspace(1.0, 20.0, 100)
    right = np.arange(100) % 10 == 0
    curve = fit_curve(np.ones((100, 1), bool), expit(x)[:, None], right[:, None])
    assert np.allclose(curve, (0.20, -0.17), atol=0.01)


def test_the_order_of_documents_stays():
    p = RNG.random((300, 4))
    labels = p > 0.5
    x = product(labels, p)
    truth = labels ^ ((x > np.median(x))[:, None] & (np.arange(4) == 0))  # the surer, the more often wrong
    assert fit_curve(labels, p, truth) == INDEPENDENT
    assert (np.diff(document_confidence(labels, p, (0.7, 0.5))[x.argsort()]) >= 0.0).all()


def test_certain_decisions_and_no_documents_are_no_error():
    assert fit_curve(np.zeros((0, 2), bool), np.zeros((0, 2)), np.zeros((0, 2), bool)) == INDEPENDENT
    sure = document_confidence([[1, 0], [0, 1]], [[1.0, 0.0], [1.0, 0.0]], (1.1, 0.2))
    assert np.allclose(sure, [1.0, 0.0])


def copies(documents):
    """Add a label that always comes with the most frequent one, twice."""
    found = []
    for d in documents:
        more = [f"{d.labels[0]} {k}" for k in range(2)] if d.labels else []
        found.append((d.body, [*(d.labels or ()), *more]))
    return found


def test_labels_that_come_together_do_not_make_documents_look_less_sure(tmp_path):
    train, test = (copies(side) for side in load_corpus("docstrings").split())
    model = TextClassifier().fit(*zip(*train))
    texts, labels = zip(*test)
    found = model.predictions(list(texts))
    known = model.classes_.tolist()
    truth = label_matrix([[x for x in each if x in known] for each in labels], known).toarray() > 0
    right = (found.decisions == truth).all(axis=1)
    plain = document_confidence(found.decisions, found.probabilities)

    def error(p):
        return reliability(right[:, None], p[:, None]).expected_error

    assert error(found.confidence) < 0.5 * error(plain)
    assert found.confidence.mean() > plain.mean()

    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert np.array_equal(again.confidence(list(texts)), found.confidence)
    assert again.confidence([texts[3]])[0] == found.confidence[3]
