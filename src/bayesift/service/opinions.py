"""What people said of documents, to compare it: the last answer of each person, also where another one counts.

An answer of one's own is an event of the topic, and the opinion has its time. Who repeats the answer of somebody else
adds only an opinion; it has a time of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import sqlalchemy as sa

from bayesift.filtering.event_log import decoded
from bayesift.filtering.events import Changed, Event, Judged, Withdrawn
from bayesift.filtering.store.listings import CHANGES, events_of, newest_answers, standing
from bayesift.filtering.store.schema import events, opinions, people


def author_of(connection: sa.Connection, topic: int, document: str) -> str | None:
    """Return who gave the answer about a document that counts, or None."""
    return next((one.event.who for one in newest_answers(connection, topic, document=document)), None)


def note(connection: sa.Connection, topic: int, said: Judged) -> None:
    """Write what a person said of a document, instead of what the person said before."""
    counts = next((one.event for one in newest_answers(connection, topic, document=said.document)), None)
    own = counts is not None and counts.who == said.who
    _write(connection, topic, counts if counts is not None and own else said)


def remove(connection: sa.Connection, topic: int, document: str, whose: Iterable[str | None]) -> None:
    """Remove what people said of a document."""
    same = (opinions.c.topic == topic) & (opinions.c.document == document)
    connection.execute(opinions.delete().where(same & opinions.c.person.in_([name for name in whose if name])))


def restore(connection: sa.Connection, topic: int, undone: Judged | Changed | Withdrawn) -> None:
    """Restore what people had said of a document before a change that was undone."""
    before = standing(events_of(connection, topic, [undone.document])[undone.document])
    author = before[-1].who if isinstance(undone, Withdrawn) and before else None
    said = said_by(before)
    remove(connection, topic, undone.document, {undone.who, author})
    known = connection.execute(sa.select(people.c.name).where(people.c.name.in_([undone.who, author]))).scalars()
    for name in known:
        if name in said:
            _write(connection, topic, said[name])


def take_back(connection: sa.Connection, topic: int, document: str, person: str) -> None:
    """Remove an opinion that repeated an answer; what the person said before counts again."""
    remove(connection, topic, document, {person})
    said = said_by(standing(events_of(connection, topic, [document])[document]))
    if person in said:
        _write(connection, topic, said[person])


def said_by(changes: Sequence[Event]) -> dict[str | None, Judged | Changed]:
    """Return the last answer of each person about a document, of the changes that were not undone.

    When an answer is withdrawn, so is what its author said, and what the person said who withdrew it.

    >>> list(said_by([Changed("grain", "d1", True, who="ada"), Withdrawn("grain", "d1", who="bob")]))
    []
    """
    said: dict[str | None, Judged | Changed] = {}
    author = None
    for change in changes:
        if isinstance(change, Judged | Changed):
            author = change.who
            said[author] = change
        elif isinstance(change, Withdrawn):
            for name in {author, change.who}:
                said.pop(name, None)
    return said


def last_repeat(connection: sa.Connection, topic: int, person: str) -> str | None:
    """Return the document about which a person repeated somebody's answer, if the person changed nothing since."""
    c = opinions.c
    query = sa.select(c.document, c.time).where(c.topic == topic, c.person == person).order_by(c.time.desc()).limit(1)
    last = connection.execute(query).first()
    if last is None:
        return None
    since = sa.select(events.c.body).where(
        events.c.topic == topic, events.c.type.in_(CHANGES), events.c.time >= last.time
    )
    changes: dict[str | None, list[Event]] = defaultdict(list)  # by document; None has those of the topic's words
    for (body,) in connection.execute(since.order_by(events.c.number)):
        change = decoded(body)
        changes[getattr(change, "document", None)].append(change)
    own = any(change.who == person for found in changes.values() for change in standing(found))
    return None if own else str(last.document)


def _write(connection: sa.Connection, topic: int, said: Judged | Changed) -> None:
    remove(connection, topic, said.document, {said.who})
    row = {"topic": topic, "document": said.document, "person": said.who, "relevant": said.relevant, "time": said.time}
    connection.execute(opinions.insert(), row)
