"""Query strategies: which documents to ask about although they are probably not relevant.

A document with p > 1/2 is delivered. Of the others a strategy asks about some; N_ret is the number shown so far.

| name    | asks if                                                                                                  |
|---------|----------------------------------------------------------------------------------------------------------|
| none    | never                                                                                                    |
| rnd     | by chance, (50 - N_ret) / (documents of the stream) (chai2002 4.2.3)                                     |
| ig      | expected information gain >= theta(N_ret) = 0.999 / (1 + exp(-(N_ret - 50)/10)) + 0.001 (the same)       |
| pace    | as ig, but only while fewer were shown than fit the pace: N_ret < 50 (documents seen) / (of the stream)  |
| region  | as ig, but the gain is that about h(z) in the region of interest, mean over z (MacKay 1992)              |
| utility | (p - 1/3) + H (value of the answer) > 0, for T9U = 2 R+ - N+, which pays from p = 1/3 on                 |
| f1      | the same with p - F/2: labelling pays for F1 from half of the F1 reached on                              |
| target  | p is among the best 50 of the stream: above a threshold that falls until the questions fit the documents  |
| t9p     | as target, or if p is above the precision so far, for T9P = R+ / max(50, N_ret) (GP topics; see `bars`)  |
| daily   | (p - t) + H (value of the answer) > 0, t = 1 - balance; at most `per_day` per topic and day (GP topics)  |

H is the expected number of documents of the region of interest still to come. `region` defines that region and the
value of an answer for it; `thresholds` computes the threshold of `target`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Literal

from bayesift.errors import BadInput
from bayesift.filtering.profile import Profile
from bayesift.filtering.profile_settings import Again
from bayesift.filtering.region import region_value
from bayesift.filtering.rows import Row

Name = Literal["none", "rnd", "ig", "pace", "region", "utility", "f1", "target", "t9p", "daily"]
NAMES = ("none", "rnd", "ig", "pace", "region", "utility", "f1", "target", "t9p", "daily")
AGAIN: Mapping[str, Again] = {"rel": "order", "rel-recent": "recent"}  # what may precede a name
GP_ONLY = ("t9p", "daily")  # strategies that need the calibration of GP topics
NEVER = math.inf
LEAST = 0.001  # bits below which no answer is worth a question
LONGEST = 1_000_000_000  # documents that a stream may have


@dataclass(frozen=True)
class Strategy:
    """A query strategy and its settings.

    Parameters
    ----------
    name : str
        none, rnd, ig, pace, region, utility, f1, target, t9p or daily; see the table of the module.
    target : int
        Documents that a topic should be shown over the whole stream; for `t9p`, the least number.
    horizon : int
        Documents that the stream is expected to have.
    width : float
        Width of the rise of theta, in documents.
    share : float
        For `region`: the fraction of theta that the mean gain over the region must reach.
    to_come : float
        For `utility` and `f1`: H, the documents of the region still to come.
    step : float
        For `target`: by how much a question raises the threshold.
    per_day : float
        For `daily`: documents per topic and day that the reader is willing to look at.
    balance : float
        For `daily`: from 0 (precision: rather miss a document) to 1 (recall: rather look at one too many). A document
        is worth showing if p > t = 1 - balance.
    random_share : float
        For `daily`: the share in the probability of a question at random (`random_questions`).

    Raises
    ------
    BadInput
        If there is no strategy of this name, or a number is out of range.

    Examples
    --------
    >>> Strategy("target", target=100, horizon=50_000).name
    'target'
    """

    name: Name = "ig"
    target: int = 50
    horizon: int = 10_000
    width: float = 10.0
    share: float = 0.25
    to_come: float = 20.0
    step: float = 0.05
    per_day: float = 20.0
    balance: float = 0.5
    random_share: float = 0.05

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise BadInput(f"no strategy {self.name!r}", remedy=f"strategies are: {', '.join(NAMES)}")
        for field in fields(self)[1:]:
            if not is_number(getattr(self, field.name)):
                raise BadInput(f"{field.name} is {getattr(self, field.name)!r}", remedy="give a number")
        if not all(0 < x < LONGEST for x in (self.target, self.horizon, self.width, self.step)):
            remedy = f"give numbers above 0 and below {LONGEST:,}"
            raise BadInput("target, horizon, width or step is out of range", remedy=remedy)
        if not (0 < self.per_day < LONGEST and 0.0 <= self.balance <= 1.0 and 0.0 <= self.random_share < 1.0):
            remedy = "per_day above 0, balance from 0 to 1, random_share from 0 and below 1"
            raise BadInput("per_day, balance or random_share is out of range", remedy=remedy)

    def theta(self, shown: int) -> float:
        """Return the gain from which a document is worth a question (chai2002 4.2.3, figure 1).

        >>> round(Strategy().theta(0), 4), round(Strategy().theta(50), 4)
        (0.0077, 0.5005)
        """
        return 0.999 / (1.0 + math.exp(min(-(shown - self.target) / self.width, 700.0))) + 0.001

    def least_gain(self, shown: int) -> float:
        """Return the gain below which the strategy never asks about a document with p <= 1/2."""
        if self.name in ("ig", "pace", "region"):
            return self.theta(shown)
        return LEAST if self.name in ("utility", "f1") else NEVER

    def uses_target(self, budget: bool) -> bool:
        """Return whether `target` has an effect; a budget replaces theta, except for `region`."""
        return self.name in ("rnd", "pace", "region", "target", "t9p") or (self.name == "ig" and not budget)

    @property
    def uses_budget(self) -> bool:
        """Whether a budget has an effect: `none` never asks, and `rnd` asks at random."""
        return self.name not in ("none", "rnd")

    def chance(self, shown: int) -> float:
        """Return the probability with which `rnd` asks about any document."""
        return max(self.target - shown, 0) / self.horizon if self.name == "rnd" else 0.0

    def fall(self, shown: int, seen: int) -> float:
        """Return by how much the threshold of `target` falls with each document (see `thresholds`)."""
        return self.step * max(self.target - shown, 0) / max(self.horizon - seen, 1)


def is_number(value: object) -> bool:
    """Return whether a value is a real number, of Python or numpy; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def strategy_of(name: str, **settings: int | float) -> tuple[Strategy, Again]:
    """Return a strategy by its name, and which relevant documents its topics learn again (`ProfileSettings.again`).

    Parameters
    ----------
    name : str
        A strategy's name, optionally after `rel+` or `rel-recent+`: "ig", "rel+ig", "rel-recent+target". `rel` and
        `rel-recent` alone ask about nothing.
    **settings : int or float
        Settings of the `Strategy`.

    Raises
    ------
    BadInput
        If there is no such strategy.

    Examples
    --------
    >>> strategy_of("rel+ig")[0].name, strategy_of("rel+ig")[1], strategy_of("ig")[1]
    ('ig', 'order', 'no')
    """
    first, plus, rest = name.partition("+") if isinstance(name, str) else ("", "", "")
    again: Again = AGAIN.get(first, "no")
    asks = name if again == "no" else rest if plus else "none"
    if asks not in NAMES:
        known = ", ".join(NAMES)
        raise BadInput(f"no strategy {name!r}", remedy=f"choose one of {known}; rel+ or rel-recent+ may precede it")
    return Strategy(asks, **settings), again  # type: ignore[arg-type]


def is_worth_asking(
    strategy: Strategy, profile: Profile, row: Row, m: float, v: float, p: float, shown: Sequence[Row], seen: int
) -> bool:
    """Return whether to ask about a document that is near a decision (see `thresholds`).

    `shown` are the last documents shown to the topic, `seen` is the number of documents of the stream so far.
    """
    if strategy.name in ("ig", "target"):
        return True
    if strategy.name == "pace":
        return profile.counters.shown < strategy.target * seen / strategy.horizon
    if strategy.name not in ("region", "utility", "f1"):
        return False
    level = paying_level(strategy, profile)
    gain, value = region_value(profile, row, m, v, shown, level)
    if strategy.name == "region":
        return gain >= strategy.share * strategy.theta(profile.counters.shown)
    return p - level + strategy.to_come * value > 0.0


def paying_level(strategy: Strategy, profile: Profile) -> float:
    """Return the probability from which showing a document pays by itself."""
    if strategy.name != "f1":
        return 1.0 / 3.0
    c, counts = profile.counters, profile.counts
    n = counts.background.n_documents + counts.judged
    rate = (counts.relevant + 1.0) / (n + 2.0)
    expected = max(c.relevant, rate * strategy.horizon)
    return min(0.5, max(0.01, c.relevant / max(c.shown + expected, 1.0)))  # F/2, with F = 2 R+ / (shown + relevant)
