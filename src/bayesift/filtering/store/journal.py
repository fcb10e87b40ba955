"""What people changed around the topics: accounts, tokens, sources, webhooks, expiry, and documents that they sent.

Changes of topics and judgements are events of their group; these are the others. Both are only appended to. An event is
written in the transaction of its change, by a caller that holds the catalogue's lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import msgspec
import sqlalchemy as sa

from bayesift.filtering.feeds.addresses import without_login
from bayesift.filtering.store.schema import service_events
from bayesift.filtering.store.settings import utc_now

Type = Literal[
    "person-added", "person-removed", "token-made", "source-added", "source-removed", "webhook-set", "webhook-removed",
    "documents-sent", "expiry-set",
]  # fmt: skip
TYPES: tuple[Type, ...] = get_args(Type)
OF_SOURCES: tuple[Type, ...] = ("source-added", "source-removed", "documents-sent")  # every reader may see these


class Change(NamedTuple):
    """One change: its number, what kind it is, who made it, when, and what it was about."""

    number: int
    type: str
    who: str | None
    time: str
    about: dict[str, Any]

    @property
    def text(self) -> str:
        """The change in words.

        >>> Change(1, "person-added", "ada", "2026-11-17T08:00:00Z", {"name": "bob", "role": "reader"}).text
        'added bob as reader'
        """
        return _WORDS[self.type].format_map(self.about)


def note(connection: sa.Connection, type: Type, who: str | None, **about: Any) -> None:
    """Append a change to the journal; of an address, without its login."""
    last = connection.execute(_LAST).scalar() or 0
    body = msgspec.json.encode(_without_login(about)).decode()
    connection.execute(
        service_events.insert(), {"number": last + 1, "type": type, "who": who, "time": utc_now(), "body": body}
    )


def changes(
    connection: sa.Connection, types: Sequence[str] = TYPES, before: int | None = None, limit: int = 25
) -> list[Change]:
    """Return changes of some types, the newest first; those before a number, to continue a list."""
    c = service_events.c
    query = sa.select(c.number, c.type, c.who, c.time, c.body).where(c.type.in_(types))
    if before is not None:
        query = query.where(c.number < before)
    rows = connection.execute(query.order_by(c.number.desc()).limit(limit))
    return [
        Change(number, type, who, time, _without_login(msgspec.json.decode(body)))  # older journals have logins
        for number, type, who, time, body in rows
    ]


def _without_login(about: dict[str, Any]) -> dict[str, Any]:
    return about | {"address": without_login(about["address"])} if "address" in about else about


_LAST = sa.select(sa.func.max(service_events.c.number))
_WORDS = {
    "person-added": "added {name} as {role}",
    "person-removed": "removed {name}",
    "token-made": "made a token for {name}",
    "source-added": "added {address}, every {every} min",
    "source-removed": "removed {address}",
    "webhook-set": "set the webhook of {topic} to {address}",
    "webhook-removed": "removed the webhook of {topic}",
    "documents-sent": "sent documents by {way}: {documents:,} new",
    "expiry-set": "let documents expire: {documents}; deliveries: {deliveries}",
}
