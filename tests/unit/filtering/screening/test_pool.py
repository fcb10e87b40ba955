"""Screening a pool, the most promising record first."""

import numpy as np
import pytest
from tests.unit.filtering.screening.records_of_two_kinds import records

from bayesift.errors import BadInput
from bayesift.filtering.screening.pool import screen
from bayesift.filtering.screening.pool_ranker import PoolRanker

TEXTS, TRUTH = records(150)
RANKER = PoolRanker(TEXTS)


def test_every_record_is_read_once_and_relevant_ones_early():
    run = screen(RANKER, TRUTH, seed=1)
    assert len(set(run.order.tolist())) == run.order.size == 148
    assert (run.relevant == TRUTH[run.order]).all()
    assert run.atd < 0.35
    assert run.recall[-1] == 1.0
    assert run.measures()["ATD"] == run.atd
    assert 0 < run.measures()["loss"] < 0.3


def test_the_ranker_is_as_it_was():
    before = RANKER.scores()
    screen(RANKER, TRUTH, seed=2)
    assert (RANKER.scores() == before).all()


def test_what_is_known_beforehand_can_be_named_and_chance_has_a_seed():
    known = [int(np.flatnonzero(TRUTH)[0]), int(np.flatnonzero(~TRUTH)[0])]
    assert not set(known) & set(screen(RANKER, TRUTH, known=known).order.tolist())
    assert (screen(RANKER, TRUTH, seed=5).order == screen(RANKER, TRUTH, seed=5).order).all()


def test_the_order_is_that_of_judging_one_by_one():
    run = screen(RANKER, TRUTH, known=[0, 1])
    ranker = PoolRanker(TEXTS)
    ranker.learn([0, 1], TRUTH[:2])
    for record in run.order[:30]:
        assert ranker.order(1)[0] == record
        ranker.judge(int(record), bool(TRUTH[record]))


def test_a_pool_of_one_kind_is_refused():
    with pytest.raises(BadInput, match="0 of 150 records are relevant"):
        screen(RANKER, np.zeros_like(TRUTH))


def test_what_a_pool_is_given_is_checked():
    for wrong, reason in [
        ({"truth": TRUTH.astype(int)}, "truth has type int64"),
        ({"truth": TRUTH[:-1]}, r"shape \(149,\); give 150 booleans"),
        ({"seed": -5}, "the random seed is -5"),
        ({"known": [3, 3]}, "each once"),
        ({"known": [150]}, "row numbers below 150"),
    ]:
        with pytest.raises(BadInput, match=reason):
            screen(RANKER, **({"truth": TRUTH} | wrong))
