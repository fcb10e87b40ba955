"""Events: all that changes a filter. A filter is a function of its settings and its events, in their order.

Of a topic's judgements:

    {"type": "shown", "topic": "cs.DL", "document": "2504.01", "asked": true}
    {"type": "judged", "topic": "cs.DL", "document": "2504.01", "relevant": false, "columns": [..], "weights": [..]}
    {"type": "changed", "topic": "cs.DL", "document": "2504.01", "relevant": true}
    {"type": "withdrawn", "topic": "cs.DL", "document": "2504.01"}

A judgement contains the document's vector as it was when judged, so a topic needs no corpus. `changed` and `withdrawn`
refer to the judgement before them. Of a `TextFilter` also: received (a document), topic-added, topic-renamed,
topic-paused, topic-resumed, topic-removed, topic-set and words-edited. `event_log` writes and reads them.

Every event may say when it happened, who caused it, where the document came from, what the topic believed of it, and
how many changes the topic had learned by then (`version`). Logs written before these fields existed can be read.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import numpy as np

from bayesift.errors import BadInput
from bayesift.filtering.rows import Row

Source = Literal["delivered", "asked", "random", "searched", "imported"]


class Recorded(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """What every event may say about its origin."""

    time: str | None = None  # ISO 8601, UTC
    who: str | None = None
    source: Source | None = None  # how the reader came by the document
    probability: float | None = None  # of relevance, when it was shown
    gain: float | None = None  # expected information gain of its answer, in bits
    chance: float = 1.0  # with which it was shown; below 1 for a question drawn at random
    version: int | None = None  # changes that the topic had learned
    note: str | None = None
    undo: bool = False  # it reverses the last change


class Shown(Recorded, frozen=True, tag="shown", gc=False):
    """A document was shown: delivered, or with `asked`, asked about."""

    topic: str
    document: str
    asked: bool = False


class Judged(Recorded, frozen=True, tag="judged", eq=False):
    """The reader's answer."""

    topic: str
    document: str
    relevant: bool
    columns: Any  # an array of int32; in JSON, a list
    weights: Any

    @property
    def row(self) -> Row:
        """The document's vector."""
        return Row(self.columns, self.weights)


class Changed(Recorded, frozen=True, tag="changed"):
    """The reader replaced an answer."""

    topic: str
    document: str
    relevant: bool


class Withdrawn(Recorded, frozen=True, tag="withdrawn"):
    """The reader withdrew an answer."""

    topic: str
    document: str


class Received(Recorded, frozen=True, tag="received", gc=False):
    """A document came: along the stream, or with the source searched or imported, to be judged only."""

    document: str
    date: str | None = None
    arrived: str | None = None  # the day on which a document without a date came


class Example(msgspec.Struct, frozen=True, omit_defaults=True):
    """A document that is relevant to a new topic."""

    id: str
    title: str = ""
    body: str = ""

    def zones(self) -> dict[str, str]:
        """Return the non-empty parts of the text, by name."""
        return {name: text for name, text in (("title", self.title), ("body", self.body)) if text}


class Past(msgspec.Struct, frozen=True):
    """A judgement of an exported topic: the words of the document, with their weights."""

    document: str
    relevant: bool
    words: dict[str, float]


class TopicAdded(Recorded, frozen=True, tag="topic-added"):
    """A topic starts: from a statement, words with mean and deviation, examples, judgements, or several of these."""

    topic: str
    about: str | None = None
    words: dict[str, tuple[float, float]] = {}
    examples: tuple[Example, ...] = ()
    judgements: tuple[Past, ...] = ()


class TopicRenamed(Recorded, frozen=True, tag="topic-renamed"):
    """A topic got another name."""

    topic: str
    name: str


class TopicPaused(Recorded, frozen=True, tag="topic-paused"):
    """A topic is shown nothing from now on; it can be judged."""

    topic: str


class TopicResumed(Recorded, frozen=True, tag="topic-resumed"):
    """A paused topic goes on."""

    topic: str


class TopicRemoved(Recorded, frozen=True, tag="topic-removed"):
    """A topic was removed."""

    topic: str


class TopicSet(Recorded, frozen=True, tag="topic-set"):
    """A topic got its own number of documents per day, or its own balance; None is that of the filter."""

    topic: str
    per_day: int | None = None
    balance: float | None = None


class WordsEdited(Recorded, frozen=True, tag="words-edited"):
    """The words of a topic were replaced."""

    topic: str
    words: dict[str, tuple[float, float]]


Answering = Shown | Judged | Changed | Withdrawn  # the events of one topic's documents
Managing = TopicAdded | TopicRenamed | TopicPaused | TopicResumed | TopicRemoved | TopicSet | WordsEdited
Event = Answering | Received | Managing


def judged(topic: str, document: str, relevant: bool, row: Row, **recorded: Any) -> Judged:
    """Return a judgement of a document with this vector."""
    return Judged(topic, document, yes_or_no(relevant), row.columns, row.weights, **recorded)


def yes_or_no(relevant: object) -> bool:
    """Return an answer as a bool, or raise BadInput if it is not one.

    >>> yes_or_no(np.True_)
    True
    """
    if not isinstance(relevant, bool | np.bool_):
        raise BadInput(f"the answer {relevant!r} is not a boolean", remedy="give True (relevant) or False")
    return bool(relevant)
