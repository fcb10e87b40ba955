"""Lists for pages: documents and events by keyset (what comes before a number), and counts per day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from bayesift.filtering.event_log import decoded
from bayesift.filtering.events import Changed, Event, Judged
from bayesift.filtering.store import one_row
from bayesift.filtering.store.documents import COLUMNS, StoredDocument, stored
from bayesift.filtering.store.recording import REMOVED
from bayesift.filtering.store.schema import deliveries, documents, events, topics

ANSWERS = ("judged", "changed")  # types of events
CHANGES = (*ANSWERS, "withdrawn", "words-edited")  # which can be undone


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

    An answer counts if none that came later is about the same document, and it was not withdrawn. One that came back by
    undo is by whom it was before. `document` is the id of the only document wanted.
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
    found = [Answered(number, time, decoded(body)) for number, time, body in rows]  # type: ignore[arg-type]
    again = events_of(connection, topic, [one.event.document for one in found if one.event.undo])
    return [one._replace(event=_as_before(one.event, again[one.event.document])) if one.event.undo else one
            for one in found]  # fmt: skip


def events_of(connection: sa.Connection, topic: int, ids: Iterable[str]) -> dict[str, list[Event]]:
    """Return the answers of a topic, changed and withdrawn ones too, by document and in their order."""
    found: dict[str, list[Event]] = defaultdict(list)
    query = sa.select(events.c.document, events.c.body).where(
        events.c.topic == topic, one_row.one_of(events.c.document, "ids"), events.c.type.in_(CHANGES)
    )
    if wanted := list(ids):
        for id, body in connection.execute(query.order_by(events.c.number), {"ids": one_row.listed(wanted)}):
            found[id].append(decoded(body))
    return found


def standing(changes: Iterable[Event]) -> list[Event]:
    """Return those changes of one document, or of the words of a topic, that were not undone.

    >>> first, second = Changed("grain", "d1", True, who="ada"), Changed("grain", "d1", False, who="bob")
    >>> [change.who for change in standing([first, second, Changed("grain", "d1", True, who="bob", undo=True)])]
    ['ada']
    """
    found: list[Event] = []
    for change in changes:
        if not change.undo:
            found.append(change)
        elif found:  # else what was undone came before these
            found.pop()
    return found


def _as_before(event: Judged | Changed, changes: Iterable[Event]) -> Judged | Changed:
    """Return an answer that came back by undo, with who gave it, when and why; unknown if a topic brought it."""
    if not (before := standing(changes)):
        return msgspec.structs.replace(event, who=None, note=None, time=None)
    return msgspec.structs.replace(event, who=before[-1].who, note=before[-1].note, time=before[-1].time)


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
