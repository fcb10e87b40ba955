"""The settings of a workspace: those of its filters, the number of topic groups, and when documents expire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa

from bayesift import __version__
from bayesift.errors import BadInput
from bayesift.filtering.store.schema import settings, topic_groups

MOST_GROUPS = 64
LONGEST = 36_500  # days


class Settings(msgspec.Struct, frozen=True):
    """What is set when a workspace is created.

    Attributes
    ----------
    filter : dict
        The settings of `TextFilter`.
    groups : int
        Groups of topics: the number of workers that can share the topics.
    documents_days : int or None
        Days after which documents without a judgement that do not wait lose their text; None: never.
    deliveries_days : int or None
        Days after which a document that was shown no longer waits for an answer; None: never.
    """

    filter: dict[str, Any] = {}
    groups: int = 1
    documents_days: int | None = None
    deliveries_days: int | None = None
    created: str = ""
    bayesift: str = __version__

    def __post_init__(self) -> None:
        _check("groups", self.groups, MOST_GROUPS)
        for name in ("documents_days", "deliveries_days"):
            if getattr(self, name) is not None:
                _check(name, getattr(self, name), LONGEST)


def _check(name: str, value: Any, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise BadInput(f"{name} is {value!r}", remedy=f"give a whole number from 1 to {most:,}")


def read_settings(connection: sa.Connection) -> Settings:
    """Return the settings of the database."""
    found = {name: msgspec.json.decode(value) for name, value in connection.execute(sa.select(settings))}
    return msgspec.convert(found, Settings)


def write_settings(connection: sa.Connection, new: Settings) -> None:
    """Write settings, and the topic groups if there are none."""
    connection.execute(settings.delete())
    rows = [{"name": name, "value": msgspec.json.encode(getattr(new, name)).decode()} for name in new.__struct_fields__]
    connection.execute(settings.insert(), rows)
    if connection.execute(sa.select(sa.func.count()).select_from(topic_groups)).scalar_one() == 0:
        connection.execute(
            topic_groups.insert(), [{"number": i, "received": 0, "event": 0} for i in range(new.groups)]
        )


def utc_now(later: timedelta = timedelta(0)) -> str:
    """Return the time, or one that is later or earlier, as it is stored."""
    return (datetime.now(UTC) + later).isoformat(timespec="milliseconds").replace("+00:00", "Z")
