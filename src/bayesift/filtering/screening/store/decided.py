"""The records of a review with the decisions in force, as files of references hold them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import sqlalchemy as sa

from bayesift.filtering.screening.records import Given, Record
from bayesift.filtering.screening.store import record_table
from bayesift.filtering.screening.store.events import Settled
from bayesift.filtering.screening.store.slots import Held
from bayesift.filtering.screening.store.state import State


def decided_records(connection: sa.Connection, state: State) -> Iterator[Record]:
    """Yield all records, in their order: `given` are the decisions in force, `duplicate_of` the record that is kept."""
    root = state.merges.root
    merged = sorted({int(kept) for number, kept in enumerate(root.tolist()) if kept != number})
    ids = dict(zip(merged, (record.id for record in record_table.records_with(connection, merged))))
    for number, record in enumerate(record_table.all_records(connection)):
        kept = int(root[number])
        given = tuple(
            _given(name, held) for name, found in state.lists.items()
            for held in sorted(found.slots.held([number]).values(), key=lambda h: h.number)
        )  # fmt: skip
        original = "" if kept == number else ids[kept]
        yield msgspec.structs.replace(record, given=given, duplicate_of=original)


def _given(name: str, held: Held) -> Given:
    event = held.event
    return Given(
        name, event.decision, event.who or "", event.reason or "", event.note or "", event.tags, event.time,
        isinstance(event, Settled),
    )  # fmt: skip
