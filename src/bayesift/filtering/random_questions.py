"""Questions at random: at most one per document, for one topic, with a small probability.

A topic that has shown S of n documents, D of them drawn at random, asks about one that it would not show with the
probability

    q = (share (1 + S) - D) / (n + SOON)

If S grows with n, D tends to half of share S. What topics want with the strategy `rnd` is (wanted - S) / documents of
the stream.

One number decides whether, and for which topic. It depends on the seed and the number of documents alone, so that a
filter that is loaded draws as the one that was saved. What all topics want together is kept from document to document:
mostly it is less than the number drawn, and no topic has to be looked at.
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
UNIT = 10**9  # a probability of 1, in whole numbers, whose sums have no order
SOON = 1000  # documents after which a random question is as rare as the documents shown make it


class RandomQuestions:
    """Questions at random of the topics of some bars.

    Who changes the counts of the bars calls `forget`, or `before` and `after` with the topics.

    Examples
    --------
    >>> from bayesift.filtering.topic_lines import TopicLines
    >>> often = Strategy("rnd", horizon=10, target=10)
    >>> RandomQuestions(often, Bars(often, TopicLines(1)), seed=0).ask(seen=1)
    (0, 1.0)
    """

    def __init__(self, strategy: Strategy, bars: Bars, seed: int) -> None:
        self._bars, self._seed = bars, seed
        self._horizon: int | None = None  # documents of the stream, if what topics want is for all of them
        if strategy.name == "rnd":
            base, slope, counted, self._horizon = float(strategy.target), -1.0, 0.0, strategy.horizon
        elif strategy.name == "daily":
            base, slope, counted = strategy.random_share, strategy.random_share, 1.0
        else:
            base = slope = counted = 0.0
        self._none = base <= 0.0
        self._units = round(base * UNIT), round(slope * UNIT), round(counted * UNIT)
        self._total: int | None = None  # what all topics want

    def ask(self, seen: int) -> tuple[int, float]:
        """Return the topic that asks about a document that it would not show, and with what probability; -1 is none.

        `seen` is the number of documents so far, this one included.
        """
        if self._none:
            return -1, 0.0
        per = seen + SOON if self._horizon is None else self._horizon
        enough = round(uniform(self._seed, seen) * per * UNIT)
        if self._total is None:
            self._total = self._sum(self._bars.every)
        if enough >= self._total:
            return -1, 0.0
        t, wanted = _chosen(*self._counts, *self._units, enough)
        return int(t), int(wanted) / UNIT / per

    def forget(self) -> None:
        """Follow a change of counts of any topics."""
        self._total = None

    def before(self, topics: Longs) -> None:
        """Prepare for a change of the counts of topics, each once."""
        if self._total is not None and not self._none:
            self._total -= self._sum(topics)

    def after(self, topics: Longs) -> None:
        """Follow the change."""
        if self._total is not None and not self._none:
            self._total += self._sum(topics)

    def _sum(self, topics: Longs) -> int:
        return int(_sum(topics, *self._counts, *self._units))

    @property
    def _counts(self) -> tuple[Longs, Longs, Longs, Floats, bool]:
        bars = self._bars
        return bars.shown, bars.drawn, bars.today, bars.per_day, self._horizon is None and bool(bars.day)


def uniform(seed: int, n: int) -> float:
    """Return the random number from 0 to 1 of document n: a hash, since a generator per document takes far longer.

    >>> round(sum(uniform(0, n) for n in range(1000)) / 1000, 1)
    0.5
    """
    digest = hashlib.blake2b(struct.pack("<QQ", seed, n), digest_size=8).digest()
    return (int.from_bytes(digest, "little") >> 11) / (1 << 53)


@kernel
def _sum(
    topics: Longs, shown: Longs, drawn: Longs, today: Longs, per_day: Floats, dated: bool, base: int, slope: int,
    counted: int,
) -> int:  # fmt: skip
    """Return what topics want together."""
    total = 0
    for t in topics:
        total += _wanted(shown[t], drawn[t], today[t], per_day[t], dated, base, slope, counted)
    return total


@kernel
def _chosen(
    shown: Longs, drawn: Longs, today: Longs, per_day: Floats, dated: bool, base: int, slope: int, counted: int,
    enough: int,
) -> tuple[int, int]:  # fmt: skip
    """Return the first topic at which the sum of what topics want exceeds a number, and what it wants."""
    total = 0
    for t in range(shown.size):
        wanted = _wanted(shown[t], drawn[t], today[t], per_day[t], dated, base, slope, counted)
        total += wanted
        if total > enough:
            return t, wanted
    return -1, 0


@kernel
def _wanted(
    shown: int, drawn: int, today: int, per_day: float, dated: bool, base: int, slope: int, counted: int
) -> int:
    return 0 if dated and today >= per_day else max(base + slope * shown - counted * drawn, 0)
