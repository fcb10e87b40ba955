"""What a filter returns for a document, and the answer it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["delivered", "asked", "passed"]


@dataclass(frozen=True)
class Outcome:
    """What a topic does with a document: p and the deviation of the field, the expected gain in bits, and the columns
    that made it so, each with its mean weight times x, strongest first."""

    kind: Kind
    topic: str
    document: str
    probability: float
    sd: float
    gain: float
    words: tuple[tuple[int, float], ...]

    @property
    def about(self) -> tuple[str, str]:
        """The topic and the document: what `Filter.judge` wants before the answer."""
        return self.topic, self.document


class Answer(NamedTuple):
    """A judgement from outside."""

    topic: str
    document: str
    relevant: bool
