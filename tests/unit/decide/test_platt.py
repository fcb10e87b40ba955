"""Platt's line with a prior."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from bayesift.decide.platt import fit_line


def test_without_labels_the_line_is_the_prior():
    line = fit_line([], [], [], (0.8, -4.0), (0.4, 1.1))
    assert (line.slope, line.offset) == pytest.approx((0.8, -4.0))
    np.testing.assert_allclose(line.covariance, np.diag([0.16, 1.21]))
    assert expit(line.logit(5.0)) == pytest.approx(0.5)


def test_the_line_is_the_most_probable_one():
    rng = np.random.default_rng(0)
    s = rng.normal(2.0, 2.0, 30)
    y, w = rng.random(30) < expit(1.2 * s - 3.0), rng.uniform(0.5, 3.0, 30)

    def loss(ab):
        z = ab[0] * s + ab[1]
        fit = w @ np.where(y, log_expit(z), log_expit(-z))
        return 0.5 * ((ab[0] - 0.8) / 0.4) ** 2 + 0.5 * ((ab[1] + 4.0) / 1.1) ** 2 - fit

    line = fit_line(s, y, w, (0.8, -4.0), (0.4, 1.1))
    best = minimize(loss, [1.0, -3.0], tol=1e-10).x
    assert (line.slope, line.offset) == pytest.approx(tuple(best), abs=1e-4)
    a, both, b = line.entries
    assert 0.0 < 4.0 * a + 4.0 * both + b < 4.0 * 0.16 + 1.21


def test_a_higher_score_never_means_a_lower_probability():
    line = fit_line([5.0, 6.0, 0.0, 1.0] * 20, [0, 0, 1, 1] * 20, np.ones(80), (0.8, -4.0), (0.4, 1.1))
    assert line.slope > 0.0


def test_labels_that_a_line_separates_stay_finite():
    line = fit_line(np.arange(200.0), np.arange(200) > 100, np.full(200, 50.0), (0.8, -4.0), (0.4, 1.1))
    assert np.isfinite([line.slope, line.offset]).all()
    assert np.isfinite(line.covariance).all()
