"""Export and import of a workspace as JSON lines.

    {"format": "bayesift workspace", "version": 1, "bayesift": "0.1.0"}
    {"table": "settings", "columns": ["name", "value"]}
    ["groups", "1"]
    ...
    {"table": "checkpoints", "columns": [..]}
    ...
    {"end": {"settings": 6, "documents": 1000, ...}}

Tables follow one another, in an order in which they can be inserted; a row is a list. Bytes are base64. The newest
checkpoint of each group is part of it, so that the import need not replay the whole stream, and works if documents have
expired.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from bayesift import __version__
from bayesift.errors import BadInput
from bayesift.files import read_lines, write_compressed
from bayesift.filtering.store import checkpoints, migrate, schema
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.documents import index_after

FORMAT, VERSION = "bayesift workspace", 1
TABLES = ("settings", "topic_groups", "topics", "documents", "events", "deliveries", "checkpoints")
DROPPED = {"deliveries": {"low", "high", "why"}}  # columns of exports of older versions that no table has now
CHUNK = 1_000
DAMAGED = "export the workspace again"
_encode = msgspec.json.Encoder().encode  # bytes become base64


def write_export(connection: sa.Connection, path: str | Path) -> None:
    """Write a workspace to a file, atomically; the name may end in .gz or .zst."""
    newest = _newest_checkpoints(connection)
    counts = {}
    with write_compressed(path) as out:
        out.write(_encode({"format": FORMAT, "version": VERSION, "bayesift": __version__}) + b"\n")
        for name in TABLES:
            table = schema.metadata.tables[name]
            out.write(_encode({"table": name, "columns": list(map(str, table.c.keys()))}) + b"\n")
            counts[name] = 0
            query = sa.select(table).order_by(*table.primary_key.columns)
            if name == "checkpoints":
                query = query.where(newest)
            for row in connection.execution_options(yield_per=CHUNK).execute(query):
                out.write(_encode(list(row)) + b"\n")
                counts[name] += 1
        out.write(_encode({"end": counts}) + b"\n")


def _newest_checkpoints(connection: sa.Connection) -> sa.ColumnElement[bool]:
    chosen: list[sa.ColumnElement[bool]] = [sa.false()]
    for group in connection.execute(sa.select(schema.topic_groups.c.number)).scalars().all():
        for at in checkpoints.positions(connection, group)[:1]:
            c = schema.checkpoints.c
            chosen.append(sa.and_(c.topic_group == group, c.event == at.event, c.received == at.received))
    return sa.or_(*chosen)


def read_export(database: Database, path: str | Path) -> None:
    """Create a workspace from an export, all or nothing."""
    migrate.create_tables(database, lambda connection: _fill(connection, path))


def _fill(connection: sa.Connection, path: str | Path) -> None:
    lines = _Lines(path)
    head = lines.next()
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BadInput("is not an export of a workspace", path=path, remedy="bayesift filter export makes one")
    if head.get("version") != VERSION:
        reason = f"is an export of version {head.get('version')!r}, written by bayesift {head.get('bayesift')}"
        raise BadInput(f"{reason}; this one knows {VERSION}", path=path, remedy="upgrade bayesift")
    counts = {}
    for name in TABLES:
        title = lines.next()
        if not isinstance(title, dict) or title.get("table") != name:
            raise lines.damaged(f"the table {name!r} is missing")
        counts[name] = 0
        rows = lines.rows(schema.metadata.tables[name], title.get("columns"))
        while part := list(islice(rows, CHUNK)):
            connection.execute(schema.metadata.tables[name].insert(), part)
            counts[name] += len(part)
    if lines.next() != {"end": counts}:
        raise lines.damaged("is incomplete")
    index_after(connection, 0)


class _Lines:
    """The lines of an export, with their numbers for errors."""

    def __init__(self, path: str | Path) -> None:
        self.path, self.number = path, 0
        self._lines = read_lines(path)
        self._ahead: list[Any] = []

    def next(self) -> Any:
        """Return the next line; None at the end."""
        if self._ahead:
            return self._ahead.pop()
        self.number, line = next(self._lines, (self.number, "null"))
        try:
            return msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeError):
            raise self.damaged("is not JSON") from None

    def damaged(self, reason: str) -> BadInput:
        """Return an error at this line."""
        return BadInput(reason, path=self.path, line=self.number, remedy=DAMAGED)

    def rows(self, table: sa.Table, columns: Any) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table."""
        dropped = DROPPED.get(table.name, set())
        if not isinstance(columns, list) or set(columns) - dropped != set(table.c.keys()):
            raise self.damaged(f"the table {table.name!r} has other columns")
        binary = [c.name for c in table.c if isinstance(c.type, sa.LargeBinary)]
        while isinstance(row := self.next(), list):
            if len(row) != len(columns):
                raise self.damaged("a row has too few or too many values")
            values = {name: value for name, value in zip(columns, row) if name not in dropped}
            try:
                yield values | {name: base64.b64decode(values[name], validate=True) for name in binary}
            except (ValueError, TypeError):
                raise self.damaged("damaged bytes") from None
        self._ahead.append(row)
