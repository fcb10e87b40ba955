"""Questions at random: at most one per document, for one topic, with a small probability.

One number decides whether, and for which topic. It depends on the seed and the number of documents alone, so that a
filter that is loaded draws as the one that was saved.
"""

from __future__ import annotations

import hashlib
import struct

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.bars import Bars
from bayesift.filtering.strategies import Strategy
from bayesift.numba_kernel import kernel

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
UNIT = 10**9  # a probability of 1, in whole numbers
BLOCK = 256  # topics that are added up at a time
SOON = 1000  # documents after which a random question is as rare as the documents shown make it


def random_question(strategy: Strategy, bars: Bars, seen: int, seed: int) -> tuple[int, float]:
    """Return the topic that asks about a document that it would not show, and with what probability; -1 is none.

    >>> from bayesift.filtering.topic_lines import TopicLines
    >>> bars = Bars(Strategy("rnd", horizon=10, target=10), TopicLines(1))
    >>> random_question(Strategy("rnd", horizon=10, target=10), bars, seen=1, seed=0)
    (0, 1.0)
    """
    if strategy.name == "rnd":
        base, slope, counted, per, dated = float(strategy.target), -1.0, 0.0, strategy.horizon, False
    elif strategy.name == "daily" and strategy.random_share > 0.0:
        base = slope = strategy.random_share
        counted, per, dated = 1.0, seen + SOON, bool(bars.day)
    else:
        return -1, 0.0
    units = (round(number * UNIT) for number in (base, slope, counted, uniform(seed, seen) * per))
    t, wanted = _chosen(bars.shown, bars.drawn, bars.today, bars.per_day, dated, *units)
    return int(t), int(wanted) / UNIT / per


def uniform(seed: int, n: int) -> float:
    """Return the random number from 0 to 1 of document n: a hash, since a generator per document takes far longer.

    >>> round(sum(uniform(0, n) for n in range(1000)) / 1000, 1)
    0.5
    """
    digest = hashlib.blake2b(struct.pack("<QQ", seed, n), digest_size=8).digest()
    return (int.from_bytes(digest, "little") >> 11) / (1 << 53)


@kernel
def _chosen(
    shown: Longs, drawn: Longs, today: Longs, per_day: Floats, dated: bool, base: int, slope: int, counted: int,
    enough: int,
) -> tuple[int, int]:  # fmt: skip
    """Return the first topic at which the sum of what topics want exceeds a number, and what it wants.

    Sums of whole numbers have no order, so that a block of topics is added up at once.
    """
    total, n = 0, shown.size
    for begin in range(0, n, BLOCK):
        end, some = min(begin + BLOCK, n), 0
        for t in range(begin, end):
            some += _wanted(shown[t], drawn[t], today[t], per_day[t], dated, base, slope, counted)
        if total + some > enough:
            for t in range(begin, end):
                wanted = _wanted(shown[t], drawn[t], today[t], per_day[t], dated, base, slope, counted)
                total += wanted
                if total > enough:
                    return t, wanted
        total += some
    return -1, 0


@kernel
def _wanted(
    shown: int, drawn: int, today: int, per_day: float, dated: bool, base: int, slope: int, counted: int
) -> int:
    return 0 if dated and today >= per_day else max(base + slope * shown - counted * drawn, 0)
