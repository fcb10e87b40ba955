"""How the bars of a strategy are set: what `none` and `rnd` do, and in which methods other strategies differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.strategies import Strategy

if TYPE_CHECKING:
    from bayesift.filtering.bars import Bars

Longs = NDArray[np.int64]


class StrategyBars:
    """Set the bars of topics at p = 1/2.

    Parameters
    ----------
    bars : Bars
        The scores to set, and the counts that they depend on.
    strategy : Strategy
        When a document is shown.
    """

    renews = False  # whether bars change by the number of documents alone, at `Bars.renew`

    def __init__(self, bars: Bars, strategy: Strategy) -> None:
        self.bars, self.strategy = bars, strategy

    def update(self, topics: Longs, seen: int) -> None:
        """Set the bars of topics."""
        self.bars.score[topics] = self.bars.lines.levels(topics, np.full(topics.size, 0.5))

    def follow_lines(self, seen: int) -> None:
        """Set the bars of all topics again, whose lines have moved while the scores of the background are the same."""
        self.update(self.bars.every, seen)

    def new_day(self, seen: int) -> None:
        """Set the bars of all topics for a day on which nothing was shown yet."""
        self.update(self.bars.every, seen)

    def show(self, topics: Longs, seen: int) -> None:
        """Set the bars of topics that were shown a document, and have learned nothing."""
        self.update(topics, seen)

    def count(self, topics: Longs, profiles: Sequence[GPProfile]) -> None:
        """Take over more of what topics have learned than `Bars` counts."""

    def resume(self) -> None:
        """Compute what is not saved."""
