"""What a filter returns for a document, and the answer it takes."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from bayesift.beliefs.likelihoods import Code, probability
from bayesift.display import Cell, Table, notebook
from bayesift.filtering.events import Shown, Source
from bayesift.filtering.gain import expected_gain
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.rows import Columns, Floats, Row
from bayesift.numba_kernel import kernel
from bayesift.terminal import one_line

Kind = Literal["delivered", "asked", "passed"]
WORDS = 8  # columns that explain an outcome
WIDE = 1.6448536269514722  # deviations on either side of the mean that hold 0.9 of a normal distribution


class Outcome(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What a topic does with a document.

    Attributes
    ----------
    kind : str
        delivered, asked or passed.
    topic, document : str
        The topic's name and the document's id.
    probability : float
        Probability that the document is relevant to the topic.
    sd : float
        Standard deviation of the field h.
    interval : tuple of float
        The probability lies between these two numbers with probability 0.9, given what the topic has learned.
    gain : float
        Expected information gain of an answer, in bits.
    columns, amounts : arrays
        The columns that contribute most to the mean of the field, and their mean weights times x; `words` has both.
    chance : float
        The probability with which the document was shown; below 1 if it was drawn at random.
    source : str or None
        delivered, asked, or random if the question was drawn at random; None if the document is passed.
    """

    kind: Kind
    topic: str
    document: str
    probability: float
    sd: float
    interval: tuple[float, float]
    gain: float
    columns: Columns
    amounts: Floats
    source: Source | None = None
    chance: float = 1.0

    @property
    def words(self) -> tuple[tuple[int, float], ...]:
        """The columns that contribute most, each with its mean weight times x."""
        return tuple(zip(self.columns.tolist(), self.amounts.tolist()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[object, ...]:
        belief = self.probability, self.sd, self.interval, self.gain
        return self.kind, self.topic, self.document, *belief, self.words, self.source, self.chance

    def shown_as(self, event: Shown) -> Outcome:
        """Return the same outcome for a document that was shown so."""
        return self.become("asked" if event.asked else "delivered", event.source, event.chance)

    def become(self, kind: Kind, source: Source | None, chance: float = 1.0) -> Outcome:
        """Return what is believed of the document, with another decision."""
        belief = self.probability, self.sd, self.interval, self.gain
        return Outcome(kind, self.topic, self.document, *belief, self.columns, self.amounts, source, chance)

    @property
    def about(self) -> tuple[str, str]:
        """The topic and the document, the first arguments of `Filter.judge`."""
        return self.topic, self.document

    def __str__(self) -> str:
        terms = ", ".join(f"{column} {share:+.2f}" for column, share in self.words)
        because = f"; columns {terms}" if terms else ""
        said = f"p = {self.probability:.2f}, sd {self.sd:.2f}, expected gain {self.gain:.3f} bits{because}"
        return one_line(f"{self.kind}: topic {self.topic}, document {self.document} ({said})")

    def _repr_html_(self) -> str:
        rows: list[list[Cell]] = [[f"column {column}", f"{share:+.3f}"] for column, share in self.words]
        about = f"p = {self.probability:.2f}, sd {self.sd:.2f}, expected gain {self.gain:.3f} bits"
        title = f"{self.topic}: document {self.document} {self.kind}"
        return notebook(title, about, Table("", ("term", "adds to the field"), rows).html())


class Answer(NamedTuple):
    """A person's answer about a document, for `Filter.judge_all`."""

    topic: str
    document: str
    relevant: bool


def passed(profile: TopicProfile, document: str, row: Row, m: float, v: float) -> Outcome:
    """Return the outcome of a document whose field is N(m, v), as one that is passed."""
    p, sd, low, high, gain = belief(profile.code, m, v)
    return Outcome("passed", profile.name, document, p, sd, (low, high), gain, *contributions(profile, row))


@kernel
def belief(code: Code, m: float, v: float) -> tuple[float, float, float, float, float]:
    """Return the probability, the deviation of the field, the interval, and the expected gain."""
    p, sd = probability(code, m, v), math.sqrt(v)
    low, high = probability(code, m - WIDE * sd, 0.0), probability(code, m + WIDE * sd, 0.0)
    return p, sd, min(low, p), max(high, p), expected_gain(code, m, v)


@kernel
def beliefs(code: Code, m: Floats, v: Floats) -> Floats:
    """Return what `belief` returns for several fields: (5, fields)."""
    out = np.empty((5, m.size))
    for i in range(m.size):
        out[0, i], out[1, i], out[2, i], out[3, i], out[4, i] = belief(code, m[i], v[i])
    return out


def outcome_of(profile: TopicProfile, document: str, row: Row) -> Outcome:
    """Return the outcome of a document as one that is passed."""
    return passed(profile, document, row, *profile.field(row))


def contributions(profile: TopicProfile, row: Row) -> tuple[Columns, Floats]:
    """Return the columns that contribute most to the mean of the field, and mean weight times x, largest first."""
    return _largest(*profile.contributions(row))


@kernel
def _largest(columns: Columns, share: Floats) -> tuple[Columns, Floats]:
    """Return the largest amounts, with or without their sign, and their columns; the largest first."""
    best, amounts, n = np.empty(WORDS + 1, np.int32), np.empty(WORDS + 1), 0
    for i in range(share.size):
        n = insert(best, amounts, n, columns[i], share[i])
    return best[:n].copy(), amounts[:n].copy()


@kernel
def insert(best: Columns, amounts: Floats, n: int, column: int, amount: float) -> int:
    """Insert an amount among the n largest, the largest first; return how many there are, `WORDS` at most."""
    k = n
    while k > 0 and abs(amounts[k - 1]) < abs(amount):
        best[k], amounts[k] = best[k - 1], amounts[k - 1]
        k -= 1
    best[k], amounts[k] = column, amount
    return min(n + 1, WORDS)
