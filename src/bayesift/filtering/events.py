"""Events of a topic as JSON lines: an append-only log from which the topic can be rebuilt.

    {"type": "shown", "topic": "cs.DL", "document": "2504.01", "asked": true}
    {"type": "judged", "topic": "cs.DL", "document": "2504.01", "relevant": false, "columns": [..], "weights": [..]}
    {"type": "changed", "topic": "cs.DL", "document": "2504.01", "relevant": true}
    {"type": "withdrawn", "topic": "cs.DL", "document": "2504.01"}

A judgement contains the document's vector as it was when judged, so a log needs no corpus. `changed` and `withdrawn`
refer to the judgement before them.
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
    """A document was shown: delivered, or with `asked`, asked about."""

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
    """The reader replaced an answer."""

    topic: str
    document: str
    relevant: bool


class Withdrawn(msgspec.Struct, frozen=True, tag="withdrawn", tag_field="type"):
    """The reader withdrew an answer."""

    topic: str
    document: str


Event = Shown | Judged | Changed | Withdrawn
_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class Log(Protocol):
    """Where events go."""

    def append(self, event: Event, /) -> object:
        """Append one event."""


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
    """Return an event as a line of JSON, without the line break."""
    return msgspec.json.encode(event, enc_hook=lambda array: array.tolist())


def write_log(path: str | Path, events: Iterable[Event]) -> None:
    """Write a log atomically; a name that ends in `.gz` or `.zst` is compressed.

    Parameters
    ----------
    path : str or Path
        The file to write.
    events : iterable of Event
        The events, in their order.
    """
    with write_compressed(path) as out:
        for event in events:
            out.write(encoded(event) + b"\n")


def decoded(line: bytes | str) -> Event:
    """Return the event of a line; raise ValueError if it is not one."""
    event = _DECODER.decode(line)
    if not isinstance(event, Judged):
        return event
    row = Row(np.array(event.columns, np.int32), np.array(event.weights, np.float64)).checked()
    return judged(event.topic, event.document, event.relevant, row)


def read_log(path: str | Path) -> Iterator[Event]:
    """Yield the events of a log.

    Raises
    ------
    BadInput
        At a line that is not an event; the error names the file and the line.
    """
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            event = decoded(line)
        except (ValueError, TypeError, OverflowError) as error:
            reason = error.reason if isinstance(error, BadInput) else f"not an event: {error}"
            raise BadInput(reason, path=path, line=number, remedy="remove it; the lines before are valid") from None
        yield event
