"""Lists as one row of the database.

SQLite hands over one row at a time, and Python lets another thread go on at each of them. In a process with many
threads a list of 1,000 rows may wait 1,000 times for its turn; as a list in JSON it comes in one row.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import sqlalchemy as sa


def rows(connection: sa.Connection, query: sa.Select[Any], **values: Any) -> list[Any]:
    """Return the rows of a query of texts and numbers, in any order; the query is one that is made once."""
    if connection.dialect.name != "sqlite":  # the driver of PostgreSQL reads all rows before it returns
        return list(connection.execute(query, values))
    found: list[Any] = msgspec.json.decode(connection.execute(_together(query), values).scalar_one())
    return found


@cache
def _together(query: sa.Select[Any]) -> sa.Select[Any]:
    part = query.subquery()
    return sa.select(sa.func.json_group_array(sa.func.json_array(*part.c)))
