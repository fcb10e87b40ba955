"""The settings of a `TextFilter`: what a reader sets, and the strategy and the learner that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bayesift.errors import BadInput
from bayesift.filtering.profile_settings import ProfileSettings
from bayesift.filtering.strategies import Strategy, strategy_of

DEFAULT_STRATEGY, DEFAULT_LEARNER = "rel+ig", "flip-perceptron"
NEED_HORIZON = ("rnd", "pace", "f1", "target")


@dataclass(frozen=True)
class TextSettings:
    """Settings of a `TextFilter`, checked together.

    >>> TextSettings(strategy="target", horizon=5000).query().name
    'target'
    """

    per_day: int = 20
    balance: float = 0.5
    strategy: str | None = None
    horizon: int | None = None
    learner: str | None = None
    language: str = "english"
    seed: int = 0

    def __post_init__(self) -> None:
        check_reader(self.per_day, self.balance)
        if self.strategy is None and self.horizon is not None:
            raise BadInput("a horizon has no effect without a strategy", remedy="leave it out, or name a strategy")
        name = self.query().name
        if self.strategy is not None and name in NEED_HORIZON and self.horizon is None:
            raise BadInput(f"the strategy {self.strategy!r} needs a horizon", remedy="give the documents to come")
        self.profile()

    def query(self) -> Strategy:
        """Return the strategy."""
        return self._strategy()[0]

    def profile(self) -> ProfileSettings:
        """Return how topics learn."""
        return ProfileSettings(self.learner or DEFAULT_LEARNER, again=self._strategy()[1])

    def _strategy(self) -> tuple[Strategy, Any]:
        return strategy_of(self.strategy or DEFAULT_STRATEGY, **({"horizon": self.horizon} if self.horizon else {}))


def check_reader(per_day: object, balance: object) -> None:
    """Raise BadInput if what a reader sets is out of range."""
    if isinstance(per_day, bool) or not isinstance(per_day, int) or per_day < 1:
        raise BadInput(f"per_day is {per_day!r}", remedy="give a whole number from 1 on")
    if isinstance(balance, bool) or not isinstance(balance, int | float) or not 0.0 <= balance <= 1.0:
        raise BadInput(f"balance is {balance!r}", remedy="give a number from 0 (precision) to 1 (recall)")
