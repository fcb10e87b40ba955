"""The systems of the comparison on a small made-up corpus; figures need the real ones."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.classify import LabelClassifier
from bayesift.evaluate import f_measure
from bayesift.experiments import headline
from bayesift.experiments.comparators import passive_aggressive_scores, svm_scores
from bayesift.experiments.layouts.zhang2010 import SYSTEMS
from bayesift.experiments.zhang2010 import MODELS, default


def sides(seed=0, n=400, d=40, c=5):
    rng = np.random.default_rng(seed)
    X = sparse.random(2 * n, d, density=0.15, random_state=seed, format="csr")
    Y = (X.toarray()[:, :c] > 0.3).astype(int)
    Y[:, -1] = 0
    Y[rng.integers(n), -1] = 1  # one example: it is missing from two folds of three
    return X[:n], Y[:n], X[n:], Y[n:], sparse.eye(c, d, format="csr")


@pytest.mark.parametrize("model", MODELS)
def test_every_system_learns(model):
    for found in model(*sides(), 0).values():
        assert found["micro_f1"] > 70
        assert found.get("q", 1.0) > 0
        assert found["seconds"] > 0


def test_every_system_has_a_row():
    found = [name for model in MODELS for name in model(*sides(), 0)]
    assert found == list(SYSTEMS)


def test_what_the_headline_calls_predict_is_the_default():
    """`predict` decides one document at a time; all test documents at once is a system of its own."""
    X, Y, X_test, Y_test, names = sides()
    model = LabelClassifier(seed=0, names=names).fit(X, Y)
    found = default(X, Y, X_test, Y_test, names, 0)
    for system, decided in (
        ("bayesift predict", model.predict(X_test)),
        ("bayesift predict(together=True)", model.decide(X_test)),
    ):
        assert found[system]["macro_f1"] == 100 * f_measure(Y_test, decided, "macro")
        assert system in headline.SYSTEMS
    one_by_one = np.vstack([model.predict(X_test[i : i + 1]) for i in range(20)])
    assert (one_by_one == model.predict(X_test)[:20]).all()
    assert set(headline.SYSTEMS) <= set(SYSTEMS)


def test_a_label_without_examples_spoils_no_threshold():
    X, Y, X_test, _, _ = sides()
    for scores in (svm_scores, passive_aggressive_scores):
        found = scores(X, np.zeros_like(Y), X_test)
        assert (found == -1.0).all()
        assert (scores(X, np.ones_like(Y), X_test) == 1.0).all()
