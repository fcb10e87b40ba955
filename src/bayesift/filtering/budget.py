"""A number of questions per day, over all topics, instead of a number in all.

A question must be put when its document comes, so the day's best are not known yet: a document is asked about if its
gain is among what were the day's best yesterday, until the day's questions are used up. Days are those of the
documents' dates; what comes without a date, or before the latest day, counts for the latest day.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bayesift.errors import BadInput
from bayesift.filtering.strategies import LEAST, NEVER, Strategy


@dataclass
class Budget:
    """Questions per day. The state is the day, what was asked on it, and the gains met on it and the day before.

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
        """Begin a new day if this date does; whether it did."""
        if date is None or date[:10] <= self.today:
            return False
        best = sorted(self.gains, reverse=True)[: self.per_day]
        self.threshold = best[-1] if len(best) == self.per_day and best else 0.0
        self.today, self.asked, self.gains = date[:10], 0, []
        return True

    def least_gain(self, strategy: Strategy) -> float:
        """The gain below which no document is looked at: the same all day, so that tomorrow's bar is fair."""
        return NEVER if strategy.name == "none" or self.per_day == 0 else LEAST

    def take(self, gain: float) -> bool:
        """Ask, if the gain and the day's questions allow it."""
        self.gains.append(gain)
        if gain < self.threshold or self.asked >= self.per_day:
            return False
        self.asked += 1
        return True
