"""What a filter returns for a document, and the answer it takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from bayesift.beliefs.likelihoods import predictive
from bayesift.display import Cell, Table, notebook
from bayesift.filtering.events import Shown, Source
from bayesift.filtering.gain import expected_gain
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.rows import Row
from bayesift.terminal import one_line

Kind = Literal["delivered", "asked", "passed"]
WORDS = 8  # columns that explain an outcome
WIDE = 1.6448536269514722  # deviations on either side of the mean that hold 0.9 of a normal distribution


@dataclass(frozen=True)
class Outcome:
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
    words : tuple of (int, float)
        The columns that contribute most to the mean of the field, each with its mean weight times x.
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
    words: tuple[tuple[int, float], ...]
    source: Source | None = None
    chance: float = 1.0

    def shown_as(self, event: Shown) -> Outcome:
        """Return the same outcome for a document that was shown so."""
        return replace(self, kind="asked" if event.asked else "delivered", source=event.source, chance=event.chance)

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
    code = profile.code
    p, gain = float(predictive(code, np.array([m]), np.array([v]))[0]), float(expected_gain(code, m, v))
    sd = float(np.sqrt(v))
    low, high = predictive(code, np.array([m - WIDE * sd, m + WIDE * sd]), np.zeros(2)).tolist()
    interval = min(low, p), max(high, p)
    return Outcome("passed", profile.name, document, p, sd, interval, gain, contributions(profile, row))


def outcome_of(profile: TopicProfile, document: str, row: Row) -> Outcome:
    """Return the outcome of a document as one that is passed."""
    return passed(profile, document, row, *profile.field(row))


def contributions(profile: TopicProfile, row: Row) -> tuple[tuple[int, float], ...]:
    """Return the columns that contribute most to the mean of the field, with mean weight times x, largest first."""
    columns, share = profile.contributions(row)
    best = np.argsort(-np.abs(share), kind="stable")[:WORDS]
    return tuple((int(columns[i]), float(share[i])) for i in best)
