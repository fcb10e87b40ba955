"""The estimate of how many relevant documents remain unread."""

import numpy as np
import pytest

from bayesift.errors import BadInput
from bayesift.filtering.screening.remaining import remaining


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    held = []
    for _ in range(200):
        n = 500
        rate = 0.4 * np.exp(-rng.uniform(2, 20) * np.arange(n) / n)
        found = rng.random(n) < rate
        read = int(rng.uniform(0.15, 0.6) * n)
        estimate = remaining(found[:read], n)
        held.append(estimate.low <= found[read:].sum() <= estimate.high)
    assert 0.88 < np.mean(held) <= 1.0


def test_nothing_remains_in_a_pool_that_was_read():
    done = remaining([1, 0, 1], 3)
    assert (done.mean, done.low, done.high) == (0.0, 0, 0)


def test_before_reading_every_number_is_possible():
    nothing = remaining([], 100)
    assert nothing.low == 0
    assert 90 < nothing.high <= 100
    assert 0.0 < nothing.mean < 100.0
    assert remaining([], 100, level=0.5).high < nothing.high


def test_reading_without_a_find_lowers_the_estimate():
    means = [remaining([1, 1, 1] + [0] * read, 200).mean for read in (5, 20, 80, 150)]
    assert means == sorted(means, reverse=True)
    assert means[0] > 10 * means[-1]


def test_bad_arguments_raise():
    with pytest.raises(BadInput, match="4 documents read of 3"):
        remaining([0, 0, 0, 0], 3)
    with pytest.raises(BadInput, match=r"level 1\.0"):
        remaining([0], 3, level=1.0)
