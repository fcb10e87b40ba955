"""Lists as one row of the database, and as one parameter of a query.

SQLite hands over one row at a time, and Python lets another thread go on at each of them. In a process with many
threads a list of 1,000 rows may wait 1,000 times for its turn; as a list in JSON it comes in one row. SQLAlchemy writes
a new statement for every list of parameters, which takes longer than the query; a list in JSON is one parameter.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles


class one_of(sa.sql.expression.FunctionElement[bool]):
    """The condition that a column of texts has one of the texts of a list: a parameter that `listed` makes."""

    inherit_cache = True
    type = sa.Boolean()

    def __init__(self, column: sa.Column[str], name: str) -> None:
        super().__init__(column, sa.bindparam(name, type_=sa.Text))


@compiles(one_of, "sqlite")
def _sqlite(element: one_of, compiler: Any, **more: Any) -> str:
    column, texts = (compiler.process(part, **more) for part in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({texts}))"


@compiles(one_of, "postgresql")
def _postgresql(element: one_of, compiler: Any, **more: Any) -> str:
    column, texts = (compiler.process(part, **more) for part in element.clauses)
    return f"{column} IN (SELECT jsonb_array_elements_text(CAST({texts} AS jsonb)))"


def listed(texts: Collection[str]) -> str:
    """Return texts as the parameter of `one_of`."""
    return msgspec.json.encode(list(texts)).decode()


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
