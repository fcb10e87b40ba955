"""The published confidence layer and the one with a threshold per label, against Q itself."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bayesift.decide import MinError, rule_from_dict
from bayesift.decide.confidence import (
    MOST,
    Confidence,
    ThresholdConfidence,
    _best_threshold,
    _parts,
    confidence_in,
    cross_validated_q,
)
from bayesift.decide.folds import stratified_folds
from bayesift.errors import BadInput
from bayesift.evaluate import q_score, roc_areas


def judged(seed: int, documents: int = 400, labels: int = 4, shared: bool = False):
    """Give probabilities that are too high or too low by label, and a truth that follows their order."""
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 2.0, (documents, labels))
    truth = rng.random(p.shape) < (p if shared else p ** np.linspace(0.4, 3.0, labels))
    return p, truth


def q_of(layer, p, truth) -> float:
    return q_score(truth, layer.decide(p), layer.confidence(p))


def test_confidence_is_b_at_the_threshold_and_one_at_both_ends():
    layer = Confidence(a=0.25, b=0.8, top=False)
    p = np.array([[0.0], [0.125], [0.25], [0.625], [1.0]])
    np.testing.assert_allclose(layer.confidence(p).ravel(), [1.0, 0.9, 0.8, 0.9, 1.0])
    assert layer.decide(p).ravel().tolist() == [False, False, True, True, True]


def test_top_label_is_given_below_the_threshold_with_confidence_b():
    p = np.array([[0.1, 0.2, 0.15]])
    layer = Confidence(a=0.5, b=0.9)
    assert layer.decide(p).tolist() == [[False, True, False]]
    np.testing.assert_allclose(layer.confidence(p), [[0.98, 0.9, 0.97]])
    assert not Confidence(a=0.5, b=0.9, top=False).decide(p).any()


@pytest.mark.parametrize(("a", "edge"), [(0.0, [1.0, 0.9]), (1.0, [0.9, 1.0])])
def test_thresholds_at_the_ends_divide_by_nothing(a, edge):
    np.testing.assert_allclose(Confidence(a=a, b=0.9, top=False).confidence([[1.0], [0.0]]).ravel(), edge)


@pytest.mark.parametrize("top", [True, False])
@pytest.mark.parametrize(("a", "b"), [(0.1, 0.0), (0.3, 0.5), (0.45, 0.93), (0.7, 0.999)])
def test_q_is_the_area_plus_a_line_in_b(a, b, top):
    p, truth = judged(1)
    area, s0, s1 = _parts(p, truth, a, top)
    assert area + b * s0 + (1 - b) * s1 == pytest.approx(q_of(Confidence(a, b, top), p, truth), abs=1e-9)


@pytest.mark.parametrize("top", [True, False])
def test_fit_beats_every_pair_on_a_grid(top):
    p, truth = judged(2, shared=True)
    layer = Confidence(top=top).fit(p, truth)
    assert layer.top is top
    grid = max(q_of(Confidence(a, b, top), p, truth) for a in np.arange(0.04, 1, 0.08) for b in (0.0, 0.5, 0.9, MOST))
    assert q_of(layer, p, truth) >= grid - 1e-9


def test_order_of_signed_confidence_is_the_order_of_the_score():
    p = np.random.default_rng(0).random((300, 3))
    layer = ThresholdConfidence().fit(p, np.random.default_rng(1).random(p.shape) < p)
    signed = np.where(layer.decide(p), 1, -1) * layer.confidence(p)
    for c in range(3):
        assert (np.diff(signed[np.argsort(p[:, c]), c]) > 0).all()


@pytest.mark.parametrize("b", [0.0, 0.6, 0.9, MOST])
def test_threshold_of_a_label_is_the_best_of_all_cuts(b):
    p, truth = judged(3, documents=60, labels=1)
    layer = ThresholdConfidence(b=b).fit(p, truth)
    other = [q_of(ThresholdConfidence(b=b, thresholds_=(a,)), p, truth) for a in np.linspace(0.001, 0.999, 500)]
    assert q_of(layer, p, truth) >= max(other) - 0.01 * (1 - b)  # its cuts are midpoints, which move r a little
    assert q_of(layer, p, truth) > np.median(other)


def test_near_one_it_makes_the_fewest_errors():
    p, truth = judged(4)
    ours, least = (rule.fit(p, truth).decide(p) != truth for rule in (ThresholdConfidence(), MinError()))
    assert ours.sum() <= least.sum() + 1


def test_thresholds_per_label_beat_one_for_all_where_labels_differ():
    p, truth = judged(5, documents=2000)
    folds = stratified_folds(truth, 4)
    single, many = (cross_validated_q(x, p, truth, folds) for x in (Confidence(top=False), ThresholdConfidence()))
    assert many > single + 0.02


def test_cross_validated_q_never_sees_the_fold_it_decides():
    p, truth = judged(6, documents=200)
    folds = np.arange(200) % 2
    expected_given, expected_q = np.empty(p.shape, bool), np.empty(p.shape)
    for k in (0, 1):
        layer = ThresholdConfidence().fit(p[folds != k], truth[folds != k])
        expected_given[folds == k], expected_q[folds == k] = (
            layer.decide(p[folds == k]),
            layer.confidence(p[folds == k]),
        )
    assert cross_validated_q(ThresholdConfidence(), p, truth, folds) == q_score(truth, expected_given, expected_q)
    with pytest.raises(BadInput, match="one fold"):
        cross_validated_q(ThresholdConfidence(), p, truth, np.zeros(200, int))


def test_confidence_in_given_labels_keeps_the_order_and_is_the_best_for_q():
    p, truth = judged(7, documents=3000, shared=True)
    labels = p > 0.3
    q = confidence_in(labels, p)
    signed = np.where(labels, q, -q)
    np.testing.assert_allclose(roc_areas(truth, signed), roc_areas(truth, p), atol=1e-12)
    assert q_score(truth, labels, q) > q_score(truth, labels, confidence_in(labels, p, b=0.9))
    assert q_score(truth, labels, q) > q_of(Confidence(0.3, MOST, top=False), p, truth) + 0.01
    with pytest.raises(BadInput, match="shape"):
        confidence_in(labels[:, :2], p)


def test_a_label_nobody_has_is_never_given_and_withheld_with_confidence():
    layer = ThresholdConfidence(b=0.9).fit([[0.2, 0.9], [0.8, 0.9]], [[0, 0], [1, 0]])
    assert layer.thresholds_[1] == np.inf
    p = [[0.9, 1.0], [0.1, 0.0]]
    assert layer.decide(p)[:, 1].tolist() == [False, False]
    np.testing.assert_allclose(layer.confidence(p)[:, 1], [0.9, 1.0])
    assert _best_threshold(np.array([0.5, 0.7]), np.array([True, True]), 0.9) < 0.5  # and one that all have, always


def test_top_with_thresholds_of_their_own():
    layer = ThresholdConfidence(b=0.9, top=True, thresholds_=(0.5, 0.8))
    p = [[0.3, 0.4], [0.6, 0.7]]
    assert layer.decide(p).tolist() == [[False, True], [True, True]]
    np.testing.assert_allclose(layer.confidence(p), [[0.94, 0.9], [0.92, 0.9]])


def test_not_fitted_is_said():
    with pytest.raises(BadInput, match=r"this ThresholdConfidence is not fitted; .*fit"):
        ThresholdConfidence().confidence([[0.5]])
    with pytest.raises(BadInput, match="not fitted"):
        ThresholdConfidence().decide([[0.5]])


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Confidence(a=1.5), "a must lie between 0 and 1"),
        (lambda: Confidence(b=-0.1), "b must lie between 0 and 1"),
        (lambda: ThresholdConfidence(b=1.0), "below 1"),
        (lambda: Confidence().confidence([[1.2]]), "between 0 and 1"),
        (lambda: Confidence().fit([[0.5]], [[1, 0]]), "shape"),
        (lambda: ThresholdConfidence(thresholds_=(0.5,)).decide([[0.5, 0.5]]), "1 labels, but scores has 2"),
    ],
)
def test_bad_input(make, match):
    with pytest.raises(BadInput, match=match):
        make()


@pytest.mark.parametrize("layer", [Confidence(0.3, 0.9, False), ThresholdConfidence(0.9, True, (0.25, np.inf))])
def test_saved_and_loaded_it_is_the_same(layer):
    saved = json.loads(json.dumps(layer.to_dict(), allow_nan=False))
    found = rule_from_dict(saved)
    assert found == layer
    assert found.top is layer.top
    with pytest.raises(BadInput, match=r"top must be like (True|False), but is 1"):
        rule_from_dict(saved | {"top": 1})
