"""Many rows at once, each with the values of all columns of its table.

SQLAlchemy makes a dictionary of every row and looks at each value, which takes longer than SQLite takes to write it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite


def write(connection: sa.Connection, insert: sa.Insert, rows: Sequence[tuple[Any, ...]]) -> None:
    """Execute a statement, which is one that is made once, for rows with values in the order of the table's columns."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_text(insert), list(rows))
    else:
        names = insert.table.c.keys()
        connection.execute(insert, [dict(zip(names, row)) for row in rows])


@cache
def _text(insert: sa.Insert) -> str:
    """Return a statement as SQLite takes it, with a question mark for each column."""
    return str(insert.compile(dialect=sqlite.dialect()))
