"""The bars of `target` and `t9p`, which spread a number of documents over the stream.

The bar of both is the background's score at rank (size) (wanted - shown) / (documents to come). It falls while nothing
is shown; it is renewed when the rank has become another number, and at the top, where it follows the tail of the best
scores (`TopicLines.smooth_score_at`), when one in twenty of the documents to come has gone by.

T9P = R+ / max(wanted, shown) rises with each document that is more probable than the precision so far, also when all
places are taken: topics come in bursts, which no background foretells. That is what `t9p` adds to `target`. In a burst
the documents of a topic are more probable than the line of its calibration says, and after it less, which the last
answers show (`local_odds`). A document that takes a place before its turn leaves one less for those to come, so it must
be better than that by a margin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.local_odds import NO_ANSWERS, local_shift
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.strategy_bars import StrategyBars
from bayesift.filtering.topic_lines import TOP

if TYPE_CHECKING:
    from bayesift.filtering.bars import Bars

Longs = NDArray[np.int64]
RENEWED = 0.95  # share of the documents to come after which a bar at the top is renewed
BURST, AHEAD = 3, 0.3  # relevant documents before places are taken before their turn, and the log-odds this takes
NEVER = 1 << 62  # the number of a document that does not come


class TargetBars(StrategyBars):
    """Set the bars of `target` by the rank of the documents that are still wanted."""

    renews = True

    def update(self, topics: Longs, seen: int) -> None:
        """Set the bars of topics, and when they are renewed."""
        self.bars.renew[topics] = NEVER
        for t in topics.tolist():
            self._update_one(t, seen)

    def follow_lines(self, seen: int) -> None:
        """Change nothing: the ranks of the background are the same."""

    def wanted(self, t: int) -> int:
        """Return how many documents a topic is still to be shown; all places are taken from 0 down."""
        return self.strategy.target - int(self.bars.shown[t])

    def _update_one(self, t: int, seen: int) -> None:
        bars, horizon = self.bars, self.strategy.horizon
        wanted, left = self.wanted(t), max(horizon - seen, 1)
        if wanted <= 0:
            bars.score[t] = np.inf
            return
        bars.score[t] = bars.lines.smooth_score_at(t, wanted / left)
        size = max(int(bars.lines.sizes[t]), 1)
        rank = int(size * wanted / left)
        later = left * RENEWED if wanted / left < TOP else size * wanted / (rank + 1)
        bars.renew[t] = max(horizon - int(later), seen + 1)


class PrecisionBars(StrategyBars):
    """Set the bars of `t9p`: those of `target`, or the precision so far where that is lower."""

    renews = True

    def __init__(self, bars: Bars, strategy: Strategy) -> None:
        super().__init__(bars, strategy)
        self._target = TargetBars(bars, strategy)
        self._last = [NO_ANSWERS] * bars.lines.n

    def count(self, topics: Longs, profiles: Sequence[GPProfile]) -> None:
        """Take over the last answers of topics."""
        for t, profile in zip(topics.tolist(), profiles):
            self._last[t] = profile.last

    def update(self, topics: Longs, seen: int) -> None:
        """Set the bars of topics, and when they are renewed."""
        score = self.bars.score
        self._target.update(topics, seen)
        for t in topics.tolist():
            if self._target.wanted(t) <= 0:
                score[t] = self._at_precision(t, taken=True)
            elif self.bars.relevant[t] >= BURST:
                score[t] = min(score[t], self._at_precision(t, taken=False))

    def _at_precision(self, t: int, taken: bool) -> float:
        """Return the score at which a document is as good as the precision so far; `taken`: all places are."""
        bars, last, topic = self.bars, self._last[t], np.array([t])
        precision = (bars.relevant[t] + 0.5) / (bars.relevant[t] + bars.irrelevant[t] + 1.0)
        shift = local_shift(bars.lines.logits(topic.repeat(last.scores.size), last.scores), last.relevant)
        ahead = -min(shift, 0.0) if taken else AHEAD - shift
        return float(bars.lines.levels(topic, expit(logit([precision]) + ahead))[0])
