"""The bar of every GP topic: the score that a document must pass to be looked at closer.

| strategy | a document is shown if                                                                                 |
|----------|--------------------------------------------------------------------------------------------------------|
| none     | p > 1/2                                                                                                |
| rnd      | the same, and at random (`Strategy.chance`)                                                            |
| target   | its score is above the background's score at rank (size) (wanted - shown) / (documents to come)        |
| daily    | p > t = 1 - balance, or the answer is worth it (`answer_value`), or it is one of the first two and    |
|          | scores as three in a thousand do; at most `per_day` per topic and day, and if there would be more,     |
|          | those above the background's score at the rank of per_day                                             |

The background is the topic's `usual` scores. The bar of `target` falls while nothing is shown; it is renewed when the
rank has become another number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.strategies import Strategy

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
ASKABLE = 0.5  # share of t from which on a probability may be worth a question
EARLY, EARLY_SHARE = 2, 0.003  # documents that a new topic is shown in any case, and how unusual they must be
SLACK = 1.5  # documents above the bar of a day, per place
EVERY = 1 << 62


class Bars:
    """The bars of all topics, in the order of the topics.

    score: what a document must pass. renew: the number of documents at which the bar is renewed.
    shown, drawn: documents shown in all, and at random. per_day, level: what the reader of each topic set, level = t.
    today: documents shown on the current day, which is `day`; the `days` before had `before` documents in all, and this
    one `now` so far.
    """

    def __init__(self, strategy: Strategy, n: int) -> None:
        self._strategy = strategy
        self.score, self.renew = np.full(n, np.inf), np.full(n, EVERY, np.int64)
        self.today, self.shown, self.drawn = (np.zeros(n, np.int64) for _ in range(3))
        self.per_day, self.level = np.full(n, float(strategy.per_day)), np.full(n, 1.0 - strategy.balance)
        self.day, self.days, self.before, self.now = "", 0, 0, 0

    def begin(self, date: str | None) -> bool:
        """Count a document of this date, and return whether a new day begins with it."""
        new = date is not None and date[:10] > self.day
        if new:
            self.days += self.day != ""
            self.before += self.now if self.day else 0
            self.day, self.now = (date or "")[:10], 0
            self.today[:] = 0
        self.now += 1
        return new

    @property
    def documents_per_day(self) -> float:
        """The mean number of documents of the days so far; of the first day, that of its documents so far."""
        return self.before / self.days if self.days else float(max(self.now, 1))

    def due(self, seen: int) -> list[int]:
        """Return the topics whose bar is to be renewed."""
        return np.flatnonzero(self.renew <= seen).tolist()

    def is_full(self, t: int) -> bool:
        """Return whether a topic has no place left today."""
        return bool(self.day and self.today[t] >= self.per_day[t])

    def update(self, t: int, profile: GPProfile, seen: int) -> None:
        """Set the bar of a topic."""
        s, self.renew[t] = self._strategy, EVERY
        self.shown[t] = profile.counters.shown
        if s.name == "target":
            self._for_target(t, profile, seen)
        elif s.name == "daily":
            least = self.level[t] * ASKABLE
            self.score[t] = profile.level(least) if least > 0.0 else -np.inf
            if is_new(profile):
                self.score[t] = min(self.score[t], score_at(profile, EARLY_SHARE))
            if self.day:  # without dates there are no days
                pace = score_at(profile, SLACK * self.per_day[t] / self.documents_per_day)
                self.score[t] = np.inf if self.is_full(t) else max(self.score[t], pace)
        else:
            self.score[t] = profile.level(0.5)

    def take_over(self, old: Bars, before: Sequence[object], topics: Sequence[object]) -> None:
        """Take over the counts of the day; `before` and `topics` are the topics of both."""
        self.day, self.days, self.before, self.now = old.day, old.days, old.before, old.now
        known = {id(topic): t for t, topic in enumerate(before)}
        for t, topic in enumerate(topics):
            if id(topic) in known:
                self.today[t], self.drawn[t] = (counts[known[id(topic)]] for counts in (old.today, old.drawn))

    def arrays(self) -> dict[str, object]:
        """Return the state."""
        counts = np.array([self.days, self.before, self.now], np.int64)
        arrays = {name: getattr(self, name).copy() for name in ("score", "renew", "today", "drawn")}
        return {**arrays, "day": self.day, "counts": counts}

    def restore(self, state: dict[str, object]) -> None:
        """Take over what `arrays` returned."""
        self.score, self.renew = np.array(state["score"], np.float64), np.array(state["renew"], np.int64)
        self.today, self.drawn = np.array(state["today"], np.int64), np.array(state["drawn"], np.int64)
        self.day = str(state["day"])
        self.days, self.before, self.now = np.array(state["counts"], np.int64).tolist()

    def _for_target(self, t: int, profile: GPProfile, seen: int) -> None:
        s = self._strategy
        wanted, left = s.target - profile.counters.shown, max(s.horizon - seen, 1)
        if wanted <= 0:
            self.score[t] = np.inf
            return
        self.score[t] = score_at(profile, wanted / left)
        size = max(profile.usual.size, 1)
        rank = int(size * wanted / left)
        self.renew[t] = max(s.horizon - int(size * wanted / (rank + 1)), seen + 1)


def is_new(profile: GPProfile) -> bool:
    """Return whether a topic still has early questions: about the best documents, whatever it believes of them."""
    return profile.counters.shown < EARLY


def score_at(profile: GPProfile, share: float) -> float:
    """Return the score that this share of the background exceeds; beyond its best document, by the tail."""
    usual = profile.usual
    rank = usual.size * share
    if share >= 1.0:
        return -math.inf
    return float(usual[int(rank)]) if rank >= 1.0 else profile.tail.score(-math.log(share))
