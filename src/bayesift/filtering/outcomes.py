"""What a filter returns for a document, and the answer it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from bayesift.display import Cell, Table, notebook
from bayesift.terminal import one_line

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
    """A judgement from outside."""

    topic: str
    document: str
    relevant: bool
