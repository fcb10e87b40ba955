"""Write what has changed in a group: its events, and what follows from them in `topics` and `deliveries`.

Events that say that a document of the stream came are not written: the table of documents says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from bayesift.filtering.event_log import encoded
from bayesift.filtering.events import (
    Changed,
    Event,
    Judged,
    Received,
    Shown,
    TopicAdded,
    TopicPaused,
    TopicRemoved,
    TopicRenamed,
    TopicResumed,
    Withdrawn,
)
from bayesift.filtering.store import many_rows, one_row
from bayesift.filtering.store.checkpoints import Position
from bayesift.filtering.store.documents import numbers
from bayesift.filtering.store.schema import deliveries, documents, events, topic_groups, topics

if TYPE_CHECKING:
    from bayesift.filtering.store.group import Group

WAITING, EXPIRED = "waiting", "expired"
ANSWERS = {True: "relevant", False: "irrelevant"}
ACTIVE, PAUSED, REMOVED = "active", "paused", "removed"
STATES: Mapping[type, str] = {TopicPaused: PAUSED, TopicResumed: ACTIVE, TopicRemoved: REMOVED}


def record(connection: sa.Connection, group: Group, now: str) -> Position:
    """Write what is pending in a group, and return how far it has come; the caller holds the group's lock."""
    if not group.pending and group.last == group.at.received:
        return group.at
    ids = {event.document for event in group.pending if isinstance(event, (*_ANSWERING, Received))}
    number = numbers(connection, list(ids))
    topic = _Topics(connection, group.number, {e.topic for e in group.pending if not isinstance(e, Received)}, now)
    deliver = _Deliveries(connection, now)
    rows: list[tuple[Any, ...]] = []
    first, received = group.at.event + 1, group.at.received
    for event in group.pending:
        if isinstance(event, Received) and event.source is None:
            received = number[event.document]
            continue
        place, document = topic.number(event), getattr(event, "document", None)
        about = _tag(type(event)), place, document, event.time or now, encoded(event).decode()
        rows.append((group.number, first + len(rows), received, *about))
        if isinstance(event, _ANSWERING) and place is not None:
            deliver.note(event, place, number.get(event.document))
    many_rows.write(connection, _EVENT, rows)
    deliver.write()
    topic.expire_oldest(group)
    after = Position(group.at.event + len(rows), max(group.last, received))
    change = topic_groups.update().where(topic_groups.c.number == group.number)
    connection.execute(change.values(event=after.event, received=after.received))
    return after


def waiting(connection: sa.Connection, topic: str) -> set[str] | None:
    """Return the ids of the documents that wait for an answer of a topic; None for all that its filter knows of.

    The filter knows nothing of expiry. As long as nothing of the topic has expired, what waits is what it says.
    """
    if connection.execute(_EXPIRED, {"topic": topic}).first() is None:
        return None
    return {id for (id,) in one_row.rows(connection, _WAIT, topic=topic)}


_NAMED = sa.select(topics.c.name, topics.c.number).where(
    one_row.one_of(topics.c.name, "names"), topics.c.state != REMOVED
)
_NUMBER = sa.select(topics.c.number).where(topics.c.name == sa.bindparam("topic"), topics.c.state != REMOVED)
_STATE = sa.select(deliveries.c.document).where(deliveries.c.topic == _NUMBER.scalar_subquery())
_EXPIRED = _STATE.where(deliveries.c.state == EXPIRED).limit(1)  # made once: it takes longer than the query
_WAIT = sa.select(documents.c.id).where(documents.c.number.in_(_STATE.where(deliveries.c.state == WAITING)))
_KEPT = sa.select(documents.c.number).where(one_row.one_of(documents.c.id, "ids"))
_OLDEST = (
    deliveries.update()
    .where(deliveries.c.topic == sa.bindparam("number"), deliveries.c.state == WAITING)
    .where(deliveries.c.document.not_in(_KEPT))
    .values(state=EXPIRED)
)
_EVENT = events.insert()
_STATE_AT = deliveries.c.keys().index("state")
_ANSWERING = (Shown, Judged, Changed, Withdrawn)


class _Topics:
    """The table of topics, as the events go by."""

    def __init__(self, connection: sa.Connection, group: int, names: set[str], now: str) -> None:
        self._connection, self._group, self._now = connection, group, now
        found = one_row.rows(connection, _NAMED, names=one_row.listed(names)) if names else []
        self._known: dict[str, int] = {name: number for name, number in found}  # noqa: C416
        self._shown: set[str] = set()

    def number(self, event: Event) -> int | None:
        """Return the number of the event's topic, after what the event says of it was written."""
        if isinstance(event, Shown):  # nearly all
            self._shown.add(event.topic)
            return self._known[event.topic]
        if isinstance(event, Received):
            return None
        if isinstance(event, TopicAdded):
            return self._add(event.topic)
        place = self._known[event.topic]
        change: dict[str, Any] = {}
        if isinstance(event, TopicRenamed):
            change = {"name": event.name}
            self._known[event.name] = self._known.pop(event.topic)
        elif type(event) in STATES:
            change = {"state": STATES[type(event)]}
        if change:
            self._connection.execute(topics.update().where(topics.c.number == place).values(**change))
        if isinstance(event, TopicRemoved):
            self._known.pop(event.topic)
        return place

    def expire_oldest(self, group: Group) -> None:
        """Let what a topic no longer keeps for an answer, since too much waits, expire."""
        for name in self._shown & self._known.keys():
            own = group.filter.topic(name)
            if len(own.waiting) >= own.most_waiting:
                kept = {"number": self._known[name], "ids": one_row.listed(own.waiting)}
                self._connection.execute(_OLDEST, kept)

    def _add(self, name: str) -> int:
        last = self._connection.execute(sa.select(sa.func.max(topics.c.number))).scalar() or 0
        row = {"number": last + 1, "name": name, "topic_group": self._group, "state": ACTIVE, "added": self._now}
        self._connection.execute(topics.insert(), row)
        self._known[name] = last + 1
        return last + 1


class _Deliveries:
    """Rows of the table of deliveries: one per topic and document, with the state after the last event about it."""

    def __init__(self, connection: sa.Connection, now: str) -> None:
        self._connection, self._now = connection, now
        self._rows: dict[tuple[int, int], tuple[Any, ...]] = {}
        self._states: dict[tuple[int, int], str] = {}
        self._since: dict[tuple[int, int], str] = {}  # when those that wait again began to

    def note(self, event: Shown | Judged | Changed | Withdrawn, topic: int, number: int | None) -> None:
        """Note an event."""
        if number is None:  # judged by its words only, as the judgements of an imported topic
            return
        key = topic, number
        if isinstance(event, Shown):
            kind = event.source or ("asked" if event.asked else "delivered")
            self._rows[key] = self._row(key, kind, event)
        elif isinstance(event, Judged) and key not in self._rows:
            self._rows[key] = self._row(key, event.source or "imported", event)
            self._states[key] = ANSWERS[event.relevant]
        elif isinstance(event, Withdrawn):
            self._states[key], self._since[key] = WAITING, event.time or self._now
        else:
            self._states[key] = ANSWERS[event.relevant]

    def _row(self, key: tuple[int, int], kind: str, event: Shown | Judged) -> tuple[Any, ...]:
        """Return a row: how a document was shown, or an answer about one that was not shown."""
        return *key, kind, WAITING, event.probability, event.gain, event.time or self._now

    def write(self) -> None:
        """Write the rows that are new, and the states that changed."""
        for key, state in self._states.items():
            row = self._rows.get(key)
            if row is not None:
                self._rows[key] = (*row[:_STATE_AT], state, *row[_STATE_AT + 1 :])
        rows = sorted(self._rows.values(), key=itemgetter(0))  # by topic, in the order of the table's index
        many_rows.write(self._connection, _insert_or_update(self._connection.dialect.name), rows)
        for (topic, number), state in self._states.items():
            if (topic, number) not in self._rows:
                same = (deliveries.c.topic == topic) & (deliveries.c.document == number)
                since = {"time": self._since[topic, number]} if state == WAITING else {}
                self._connection.execute(deliveries.update().where(same).values(state=state, **since))


@cache
def _insert_or_update(dialect: str) -> sa.Insert:
    """Return the statement that adds deliveries, or sets the state of those that are there."""
    insert = (sqlite if dialect == "sqlite" else postgresql).insert(deliveries)
    new: sa.Insert = insert.on_conflict_do_update(
        index_elements=["topic", "document"], set_={"state": insert.excluded.state}
    )
    return new


@cache
def _tag(event: type[Event]) -> str:
    """Return the name of a type of events."""
    return str(event.__struct_config__.tag)
