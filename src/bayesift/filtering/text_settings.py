"""The settings of a `TextFilter`: what a reader sets, and the strategy and the learner that follow from it."""

from __future__ import annotations

from dataclasses import dataclass

from bayesift.errors import BadInput
from bayesift.filtering.profile_settings import GP, Again, ProfileSettings
from bayesift.filtering.reading import STRATEGIES
from bayesift.filtering.strategies import GP_ONLY, Strategy, strategy_of

NEED_HORIZON = ("rnd", "pace", "f1", "target", "t9p")
PERCEPTRON = "flip-perceptron"  # the learner of strategies that are for perceptrons only, as published


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
        if not isinstance(self.seed, int) or not isinstance(self.language, str):
            raise BadInput("the seed or the language is of the wrong type", remedy="give a whole number and a name")
        if not isinstance(self.strategy, str | None) or not isinstance(self.learner, str | None):
            raise BadInput("the strategy or the learner is not a name", remedy="give names, or leave them out")
        name = self.query().name
        if self.horizon is not None and name not in NEED_HORIZON:
            raise BadInput("the horizon has no effect", remedy=f"only {', '.join(NEED_HORIZON)} need one; leave it out")
        if self.horizon is None and name in NEED_HORIZON:
            raise BadInput(f"the strategy {self.strategy!r} needs a horizon", remedy="give the documents to come")
        if name != "daily" and (self.per_day, self.balance) != (TextSettings.per_day, TextSettings.balance):
            raise BadInput(f"per_day and balance have no effect with {self.strategy!r}", remedy="leave them out")
        learner = self.profile().learner
        if learner == GP and name not in STRATEGIES:
            remedy = f"use {', '.join(STRATEGIES)}, or a perceptron for the learner"
            raise BadInput(f"the strategy {name!r} is not for the learner gp", remedy=remedy)
        if learner != GP and name in GP_ONLY:
            remedy = "name a published strategy such as rel+ig, or leave the learner out"
            raise BadInput(f"the strategy {name!r} is for the learner gp, not {learner!r}", remedy=remedy)

    def query(self) -> Strategy:
        """Return the strategy."""
        return self._strategy()[0]

    def profile(self) -> ProfileSettings:
        """Return how topics learn."""
        strategy, again = self._strategy()
        usual = GP if strategy.name in STRATEGIES and again == "no" else PERCEPTRON
        return ProfileSettings(self.learner or usual, again=again)

    def _strategy(self) -> tuple[Strategy, Again]:
        horizon = {} if self.horizon is None else {"horizon": self.horizon}
        return strategy_of(self.strategy or "daily", per_day=self.per_day, balance=self.balance, **horizon)


def check_reader(per_day: object, balance: object) -> None:
    """Raise BadInput if what a reader sets is out of range."""
    if isinstance(per_day, bool) or not isinstance(per_day, int) or per_day < 1:
        raise BadInput(f"per_day is {per_day!r}", remedy="give a whole number from 1 on")
    if isinstance(balance, bool) or not isinstance(balance, int | float) or not 0.0 <= balance <= 1.0:
        raise BadInput(f"balance is {balance!r}", remedy="give a number from 0 (precision) to 1 (recall)")
