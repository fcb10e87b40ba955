"""The systems of the comparison on a small made-up corpus; figures need the real ones."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.experiments.comparators import passive_aggressive_scores, svm_scores
from bayesift.experiments.zhang2010 import SYSTEMS


def sides(seed=0, n=400, d=40, c=5):
    rng = np.random.default_rng(seed)
    X = sparse.random(2 * n, d, density=0.15, random_state=seed, format="csr")
    Y = (X.toarray()[:, :c] > 0.3).astype(int)
    Y[:, -1] = 0
    Y[rng.integers(n), -1] = 1  # one example: it is missing from two folds of three
    return X[:n], Y[:n], X[n:], Y[n:]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_learns(system):
    found = SYSTEMS[system](*sides(), 0)
    assert found["micro_f1"] > 70
    assert found.get("q", 1.0) > 0


def test_a_label_without_examples_spoils_no_threshold():
    X, Y, X_test, _ = sides()
    for scores in (svm_scores, passive_aggressive_scores):
        found = scores(X, np.zeros_like(Y), X_test)
        assert (found == -1.0).all()
        assert (scores(X, np.ones_like(Y), X_test) == 1.0).all()
