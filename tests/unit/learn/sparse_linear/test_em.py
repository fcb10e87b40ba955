"""The published EM and the direct solver end at the same probit mode."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import norm

from bayesift.learn.priors import FeaturePrior, Jeffreys, Laplace, Normal
from bayesift.learn.sparse_linear.descent import PROBIT, Columns
from bayesift.learn.sparse_linear.em import em_probit
from bayesift.learn.sparse_linear.modes import find_mode, moments


def documents(n=150, d=15, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.4, random_state=seed, format="csr")
    X.data = X.data * 2.0
    beta = np.where(np.arange(d) < 4, 2.0, 0.0) * rng.choice([-1.0, 1.0], d)
    return X, np.where(X @ beta + rng.normal(size=n) > 0.0, 1.0, -1.0)


@pytest.mark.parametrize("block", [None, 1, 4, 15])
@pytest.mark.parametrize("shape", [Normal(1.0), Normal(0.05), Laplace(4.0), Laplace(30.0)], ids=str)
def test_em_agrees_with_the_direct_solver(shape, block):
    X, y = documents()
    _, sd = moments(15, shape, None)
    em = em_probit(X, y, shape, sd, block=block, tolerance=1e-9)
    direct = find_mode(Columns.of(X), y, PROBIT, shape, None, 1e-8)
    beta = np.zeros(15)
    beta[direct.index] = direct.weight
    np.testing.assert_allclose(em.beta, beta, atol=1e-5)
    assert em.intercept == pytest.approx(direct.intercept, abs=1e-5)
    assert em.objective == pytest.approx(direct.objective, rel=1e-6)


def test_em_with_a_width_for_each_weight():
    X, y = documents(seed=1)
    sd = np.random.default_rng(0).uniform(0.1, 2.0, 15)
    em = em_probit(X, y, Laplace(1.0), sd, tolerance=1e-9)
    direct = find_mode(Columns.of(X), y, PROBIT, Laplace(1.0), FeaturePrior(np.zeros(15), sd), 1e-8)
    np.testing.assert_allclose(em.beta[direct.index], direct.weight, atol=1e-5)
    np.testing.assert_allclose(np.delete(em.beta, direct.index), 0.0, atol=1e-5)


def test_jeffreys_ends_at_a_local_optimum():
    X, y = documents(n=400, seed=2)
    em = em_probit(X, y, Jeffreys(), np.ones(15), tolerance=1e-10)
    u = y * (X @ em.beta + em.intercept)
    gradient = -(X.T @ (y * norm.pdf(u) / norm.cdf(u)))
    kept = np.abs(em.beta) > 1e-6
    assert 0 < kept.sum() < 15
    np.testing.assert_allclose(gradient[kept], -1.0 / em.beta[kept], rtol=1e-4)
