"""The sparse belief beside its oracle, the compact belief of BOMC that holds every weight."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.learn import BOMC, WideLabels


def small_set(n=400, features=300, labels=24, seed=0):
    """Documents of unit length whose labels each have words of their own; most labels are rare."""
    rng = np.random.default_rng(seed)
    Y = rng.random((n, labels)) < np.geomspace(0.3, 0.01, labels)
    Y[:3, :] = False
    X = sparse.random(n, features, 0.03, random_state=seed, format="csr").toarray()
    for c in range(labels):
        X[np.ix_(Y[:, c], range(3 * c, 3 * c + 3))] += rng.random((Y[:, c].sum(), 3))
    X /= np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-9)
    return sparse.csr_matrix(X), sparse.csr_matrix(Y.astype(np.int64))


@pytest.mark.parametrize("seed", [None, 0, 5])
def test_with_every_negative_the_weights_are_those_of_the_compact_belief_to_the_bit(seed):
    X, Y = small_set()
    oracle = BOMC(compact=True, seed=seed, noise=0.1).fit(X, Y)
    model = WideLabels(sample=None, passes=1, seed=seed, noise=0.1).fit(X, Y)
    for c, weights in enumerate(model.weights(range(Y.shape[1]))):
        assert np.array_equal(weights.mean.astype(np.float32), oracle.mean_[:, c])
        assert np.array_equal((model.belief_.of_label(c)[1]).astype(np.float32), oracle.variance_[:, c])
    assert np.array_equal(model.belief_.bias[0], oracle.bias_mean_)
    assert np.array_equal(model.belief_.bias[1], oracle.bias_variance_)
    assert np.array_equal(model.decision_function(X), oracle.decision_function(X))
    np.testing.assert_allclose(model.margins(X), oracle.margins(X), rtol=1e-5)
