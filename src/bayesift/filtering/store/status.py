"""What a workspace holds, in numbers."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from bayesift.filtering.store.database import Database
from bayesift.filtering.store.recording import ANSWERS, REMOVED, WAITING
from bayesift.filtering.store.schema import HEAD, checkpoints, deliveries, documents, topic_groups, topics
from bayesift.filtering.store.settings import read_settings
from bayesift.filtering.store.silence import Silence, silent_topics


class TopicStatus(msgspec.Struct, frozen=True):
    """A topic: its group, whether it is active or paused, its documents, and whether it has fallen silent."""

    name: str
    group: int
    state: str
    waiting: int = 0
    relevant: int = 0
    irrelevant: int = 0
    expired: int = 0
    silent: Silence | None = None


class GroupStatus(msgspec.Struct, frozen=True):
    """A topic group: documents it has not received yet, its events, and its last checkpoint."""

    number: int
    behind: int
    events: int
    checkpoint: str | None
    checkpoint_bytes: int


class Status(msgspec.Struct, frozen=True):
    """A workspace."""

    name: str
    schema: str
    created: str
    documents: int
    last_added: str | None
    bytes: int
    topics: list[TopicStatus]
    groups: list[GroupStatus]


def status(connection: sa.Connection, database: Database) -> Status:
    """Return what a workspace holds."""
    last = connection.execute(
        sa.select(documents.c.number, documents.c.added).order_by(documents.c.number.desc()).limit(1)
    ).first()
    return Status(
        database.name, HEAD, read_settings(connection).created, 0 if last is None else last.number,
        None if last is None else last.added, _bytes(connection, database), _topics(connection),
        _groups(connection),
    )  # fmt: skip


def _topics(connection: sa.Connection) -> list[TopicStatus]:
    counts: dict[int, dict[str, int]] = {}
    query = sa.select(deliveries.c.topic, deliveries.c.state, sa.func.count()).group_by(
        deliveries.c.topic, deliveries.c.state
    )
    for topic, state, count in connection.execute(query):
        counts.setdefault(topic, {})[state] = count
    found = connection.execute(sa.select(topics).where(topics.c.state != REMOVED).order_by(topics.c.number))
    silent = silent_topics(connection)
    return [
        TopicStatus(t.name, t.topic_group, t.state, **counts.get(t.number, {}), silent=silent.get(t.number))
        for t in found
    ]


def _groups(connection: sa.Connection) -> list[GroupStatus]:
    size = sa.func.sum(sa.func.length(checkpoints.c.data))
    query = sa.select(checkpoints.c.topic_group, sa.func.max(checkpoints.c.time), size).group_by(
        checkpoints.c.topic_group
    )
    saved = {group: (time, int(size)) for group, time, size in connection.execute(query)}
    behind = sa.select(sa.func.count()).where(documents.c.number > topic_groups.c.received, documents.c.on_stream)
    query = sa.select(topic_groups.c.number, topic_groups.c.event, behind.scalar_subquery().label("behind"))
    found = connection.execute(query.order_by(topic_groups.c.number))
    return [GroupStatus(g.number, g.behind, g.event, *saved.get(g.number, (None, 0))) for g in found]


def _bytes(connection: sa.Connection, database: Database) -> int:
    if database.path is None:
        return int(connection.execute(sa.text("SELECT pg_database_size(current_database())")).scalar_one())
    files = (database.path.with_name(database.path.name + ending) for ending in ("", "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


assert {WAITING, "expired", *ANSWERS.values()} <= set(TopicStatus.__struct_fields__)
