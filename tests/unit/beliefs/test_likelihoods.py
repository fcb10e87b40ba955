"""log Z, g1 and g2 against 60 digits, far into the tails; and what they promise about variances."""


import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference import likelihoods as reference

from bayesift.beliefs import Flip, Gaussian, Margin, Probit, likelihood_of, logit
from bayesift.errors import BadInput

U = np.concatenate([np.linspace(-60, 60, 241), [-5.0001, -4.9999, -1e-9, 1e-9, 1e-300]])


@pytest.mark.parametrize(
    ("likelihood", "kind", "a", "b"),
    [
        (Probit(0.5), "gaussian", 0.5, 0.0),
        (logit(), "gaussian", 1.6474, 0.0),
        (Margin(1.0, 0.01), "gaussian", 0.01, 1.0),
        (Flip(0.1), "flip", 0.1, 0.0),
        (Flip(0.001), "flip", 0.001, 0.0),
    ],
)
@pytest.mark.parametrize("y", [1, -1])
@pytest.mark.parametrize("v", [1e-4, 0.7, 50.0])
def test_equals_high_precision(likelihood, kind, a, b, y, v):
    sigma = np.sqrt(v if kind == "flip" else a**2 + v)
    for u in U:
        m = float(y * (u * sigma + b))
        ours = likelihood.moments(y, m, v)
        theirs = reference.moments(kind, a, b, y, m, v)
        for got, expected in zip(ours, theirs):
            if abs(expected) > 1e-290:
                # m itself is rounded, so the result may move by as much as u does
                assert got == pytest.approx(float(expected), rel=2e-12, abs=1e-300 if kind != "flip" else 1e-15)


@given(st.floats(-1e6, 1e6), st.floats(1e-12, 1e8), st.sampled_from([1, -1]), st.floats(1e-3, 1e3))
def test_log_concave_ones_shrink_the_variance_and_keep_it_positive(m, v, y, sigma0):
    log_z, g1, g2 = Probit(sigma0).moments(y, m, v)
    assert log_z <= 0
    assert np.isfinite([log_z, g1, g2]).all()
    assert 0 <= -g2 * v < 1
    assert g1 * y >= 0


def test_an_outlier_widens_the_belief_under_flips():
    assert Flip(0.1).moments(1, -3.0, 1.0)[2] > 0
    assert all(np.isfinite(Flip(0.1).moments(1, m, 0.0)).all() for m in (0.0, 1.0, -1e9))


def test_names_and_settings():
    assert likelihood_of("probit") == Probit(0.5)
    assert likelihood_of("logit").sigma0 == 1.6474
    assert likelihood_of(Flip(0.2)) == Flip(0.2)
    for wrong in (lambda: likelihood_of("cauchy"), lambda: Flip(0.5), lambda: Probit(0.0), lambda: Margin(1.0, -1.0)):
        with pytest.raises(BadInput):
            wrong()


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(0.1, 10)), min_size=1, max_size=5))
def test_products_do_not_depend_on_order_and_quotients_undo_them(parts):
    prior = Gaussian.of(0.0, 20.0)
    forward = backward = prior
    for (m, v), (last_m, last_v) in zip(parts, parts[::-1]):
        forward, backward = forward * Gaussian.of(m, v), backward * Gaussian.of(last_m, last_v)
    assert forward.precision == pytest.approx(backward.precision)
    assert forward.mean == pytest.approx(backward.mean, abs=1e-12)
    undone = forward
    for m, v in parts:
        undone = undone / Gaussian.of(m, v)
    assert undone.precision == pytest.approx(prior.precision)


def test_variances_are_positive():
    with pytest.raises(BadInput):
        Gaussian.of(0.0, -1.0)
