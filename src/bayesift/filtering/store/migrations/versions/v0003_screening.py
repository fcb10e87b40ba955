"""Create the tables of reviews: records, screening events and the vectors of records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

LONG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables and the full-text index."""
    op.create_table(
        "records",
        sa.Column("number", LONG, primary_key=True, autoincrement=False),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("abstract", sa.Text, nullable=False),
        sa.Column("year", sa.Integer),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("records_hash", "records", ["hash"])
    op.create_table(
        "screening_events",
        sa.Column("number", LONG, primary_key=True, autoincrement=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("list", sa.Text),
        sa.Column("record", LONG, sa.ForeignKey("records.number")),
        sa.Column("other", LONG, sa.ForeignKey("records.number")),
        sa.Column("who", sa.Text),
        sa.Column("time", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("screening_events_record", "screening_events", ["record"])
    op.create_index("screening_events_other", "screening_events", ["other"])
    op.create_table(
        "screening_vectors",
        sa.Column("records", LONG, primary_key=True, autoincrement=False),
        sa.Column("part", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    _create_search()


def _create_search() -> None:
    """Create a full-text index: a table beside `records` on SQLite, an index on PostgreSQL."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE records_search USING fts5("
            "title, abstract, content='records', content_rowid='number', tokenize='unicode61 remove_diacritics 2')"
        )
    else:
        op.execute("CREATE INDEX records_search ON records USING gin (to_tsvector('simple', "
                   "left(title || ' ' || abstract, 200000)))")  # fmt: skip
