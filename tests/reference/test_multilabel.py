"""BOMC against oracles: closed forms, quadrature, a plain NumPy version of each variant."""

import math

import numpy as np
import pytest
from scipy import sparse
from scipy.integrate import dblquad
from scipy.stats import norm

from bayesift.beliefs.hazard import hazard
from bayesift.beliefs.likelihoods import Margin, log_phi_and_hazard
from bayesift.learn import BOMC
from bayesift.learn.bomc._updates import site


def data(n=60, d=8, c=3, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.5, random_state=seed, format="csr")
    Y = (X.toarray()[:, :c] + 0.2 * rng.normal(size=(n, c)) > 0.4).astype(int)
    return X, Y


def exact_site(s, m, v, eps):
    """g and w by the likelihoods' own moments."""
    _, g1, g2 = Margin(eps, 0.0).moments(s, m, v)
    return g1, -g2


def reference_independent(X, Y, noise, margin, prior, bias_variance, by_frequency=True):
    X, (n, d), c = X.toarray(), X.shape, Y.shape[1]
    mu, var = np.zeros((d, c)), np.full((d, c), prior)
    bm, bv = np.zeros(c), np.full(c, bias_variance)
    for t in range(n):
        x = X[t]
        have = Y[: t + 1].sum(axis=0)
        for k in range(c):
            s = 1 if Y[t, k] else -1
            eps = margin
            if s > 0 and by_frequency:
                eps *= math.log(math.e + (t + 1 - have[k]) / have[k])
            m, S = x @ mu[:, k] - bm[k], x**2 @ var[:, k] + noise**2 + bv[k]
            g, w = exact_site(s, m, S, eps)
            mu[:, k] += var[:, k] * x * g
            var[:, k] *= 1 - var[:, k] * x**2 * w
            bm[k] -= bv[k] * g
            bv[k] *= 1 - bv[k] * w
    return mu, var, bm, bv


def reference_coupled(X, Y, noise, prior, bias_variance, sweeps=200):
    """EP to convergence, with the sites in natural parameters."""
    X, (n, d), c = X.toarray(), X.shape, Y.shape[1]
    mu, var, b = np.zeros((d, c)), np.full((d, c), prior), (0.0, bias_variance)
    for t in range(n):
        x, have = X[t], Y[: t + 1].sum(axis=0)
        m, q = x @ mu, x**2 @ var
        eps = [math.log(math.e + (t + 1 - have[k]) / have[k]) if Y[t, k] else 1.0 for k in range(c)]
        sites = np.zeros((c, 2))
        g, w = np.zeros(c), np.zeros(c)
        for _ in range(sweeps):
            for k in range(c):
                precision = 1 / b[1] + sites[:, 0].sum() - sites[k, 0]
                mean = (b[0] / b[1] + sites[:, 1].sum() - sites[k, 1]) / precision
                v = 1 / precision
                g[k], w[k] = exact_site(1 if Y[t, k] else -1, m[k] - mean, q[k] + noise**2 + v, eps[k])
                new_mean, new_v = mean - v * g[k], v * (1 - v * w[k])
                sites[k] = 1 / new_v - precision, new_mean / new_v - precision * mean
        precision = 1 / b[1] + sites[:, 0].sum()
        b = (b[0] / b[1] + sites[:, 1].sum()) / precision, 1 / precision
        mu += var * x[:, None] * g
        var *= 1 - var * (x**2)[:, None] * w
    return mu, var, b


def test_the_hazard_is_that_of_the_likelihoods():
    for u in np.concatenate([np.linspace(-60, 12, 3001), [-6.0, 7.999999]]):
        r = log_phi_and_hazard(u)[1]
        assert hazard(u) == pytest.approx(r, rel=2e-8, abs=1e-8)


def test_independent_equals_the_plain_version():
    X, Y = data()
    model = BOMC(noise=0.25, prior_variance=0.5, bias_variance=2.0, seed=None).fit(X, Y)
    mu, var, bm, bv = reference_independent(X, Y, 0.25, 1.0, 0.5, 2.0)
    np.testing.assert_allclose(model.mean_, mu, atol=2e-5)
    np.testing.assert_allclose(model.variance_, var, rtol=2e-5)
    np.testing.assert_allclose(model.bias_mean_, bm, atol=2e-5)
    np.testing.assert_allclose(model.bias_variance_, bv, rtol=2e-5)


def test_coupled_equals_ep_to_convergence():
    X, Y = data(n=40)
    model = BOMC.as_published(noise=0.3, seed=None).fit(X, Y)
    mu, var, b = reference_coupled(X, Y, 0.3, 1.0, 1e4)
    np.testing.assert_allclose(model.mean_, mu, atol=0.02)  # the kernel stops at a change of 1e-3
    np.testing.assert_allclose(model.variance_, var, rtol=0.02)
    assert model.belief_.bias[0, 0] == pytest.approx(b[0], abs=0.02)


def test_one_site_is_closed_form_probit():
    """One label and a bias that is all but known: moment matching of a probit."""
    model = BOMC.as_published(bias_variance=1e-8, noise=0.4, by_frequency=False, seed=None)
    model.fit([[0.6, -0.8]], [[1]])
    g, w = exact_site(1, 0.0, 0.36 + 0.64 + 0.16, 1.0)
    np.testing.assert_allclose(model.mean_[:, 0], np.array([0.6, -0.8]) * g, rtol=1e-5)
    np.testing.assert_allclose(model.variance_[:, 0], 1 - np.array([0.36, 0.64]) * w, rtol=1e-5)


def test_two_sites_against_quadrature():
    """The bias after one document with two labels, against the exact two-dimensional integral (EP is close)."""
    noise, eps = 0.5, 1.0
    model = BOMC.as_published(bias_variance=1.0, noise=noise, by_frequency=False, seed=None)
    model.fit([[1.0]], [[1, 0]])
    sd = math.sqrt(1.0 + noise**2)

    def weight(b):
        return norm.pdf(b) * norm.cdf((0.0 - b - eps) / sd) * norm.cdf((b - 0.0 - eps) / sd)

    total = dblquad(lambda b, _: weight(b), 0, 1, -9, 9)[0]
    variance = dblquad(lambda b, _: b * b * weight(b), 0, 1, -9, 9)[0] / total
    assert model.belief_.bias[0, 0] == pytest.approx(0.0, abs=2e-3)
    assert model.belief_.bias[1, 0] == pytest.approx(variance, rel=0.02)


def test_the_order_of_labels_does_not_matter():
    X, Y = data(n=50)
    there = BOMC.as_published(seed=None).fit(X, Y)
    back = BOMC.as_published(seed=None).fit(X, Y[:, ::-1])
    np.testing.assert_allclose(there.mean_, back.mean_[:, ::-1], atol=0.02)


def test_label_noise_is_the_derivative_of_its_evidence():
    def log_z(m, v, eps, rho):
        sigma = math.sqrt(v)
        return math.log((1 - rho) * norm.cdf((m - eps) / sigma) + rho * norm.cdf((-m - eps) / sigma))

    h = 1e-4
    for m in (-3.0, -0.2, 0.7, 2.5):
        g, w = site(1.0, m, 1.3, 0.5, 0.1)
        values = [log_z(m + k * h, 1.3, 0.5, 0.1) for k in (-1, 0, 1)]
        assert g == pytest.approx((values[2] - values[0]) / (2 * h), rel=1e-5)
        assert w == pytest.approx(-(values[2] - 2 * values[1] + values[0]) / h**2, rel=1e-3, abs=1e-5)


def test_multiclass_of_two_is_the_difference_of_two_fields():
    """With two classes there is one site on f_1 - f_0: closed form."""
    model = BOMC("multiclass", noise=0.3, prior_variance=1.0, by_frequency=False, seed=None)
    model.fit([[0.5, 1.0]], [[0, 1]])
    g, w = exact_site(1, 0.0, 2 * (1.25 + 0.09), 1.0)
    np.testing.assert_allclose(model.mean_, np.outer([0.5, 1.0], [-g, g]), rtol=1e-5)
    np.testing.assert_allclose(model.variance_[:, 1], 1 - np.array([0.25, 1.0]) * w, rtol=1e-5)
    p = model.predict_proba([[0.5, 1.0]])[0]
    m, v = model.predict_field([[0.5, 1.0]])
    difference = (m[0, 1] - m[0, 0]) / math.sqrt(v[0].sum() + 2 * 0.09)
    assert p[1] == pytest.approx(norm.cdf(difference), abs=1e-4)


def test_pairwise_of_two_labels_and_its_bias_learns():
    X, Y = data(n=200)
    model = BOMC("pairwise", noise=0.3).fit(X, Y)
    assert (model.predict(X) == Y).mean() > 0.85
