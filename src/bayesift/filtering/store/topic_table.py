"""The table of topics."""

from __future__ import annotations

import sqlalchemy as sa

from bayesift.errors import BadInput
from bayesift.filtering.store.recording import REMOVED
from bayesift.filtering.store.schema import topic_groups, topics


def names(connection: sa.Connection) -> list[str]:
    """Return the names of the topics, in the order in which they were added."""
    query = sa.select(topics.c.name).where(topics.c.state != REMOVED).order_by(topics.c.number)
    return list(connection.execute(query).scalars())


def group_of(connection: sa.Connection, name: str) -> int:
    """Return the group of a topic; raise BadInput if there is none of this name."""
    return _find(connection, name)[0]


def number_of(connection: sa.Connection, name: str) -> int:
    """Return the number of a topic; raise BadInput if there is none of this name."""
    return _find(connection, name)[1]


def _find(connection: sa.Connection, name: str) -> tuple[int, int]:
    found = connection.execute(_FIND, {"topic": name}).first()
    if found is None:
        known = names(connection)
        listed = ", ".join(known[:20]) + (f" and {len(known) - 20} more" if len(known) > 20 else "")
        raise BadInput(f"no topic {name!r}", remedy=f"topics are: {listed}" if known else "add it first")
    return found[0], found[1]


_FIND = sa.select(topics.c.topic_group, topics.c.number).where(
    topics.c.name == sa.bindparam("topic"), topics.c.state != REMOVED
)


def check_new(connection: sa.Connection, name: str) -> None:
    """Raise BadInput if there is a topic of this name."""
    query = sa.select(topics.c.number).where(topics.c.name == name, topics.c.state != REMOVED)
    if connection.execute(query).first() is not None:
        raise BadInput(f"topic {name!r} already exists", remedy="choose another name, or rename that one")


def smallest_group(connection: sa.Connection) -> int:
    """Return the group with the fewest topics, the first of them."""
    here = sa.and_(topics.c.topic_group == topic_groups.c.number, topics.c.state != REMOVED)
    query = (
        sa.select(topic_groups.c.number)
        .outerjoin(topics, here)
        .group_by(topic_groups.c.number)
        .order_by(sa.func.count(topics.c.number), topic_groups.c.number)
        .limit(1)
    )
    return int(connection.execute(query).scalar_one())
