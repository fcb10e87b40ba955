"""Export and import of a review as JSON lines: its records, then all its events.

    {"format": "bayesift review", "version": 1, "bayesift": "0.1.0"}
    {"record": {"id": "331f28132b2a2ab0", "title": "Statins in HIV", ...}}
    ...
    {"event": {"type": "decided", "who": "ada", "list": "abstract", "record": 0, "decision": "include", ...}}
    ...
    {"end": {"records": 1000, "events": 57}}

Records are numbered from 0 and events from 1, in the order of their lines. The import of an export gives a review that
goes on in the same way, and whose export has the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import sqlalchemy as sa

from bayesift import __version__
from bayesift.errors import BadInput
from bayesift.files import read_lines, write_compressed
from bayesift.filtering.screening.records import Record
from bayesift.filtering.screening.store import log, record_table
from bayesift.filtering.screening.store.events import DuplicatesFound, Event, RecordsAdded
from bayesift.filtering.screening.store.state import State

FORMAT, VERSION = "bayesift review", 1
DAMAGED = "export the review again"
_encode = msgspec.json.Encoder().encode


class _Head(msgspec.Struct, frozen=True):
    format: str
    version: int
    bayesift: str = ""


class _Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the file: exactly one of its fields is there."""

    record: Record | None = None
    event: Event | None = None
    end: dict[str, int] | None = None


_line = msgspec.json.Decoder(_Line).decode


def write_export(connection: sa.Connection, path: str | Path) -> dict[str, int]:
    """Write a review to a file, atomically, and return how much it is; the name may end in .gz or .zst."""
    counts = {"records": 0, "events": 0}
    with write_compressed(path) as out:
        out.write(_encode(_Head(FORMAT, VERSION, __version__)) + b"\n")
        for record in record_table.all_records(connection):
            out.write(_encode(_Line(record=record)) + b"\n")
            counts["records"] += 1
        for _, event in log.after(connection, 0):
            out.write(_encode(_Line(event=event)) + b"\n")
            counts["events"] += 1
        out.write(_encode(_Line(end=counts)) + b"\n")
    return counts


class Import:
    """An export that is read: its records first, then its events.

    Parameters
    ----------
    path : str or Path
        The file.

    Raises
    ------
    BadInput
        If it is not an export of a review. Reading on raises BadInput where the file is damaged.
    """

    def __init__(self, path: str | Path) -> None:
        self.path, self._number = path, 0
        self._lines = read_lines(path)
        self._ahead: _Line | None = None
        self._check_head()

    def records(self) -> Iterator[Record]:
        """Yield the records."""
        while (line := self._next()).record is not None:
            yield line.record
        self._ahead = line

    def events(self, size: int) -> list[Event]:
        """Return the events of a review with `size` records; the file has to end with them."""
        events: list[Event] = []
        while (line := self._next()).event is not None:
            self._check(line.event, size)
            events.append(line.event)
        if line.end != {"records": size, "events": len(events)} or next(self._lines, None) is not None:
            raise self._damaged("is incomplete")
        try:
            state = State()
            state.fold(list(enumerate(events, 1)))
        except (LookupError, ValueError, AssertionError):
            raise self._damaged("an event does not follow from those before it") from None
        if state.size != size:
            raise self._damaged(f"has {size:,} records, and its events add {state.size:,}")
        return events

    def _check_head(self) -> None:
        self._number, text = next(self._lines, (0, ""))
        try:
            head = msgspec.json.decode(text, type=_Head)
        except (msgspec.DecodeError, UnicodeError):
            head = _Head("", 0)
        if head.format != FORMAT:
            raise BadInput("is not an export of a review", path=self.path, remedy="bayesift screen export makes one")
        if head.version != VERSION:
            reason = f"is an export of version {head.version}, written by bayesift {head.bayesift}"
            raise BadInput(f"{reason}; this one knows {VERSION}", path=self.path, remedy="upgrade bayesift")

    def _next(self) -> _Line:
        if self._ahead is not None:
            line, self._ahead = self._ahead, None
            return line
        self._number, text = next(self._lines, (self._number, "{}"))
        try:
            return _line(text)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise self._damaged(f"cannot be read: {error}") from None

    def _check(self, event: Event, size: int) -> None:
        """Raise BadInput if an event names records that are not in the file."""
        named = [getattr(event, name) for name in ("record", "other") if hasattr(event, name)]
        if isinstance(event, RecordsAdded):
            named = [event.first, event.first + event.count - 1] if event.count else []
        elif isinstance(event, DuplicatesFound):
            named = [number for pair in event.pairs for number in (pair.first, pair.second)]
        if not all(0 <= number < size for number in named):
            raise self._damaged("an event names a record that is missing")

    def _damaged(self, reason: str) -> BadInput:
        return BadInput(reason, path=self.path, line=self._number, remedy=DAMAGED)
