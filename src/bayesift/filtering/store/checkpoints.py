"""Checkpoints: the state of a group's filter after some event and document, so that a replay can start there.

A checkpoint is a model file (never pickle), compressed and cut into parts that every database takes. The last `KEPT` of
a group are kept: if this bayesift cannot read the newest one, the one before is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa
import zstandard

from bayesift.errors import BadInput
from bayesift.filtering.store.schema import checkpoints, topic_groups
from bayesift.model_file import decode_model, encode_model

KIND = "checkpoint"
KEPT = 2
PART = 4 << 20  # bytes


class Position(NamedTuple):
    """How far a group has come: the numbers of its last event and of the last document it has received."""

    event: int
    received: int


def position(connection: sa.Connection, group: int) -> Position:
    """Return how far a group has come by the database."""
    query = sa.select(topic_groups.c.event, topic_groups.c.received).where(topic_groups.c.number == group)
    return Position(*connection.execute(query).one())


def encode(state: dict[str, Any]) -> bytes:
    """Return the state of a filter as bytes."""
    return zstandard.compress(encode_model(state, {}, kind=KIND, labels=[], training={}))


def save(connection: sa.Connection, group: int, at: Position, data: bytes, time: str) -> None:
    """Write a checkpoint and remove those that are no longer needed; one of this position is not written again."""
    if at in positions(connection, group):
        return
    rows = [
        {"topic_group": group, "event": at.event, "received": at.received, "part": i, "time": time, "data": part}
        for i, part in enumerate(data[begin : begin + PART] for begin in range(0, len(data), PART))
    ]
    for row in rows:
        connection.execute(checkpoints.insert(), row)
    for old in positions(connection, group)[KEPT:]:
        connection.execute(checkpoints.delete().where(_at(group, old)))


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


def oldest_received(connection: sa.Connection) -> int:
    """Return the number of the last document that no replay needs any more."""
    needed = []
    for group in connection.execute(sa.select(topic_groups.c.number)).scalars().all():
        kept = positions(connection, group)
        needed.append(kept[-1].received if kept else 0)
    return min(needed, default=0)


def _at(group: int, at: Position) -> sa.ColumnElement[bool]:
    c = checkpoints.c
    return sa.and_(c.topic_group == group, c.event == at.event, c.received == at.received)
