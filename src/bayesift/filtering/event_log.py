"""Events as JSON lines: an append-only log from which a filter can be rebuilt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
import numpy as np

from bayesift.errors import BadInput
from bayesift.files import read_lines, write_compressed
from bayesift.filtering.events import Event, Judged
from bayesift.filtering.rows import Row, check_rows

_ENCODER = msgspec.json.Encoder(enc_hook=np.ndarray.tolist)
Logged = TypeVar("Logged", bound=Event)
_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class Log(Protocol):
    """Where events go."""

    def append(self, event: Event, /) -> object:
        """Append one event."""


def checked_log(log: Log | None) -> Log | None:
    """Return a log; raise BadInput if nothing can be appended to it."""
    if log is not None and not callable(getattr(log, "append", None)):
        raise BadInput(f"the log is {log!r}", remedy="give a list, or an object with append; write_log writes a file")
    return log


def append_all(log: Log | None, events: Sequence[Logged], apply: Callable[[Sequence[Logged]], None]) -> None:
    """Append events, then apply those that are in the log: all of them, or if an append fails, those before it."""
    if log is None:
        apply(events)
        return
    n = 0
    try:
        for event in events:
            log.append(event)
            n += 1
    finally:
        apply(events[:n])


def encoded(event: Event) -> bytes:
    """Return an event as a line of JSON, without the line break."""
    return _ENCODER.encode(event)


def decoded(line: bytes | str) -> Event:
    """Return the event of a line; raise ValueError if it is not one."""
    event = _DECODER.decode(line)
    if not isinstance(event, Judged):
        return event
    row = Row(np.array(event.columns, np.int32), np.array(event.weights, np.float64)).checked()
    return msgspec.structs.replace(event, columns=row.columns, weights=row.weights)


def decoded_lines(lines: bytes) -> list[Event]:
    """Return the events of lines, as `decoded` does one by one; many of them faster."""
    found = _DECODER.decode_lines(lines)
    rows = {
        i: Row(np.array(event.columns, np.int32), np.array(event.weights, np.float64))
        for i, event in enumerate(found) if isinstance(event, Judged)
    }  # fmt: skip
    check_rows(list(rows.values()))
    for i, row in rows.items():
        found[i] = msgspec.structs.replace(found[i], columns=row.columns, weights=row.weights)
    return found


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
