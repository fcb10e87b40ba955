"""A budget: a maximum number of questions per day, over all topics.

A question must be asked when its document comes, before the best documents of the day are known. So a document is asked
about if its gain is at least the lowest of yesterday's best gains, until the questions of the day are used up. Days are
those of the documents' dates; a document without a date, or of an earlier day, counts for the latest day.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bayesift.errors import BadInput
from bayesift.filtering.strategies import LEAST, NEVER, Strategy


@dataclass
class Budget:
    """A maximum number of questions per day.

    Parameters
    ----------
    per_day : int
        Questions per day over all topics.
    today, asked, threshold, gains
        The state: the current day, the questions asked on it, the least gain for a question, and the gains of the day.

    Raises
    ------
    BadInput
        If `per_day` is negative.

    Examples
    --------
    >>> budget = Budget(2)
    >>> budget.day("2025-03-18"), [budget.take(gain) for gain in (0.1, 0.2, 0.3)]
    (True, [True, True, False])
    >>> budget.day("2025-03-19"), budget.take(0.1), budget.take(0.25)
    (True, False, True)
    """

    per_day: int
    today: str = ""
    asked: int = 0
    threshold: float = 0.0
    gains: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.per_day < 0:
            raise BadInput(f"{self.per_day} questions per day", remedy="give 0 or more")

    def day(self, date: str | None) -> bool:
        """Begin a new day if the date is later than today, and return whether it is."""
        if date is None or date[:10] <= self.today:
            return False
        best = sorted(self.gains, reverse=True)[: self.per_day]
        self.threshold = best[-1] if len(best) == self.per_day and best else 0.0
        self.today, self.asked, self.gains = date[:10], 0, []
        return True

    def least_gain(self, strategy: Strategy) -> float:
        """Return the gain below which documents are ignored: the same all day, so that days compare."""
        return NEVER if strategy.name == "none" or self.per_day == 0 else LEAST

    def take(self, gain: float) -> bool:
        """Use up a question if the gain is high enough and one is left, and return whether it is asked."""
        self.gains.append(gain)
        if gain < self.threshold or self.asked >= self.per_day:
            return False
        self.asked += 1
        return True
