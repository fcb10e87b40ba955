"""The estimate of how many relevant records remain unread."""

import numpy as np
import pytest

from bayesift.errors import BadInput
from bayesift.filtering.screening.rate_shapes import _curves, expected_after
from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.remaining import Remaining, distribution, estimate_remaining, evidence


def remaining(found, pool: int, level: float = 0.95) -> Remaining:
    return estimate_remaining(Reading(found, "ranked", pool), level)


def simulated(reviews: int = 300, seed: int = 0):
    """Yield readings and how many unread records are relevant: the rate falls, often to a constant rest."""
    rng = np.random.default_rng(seed)
    for _ in range(reviews):
        size = int(rng.uniform(300, 900))
        rate = rng.uniform(0.3, 0.9) * np.exp(-rng.uniform(5, 40) * np.arange(size) / size)
        rate += rng.choice([0.0, 0.003, 0.01])
        relevant = rng.random(size) < rate
        relevant[0] = True
        read = int(rng.uniform(0.05, 0.9) * size)
        source = ["known", *["ranked"] * (read - 1)]
        yield Reading(relevant[:read], source, size, np.minimum(rate, 1.0)[read:]), int(relevant[read:].sum())


@pytest.mark.parametrize("probabilities", [True, False])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(probabilities):
    held, width, unread = [], 0, 0
    for reading, truth in simulated():
        known = reading if probabilities else Reading(reading.relevant, reading.source, reading.pool)
        estimate = estimate_remaining(known)
        held.append(estimate.low <= truth <= estimate.high)
        width, unread = width + estimate.high - estimate.low, unread + reading.unread
    assert 0.9 <= np.mean(held) <= 1.0
    assert width < 0.2 * unread  # all unread records would hold the truth always


def test_a_narrower_interval_holds_it_less_often():
    held = [e.low <= truth <= e.high for r, truth in simulated() for e in [estimate_remaining(r, 0.5)]]
    assert 0.3 < np.mean(held) < 0.85


def test_the_distribution_is_one():
    for reading, _ in simulated(20, seed=1):
        p = distribution(reading)
        assert p.min() >= 0.0
        assert p.sum() == pytest.approx(1.0)
        assert p.size <= reading.unread + 1


def test_nothing_remains_in_a_pool_that_was_read():
    done = remaining([1, 0, 1], 3)
    assert (done.mean, done.low, done.high) == (0.0, 0, 0)


def test_before_reading_every_number_is_possible():
    nothing = remaining([], 100)
    assert nothing.low <= 2
    assert nothing.high >= 95
    assert nothing.basis == "nothing yet: too few records are read"
    assert remaining([], 100, level=0.5).high < nothing.high


def test_reading_without_a_find_lowers_the_estimate():
    means = [remaining([1, 1, 1, 0] + [0] * read, 200).mean for read in (5, 20, 80, 150)]
    assert means == sorted(means, reverse=True)
    assert means[0] > 10 * means[-1]


def test_an_unsuccessful_start_is_not_steepness():
    start = [0] * 30 + [1, 0, 1, 1, 0, 1, 1, 1, 0, 1]
    assert remaining(start, 400).mean > remaining(sorted(start, reverse=True), 400).mean


def test_records_known_beforehand_say_nothing_about_the_rate():
    hits = [True, True, True] + [False] * 60
    known = Reading(hits, ["known"] * 3 + ["ranked"] * 60, 300)
    ranked = Reading(hits, "ranked", 300)  # three finds at once: a steep start
    assert evidence(known)[0][1] > evidence(ranked)[0][1]
    assert evidence(known)[0][3] == np.log(4.0)  # but they count as found


def test_random_draws_sharpen_the_estimate():
    ranked = [1, 0, 1, 1, 0, 1, 0, 0, 1, 0] * 4 + [0] * 40
    before = remaining(ranked, 600)
    reading = Reading(ranked + [0] * 200, ["ranked"] * 80 + ["random"] * 200, 600)
    assert estimate_remaining(reading).high < before.high
    assert "200 records drawn at random" in estimate_remaining(reading).basis
    hit = Reading(ranked + [0] * 190 + [1] * 10, ["ranked"] * 80 + ["random"] * 200, 600)
    assert estimate_remaining(hit).mean > 5 * estimate_remaining(reading).mean


@pytest.mark.parametrize("pool", [300, 5000])
def test_draws_alone_give_the_posterior_of_a_uniform_prior(pool):
    hits = [False] * 57 + [True] * 3
    estimate = estimate_remaining(Reading(hits, "random", pool))
    assert estimate.mean == pytest.approx((pool - 60) * 4 / 62, rel=1e-3)  # (N - n)(k + 1)/(n + 2)
    assert estimate.basis == "60 records drawn at random"


def test_a_basis_names_the_probabilities_only_where_they_are_used():
    hits = [1, 0, 1, 0, 0, 0]
    assert "probabilities" in estimate_remaining(Reading(hits, "ranked", 9, [0.3, 0.1, 0.1])).basis
    assert "probabilities" not in remaining(hits, 9).basis


def test_probabilities_of_zero_are_possible():
    estimate = estimate_remaining(Reading([1, 0, 1, 0, 0, 0], "ranked", 30, [0.0] * 24))
    assert np.isfinite(estimate.mean)


def test_shapes_are_densities_with_their_distribution_functions():
    t = (np.arange(4000) + 0.5) / 4000
    density, reached = _curves(t)
    assert density.min() >= 0.0
    assert np.abs(density.mean(axis=1) - 1.0).max() < 1e-3
    assert np.abs((np.cumsum(density, axis=1) - density / 2) / 4000 - reached).max() < 1e-3
    assert reached.shape[0] == 68


def test_shapes_that_rise_are_believed_after_an_unsuccessful_start():
    late, early = np.linspace(0.05, 0.1, 20), np.geomspace(0.001, 0.1, 20)
    expected = [float(w @ e) for w, e in (expected_after(places, 0.1, 1000) for places in (late, early))]
    assert expected[0] > expected[1]


def test_bad_arguments_raise():
    with pytest.raises(BadInput, match="4 records read of 3"):
        remaining([0, 0, 0, 0], 3)
    with pytest.raises(BadInput, match=r"level 1\.0"):
        remaining([0], 3, level=1.0)
