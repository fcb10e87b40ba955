"""Gaussian-process regression against dense linear algebra."""

import numpy as np
import pytest

from bayesift.errors import BadInput
from bayesift.learn.gp_regression import GPRegression


def case(n=40, d=12, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X, rng.normal(size=n), rng.uniform(0.2, 20.0, n), 0.3 * rng.normal(size=n)


def grown(X, t, noise, prior):
    gp = GPRegression()
    for i in range(len(X)):
        gp.add(X[: i + 1] @ X[i], t[i], noise[i], prior[i])
    return gp


def test_alpha_variance_and_scale_are_those_of_the_dense_system():
    X, t, noise, prior = case()
    gp = grown(X, t, noise, prior)
    S = X @ X.T + np.diag(noise)
    np.testing.assert_allclose(gp.alpha, np.linalg.solve(S, t - prior), rtol=1e-9)
    x, z = case(seed=1)[0][:2]
    k = X @ x
    assert gp.variance(k, 1.0) == pytest.approx(1.0 - k @ np.linalg.solve(S, k))
    assert gp.covariance(k, (X @ z)[None], [x @ z])[0] == pytest.approx(x @ z - (X @ z) @ np.linalg.solve(S, k))
    assert gp.scale == pytest.approx((t - prior) @ np.linalg.solve(S, t - prior) / len(t))


def test_leave_one_out_is_a_fit_without_the_row():
    X, t, noise, prior = case()
    mean, variance = grown(X, t, noise, prior).leave_one_out()
    for i in (0, 7, 39):
        rest = np.arange(len(X)) != i
        S, k = X[rest] @ X[rest].T + np.diag(noise[rest]), X[rest] @ X[i]
        assert mean[i] == pytest.approx(prior[i] + k @ np.linalg.solve(S, (t - prior)[rest]))
        assert variance[i] == pytest.approx(X[i] @ X[i] - k @ np.linalg.solve(S, k))


def test_a_restored_state_goes_on_to_the_bit():
    X, t, noise, prior = case()
    for stop in (0, 1, 8, 9, 33):
        gp = GPRegression().restore(grown(X[:stop], t, noise, prior).state())
        for i in range(stop, len(X)):
            gp.add(X[: i + 1] @ X[i], t[i], noise[i], prior[i])
        whole = grown(X, t, noise, prior)
        assert gp.alpha.tobytes() == whole.alpha.tobytes()
        assert gp.leave_one_out()[0].tobytes() == whole.leave_one_out()[0].tobytes()


def test_the_same_row_twice_is_learned():
    gp = GPRegression()
    gp.add([1.0], 1.0, 1e-12)
    gp.add([1.0, 1.0], 1.0, 1e-12)
    assert np.isfinite(gp.alpha).all()
    assert np.ones(2) @ gp.alpha == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(("row", "noise"), [([1.0, 2.0], 1.0), ([np.nan], 1.0), ([1.0], 0.0), ([1.0], np.inf)])
def test_bad_rows_are_refused_and_change_nothing(row, noise):
    gp = GPRegression()
    with pytest.raises(BadInput):
        gp.add(row, 1.0, noise)
    assert gp.n == 0
