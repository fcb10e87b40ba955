"""Which documents to ask about although they are probably not relevant: to learn, or because it pays.

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
| target  | p is among the best 50 of the stream: above a bar that falls until the questions left fit what is to come |

The region of interest of a topic is where its future documents are thought to be: its last relevant documents and the
last ones shown. The answer y at x moves z by m_z + g1 c, v_z + g2 c^2 with c = x.C z; its value is the mean gain of
max(0, p_z - level) over the region, H the number of such documents to come. Gain at the edges of the input space has
c near 0 and is worth nothing in all of region, utility and f1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bayesift.beliefs.likelihoods import Code, moments, probability
from bayesift.errors import BadInput
from bayesift.filtering.gain import LOG_2
from bayesift.filtering.learners import field_of
from bayesift.filtering.profile import Again, Profile
from bayesift.filtering.rows import Batch, Columns, Row
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Name = Literal["none", "rnd", "ig", "pace", "region", "utility", "f1", "target"]
NAMES = ("none", "rnd", "ig", "pace", "region", "utility", "f1", "target")
NEVER = math.inf
LEAST = 0.001  # bits; below it no answer is worth a question
LONGEST = 1_000_000_000  # documents that a stream may have


@dataclass(frozen=True)
class Strategy:
    """What to ask. target: documents a topic should be shown in all; horizon: documents the stream will have."""

    name: Name = "ig"
    target: int = 50
    horizon: int = 10_000
    width: float = 10.0  # of theta's rise, in documents
    share: float = 0.25  # region: of theta that must be gained on the average of the region
    to_come: float = 20.0  # utility, f1: H
    step: float = 0.05  # target: by how much a question raises the bar

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise BadInput(f"no strategy {self.name!r}", remedy=f"strategies are: {', '.join(NAMES)}")
        if not all(0 < x < LONGEST for x in (self.target, self.horizon, self.width, self.step)):
            remedy = f"give numbers above 0 and below {LONGEST:,}"
            raise BadInput("target, horizon, width or step is out of range", remedy=remedy)

    def theta(self, shown: int) -> float:
        """The gain from which a document is useful (chai2002 4.2.3, figure 1).

        >>> round(Strategy().theta(0), 4), round(Strategy().theta(50), 4)
        (0.0077, 0.5005)
        """
        return 0.999 / (1.0 + math.exp(min(-(shown - self.target) / self.width, 700.0))) + 0.001

    def least_gain(self, shown: int) -> float:
        """The gain below which the strategy has no interest in a document with p <= 1/2."""
        if self.name in ("ig", "pace", "region"):
            return self.theta(shown)
        return LEAST if self.name in ("utility", "f1") else NEVER

    @property
    def start(self) -> float:
        """Return the bar of a new topic, unless `Filter.set_initial_thresholds` sets it: for `target` p = 1/2."""
        return 0.0 if self.name == "target" else NEVER

    def uses_target(self, budget: bool) -> bool:
        """Whether `target` has an effect; a budget takes the place of theta, except for `region`."""
        return self.name in ("rnd", "pace", "region", "target") or (self.name == "ig" and not budget)

    @property
    def uses_budget(self) -> bool:
        """Whether a budget has an effect: `none` asks nothing, and `rnd` asks by chance."""
        return self.name not in ("none", "rnd")

    def chance(self, shown: int) -> float:
        """The probability with which `rnd` asks about any document."""
        return max(self.target - shown, 0) / self.horizon if self.name == "rnd" else 0.0

    def fall(self, shown: int, seen: int) -> float:
        """By how much `target`'s bar falls with each document: with a rise of `step` for each question, the bar comes
        to rest where as many are asked as are left."""
        return self.step * max(self.target - shown, 0) / max(self.horizon - seen, 1)


def strategy_of(name: str, **settings: int | float) -> tuple[Strategy, Again]:
    """A strategy by its name, and which relevant documents are learned again: "rel+ig", "rel-recent+target", "none".

    >>> strategy_of("rel+ig")[0].name, strategy_of("rel+ig")[1], strategy_of("ig")[1]
    ('ig', 'order', 'no')
    """
    again: Again = "no"
    asks = "none"
    for part in filter(None, name.split("+")):
        if part in ("rel", "rel-recent"):
            again = "order" if part == "rel" else "recent"
        elif part in NAMES and asks == "none":
            asks = part
        else:
            known = ", ".join(NAMES)
            raise BadInput(f"no strategy {name!r}", remedy=f"say one of {known}, with rel+ or rel-recent+ before it")
    return Strategy(asks, **settings), again  # type: ignore[arg-type]


def wants(
    strategy: Strategy, profile: Profile, row: Row, m: float, v: float, p: float, shown: Sequence[Row], seen: int
) -> bool:
    """Whether to ask about a document that is near: its gain is at least `least_gain`, or it is above the bar."""
    if strategy.name in ("ig", "target"):
        return True
    if strategy.name == "pace":
        return profile.counters.shown < strategy.target * seen / strategy.horizon
    if strategy.name not in ("region", "utility", "f1"):
        return False
    region = [profile.local(z) for z in [*profile.memory[-REGION:], *shown[-REGION:]]]
    (ends, z_columns, z_weights), belief = Batch.of(region), profile.belief
    columns, weights = profile.local(row)
    level = level_of(strategy, profile)
    gain, value = about_region(
        belief.code, m, v, columns, weights, ends, z_columns, z_weights, belief.mean, belief.table, level
    )
    if strategy.name == "region":
        return bool(gain >= strategy.share * strategy.theta(profile.counters.shown))
    return bool(p - level + strategy.to_come * value > 0.0)


REGION = 16  # last relevant documents, and last ones shown


def level_of(strategy: Strategy, profile: Profile) -> float:
    """The probability from which showing a document pays by itself."""
    if strategy.name != "f1":
        return 1.0 / 3.0
    c, counts = profile.counters, profile.counts
    n = counts.background.n_documents + counts.judged
    rate = (counts.relevant + 1.0) / (n + 2.0)
    expected = max(c.relevant, rate * strategy.horizon)
    return min(0.5, max(0.01, c.relevant / max(c.shown + expected, 1.0)))  # F/2, with F = 2 R+ / (shown + relevant)


@kernel
def about_region(
    code: Code, m: float, v: float, indices: Columns, data: Floats,
    ends: Columns, z_indices: Columns, z_data: Floats, mean: Floats, table: Floats, level: float,
) -> tuple[float, float]:  # fmt: skip
    """The expected gain about h(z), in bits, and the expected rise of max(0, p_z - level): means over the region."""
    size = ends.size - 1
    if size == 0 or v <= 0.0:
        return 0.0, 0.0
    direction = _times(indices, data, table)
    gain = value = 0.0
    for k in range(size):
        z, w = z_indices[ends[k] : ends[k + 1]], z_data[ends[k] : ends[k + 1]]
        m_z, v_z = field_of(z, w, mean, table)
        if v_z <= 0.0:
            continue
        c = direction[0]
        for i in range(z.size):
            c += w[i] * direction[z[i] + 1]
        value -= max(0.0, probability(code, m_z, v_z) - level)
        for y in (-1.0, 1.0):
            log_z, g1, g2 = moments(code, y, m, v)
            ratio = max(1.0 + g2 * c * c / v_z, 1e-12)
            gain += np.exp(log_z) * (ratio - 1.0 - np.log(ratio) + (g1 * c) ** 2 / v_z) / (2.0 * LOG_2)
            value += np.exp(log_z) * max(0.0, probability(code, m_z + g1 * c, ratio * v_z) - level)
    return gain / size, value / size


@kernel
def _times(indices: Columns, data: Floats, table: Floats) -> Floats:
    """C x, with the bias first."""
    d = table.shape[1]
    out = np.zeros(d)
    if table.shape[0] == 1:
        out[0] = table[0, 0]
        for i in range(indices.size):
            out[indices[i] + 1] = data[i] * table[0, indices[i] + 1]
        return out
    out += table[0]
    for i in range(indices.size):
        out += data[i] * table[indices[i] + 1]
    return out
