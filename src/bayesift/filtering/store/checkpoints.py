"""Checkpoints: the state of a group's filter after some event and document, so that a replay can start there.

A checkpoint is a model file (never pickle), compressed and cut into parts. Each part is written and removed in a
transaction of its own, so that no other writer waits for more than one part; the first one is written last, and
completes the checkpoint. The last `KEPT` of a group are kept: if this bayesift cannot read the newest one, the one
before is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa
import zstandard

from bayesift.errors import BadInput
from bayesift.filtering.later import made
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.locking import group_key
from bayesift.filtering.store.schema import checkpoints, topic_groups
from bayesift.model_file import decode_model, model_parts

KIND = "checkpoint"
KEPT = 2
PART = 1 << 20  # bytes
ATOMS = (str, int, float, bool, type(None))


class Position(NamedTuple):
    """How far a group has come: the numbers of its last event and of the last document it has received."""

    event: int
    received: int


def position(connection: sa.Connection, group: int) -> Position:
    """Return how far a group has come by the database."""
    return Position(*connection.execute(_POSITION, {"group": group}).one())


_POSITION = sa.select(topic_groups.c.event, topic_groups.c.received).where(
    topic_groups.c.number == sa.bindparam("group")
)


def copied(state: Any) -> Any:
    """Return a copy of a state that does not change with the filter.

    >>> words = ["wheat"]
    >>> copy = copied({"words": words})
    >>> words.append("corn")
    >>> copy
    {'words': ['wheat']}
    """
    if isinstance(state, dict):
        return {key: copied(value) for key, value in state.items()}
    if isinstance(state, list | tuple):
        return type(state)(x if isinstance(x, ATOMS) else copied(x) for x in state)
    return state.copy() if hasattr(state, "copy") else state


def encode(state: dict[str, Any]) -> bytes:
    """Return the state of a filter as bytes; other threads go on meanwhile."""
    parts = model_parts(made(state), {}, kind=KIND, labels=[], training={})
    compressed = zstandard.ZstdCompressor().compressobj(size=sum(map(len, parts)))
    return b"".join([*map(compressed.compress, parts), compressed.flush()])


def save(database: Database, group: int, at: Position, data: bytes, time: str) -> None:
    """Write a checkpoint and remove those that are no longer needed; one of this position is not written again."""
    parts = [data[begin : begin + PART] for begin in range(0, len(data), PART)]
    same = _at(group, at) & (checkpoints.c.time == time)  # else another process writes the same one
    for i in reversed(range(len(parts))):
        with database.write(group_key(group)) as connection:
            if i == len(parts) - 1:
                if at in positions(connection, group):
                    return
                connection.execute(checkpoints.delete().where(_at(group, at)))  # begun by a process that was killed
            count = sa.select(sa.func.count()).select_from(checkpoints).where(same)
            if connection.execute(count).scalar() != len(parts) - 1 - i:
                return
            row = {"topic_group": group, "event": at.event, "received": at.received, "part": i, "time": time}
            connection.execute(checkpoints.insert(), row | {"data": parts[i]})
    _remove_old(database, group, at)


def _remove_old(database: Database, group: int, at: Position) -> None:
    """Remove the checkpoints of a group before the last ones, and parts of those that were never completed.

    The first part goes first: what is left of a checkpoint without it is none, if the process is killed meanwhile.
    """
    c = checkpoints.c
    with database.read() as connection:
        kept = positions(connection, group)[:KEPT]
        query = sa.select(c.event, c.received, c.part).where(c.topic_group == group, c.event <= at.event)
        found = connection.execute(query.order_by(c.event, c.received, c.part)).all()
    for event, received, part in found:
        old = Position(event, received)
        if received <= at.received and old not in kept:
            with database.write(group_key(group)) as connection:
                connection.execute(checkpoints.delete().where(_at(group, old), c.part == part))


def positions(connection: sa.Connection, group: int) -> list[Position]:
    """Return the positions of a group's checkpoints, the newest first."""
    c = checkpoints.c
    query = sa.select(c.event, c.received).where(c.topic_group == group, c.part == 0)
    return [Position(*row) for row in connection.execute(query.order_by(c.event.desc(), c.received.desc()))]


def states(connection: sa.Connection, group: int) -> Iterator[tuple[Position, bytes]]:
    """Yield the checkpoints of a group, the newest first."""
    for at in positions(connection, group):
        query = sa.select(checkpoints.c.data).where(_at(group, at)).order_by(checkpoints.c.part)
        yield at, b"".join(bytes(part) for part in connection.execute(query).scalars())


def decode(data: bytes, name: str) -> dict[str, Any]:
    """Return the state of a filter; raise BadInput if this bayesift cannot read it."""
    try:
        plain = zstandard.decompress(data)
    except zstandard.ZstdError as error:
        raise BadInput(f"damaged: {error}", path=name) from error
    state: dict[str, Any] = decode_model(plain, {}, kind=KIND, name=name).model
    return state


def oldest_received(connection: sa.Connection, newest: bool = False) -> int:
    """Return the number of the last document that no replay needs any more, or none from the newest checkpoints."""
    needed = []
    for group in _groups(connection):
        kept = positions(connection, group)
        needed.append(kept[0 if newest else -1].received if kept else 0)
    return min(needed, default=0)


def keep_newest(connection: sa.Connection) -> None:
    """Remove all checkpoints but the newest one of each group; the caller holds the locks of the groups."""
    for group in _groups(connection):
        for at in positions(connection, group)[1:]:
            connection.execute(checkpoints.delete().where(_at(group, at)))


def _groups(connection: sa.Connection) -> list[int]:
    return list(connection.execute(sa.select(topic_groups.c.number)).scalars())


def _at(group: int, at: Position) -> sa.ColumnElement[bool]:
    c = checkpoints.c
    return sa.and_(c.topic_group == group, c.event == at.event, c.received == at.received)
