"""Stopping rules: when they stop, what they say, and random draws."""

import numpy as np
import pytest

from bayesift.errors import BadInput
from bayesift.filtering.screening.certified import certify
from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.stopping import METHODS, StoppingRule, draw, random_share

LONG = Reading([True] * 60 + [False] * 540, ["ranked"] * 200 + ["random"] * 400, 1000)
SHORT = Reading([True, False, True, True, False, True], "ranked", 1000)


def test_a_certified_rule_stops_when_the_draws_prove_the_recall():
    strict, mild = StoppingRule().state(LONG), StoppingRule(recall=0.9, certainty=0.9).state(LONG)
    assert not strict.stop
    assert mild.stop
    assert mild.sentence.startswith("Stop: with 90 % certainty at most ")
    assert f"at most {mild.high} relevant records are unread" in mild.sentence
    assert "400 records drawn at random (0 relevant)" in mild.sentence
    assert mild.recall_low == 60 / (60 + mild.high)


def test_a_certified_rule_says_how_many_draws_are_missing():
    state = StoppingRule().state(LONG)
    assert f"takes {certify(LONG).needed:,} more random records" in state.sentence
    assert state.sentence.startswith("Read on: ")


def test_a_certified_rule_says_that_nothing_is_proved_before_the_first_draw():
    state = StoppingRule().state(SHORT)
    assert state.sentence == (
        "Read on: nothing is proved yet, since no record is drawn at random. To prove 95 % takes"
        f" {certify(SHORT).needed:,} more random records, if none of them is relevant."
    )


def test_a_model_rule_says_what_it_rests_on():
    state = StoppingRule(method="model").state(SHORT)
    assert not state.stop
    assert "The estimate rests on " in state.sentence
    assert state.low <= state.high
    found = Reading([True] * 40 + [False] * 900, "ranked", 1000)
    assert StoppingRule(method="model").state(found).stop


def test_records_in_a_row():
    rule = StoppingRule(method="in-a-row", in_a_row=3)
    stops = [rule.state(Reading(hits, "ranked", 9)).stop for hits in ([1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0])]
    assert stops == [False, True, False, True]


def test_records_known_beforehand_and_random_draws_are_not_in_the_row():
    rule = StoppingRule(method="in-a-row", in_a_row=2)
    assert not rule.state(Reading([1, 0, 0, 0], ["known", "known", "random", "ranked"], 9)).stop
    assert rule.state(Reading([1, 0, 0, 0], ["known", "ranked", "random", "other"], 9)).stop


def test_a_fixed_share():
    rule = StoppingRule(method="share", share=0.3)
    assert [rule.state(Reading([False] * n, "ranked", 10)).stop for n in (2, 3)] == [False, True]
    assert rule.state(Reading([False] * 3, "ranked", 10)).sentence == (
        "Stop: 3 of 10 records are read (30 % are asked for). This says nothing about what is unread."
    )


@pytest.mark.parametrize("method", METHODS)
def test_every_rule_stops_at_the_end_and_describes_an_empty_reading(method):
    rule = StoppingRule(method=method)
    done = rule.state(Reading([True, False], "ranked", 2))
    assert (done.stop, done.high, done.recall_low) == (True, 0, 1.0)
    assert done.sentence == "Stop: all 2 records are read."
    start = rule.state(Reading([], "ranked", 50))
    assert not start.stop
    assert (start.found, start.recall_low) == (0, 0.0)


def test_a_share_is_never_rounded_up():
    reading = Reading([True] * 96 + [False] * 50, "ranked", 150)
    assert "96 %" in StoppingRule().state(reading).sentence  # 96 of 100
    odd = Reading([True] * 1000 + [False] * 50, ["ranked"] * 1049 + ["random"], 1052)
    assert "99.8 %" in StoppingRule(recall=0.999).state(odd).sentence  # 99.80 of 100, and not 99.9


def test_draws_begin_at_the_point_where_one_would_like_to_stop():
    rule = StoppingRule()
    done = Reading([True] * 40 + [False] * 700, "ranked", 1000)
    assert random_share(SHORT, rule) == 0.0
    assert random_share(done, rule) > 0.0
    assert random_share(done, StoppingRule(method="model")) == 0.0


def test_a_draw_is_uniform_and_depends_on_the_set_alone():
    unread = np.arange(1000)[::-1][:260]
    drawn = np.array([draw(unread, number, seed=3) for number in range(5000)])
    counts = np.array([(drawn == record).sum() for record in unread])
    assert counts.sum() == 5000
    assert abs(drawn.mean() - unread.mean()) < 4 * unread.std() / np.sqrt(drawn.size)
    assert ((counts - 5000 / 260) ** 2 / (5000 / 260)).sum() < 259 + 4 * np.sqrt(2 * 259)
    assert draw(unread[::-1], 7, 3) == drawn[7]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"recall": 0.0}, "recall is 0"),
        ({"recall": 1.5}, "recall is 1.5"),
        ({"certainty": 1.0}, "certainty is 1"),
        ({"certainty": 0.2}, "certainty is 0.2"),
        ({"method": "feeling"}, "stopping method 'feeling'"),
        ({"in_a_row": 0}, "in_a_row is 0"),
        ({"share": float("nan")}, "share is nan"),
    ],
)
def test_bad_settings_raise(settings, reason):
    with pytest.raises(BadInput, match=reason):
        StoppingRule(**settings)


def test_nothing_is_drawn_from_nothing():
    with pytest.raises(BadInput, match="no record is unread"):
        draw(np.empty(0, int), 0)
