"""A group of topics in memory: its filter, and how far it has come.

State = checkpoint + later events and documents, in their recorded order. `catch_up` applies them: after opening, and
before each change, since other processes may have changed the group meanwhile. It applies what was decided then and
decides nothing again.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa

from bayesift.corpora import Document
from bayesift.errors import BadInput
from bayesift.filtering.event_log import decoded
from bayesift.filtering.events import Event, Received
from bayesift.filtering.items import Item
from bayesift.filtering.later import Later
from bayesift.filtering.store import checkpoints
from bayesift.filtering.store.checkpoints import Position
from bayesift.filtering.store.documents import between
from bayesift.filtering.store.schema import documents, events
from bayesift.filtering.store.texts import StoredTexts
from bayesift.filtering.text_filter import TextFilter

CHUNK = 500  # events read at a time
WORTH = 0.5  # seconds of work that are worth a checkpoint
PER_TOPIC = 1e-4  # seconds of a checkpoint, before there was one
SHARE = 10  # a checkpoint is made when the work since the last one took this many times as long as making it


class Pending(list[Event]):
    """Events of a filter that are not in the database yet; there are none outside of a transaction."""

    is_open = False
    is_stale = False  # whether the filter was changed outside of a transaction

    def append(self, event: Event) -> None:
        """Append an event; raise BadInput outside of a transaction."""
        if not self.is_open:
            self.is_stale = True
            raise BadInput("a stored filter was changed by itself", remedy="change it through its workspace")
        super().append(event)


class Group:
    """The filter of a group of topics.

    Attributes
    ----------
    filter : TextFilter
        The filter.
    at : Position
        The last event and document in it.
    pending : Pending
        What has changed since, and is not in the database yet.
    """

    def __init__(self, number: int, filter: TextFilter, at: Position, texts: StoredTexts) -> None:
        self.number, self.filter, self.at = number, filter, at
        self.pending = Pending()
        filter.log = self.pending
        self.texts = texts
        self.last = at.received  # the last document received, also if it is not in the database yet
        self.saved = at
        self._work = 0.0  # seconds since the last checkpoint
        self._cost = 0.0  # seconds of a checkpoint

    @classmethod
    def load(
        cls, connection: sa.Connection, number: int, settings: dict[str, Any], texts: StoredTexts, name: str
    ) -> Group:
        """Return a group as of its last event: from the newest checkpoint that can be read, or from its start.

        Raises BadInput if none can be read and texts that a replay needs have expired.
        """
        problem: BadInput | None = None
        for at, data in checkpoints.states(connection, number):
            begin = time.perf_counter()
            try:
                group = cls(number, _restored(data, texts, f"{name}: checkpoint"), at, texts)
                group._cost = time.perf_counter() - begin  # to write one takes about as long
            except BadInput as error:
                problem = error
                continue
            group.catch_up(connection)
            return group
        if checkpoints.position(connection, number) != Position(0, 0) and _has_expired(connection):
            reason = f"{problem.reason if problem else 'missing'}, and texts that a replay needs have expired"
            raise BadInput(reason, path=f"{name}: checkpoint", remedy="import an export, or restore a backup")
        group = cls(number, TextFilter(**settings, documents=texts), Position(0, 0), texts)
        group.catch_up(connection)
        return group

    def catch_up(self, connection: sa.Connection) -> None:
        """Apply the events and documents that are in the database and not in the filter."""
        target = checkpoints.position(connection, self.number)
        if target == self.at:
            return
        begin = time.perf_counter()
        query = sa.select(events.c.number, events.c.received, events.c.body, events.c.document).where(
            events.c.topic_group == self.number,
            events.c.number > sa.bindparam("after"),
            events.c.number <= target.event,
        )
        query = query.order_by(events.c.number).limit(CHUNK)
        while rows := connection.execute(query, {"after": self.at.event}).all():
            for number, received, body, document in rows:
                self._receive(connection, received)
                event = decoded(body)
                self.filter.apply(event, self.texts[document] if isinstance(event, Received) else None)
                self.at = Position(number, received)
        self._receive(connection, target.received)
        if self.at != target:
            raise BadInput(f"events of group {self.number} are missing after number {self.at.event}")
        self.last = self.at.received
        self._work += time.perf_counter() - begin

    def _receive(self, connection: sa.Connection, last: int) -> None:
        """Apply the arrival of the documents up to a number."""
        if last <= self.at.received:
            return
        for row in between(connection, self.at.received, last):
            document = row.document()
            self.texts.keep(document)
            self.filter.apply(Received(document=row.id, date=row.date), document)
        self.at = Position(self.at.event, last)

    def decide(self, new: Iterable[Document], last: int) -> list[Item]:
        """Process new documents, up to the number `last`; what is shown is pending until it is recorded."""
        with self.working():
            self.last = last
            return self.filter.process_batch(new)

    def inbox(self, topic: str, ids: Collection[str] | None, limit: int | None) -> list[Item]:
        """Return the documents of these ids that wait for an answer, the most probable first."""
        self.texts.prefetch([ranked.document for ranked in self.filter.ranking(topic, ids, limit)])
        return self.filter.inbox(topic, limit, ids)

    def recorded(self, at: Position) -> None:
        """Note that all that was pending is in the database."""
        self.pending.clear()
        self.at, self.last = at, at.received

    @property
    def is_due(self) -> bool:
        """Whether a replay since the last checkpoint would take long enough to make another one."""
        if self.at == self.saved or self._work <= WORTH:
            return False
        return self._work > SHARE * (self._cost or PER_TOPIC * self.filter.n_topics)

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Measure a change: a replay would take about as long."""
        begin = time.perf_counter()
        yield
        self._work += time.perf_counter() - begin

    def snapshot(self) -> Snapshot:
        """Return the state of the filter now, for a checkpoint."""
        return Snapshot(self, self.at, checkpoints.copied(self.filter.state(Later)), self._work)

    def checkpointed(self, snapshot: Snapshot, seconds: float) -> None:
        """Note that a checkpoint was written, and how long it took to make it."""
        self.saved, self._cost = snapshot.at, seconds
        self._work -= snapshot.work


class Snapshot(NamedTuple):
    """The state of a group at one moment."""

    group: Group
    at: Position
    state: dict[str, Any]
    work: float  # seconds since the last checkpoint


def _restored(data: bytes, texts: StoredTexts, name: str) -> TextFilter:
    """Return the filter of a checkpoint; raise BadInput if this bayesift cannot read it."""
    try:
        return TextFilter.from_state(checkpoints.decode(data, name), documents=texts)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"does not fit together: {type(error).__name__} {error}", path=name) from error


def _has_expired(connection: sa.Connection) -> bool:
    query = sa.select(documents.c.number).where(documents.c.body.is_(None)).limit(1)
    return connection.execute(query).first() is not None
