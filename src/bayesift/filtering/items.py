"""What a `TextFilter` shows: a document for a topic, how probable it is, and which of its words say so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from bayesift.corpora import Document
from bayesift.display import Cell, Table, notebook
from bayesift.filtering.events import Source
from bayesift.filtering.outcomes import Kind, Outcome
from bayesift.filtering.stream_terms import StreamTerms
from bayesift.terminal import one_line
from bayesift.text.spelling import spelled

TITLE = 80  # characters of a document's beginning


@dataclass(frozen=True)
class Item:
    """A document shown to a topic.

    Attributes
    ----------
    kind : str
        delivered (probably worth reading), asked (the answer is worth having), or passed.
    topic, document : str
        The topic's name and the document's id: the first arguments of `TextFilter.judge`.
    probability : float
        Probability that the document is relevant to the topic.
    interval : tuple of float
        The probability lies between these two numbers with probability 0.9, by what the topic has learned so far.
    gain : float
        Expected information gain of an answer, in bits.
    why : tuple of (str, float)
        Words of the document, as it spells them, and what each adds to the topic's field; most important first.
    title : str
        The document's title or beginning.
    date : str or None
        The document's date.
    source : str or None
        delivered, asked, random (a question drawn at random), searched or imported; None if it was not shown.
    """

    kind: Kind
    topic: str
    document: str
    probability: float
    interval: tuple[float, float]
    gain: float
    why: tuple[tuple[str, float], ...]
    title: str = ""
    date: str | None = None
    source: Source | None = None

    @property
    def about(self) -> tuple[str, str]:
        """The topic and the document, the first arguments of `TextFilter.judge`."""
        return self.topic, self.document

    def to_dict(self) -> dict[str, Any]:
        """Return the item as JSON can hold it."""
        return asdict(self) | {"interval": list(self.interval), "why": [list(pair) for pair in self.why]}

    def __str__(self) -> str:
        words = ", ".join(f"{word} {amount:+.2f}" for word, amount in self.why)
        because = f"; {words}" if words else ""
        named = f"{self.document}, {self.title!r}" if self.title else self.document
        return one_line(f"{self.kind}: topic {self.topic}, document {named} ({self._belief()}{because})")

    def _repr_html_(self) -> str:
        rows: list[list[Cell]] = [[word, f"{amount:+.3f}"] for word, amount in self.why]
        title = f"{self.topic}: document {self.document} {self.kind}"
        when = f", {self.date}" if self.date else ""
        about = f"{self.title}{when}: {self._belief()}" if self.title or when else self._belief()
        return notebook(title, about, Table("", ("word", "adds to the field"), rows).html())

    def _belief(self) -> str:
        low, high = self.interval
        return f"p = {self.probability:.2f} ({low:.2f} to {high:.2f}), expected gain {self.gain:.3f} bits"


def items_of(outcomes: Iterable[Outcome], document: Document | None, terms: StreamTerms) -> list[Item]:
    """Return outcomes about one document as items; without its text, words are stems."""
    found = list(outcomes)
    words = terms.spelling(document) if document is not None and found else {}
    return [_item(outcome, document, words, terms) for outcome in found]


def item_of(outcome: Outcome, document: Document | None, terms: StreamTerms) -> Item:
    """Return an outcome as an item."""
    return items_of([outcome], document, terms)[0]


def _item(outcome: Outcome, document: Document | None, words: dict[str, str], terms: StreamTerms) -> Item:
    names = terms.names([column for column, _ in outcome.words])
    why = tuple((spelled(name, words) or name, amount) for name, (_, amount) in zip(names, outcome.words))
    return Item(
        outcome.kind, outcome.topic, outcome.document, outcome.probability, outcome.interval, outcome.gain, why,
        beginning(document) if document is not None else "", document.date if document is not None else None,
        outcome.source,
    )  # fmt: skip


def beginning(document: Document) -> str:
    """Return the title of a document, or the beginning of its text.

    >>> beginning(Document("1", body="Wheat rose.\\nCorn fell."))
    'Wheat rose. Corn fell.'
    """
    text = " ".join((document.title or document.body[: 4 * TITLE]).split())
    return text if len(text) <= TITLE else text[: TITLE - 2].rsplit(" ", 1)[0] + " …"
