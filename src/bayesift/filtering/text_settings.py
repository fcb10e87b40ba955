"""The settings of a `TextFilter`: what a reader sets, and the strategy and the learner that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

from bayesift.errors import BadInput
from bayesift.filtering.filter_topics import LAST_SEED
from bayesift.filtering.profile_settings import GP, Again, ProfileSettings
from bayesift.filtering.reading import STRATEGIES
from bayesift.filtering.strategies import GP_ONLY, LONGEST, Strategy, is_number, strategy_of
from bayesift.text.languages import check_language
from bayesift.text.meaning.sources import CORPUS, MINILM, is_source

NEED_HORIZON = ("rnd", "pace", "f1", "target", "t9p")
PERCEPTRON = "flip-perceptron"  # the learner of strategies that are for perceptrons only, as published


@dataclass(frozen=True)
class TextSettings:
    """Settings of a `TextFilter`, checked together; numbers of numpy become numbers of Python.

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
    meaning: str = CORPUS

    def __post_init__(self) -> None:
        per_day, balance = check_reader(self.per_day, self.balance)
        horizon = None if self.horizon is None else whole_number("the horizon", self.horizon, 1, LONGEST - 1)
        seed = whole_number("the random seed", self.seed, 0, LAST_SEED)
        for number, value in (("per_day", per_day), ("balance", balance), ("horizon", horizon), ("seed", seed)):
            object.__setattr__(self, number, value)
        if not isinstance(self.language, str):
            raise BadInput(f"the language is {self.language!r}", remedy="give a name, such as english")
        check_language(self.language)
        if not isinstance(self.strategy, str | None) or not isinstance(self.learner, str | None):
            raise BadInput("the strategy or the learner is not a name", remedy="give names, or leave them out")
        if not is_source(self.meaning):
            remedy = f"use {CORPUS}, {MINILM}, {MINILM}=FOLDER, or an object with encode(texts)"
            raise BadInput(f"no meaning {self.meaning!r}", remedy=remedy)
        self._check_effects()

    def _check_effects(self) -> None:
        """Raise BadInput if settings do not go together, or one of them has no effect."""
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
        if learner != GP and self.meaning != CORPUS:
            reason = f"the meaning {self.meaning!r} is for the learner gp, not {learner!r}"
            raise BadInput(reason, remedy="leave one of the two out")

    def query(self) -> Strategy:
        """Return the strategy."""
        return self._strategy()[0]

    def profile(self) -> ProfileSettings:
        """Return how topics learn."""
        strategy, again = self._strategy()
        usual = GP if strategy.name in STRATEGIES and again == "no" else PERCEPTRON
        return ProfileSettings(usual if self.learner is None else self.learner, again=again)

    def own(self, per_day: int | None, balance: float | None) -> tuple[int | None, float | None]:
        """Return the documents per day and the balance of one topic as int and float; None is that of the filter.

        Raises BadInput if they are out of range, or have no effect with the strategy.

        >>> TextSettings(per_day=20).own(5, None)
        (5, None)
        """
        if self.query().name != "daily":
            raise BadInput(f"per_day and balance have no effect with {self.strategy!r}", remedy="use no strategy")
        days, even = check_reader(
            self.per_day if per_day is None else per_day, self.balance if balance is None else balance
        )
        return None if per_day is None else days, None if balance is None else even

    def _strategy(self) -> tuple[Strategy, Again]:
        horizon = {} if self.horizon is None else {"horizon": self.horizon}
        name = "daily" if self.strategy is None else self.strategy
        return strategy_of(name, per_day=self.per_day, balance=self.balance, **horizon)


def check_reader(per_day: object, balance: Any) -> tuple[int, float]:
    """Return what a reader sets as int and float; raise BadInput if it is out of range."""
    days = whole_number("per_day", per_day, 1, LONGEST - 1)
    if not is_number(balance) or not 0.0 <= balance <= 1.0:
        raise BadInput(f"balance is {balance!r}", remedy="give a number from 0 (precision) to 1 (recall)")
    return days, float(balance)


def whole_number(what: str, value: object, least: int, most: int) -> int:
    """Return a whole number as an int; raise BadInput if it is not one, or out of range."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise BadInput(f"{what} is {value!r}", remedy=f"give a whole number from {least} to {most:,}")
    return int(value)
