"""Calibration per label: what the two kinds learn, and that the order is kept."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.special import expit, logit

from bayesift.decide import rule_from_dict
from bayesift.decide.confidence_calibration import OWN, CalibratedConfidence
from bayesift.errors import BadInput
from bayesift.evaluate import q_score, reliability, roc_areas

KINDS = ["isotonic", "beta"]


def crooked(seed: int, documents: int = 8000):
    """Give the learner's p, the truth and the true probability, which is of the beta family with known slopes."""
    rng = np.random.default_rng(seed)
    p = rng.beta(0.7, 1.5, (documents, 2))
    true = np.column_stack(
        (expit(0.5 * np.log(p[:, 0]) - 2.0 * np.log1p(-p[:, 0]) - 0.3), expit(2 * logit(p[:, 1]) + 1))
    )
    return p, rng.random(p.shape) < true, true


@pytest.mark.parametrize("kind", KINDS)
def test_calibrated_probabilities_are_near_the_true_ones(kind):
    p, truth, _ = crooked(0)
    layer = CalibratedConfidence(kind).fit(p, truth)
    fresh, happened, true = crooked(1)
    found = layer.calibrate(fresh)
    assert np.abs(found - true).mean() < 0.02
    for c in range(2):
        before = reliability(happened[:, c], fresh[:, c]).expected_error
        assert reliability(happened[:, c], found[:, c]).expected_error < before / 3


def test_beta_finds_the_slopes_it_was_made_with():
    p, truth, _ = crooked(2, documents=50000)
    layer = CalibratedConfidence("beta").fit(p, truth)
    np.testing.assert_allclose(layer.maps_, [(0.5, 2.0, -0.3), (2.0, 2.0, 1.0)], atol=0.12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("b", [0.5, 0.999])
def test_confidence_keeps_the_learner_s_order(kind, b):
    p, truth, _ = crooked(3, documents=1000)
    layer = CalibratedConfidence(kind, b=b).fit(p, truth)
    signed = np.where(layer.decide(p), 1, -1) * layer.confidence(p)
    np.testing.assert_allclose(roc_areas(truth, signed), roc_areas(truth, p), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_with_b_one_half_confidence_is_the_probability_of_being_right(kind):
    p, truth, _ = crooked(4)
    layer = CalibratedConfidence(kind, b=0.5).fit(p, truth)
    c = layer.calibrate(p)
    np.testing.assert_allclose(layer.confidence(p), np.maximum(c, 1 - c))
    fresh, happened, _ = crooked(5)
    right = layer.decide(fresh) == happened
    assert reliability(right, layer.confidence(fresh)).expected_error < 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_q_gains_over_deciding_at_one_half(kind):
    p, truth, _ = crooked(6)
    layer = CalibratedConfidence(kind).fit(p, truth)
    fresh, happened, _ = crooked(7)
    plain = q_score(happened, fresh > 0.5, np.maximum(fresh, 1 - fresh))
    assert q_score(happened, layer.decide(fresh), layer.confidence(fresh)) > plain + 0.05


def test_a_slope_that_would_turn_the_order_round_is_taken_as_zero():
    p = np.linspace(0.05, 0.95, 400)[:, None]
    falling = np.random.default_rng(0).random(p.shape) < 1 - p
    ((u, v, w),) = CalibratedConfidence("beta").fit(p, falling).maps_
    assert (u, v) == (0.0, 0.0)
    assert w == pytest.approx(logit(falling.mean()))


@pytest.mark.parametrize("kind", KINDS)
def test_a_label_that_none_or_all_have(kind):
    layer = CalibratedConfidence(kind).fit([[0.2, 0.3]] * 20, [[0, 1]] * 20)
    assert layer.decide([[0.9, 0.1]]).tolist() == [[False, True]]


def test_top_label_is_given_if_wanted():
    p, truth = [[0.1, 0.2], [0.9, 0.1]] * 10, [[0, 0], [1, 0]] * 10
    plain, top = (CalibratedConfidence(top=top).fit(p, truth) for top in (False, True))
    assert plain.decide([[0.0, 0.2]]).tolist() == [[False, False]]
    given = top.decide([[0.0, 0.2]])
    assert given.tolist() == [[False, True]]
    assert top.confidence([[0.0, 0.2]])[0, 1] == top.b
    assert plain.calibrate([[0.0, 0.2]])[0, 1] == pytest.approx(OWN * 0.2)


def test_bad_input():
    with pytest.raises(BadInput, match=r"this CalibratedConfidence is not fitted; .*fit"):
        CalibratedConfidence().confidence([[0.5]])
    with pytest.raises(BadInput, match="no such calibration 'platt'; kinds are: isotonic, beta"):
        CalibratedConfidence("platt")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="1 labels, but scores has 2"):
        CalibratedConfidence().fit([[0.1], [0.9]], [[0], [1]]).decide([[0.1, 0.2]])


@pytest.mark.parametrize("kind", KINDS)
def test_saved_and_loaded_it_is_the_same(kind):
    p, truth, _ = crooked(8, documents=300)
    layer = CalibratedConfidence(kind, b=0.5, top=True).fit(p, truth)
    saved = json.loads(json.dumps(layer.to_dict(), allow_nan=False))
    assert rule_from_dict(saved) == layer
    with pytest.raises(BadInput, match=r"kind must be like 'isotonic', but is 3"):
        rule_from_dict(saved | {"kind": 3})
