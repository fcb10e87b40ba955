"""What a `TextFilter` shows: a document for a topic, how probable it is, and which of its words say so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from bayesift.corpora import Document
from bayesift.display import Cell, Table, notebook
from bayesift.filtering.events import Source
from bayesift.filtering.outcomes import Kind, Outcome
from bayesift.filtering.rows import Columns, Floats
from bayesift.filtering.stream_terms import StreamTerms
from bayesift.terminal import one_line
from bayesift.text.spelling import spelled

TITLE = 80  # characters of a document's beginning
BEGINNING = 4 * TITLE  # characters of a text that are looked at for it


class ShownDocument:
    """A document that is shown to some topics: its words are looked up when somebody asks for them.

    Without its text, words are stems.
    """

    __slots__ = ("_spelling", "_terms", "_words", "document")

    def __init__(self, document: Document | None, terms: StreamTerms) -> None:
        self.document, self._terms = document, terms
        self._spelling: dict[str, str] | None = None if document is not None else {}
        self._words: dict[int, str] = {}  # by column: topics that see the same document have words in common

    def words(self, columns: Columns) -> list[str]:
        """Return the words of columns, as the document spells them."""
        known, wanted = self._words, columns.tolist()
        new = [column for column in dict.fromkeys(wanted) if column not in known]
        if new:
            if self._spelling is None:
                self._spelling = self._terms.spelling(self.document)
            spelling, names = self._spelling, self._terms.names(new)
            known |= {c: spelling.get(name) or spelled(name, spelling) or name for c, name in zip(new, names)}
        return [known[column] for column in wanted]


class Item(msgspec.Struct, frozen=True, eq=False, gc=False):
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
    source: Source | None
    columns: Columns  # of `why`, and what each adds
    amounts: Floats
    shown: ShownDocument

    @property
    def origin(self) -> str:
        """How the document came to the reader: delivered, asked, or searched or imported by the reader."""
        return self.source if self.source in ("searched", "imported") else self.kind

    @property
    def why(self) -> tuple[tuple[str, float], ...]:
        """Words of the document, and what each adds to the topic's field."""
        return tuple(zip(self.shown.words(self.columns), self.amounts.tolist()))

    @property
    def title(self) -> str:
        """The document's title or beginning."""
        return "" if self.shown.document is None else beginning(self.shown.document)

    @property
    def date(self) -> str | None:
        """The document's date."""
        return None if self.shown.document is None else self.shown.document.date

    @property
    def about(self) -> tuple[str, str]:
        """The topic and the document, the first arguments of `TextFilter.judge`."""
        return self.topic, self.document

    def to_dict(self) -> dict[str, Any]:
        """Return the item as JSON can hold it."""
        fields = "kind", "topic", "document", "probability", "interval", "gain", "why", "title", "date", "source"
        values = {name: getattr(self, name) for name in fields}
        return values | {"interval": list(self.interval), "why": [list(pair) for pair in self.why]}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Item) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.kind, self.topic, self.document))

    def __repr__(self) -> str:
        return f"Item({', '.join(f'{name}={value!r}' for name, value in self.to_dict().items())})"

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
    """Return outcomes about one document as items."""
    shown = ShownDocument(document, terms)
    return [
        Item(o.kind, o.topic, o.document, o.probability, o.interval, o.gain, o.source, o.columns, o.amounts, shown)
        for o in outcomes
    ]


def item_of(outcome: Outcome, document: Document | None, terms: StreamTerms) -> Item:
    """Return an outcome as an item."""
    return items_of([outcome], document, terms)[0]


def beginning(document: Document) -> str:
    """Return the title of a document, or the beginning of its text.

    >>> beginning(Document("1", body="Wheat rose.\\nCorn fell."))
    'Wheat rose. Corn fell.'
    """
    text = " ".join((document.title or document.body[:BEGINNING]).split())
    return text if len(text) <= TITLE else text[: TITLE - 2].rsplit(" ", 1)[0] + " …"
