"""Create the tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

LONG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables and the full-text index."""
    op.create_table(
        "settings",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "topic_groups",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("received", LONG, nullable=False),
        sa.Column("event", LONG, nullable=False),
    )
    op.create_table(
        "documents",
        sa.Column("number", LONG, primary_key=True, autoincrement=False),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("on_stream", sa.Boolean, nullable=False),
        sa.Column("source", sa.Text),
        sa.Column("date", sa.Text),
        sa.Column("title", sa.Text),
        sa.Column("body", sa.Text),
        sa.Column("url", sa.Text),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("added", sa.Text, nullable=False),
    )
    op.create_index("documents_added", "documents", ["added"])
    op.create_table(
        "topics",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("topic_group", sa.Integer, sa.ForeignKey("topic_groups.number"), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("added", sa.Text, nullable=False),
    )
    op.create_index("topics_name", "topics", ["name"])
    _create_what_happens()
    _create_search()


def _create_what_happens() -> None:
    op.create_table(
        "events",
        sa.Column("topic_group", sa.Integer, sa.ForeignKey("topic_groups.number"), primary_key=True),
        sa.Column("number", LONG, primary_key=True),
        sa.Column("received", LONG, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("topic", sa.Integer, sa.ForeignKey("topics.number")),
        sa.Column("document", sa.Text),
        sa.Column("time", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("events_topic", "events", ["topic", "number"])
    op.create_table(
        "deliveries",
        sa.Column("topic", sa.Integer, sa.ForeignKey("topics.number"), primary_key=True),
        sa.Column("document", LONG, sa.ForeignKey("documents.number"), primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("probability", sa.Float),
        sa.Column("low", sa.Float),
        sa.Column("high", sa.Float),
        sa.Column("gain", sa.Float),
        sa.Column("why", sa.Text),
        sa.Column("time", sa.Text, nullable=False),
    )
    op.create_index("deliveries_state", "deliveries", ["topic", "state"])
    op.create_index("deliveries_document", "deliveries", ["document"])
    op.create_table(
        "checkpoints",
        sa.Column("topic_group", sa.Integer, sa.ForeignKey("topic_groups.number"), primary_key=True),
        sa.Column("event", LONG, primary_key=True),
        sa.Column("received", LONG, primary_key=True),
        sa.Column("part", sa.Integer, primary_key=True),
        sa.Column("time", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def _create_search() -> None:
    """Create a full-text index: a table beside `documents` on SQLite, an index on PostgreSQL."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE documents_search USING fts5("
            "title, body, content='documents', content_rowid='number', tokenize='unicode61 remove_diacritics 2')"
        )
    else:
        op.execute("CREATE INDEX documents_search ON documents USING gin (to_tsvector('simple', "
                   "left(coalesce(title, '') || ' ' || coalesce(body, ''), 200000)))")  # fmt: skip
