"""The number of relevant documents missed, and how far the estimate may be off."""

import math

import numpy as np
import pytest

from bayesift.filtering.events import judged
from bayesift.filtering.recall_estimate import recall_estimate
from bayesift.filtering.rows import Row

NOTHING = Row.of({})


def answers(found, drawn):
    """Return `found` relevant documents that were delivered, and those drawn: (relevant, chance)."""
    delivered = [judged("t", f"d{i}", True, NOTHING) for i in range(found)]
    return delivered + [
        judged("t", f"r{i}", relevant, NOTHING, chance=chance, source="random")
        for i, (relevant, chance) in enumerate(drawn)
    ]


def test_nothing_is_known_without_a_draw():
    estimate = recall_estimate(answers(20, []))
    assert (estimate.found, estimate.drawn, estimate.missed, estimate.most) == (20, 0, 0.0, math.inf)
    assert math.isnan(estimate.recall)
    assert estimate.recall_interval == (0.0, 1.0)
    assert not estimate.is_known


def test_a_few_draws_that_find_nothing_say_little():
    estimate = recall_estimate(answers(20, [(False, 0.001)] * 9))
    assert (estimate.missed, estimate.least, estimate.recall) == (0.0, 0.0, 1.0)
    assert estimate.most == pytest.approx(0.19 * 9 * 999, rel=0.05)
    assert not estimate.is_known
    assert recall_estimate(answers(400, [(False, 0.01)] * 50)).is_known


def test_documents_drawn_that_wait_are_like_those_answered():
    drawn = [(True, 0.1), (False, 0.1)]
    alone, others = recall_estimate(answers(5, drawn)), recall_estimate(answers(5, drawn), unanswered=2)
    assert (others.missed, others.most) == (2 * alone.missed, 2 * alone.most)


@pytest.mark.parametrize("share", [0.002, 0.02, 0.2])
@pytest.mark.parametrize("rate", [0.002, 0.01])
def test_the_interval_holds_the_number_missed_about_as_often_as_it_says(share, rate):
    """Documents of a stream that were not shown, some of them relevant, are drawn with chances that fall along it."""
    rng, held, unknown = np.random.default_rng(0), 0, 0
    for _ in range(300):
        chances = rate * 4000 / (np.arange(8000) + 2000.0)
        relevant = rng.random(8000) < share
        drawn = rng.random(8000) < chances
        estimate = recall_estimate(answers(50, list(zip(relevant[drawn].tolist(), chances[drawn].tolist()))))
        missed = int((relevant & ~drawn).sum())
        held += estimate.least <= missed <= estimate.most
        unknown += not estimate.drawn
    assert 0.8 <= held / 300 <= 1.0
    assert unknown < 30
