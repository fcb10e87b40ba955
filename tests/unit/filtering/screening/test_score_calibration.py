"""Probabilities from scores."""

import numpy as np
import pytest

from bayesift.filtering.screening.score_calibration import calibrated


def test_the_sum_over_unread_records_is_near_the_truth():
    rng = np.random.default_rng(0)
    scores = rng.normal(0.0, 0.3, 2000)
    truth = rng.random(2000) < 1 / (1 + np.exp(-(1.8 * (scores - 0.6) / 0.3 - 0.5)))
    best = np.argsort(-scores)
    judged, unread = best[:60], np.ones(2000, bool)
    unread[judged] = False
    p = calibrated(scores[judged], truth[judged], scores, unread)
    assert 0.5 < p[unread].sum() / truth[unread].sum() < 2.0
    assert (np.diff(p[best]) <= 0).all()


def test_more_hits_raise_and_misses_lower_the_probabilities():
    scores, unread = np.linspace(0, 1, 11), np.ones(11, bool)
    left_out = np.full(8, 0.9)
    high, low = (calibrated(left_out, np.full(8, value), scores, unread) for value in (True, False))
    before = calibrated(np.empty(0), np.empty(0, bool), scores, unread)
    assert (high > before).all()
    assert (before > low).all()


@pytest.mark.parametrize("scores", [np.empty(0), np.zeros(3)])
def test_equal_scores_have_equal_probabilities(scores):
    p = calibrated(np.empty(0), np.empty(0, bool), scores, np.ones(scores.size, bool))
    assert p == pytest.approx(np.full(scores.size, 1 / (1 + np.e)))
    assert calibrated(np.empty(0), np.empty(0, bool), scores, np.zeros(scores.size, bool)).size == scores.size
