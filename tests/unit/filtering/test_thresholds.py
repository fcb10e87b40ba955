"""Thresholds: each strategy's own, and the one of `target` along a stream."""

import numpy as np
import pytest
from tests.unit.filtering.streams import made

from bayesift.beliefs import Flip, Probit
from bayesift.filtering import Budget, Strategy
from bayesift.filtering.thresholds import PAYS, Thresholds


def of(name, budget=None, **settings):
    return Thresholds(Strategy(name, **settings), budget, [Flip(0.1).code, Probit(0.5).code])


@pytest.mark.parametrize(
    ("name", "u", "gain"),
    [
        ("none", np.inf, np.inf),
        ("rnd", np.inf, np.inf),
        ("ig", np.inf, Strategy().theta(3)),
        ("utility", PAYS, 0.001),
        ("f1", PAYS, 0.001),
        ("target", 0.0, np.inf),
    ],
)
def test_a_strategy_sets_its_thresholds(name, u, gain):
    thresholds = of(name)
    thresholds.update(1, 3, 0)
    assert (thresholds.at(1, 0), thresholds.least_gain[1]) == (u, gain)


def test_a_budget_replaces_theta():
    thresholds = of("ig", Budget(2))
    thresholds.update(0, 3, 0)
    assert thresholds.least_gain[0] == pytest.approx(0.001)


def test_the_threshold_of_target_falls_rises_and_ends():
    thresholds = of("target", target=10, horizon=100, step=0.5)
    thresholds.update(0, 0, 0)
    assert thresholds.at(0, 20) == pytest.approx(-20 * 0.5 * 10 / 100)
    thresholds.update(0, 1, 20, asked=True)
    assert thresholds.at(0, 20) == pytest.approx(-1.0 + 0.5)
    assert thresholds.at(0, 30) == pytest.approx(-0.5 - 10 * 0.5 * 9 / 80)
    thresholds.update(0, 10, 30)
    assert thresholds.at(0, 99) == np.inf


def test_the_initial_threshold_leaves_the_wanted_share_of_a_sample_above():
    thresholds = of("target", target=10, horizon=100)
    thresholds.start(0, list(np.linspace(-2.0, -1.0, 101)), 0, 0)
    assert thresholds.at(0, 0) == pytest.approx(-1.09)


def test_a_query_changes_nothing():
    stream, rows, _ = made("target")
    before = [array.copy() for array in stream.decisions.thresholds.arrays()]
    first = stream.decisions.index.near(rows[3], stream.decisions.thresholds, 50)
    again = stream.decisions.index.near(rows[3], stream.decisions.thresholds, 50)
    assert all((a == b).all() for a, b in zip(first, again))
    assert all((a == b).all() for a, b in zip(before, stream.decisions.thresholds.arrays()))
