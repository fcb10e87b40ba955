"""ROC areas, Q, log-evidence and reliability where they are at their edges."""

from __future__ import annotations

import numpy as np
import pytest

from bayesift import evaluate as ev
from bayesift.errors import BadInput


def test_q_perfect_worst_and_without_two_classes():
    truth = np.array([[1, 0], [0, 1], [0, 1]])
    sure = np.ones((3, 2))
    assert ev.q_score(truth, truth, sure) == 2
    assert ev.q_score(truth, 1 - truth, sure) == -2
    assert (
        ev.q_score(truth, truth, np.zeros((3, 2))) == 0
    )  # no confidence: area 1/2 by ties, and no agreement
    never = np.zeros((3, 1), int)
    assert ev.q_score(never, never, np.ones((3, 1))) == 1  # only the second term can speak
    assert ev.q_score(never, never, np.ones((3, 1)), single=1.0) == 2


def test_areas_of_scores_that_are_not_probabilities():
    assert ev.roc_areas([1, 0, 1], [np.inf, -3, -np.inf]).tolist() == [0.5]
    assert ev.roc_areas([1, 0], np.array([2, 2])).tolist() == [0.5]


def test_log_evidence_keeps_small_probabilities():
    # ln(1 - 1e-20) is -1e-20, which 1 - p in floating point would lose
    assert ev.log_evidence([0], [1e-20])[0] == pytest.approx(-1e-20, rel=1e-12, abs=0)
    assert ev.log_evidence([[1, 0], [1, 0]], [[0.5, 0.25], [0.25, 0.0]]) == pytest.approx(
        np.log([0.125, 0.75])
    )


def test_the_floor_holds_on_both_sides():
    assert ev.log_evidence([[1, 0]], [[0.0, 1.0]], floor=1e-3) == pytest.approx(np.log([1e-3, 1e-3]))
    assert np.isneginf(ev.log_evidence([[1, 0]], [[0.0, 1.0]])).all()
    with pytest.raises(BadInput, match="floor"):
        ev.log_evidence([1], [0.5], floor=0.5)


def test_inputs_are_not_changed():
    p = np.array([[0.25, 0.75]])
    for measure in (ev.brier_score, ev.log_evidence, ev.reliability, ev.roc_areas):
        measure([[1, 0]], p)
    ev.q_score([[1, 0]], [[1, 0]], p)
    assert p.tolist() == [[0.25, 0.75]]


def test_reliability_of_honest_and_of_boastful_probabilities():
    rng = np.random.default_rng(0)
    p = rng.random((20_000, 2))
    truth = rng.random(p.shape) < p
    assert ev.reliability(truth, p).expected_error < 0.01
    assert ev.reliability(truth, np.where(p > 0.5, 1.0, 0.0)).expected_error == pytest.approx(0.25, abs=0.01)


def test_bins():
    curve = ev.reliability([0, 0, 1, 1], [0.0, 0.5, 0.500001, 1.0], bins=2)
    assert curve.count.tolist() == [2, 2]  # 0.5 belongs to the lower bin
    assert (curve.lower.tolist(), curve.upper.tolist()) == ([0, 0.5], [0.5, 1])
    assert ev.reliability([0, 1], [0.01, 0.99]).count.tolist() == [1, 1]  # eight empty bins are left out
    equal = ev.reliability([0, 0, 1, 1], [0.01, 0.02, 0.03, 0.04], bins=2, by="count")
    assert equal.count.tolist() == [2, 2]
    with pytest.raises(BadInput, match="bins must"):
        ev.reliability([0], [0.5], bins=0)
    with pytest.raises(BadInput, match="width, count"):
        ev.reliability([0], [0.5], by="mass")  # type: ignore[arg-type]
