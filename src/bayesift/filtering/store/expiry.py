"""Expiry: what waits too long no longer waits, and old documents that nobody needs lose their text.

The row of an expired document stays, about 100 bytes, so that the same id is not taken for a new document when a feed
repeats it. A document keeps its text while it waits for an answer, while it has one, and while a replay needs it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from bayesift.filtering.store import checkpoints, search
from bayesift.filtering.store.recording import EXPIRED, WAITING
from bayesift.filtering.store.schema import deliveries, documents
from bayesift.filtering.store.settings import Settings


def expire(connection: sa.Connection, settings: Settings, now: str) -> tuple[int, int]:
    """Expire deliveries and documents; return how many of each."""
    waited = old = 0
    if settings.deliveries_days is not None:
        late = (deliveries.c.state == WAITING) & (deliveries.c.time < days_before(now, settings.deliveries_days))
        waited = connection.execute(deliveries.update().where(late).values(state=EXPIRED)).rowcount
    if settings.documents_days is not None:
        needed = sa.exists().where(deliveries.c.document == documents.c.number, deliveries.c.state != EXPIRED)
        due = sa.and_(
            documents.c.added < days_before(now, settings.documents_days), documents.c.body.is_not(None), ~needed
        )
        which = due & (documents.c.number <= _replayed(connection, due))
        search.forget(connection, which)
        old = connection.execute(documents.update().where(which).values(title=None, body=None)).rowcount
    return waited, old


def _replayed(connection: sa.Connection, due: sa.ColumnElement[bool]) -> int:
    """Return the number of the last document that no replay needs.

    The checkpoint before the newest one is a reserve. It is removed if it alone needs documents that are due.
    """
    last, newest = (checkpoints.oldest_received(connection, newest=newest) for newest in (False, True))
    between = sa.select(documents.c.number).where(due, documents.c.number > last, documents.c.number <= newest)
    if connection.execute(between.limit(1)).first() is None:
        return last
    checkpoints.keep_newest(connection)
    return newest


def days_before(now: str, days: int) -> str:
    """Return the time some days before.

    >>> days_before("2026-03-02T10:00:00.000Z", 2)
    '2026-02-28T10:00:00.000Z'
    """
    then = datetime.fromisoformat(now).astimezone(UTC) - timedelta(days=days)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")
