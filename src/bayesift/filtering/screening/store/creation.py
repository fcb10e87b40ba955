"""Create a review whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import sqlalchemy as sa

from bayesift.filtering.screening.store import log
from bayesift.filtering.screening.store.events import Event
from bayesift.filtering.store import migrate, schema
from bayesift.filtering.store.database import Database


def create(database: Database, fill: Callable[[sa.Connection], Sequence[Event]]) -> None:
    """Create the tables of a review with what `fill` inserts and the events it returns; on an error nothing stays."""

    def write(connection: sa.Connection) -> None:
        row = {"name": schema.KIND, "value": msgspec.json.encode(True).decode()}
        connection.execute(schema.settings.insert(), row)
        log.append(connection, 0, fill(connection))

    migrate.create_tables(database, write)
