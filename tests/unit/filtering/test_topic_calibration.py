"""From scores to probabilities and intervals; whether intervals have the true probability, by simulation."""

import math

import numpy as np
import pytest
from scipy.special import expit

from bayesift.beliefs.likelihoods import predictive
from bayesift.filtering import GPProfile
from bayesift.filtering.tail import Tail
from bayesift.filtering.topic_calibration import LINE_SD, OFFSET, PER_DOUBLING, PIVOT, SLOPE, Calibration

TAIL = Tail(0.05, 0.02)
WIDE = 1.6448536269514722


def fitted(scores=(), answers=(), starts=1):
    return Calibration.fitted(TAIL, starts, list(scores), list(answers), [1.0] * len(answers))


def interval(calibration, score):
    """Return the interval as outcomes have it."""
    m, v = calibration.field(score)
    return predictive(GPProfile.code, np.array([m - WIDE * v**0.5, m + WIDE * v**0.5]), np.zeros(2)).tolist()


@pytest.mark.parametrize("p", [0.01, 0.25, 0.5, 0.9])
def test_the_level_of_a_probability_is_the_score_that_has_it(p):
    made = fitted([0.2, 0.1], [True, False])
    assert expit(made.logit(made.level(p))) == pytest.approx(p)


def test_a_probability_that_every_score_exceeds_has_no_level():
    made = fitted()
    assert made.level(1e-6) == -math.inf
    assert expit(made.logit(-5.0)) > 1e-6


def test_extreme_lines_have_a_level():
    made = fitted([0.0] * 30, [True] * 15 + [False] * 15)
    assert math.isfinite(made.level(1.0 - 1e-12))


def test_more_documents_to_start_from_mean_more():
    logits = [fitted(starts=n).logit(0.2) for n in (0, 1, 2, 4, 8, 100)]
    assert logits[0] == logits[1]
    assert np.diff(logits[1:5]) == pytest.approx(PER_DOUBLING)
    assert logits[4] == logits[5]


def test_the_field_has_the_probability_of_the_line():
    made = fitted([0.2, 0.1, 0.3], [True, False, True])
    m, v = made.field(0.25)
    assert predictive(GPProfile.code, np.array([m]), np.array([v]))[0] == pytest.approx(expit(made.logit(0.25)))


def drawn(rng, answers):
    """Return a calibration after answers about a topic that the prior has drawn, and the true log-odds at a score."""
    slope, offset = SLOPE + LINE_SD[0] * rng.standard_normal(), OFFSET + LINE_SD[1] * rng.standard_normal()

    def logit(score):
        return max(slope, 0.05) * (math.log(max(TAIL.place(score), 1.0)) - PIVOT) + offset

    scores = TAIL.begins + TAIL.excess * (5.0 + rng.exponential(3.0, answers))
    relevant = [bool(rng.random() < expit(logit(score))) for score in scores]
    return fitted(scores, relevant), logit


def test_intervals_have_the_true_probability_nine_times_in_ten_and_narrow():
    rng, inside, width = np.random.default_rng(0), {}, {}
    for answers in (0, 3, 10, 50):
        hits, widths = [], []
        for _ in range(300):
            calibration, logit = drawn(rng, answers)
            score = TAIL.begins + TAIL.excess * (5.0 + float(rng.exponential(3.0)) - math.log(10))
            low, high = interval(calibration, score)
            hits.append(low <= expit(logit(score)) <= high)
            widths.append(high - low)
        inside[answers], width[answers] = np.mean(hits), np.mean(widths)
    assert all(0.84 <= share <= 0.97 for share in inside.values()), inside
    assert width[0] > width[10] > width[50]
    assert width[50] < 0.25
