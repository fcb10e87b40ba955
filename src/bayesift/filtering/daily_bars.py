"""The bars of `daily`: documents worth a look, at most `per_day` per topic and day.

The bar of a topic is the larger of two scores, and infinite once the topic was shown its documents of the day:

- the worth, from which on an answer may be worth a question (p > `ASKABLE` t), or if it is lower, the score for an
  early question (`early_questions`),
- the pace, which not more documents of a day pass than the reader looks at.

What is done with a document above the bar is its kind (`kinds`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.early_questions import EARLY_SHARE, early_score
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.strategy_bars import StrategyBars
from bayesift.numba_kernel import kernel

if TYPE_CHECKING:
    from bayesift.filtering.bars import Bars

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
ASKABLE = 0.5  # share of t from which on a probability may be worth a question
SLACK = 1.5  # documents above the bar of a day, per place


class DailyBars(StrategyBars):
    """Set the bars of `daily`, and `Bars.rare`, the scores for early questions."""

    def __init__(self, bars: Bars, strategy: Strategy) -> None:
        super().__init__(bars, strategy)
        # scores for an answer, and that as many documents of a day pass as the reader looks at
        self._worth, self._pace = (np.full(bars.lines.n, np.inf) for _ in range(2))

    def update(self, topics: Longs, seen: int) -> None:
        """Set the bars of topics."""
        self.bars.rare[topics] = self.bars.lines.score_at(topics, np.full(topics.size, EARLY_SHARE))
        self._set_worth(topics)
        self._set_pace(topics)
        self._set_score(topics)

    def follow_lines(self, seen: int) -> None:
        """Set the bars of all topics again; what is unusual has not changed."""
        self._set_worth(self.bars.every)
        self.new_day(seen)

    def new_day(self, seen: int) -> None:
        """Set the bars of all topics for a new day.

        Only the pace changes, and topics whose early question was not answered may ask another.
        """
        self._set_pace(self.bars.every)
        self._set_score(self.bars.every)

    def show(self, topics: Longs, seen: int) -> None:
        """Set the bars of topics that were shown a document."""
        if not self.bars.days:  # the number of documents of the first day is not known
            self._set_pace(topics)
        self._set_score(topics)

    def resume(self) -> None:
        """Compute the pace, which is not saved."""
        self._set_pace(self.bars.every)

    def _set_worth(self, topics: Longs) -> None:
        """Set the score from which on the answer about a document may be worth a question."""
        least = self.bars.level[topics] * ASKABLE
        self._worth[topics] = np.where(least > 0.0, self.bars.lines.levels(topics, least), -np.inf)

    def _set_pace(self, topics: Longs) -> None:
        """Set the score that as many documents of a day pass as the reader looks at; without dates, any.

        Where only documents that are rarer can be shown, any will do, too.
        """
        self._pace[topics] = -np.inf
        bars = self.bars
        if not bars.day:
            return
        shares = SLACK * bars.per_day[topics] / bars.documents_per_day
        matters = np.flatnonzero((self._worth[topics] < bars.rare[topics]) | (shares < EARLY_SHARE))
        self._pace[topics[matters]] = bars.lines.score_at(topics[matters], shares[matters])

    def _set_score(self, topics: Longs) -> None:
        bars = self.bars
        _set_scores(topics, bars.score, self._worth, self._pace, bars.per_day, bars.day != "", *bars.early)


@kernel
def _set_scores(
    topics: Longs, score: Floats, worth: Floats, pace: Floats, per_day: Floats, dated: bool, relevant: Longs,
    irrelevant: Longs, shown: Longs, today: Longs, rare: Floats, level: Floats, finding: float,
) -> None:  # fmt: skip
    for t in topics:
        least = min(worth[t], early_score(t, relevant, irrelevant, shown, today, rare, level, finding))
        score[t] = np.inf if dated and today[t] >= per_day[t] else max(least, pace[t])


@kernel
def kinds(
    topics: Longs, scores: Floats, p: Floats, bars: Floats, sizes: Longs, relevant: Longs, irrelevant: Longs,
    shown: Longs, today: Longs, rare: Floats, level: Floats, finding: float,
) -> Longs:  # fmt: skip
    """Return what `daily` does with a document, as `Bars.kinds`."""
    out = np.zeros(topics.size, np.int64)
    for i in range(topics.size):
        t = topics[i]
        if not scores[i] > bars[t]:
            continue
        early = early_score(t, relevant, irrelevant, shown, today, rare, level, finding)
        asked = scores[i] > early or sizes[t] == 0  # without a background always
        out[i] = 1 if p[i] > level[t] else 2 if asked else 3
    return out
