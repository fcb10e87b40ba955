"""Add records to a review: new rows, the decisions that their files hold, and pairs that seem to be duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bayesift.errors import BadInput
from bayesift.filtering.screening.records import Record, find_duplicates
from bayesift.filtering.screening.store import record_table
from bayesift.filtering.screening.store.events import (
    DECISIONS,
    KNOWN,
    LISTS,
    Decided,
    DuplicatesFound,
    Event,
    Merged,
    Pair,
    RecordsAdded,
    Settled,
)
from bayesift.filtering.screening.store.views import Added


def merges_of(pairs: Sequence[Pair], stamp: dict[str, Any]) -> list[Merged]:
    """Return the events that merge pairs without asking: those of which nothing says that they are two works."""
    return [Merged(record=p.first, other=p.second, automatic=True, **stamp) for p in pairs if not p.caution]


class Addition:
    """Records to add, compared with those of the review before its write lock is taken, which may take a while.

    Parameters
    ----------
    records : sequence of Record
        The records.
    deduplicate : bool
        Whether duplicates are merged without asking.
    who, time : str
        Who adds them, and when.
    bad : sequence of str
        What could not be read, for the record.
    """

    def __init__(
        self, records: Sequence[Record], deduplicate: bool, who: str | None, time: str, bad: Sequence[str] = ()
    ) -> None:
        wrong = next((r for r in records if not isinstance(r, Record)), None)
        if wrong is not None:
            raise BadInput(f"a record is a {type(wrong).__name__}", remedy="give records, as read_records returns them")
        self.records = [record_table.clean(record) for record in records]
        self.deduplicate, self.who, self.time, self.bad = deduplicate, who, time, tuple(bad)
        self.result = Added(0, 0, 0, 0, 0)
        self._new: list[Record] = []
        self._pairs: list[Pair] = []
        self._compared = -1

    def compare(self, connection: sa.Connection, size: int) -> None:
        """Find the new records, and those that seem to be duplicates of one another or of the review's records."""
        self._new = record_table.new_records(connection, self.records)
        there = list(record_table.all_records(connection)) if size and self._new else []
        self._pairs = [
            Pair(found.first, found.second, found.why, found.similarity, found.caution)
            for found in find_duplicates(self._new, there)
        ]
        self._compared = size

    def events(self, connection: sa.Connection, size: int) -> list[Event]:
        """Insert the records, and return the events that say so; the caller holds the write lock."""
        if self._compared != size:
            self.compare(connection, size)
        record_table.insert(connection, size, self._new)
        known = len(self.records) - len(self._new)
        files = tuple(dict.fromkeys(record.file for record in self.records))
        stamp: dict[str, Any] = {"who": self.who, "time": self.time}
        events: list[Event] = [
            RecordsAdded(first=size, count=len(self._new), files=files, known=known, bad=self.bad, **stamp)
        ]
        if self._pairs:
            events.append(DuplicatesFound(pairs=tuple(self._pairs), **stamp))
        merged = merges_of(self._pairs, {"time": self.time}) if self.deduplicate else []
        merged += self._merged(connection, size)
        given = [event for i, record in enumerate(self._new, size) for event in self._given(i, record)]
        self.result = Added(len(self._new), known, len(self._pairs), len(merged), len(given))
        return [*events, *merged, *given]

    def forget(self) -> None:
        """Free the memory of the records, which are in the database now."""
        self.records, self._new, self._pairs = [], [], []

    def _merged(self, connection: sa.Connection, size: int) -> list[Merged]:
        """Return the merges that the file holds: of records that were exported as duplicates."""
        numbers = {record.id: i for i, record in enumerate(self._new, size)}
        events = []
        for i, record in enumerate(self._new, size):
            kept = numbers.get(record.duplicate_of) if record.duplicate_of else None
            if kept is None and record.duplicate_of:
                kept = record_table.number_of(connection, record.duplicate_of)
            if kept is not None and kept != i:
                events.append(Merged(record=kept, other=i, time=self.time))
        return events

    def _given(self, number: int, record: Record) -> list[Event]:
        """Return the decisions that the file holds about a record; without a reviewer's name they are settled."""
        events: list[Event] = []
        for given in record.given:
            if given.list not in LISTS or given.decision not in DECISIONS:
                raise BadInput(f"{given.decision!r} in the list {given.list!r}", path=record.source)
            said: dict[str, Any] = {
                "list": given.list, "record": number, "decision": given.decision, "reason": given.reason or None,
                "note": given.note or None, "tags": given.tags, "source": KNOWN, "time": given.time or self.time,
                "who": given.reviewer or None,
            }  # fmt: skip
            is_settled = given.settled or not given.reviewer
            events.append(Settled(**said) if is_settled else Decided(**said))
        return events
