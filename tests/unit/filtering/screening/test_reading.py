"""What was read of a pool."""

import numpy as np
import pytest

from bayesift.errors import BadInput
from bayesift.filtering.screening.reading import Reading


def test_one_source_may_stand_for_all():
    reading = Reading([1, 0, 1], "ranked", 5, [0.5, 0.25])
    assert reading.source.tolist() == ["ranked"] * 3
    assert (reading.read, reading.found, reading.unread) == (3, 2, 2)
    assert reading.relevant.dtype == np.bool_


def test_nothing_read():
    reading = Reading([], "ranked", 4)
    assert (reading.read, reading.found, reading.unread, reading.draws().relevant.size) == (0, 0, 4, 0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([1, 0, 0], "ranked", 2), "3 records read of 2"),
        (([1, 2], "ranked", 5), "not a list of booleans"),
        (([[1, 0]], "ranked", 5), "not a list of booleans"),
        ((["yes"], "ranked", 5), "not a list of booleans"),
        (([1, 0], ["ranked"], 5), "1 sources of 2"),
        (([1, 0], "lucky", 5), "source 'lucky'"),
        (([1, 0], "ranked", 5, [0.1]), "1 probabilities of 3"),
        (([1, 0], "ranked", 5, [0.1, 1.2, 0.3]), r"not within \[0, 1\]"),
        (([1, 0], "ranked", 5, [0.1, float("nan"), 0.3]), r"not within \[0, 1\]"),
        (([1, 0], "ranked", 5, None, 3), "since is 3"),
    ],
)
def test_bad_arguments_raise(arguments, reason):
    with pytest.raises(BadInput, match=reason):
        Reading(*arguments)


def test_draws_know_what_was_read_before_them():
    hits, found, unread = Reading([1, 0, 1, 1], ["known", "random", "ranked", "random"], 9).draws()
    assert hits.tolist() == [False, True]
    assert found.tolist() == [1, 2]
    assert unread.tolist() == [8, 6]
    assert Reading([0, 0], "random", 9, since=1).draws().unread_before.tolist() == [8]
