"""What happens to a topic, as lines of JSON: an append-only log that says all that is needed to rebuild it.

    {"type": "shown", "topic": "cs.DL", "document": "2504.01", "asked": true}
    {"type": "judged", "topic": "cs.DL", "document": "2504.01", "relevant": false, "columns": [..], "weights": [..]}
    {"type": "changed", "topic": "cs.DL", "document": "2504.01", "relevant": true}
    {"type": "withdrawn", "topic": "cs.DL", "document": "2504.01"}

A judgement carries the document's vector as it was when judged, so a log needs no corpus. `changed` and `withdrawn`
speak of the judgement before them; what is left after them are the surviving events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np

from bayesift.errors import BadInput
from bayesift.files import read_lines, write_compressed
from bayesift.filtering.rows import Row


class Shown(msgspec.Struct, frozen=True, tag="shown", tag_field="type"):
    """A document was put before the reader, because it is relevant or, if `asked`, to learn from the answer."""

    topic: str
    document: str
    asked: bool = False


class Judged(msgspec.Struct, frozen=True, tag="judged", tag_field="type", eq=False):
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


class Changed(msgspec.Struct, frozen=True, tag="changed", tag_field="type"):
    """The answer is now another."""

    topic: str
    document: str
    relevant: bool


class Withdrawn(msgspec.Struct, frozen=True, tag="withdrawn", tag_field="type"):
    """The answer no longer counts."""

    topic: str
    document: str


Event = Shown | Judged | Changed | Withdrawn
_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class Log(Protocol):
    """Where events go."""

    def append(self, event: Event, /) -> object:
        """Take one more event."""


def judged(topic: str, document: str, relevant: bool, row: Row) -> Judged:
    """Return a judgement of a document with this vector."""
    return Judged(topic, document, yes_or_no(relevant), row.columns, row.weights)


def yes_or_no(relevant: object) -> bool:
    """Return an answer as a bool, or raise BadInput if it is not one.

    >>> yes_or_no(np.True_)
    True
    """
    if not isinstance(relevant, bool | np.bool_):
        raise BadInput(f"the answer {relevant!r} is not a boolean", remedy="give True (relevant) or False")
    return bool(relevant)


def encoded(event: Event) -> bytes:
    """One line, without its end."""
    return msgspec.json.encode(event, enc_hook=lambda array: array.tolist())


def write_log(path: str | Path, events: Iterable[Event]) -> None:
    """Write a log whole or not at all; `.gz` and `.zst` compress."""
    with write_compressed(path) as out:
        for event in events:
            out.write(encoded(event) + b"\n")


def decoded(line: bytes | str) -> Event:
    """The event of one line; ValueError if it is none."""
    event = _DECODER.decode(line)
    if not isinstance(event, Judged):
        return event
    row = Row(np.array(event.columns, np.int32), np.array(event.weights, np.float64)).checked()
    return judged(event.topic, event.document, event.relevant, row)


def read_log(path: str | Path) -> Iterator[Event]:
    """Read a log; a bad line is an error that names it."""
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            event = decoded(line)
        except (ValueError, TypeError, OverflowError) as error:
            reason = error.reason if isinstance(error, BadInput) else f"not an event: {error}"
            raise BadInput(reason, path=path, line=number, remedy="the lines before it are whole") from None
        yield event
