"""Full-text search in the documents: SQLite's FTS5, or a text index of PostgreSQL."""

from __future__ import annotations

import re

import sqlalchemy as sa

from bayesift.filtering.store.documents import COLUMNS, StoredDocument, stored
from bayesift.filtering.store.schema import SEARCH_TABLE, documents

TEXT = "to_tsvector('simple', left(coalesce(title, '') || ' ' || coalesce(body, ''), 200000))"  # as in the index
MOST = 1 << 10  # documents that PostgreSQL ranks: the newest of those that match


def search(connection: sa.Connection, text: str, limit: int) -> list[StoredDocument]:
    """Return the documents that contain all words of the text, the best match first.

    A part in double quotes is a phrase. Other signs have no meaning.
    """
    phrases = [words for part in _parts(text) if (words := re.findall(r"\w+", part))]
    if not phrases:
        return []
    if connection.dialect.name == "sqlite":
        names = ", ".join(f"documents.{column.name}" for column in COLUMNS)
        query = sa.text(
            f"SELECT {names} FROM {SEARCH_TABLE} JOIN documents ON documents.number = {SEARCH_TABLE}.rowid "
            f"WHERE {SEARCH_TABLE} MATCH :text ORDER BY {SEARCH_TABLE}.rank LIMIT :limit"
        )
        text = " ".join(f'"{" ".join(words)}"' for words in phrases)
        return [stored(row) for row in connection.execute(query, {"text": text, "limit": limit})]
    names = ", ".join(column.name for column in COLUMNS)
    query = sa.text(
        f"SELECT {names} FROM (SELECT * FROM documents WHERE {TEXT} @@ websearch_to_tsquery('simple', :text) "
        f"ORDER BY number DESC LIMIT {MOST}) AS found "
        f"ORDER BY ts_rank_cd({TEXT}, websearch_to_tsquery('simple', :text)) DESC, number DESC LIMIT :limit"
    )
    text = " ".join(f'"{" ".join(words)}"' for words in phrases)
    return [stored(row) for row in connection.execute(query, {"text": text, "limit": limit})]


def forget(connection: sa.Connection, which: sa.ColumnElement[bool]) -> None:
    """Remove documents from the index, before their text is removed."""
    if connection.dialect.name == "sqlite":
        chosen = sa.select(sa.literal("delete"), documents.c.number, documents.c.title, documents.c.body).where(which)
        index = sa.table(SEARCH_TABLE, *(sa.column(name) for name in (SEARCH_TABLE, "rowid", "title", "body")))
        connection.execute(index.insert().from_select([SEARCH_TABLE, "rowid", "title", "body"], chosen))


def _parts(text: str) -> list[str]:
    """Return the phrases in quotes and the words outside of them."""
    parts = text.split('"')
    return [part for i, piece in enumerate(parts) for part in ([piece] if i % 2 else piece.split())]
