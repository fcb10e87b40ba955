"""Lists for pages: documents and events by keyset (what comes before a number), and counts per day."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa

from bayesift.filtering.event_log import decoded
from bayesift.filtering.events import Changed, Event, Judged
from bayesift.filtering.store.documents import COLUMNS, StoredDocument, stored
from bayesift.filtering.store.recording import REMOVED
from bayesift.filtering.store.schema import deliveries, documents, events, topics

ANSWERS = ("judged", "changed")  # types of events


class Happened(NamedTuple):
    """An event of a topic, with its number."""

    number: int
    time: str
    event: Event


class Answered(NamedTuple):
    """An answer that counts, with the number and the time of its event."""

    number: int
    time: str
    event: Judged | Changed


class DayCount(NamedTuple):
    """How many documents were shown to a topic on a day, and what became of them."""

    day: str
    topic: str
    shown: int
    waiting: int
    relevant: int
    irrelevant: int
    expired: int


def newest_documents(connection: sa.Connection, before: int | None, limit: int) -> list[StoredDocument]:
    """Return documents, the newest first; those before a number, to continue a list."""
    query = sa.select(*COLUMNS).order_by(documents.c.number.desc()).limit(limit)
    if before is not None:
        query = query.where(documents.c.number < before)
    return [stored(row) for row in connection.execute(query)]


def newest_events(connection: sa.Connection, topic: int, before: int | None, limit: int) -> list[Happened]:
    """Return the events of a topic, the newest first; those before a number, to continue a list."""
    query = sa.select(events.c.number, events.c.time, events.c.body).where(events.c.topic == topic)
    if before is not None:
        query = query.where(events.c.number < before)
    rows = connection.execute(query.order_by(events.c.number.desc()).limit(limit))
    return [Happened(number, time, decoded(body)) for number, time, body in rows]


def newest_changes(connection: sa.Connection, topic: int, before: int | None, limit: int) -> list[Happened]:
    """Return the events of a topic by which people changed something, the newest first; `before` continues a list.

    These are all but documents shown and first answers; an answer that came back by undo is one.
    """
    c = events.c
    again = (c.type == "judged") & c.body.like('%"undo":true%')
    query = sa.select(c.number, c.time, c.body).where(c.topic == topic, c.type.not_in(("shown", "judged")) | again)
    if before is not None:
        query = query.where(c.number < before)
    rows = connection.execute(query.order_by(c.number.desc()).limit(limit))
    return [Happened(number, time, decoded(body)) for number, time, body in rows]


def newest_answers(
    connection: sa.Connection, topic: int, before: int | None = None, limit: int | None = None,
    document: str | None = None,
) -> list[Answered]:  # fmt: skip
    """Return the answers of a topic that count, about stored documents, the newest first; `before` continues a list.

    An answer counts if none that came later is about the same document, and it was not withdrawn. `document` is the id
    of the only document wanted.
    """
    later = events.alias()
    replaced = sa.exists().where(
        later.c.topic == events.c.topic, later.c.document == events.c.document, later.c.number > events.c.number,
        later.c.type.in_((*ANSWERS, "withdrawn")),
    )  # fmt: skip
    query = (
        sa.select(events.c.number, events.c.time, events.c.body)
        .join(documents, documents.c.id == events.c.document)
        .where(events.c.topic == topic, events.c.type.in_(ANSWERS), ~replaced)
    )
    if before is not None:
        query = query.where(events.c.number < before)
    if document is not None:
        query = query.where(events.c.document == document)
    rows = connection.execute(query.order_by(events.c.number.desc()).limit(limit))
    return [Answered(number, time, decoded(body)) for number, time, body in rows]  # type: ignore[arg-type]


def per_day(connection: sa.Connection, since: str) -> list[DayCount]:
    """Return counts per day and topic of what was shown since a time, the newest day first."""
    day = sa.func.substr(deliveries.c.time, 1, 10)
    states = ("waiting", "relevant", "irrelevant", "expired")
    counts: Iterable[sa.ColumnElement[int]] = (
        sa.func.sum(sa.case((deliveries.c.state == state, 1), else_=0)) for state in states
    )
    active = sa.select(topics.c.number).where(topics.c.state != REMOVED)
    query = (
        sa.select(day, topics.c.name, sa.func.count(), *counts)
        .join(topics, topics.c.number == deliveries.c.topic)
        .where(deliveries.c.topic.in_(active), deliveries.c.time >= since)
        .group_by(day, topics.c.number, topics.c.name)
        .order_by(day.desc(), topics.c.number)
    )
    return [DayCount(*row[:2], *map(int, row[2:])) for row in connection.execute(query)]
