"""The bar of every GP topic: the score that a document must pass to be looked at closer.

| strategy | a document is shown if                                                                                 |
|----------|--------------------------------------------------------------------------------------------------------|
| none     | p > 1/2                                                                                                |
| rnd      | the same, and at random (`Strategy.chance`)                                                            |
| target   | its score is above the background's score at rank (size) (wanted - shown) / (documents to come)        |
| t9p      | the same, or logit p + min(b, 0) > logit((relevant + 1/2) / (judged + 1)), b by the last answers       |
|          | (`local_odds`); while fewer were shown than wanted, from `BURST` relevant documents on,                |
|          | logit p + b > the same + `AHEAD`                                                                       |
| daily    | p > t = 1 - balance, or the answer is worth it (`answer_value`), or it is the early question; at most  |
|          | `per_day` per topic and day, and if there would be more, those above the background's score at the     |
|          | rank of per_day                                                                                        |

What `daily`, `target` and `t9p` do is in `daily_bars` and `target_bars`; early questions are in `early_questions`. The
background is the topic's `usual` scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.corpora.dates import days_between
from bayesift.filtering.daily_bars import DailyBars, kinds
from bayesift.filtering.early_questions import Early, asking_early, share_finding
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.strategy_bars import StrategyBars
from bayesift.filtering.target_bars import NEVER, PrecisionBars, TargetBars
from bayesift.filtering.topic_lines import TopicLines

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
FAR, WRONG = 31, 2  # days behind, and documents in a row, that show that a day was a wrong date
OLDER = 50  # documents in a row of days before, which show that the stream has not come to the day
LEFT = 4  # days that a stream may come back to
OWN: Mapping[str, type[StrategyBars]] = {"daily": DailyBars, "target": TargetBars, "t9p": PrecisionBars}


class Bars:
    """The bars of all topics, in the order of the topics.

    score: what a document must pass. renew: the number of documents at which the bar is renewed.
    rare: what a document must pass for an early question, which only `daily` asks.
    shown, drawn: documents shown in all, and at random. per_day, level: what the reader of each topic set, level = t.
    relevant, irrelevant: answers of each topic; `n_answered` topics have one, `n_found` have a relevant document.
    today: documents shown on the current day, which is `day`; the `days` before had `before` documents in all, and this
    one `now` so far.

    Parameters
    ----------
    strategy : Strategy
        When a document is shown.
    lines : TopicLines
        The calibrations of the topics.
    """

    def __init__(self, strategy: Strategy, lines: TopicLines) -> None:
        n, self.lines = lines.n, lines
        self.score, self.renew, self.rare = np.full(n, np.inf), np.full(n, NEVER, np.int64), np.full(n, np.inf)
        self.today, self.shown, self.drawn, self.relevant, self.irrelevant = (np.zeros(n, np.int64) for _ in range(5))
        self.n_answered = self.n_found = 0
        self.per_day, self.level = np.full(n, float(strategy.per_day)), np.full(n, 1.0 - strategy.balance)
        self.day, self.days, self.before, self.now = "", 0, 0, 0
        self._behind = self._older = 0  # the last documents in a row that are `FAR` behind the day, and behind it
        self._left: dict[str, tuple[int, Longs]] = {}  # days that ended last: their documents, and those shown
        self._own = OWN.get(strategy.name, StrategyBars)(self, strategy)

    def begin(self, date: str | None, first: bool = False) -> bool:
        """Count a document of this date, and return whether a new day begins with it.

        The `first` date of a stream begins one, also if days were those of arrival before, and later. A day that the
        stream is far behind with `WRONG` documents in a row was a wrong date, of the future: it ends with them. So does
        one that is not far ahead, if `OLDER` documents in a row are of days before. If they come from a second source,
        the stream comes back to the day, which then goes on where it ended.
        """
        if date is not None:
            self._behind = self._behind + 1 if days_between(date, self.day) > FAR else 0
            self._older = self._older + 1 if date[:10] < self.day else 0
        ends = self._behind == WRONG or self._older == OLDER
        new = date is not None and (first or date[:10] > self.day or ends)
        if new:
            self._end_day()
            self._behind, self._older, self.day = 0, 0, (date or "")[:10]
            self.now, self.today[:] = self._left.pop(self.day, (0, 0))
            self.days -= self.now > 0
            self.before -= self.now
        self.now += 1
        return new

    def _end_day(self) -> None:
        """Count the current day, and keep what it showed for a while."""
        if self.day:
            self.days, self.before = self.days + 1, self.before + self.now
            self._left[self.day] = self.now, self.today.copy()
            if len(self._left) > LEFT:
                del self._left[min(self._left)]

    @property
    def documents_per_day(self) -> float:
        """The mean number of documents of the days so far; of the first day, that of its documents so far."""
        return self.before / self.days if self.days else float(max(self.now, 1))

    @property
    def every(self) -> Longs:
        """The numbers of all topics."""
        return np.arange(self.lines.n)

    def due(self, seen: int) -> Longs:
        """Return the topics whose bar is to be renewed."""
        return np.flatnonzero(self.renew <= seen) if self._own.renews else np.zeros(0, np.int64)

    def count(self, topics: Longs, profiles: Sequence[GPProfile]) -> None:
        """Take over what topics were shown and have found."""
        counters = [profile.counters for profile in profiles]
        self.shown[topics] = [c.shown for c in counters]
        self.relevant[topics] = [c.relevant for c in counters]
        self.irrelevant[topics] = [c.irrelevant for c in counters]
        self._own.count(topics, profiles)
        self.n_found = int(np.count_nonzero(self.relevant))
        self.n_answered = int(np.count_nonzero(self.relevant + self.irrelevant))

    @property
    def finding(self) -> float:
        """The share of the topics with an answer that have found something."""
        return share_finding(self.n_found, self.n_answered)

    def asking_early(self) -> NDArray[np.bool_]:
        """Return which topics may ask early questions."""
        return asking_early(self.relevant, self.irrelevant, self.level, self.finding)

    def kinds(self, topics: Longs, scores: Floats, p: Floats) -> Longs:
        """Return what `daily` does with a document of these scores and probabilities, by the topic.

        0: nothing, 1: deliver it, 2: ask about it, 3: ask if the answer is worth it.
        """
        found: Longs = kinds(topics, scores, p, self.score, self.lines.sizes, *self.early)
        return found

    @property
    def early(self) -> Early:
        """What early questions depend on."""
        counts = self.relevant, self.irrelevant, self.shown, self.today
        return *counts, self.rare, self.level, self.finding

    def update(self, topics: Longs, seen: int) -> None:
        """Set the bars of topics."""
        self._own.update(topics, seen)

    def follow_lines(self, seen: int) -> None:
        """Set the bars of all topics again, whose lines have moved while the scores of the background are the same."""
        self._own.follow_lines(seen)

    def show(self, topics: Longs, at_random: NDArray[np.bool_], seen: int) -> None:
        """Count a document that was shown to topics, and set the bars of those, which have learned nothing."""
        self.today[topics] += 1
        self.shown[topics] += 1
        self.drawn[topics] += at_random
        self._own.show(topics, seen)

    def new_day(self, seen: int) -> None:
        """Set the bars of all topics for a day on which nothing was shown yet."""
        self._own.new_day(seen)

    def take_over(self, old: Bars, before: Sequence[object], topics: Sequence[object]) -> None:
        """Take over the counts of the day; `before` and `topics` are the topics of both."""
        self.day, self.days, self.before, self.now = old.day, old.days, old.before, old.now
        self._behind, self._older = old._behind, old._older
        known = {id(topic): t for t, topic in enumerate(before)}
        pairs = [(t, known[id(topic)]) for t, topic in enumerate(topics) if id(topic) in known]
        here, there = np.array(pairs, np.int64).reshape(-1, 2).T
        self.today[here], self.drawn[here] = old.today[there], old.drawn[there]
        for day, (now, today) in old._left.items():
            mine = np.zeros(len(topics), np.int64)
            mine[here] = today[there]
            self._left[day] = now, mine

    def arrays(self) -> dict[str, Any]:
        """Return the state."""
        counts = np.array([self.days, self.before, self.now, self._behind, self._older], np.int64)
        arrays = {name: getattr(self, name).copy() for name in ("score", "renew", "today", "drawn")}
        left = np.array([[now, *today] for now, today in self._left.values()], np.int64).reshape(-1, 1 + self.lines.n)
        days = {"left_days": list(self._left), "left": left}
        return {**arrays, "day": self.day, "counts": counts, **days, "prior": list(self.lines.prior)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over what `arrays` returned."""
        self.score, self.renew = np.array(state["score"], np.float64), np.array(state["renew"], np.int64)
        self.today, self.drawn = np.array(state["today"], np.int64), np.array(state["drawn"], np.int64)
        self.day = str(state["day"])
        self.days, self.before, self.now, *rest = np.array(state["counts"], np.int64).tolist()
        self._behind, self._older = [*rest, 0, 0][:2]  # files of earlier versions have none, nor days that ended
        left = zip(state.get("left_days", ()), np.array(state.get("left", ()), np.int64))
        self._left = {str(day): (int(counts[0]), counts[1:].copy()) for day, counts in left}
        self._own.resume()
