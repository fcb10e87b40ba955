"""Full-text search in the documents: SQLite's FTS5, or a text index of PostgreSQL."""

from __future__ import annotations

import re

import sqlalchemy as sa

from bayesift.filtering.store.documents import COLUMNS, StoredDocument, stored
from bayesift.filtering.store.schema import SEARCH_TABLE, documents

TEXT = "to_tsvector('simple', left(coalesce(title, '') || ' ' || coalesce(body, ''), 200000))"  # as in the index
MOST = 1 << 10  # documents that are ranked: the newest of those that match


def search(connection: sa.Connection, text: str, limit: int) -> list[StoredDocument]:
    """Return documents that contain all words of the text, the best match first.

    A part in double quotes is a phrase. Other signs have no meaning. Of very many documents that match, the newest are
    ranked: to rank all that have a common word would take seconds, and one more word finds better ones.
    """
    text = phrases(text)
    if not text:
        return []
    query = _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL
    return [stored(row) for row in connection.execute(query, {"text": text, "limit": limit})]


_NAMES = ", ".join(f"documents.{column.name}" for column in COLUMNS)
_SQLITE = sa.text(
    f"SELECT {_NAMES} FROM {SEARCH_TABLE} JOIN documents ON documents.number = {SEARCH_TABLE}.rowid "
    f"WHERE {SEARCH_TABLE} MATCH :text AND {SEARCH_TABLE}.rowid >= coalesce((SELECT min(rowid) FROM "
    f"(SELECT rowid FROM {SEARCH_TABLE} WHERE {SEARCH_TABLE} MATCH :text ORDER BY rowid DESC LIMIT {MOST})), 0) "
    f"ORDER BY {SEARCH_TABLE}.rank LIMIT :limit"
)
_POSTGRESQL = sa.text(
    f"SELECT {_NAMES} FROM (SELECT * FROM documents WHERE {TEXT} @@ websearch_to_tsquery('simple', :text) "
    f"ORDER BY number DESC LIMIT {MOST}) AS documents "
    f"ORDER BY ts_rank_cd({TEXT}, websearch_to_tsquery('simple', :text)) DESC, number DESC LIMIT :limit"
)


def forget(connection: sa.Connection, which: sa.ColumnElement[bool]) -> None:
    """Remove documents from the index, before their text is removed."""
    if connection.dialect.name == "sqlite":
        chosen = sa.select(sa.literal("delete"), documents.c.number, documents.c.title, documents.c.body).where(which)
        index = sa.table(SEARCH_TABLE, *(sa.column(name) for name in (SEARCH_TABLE, "rowid", "title", "body")))
        connection.execute(index.insert().from_select([SEARCH_TABLE, "rowid", "title", "body"], chosen))


def phrases(text: str) -> str:
    """Return a text to search for with each word or phrase in quotes, as both databases understand it.

    >>> phrases('corn* "in the field"')
    '"corn" "in the field"'
    """
    found = [words for part in _parts(text) if (words := re.findall(r"\w+", part))]
    return " ".join(f'"{" ".join(words)}"' for words in found)


def _parts(text: str) -> list[str]:
    """Return the phrases in quotes and the words outside of them."""
    parts = text.split('"')
    return [part for i, piece in enumerate(parts) for part in ([piece] if i % 2 else piece.split())]
