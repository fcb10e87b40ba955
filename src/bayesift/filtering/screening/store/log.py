"""The table of events: append, and read on from a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from bayesift.filtering.screening.store.events import Event, decode, encode, tag_of
from bayesift.filtering.store.schema import screening_events as table

CHUNK = 5_000


def last_number(connection: sa.Connection) -> int:
    """Return the number of the last event, 0 if there is none."""
    return connection.execute(sa.select(sa.func.max(table.c.number))).scalar() or 0


def append(connection: sa.Connection, last: int, events: Sequence[Event]) -> None:
    """Write events after the number `last`; the caller holds the write lock."""
    rows = [row(last + i, event) for i, event in enumerate(events, 1)]
    if rows:
        connection.execute(table.insert(), rows)


def row(number: int, event: Event) -> dict[str, object]:
    """Return an event as a row of the table."""
    return {
        "number": number, "type": tag_of(event), "list": getattr(event, "list", None),
        "record": getattr(event, "record", None), "other": getattr(event, "other", None), "who": event.who,
        "time": event.time, "body": encode(event).decode(),
    }  # fmt: skip


def after(connection: sa.Connection, number: int) -> Iterator[tuple[int, Event]]:
    """Yield the events after a number, with their numbers, in their order."""
    query = sa.select(table.c.number, table.c.body).where(table.c.number > number).order_by(table.c.number)
    for found, body in connection.execute(query, execution_options={"yield_per": CHUNK}):
        yield found, decode(body)


def latest(
    connection: sa.Connection, limit: int, before: int | None, record: int | None, who: str | None
) -> list[tuple[int, Event]]:
    """Return events, the newest first: those before a number, about a record, of a person."""
    query = sa.select(table.c.number, table.c.body).order_by(table.c.number.desc()).limit(limit)
    if before is not None:
        query = query.where(table.c.number < before)
    if record is not None:
        query = query.where((table.c.record == record) | (table.c.other == record))
    if who is not None:
        query = query.where(table.c.who == who)
    return [(number, decode(body)) for number, body in connection.execute(query)]
