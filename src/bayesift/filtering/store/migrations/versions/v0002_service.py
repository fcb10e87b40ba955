"""Create the tables of the service: people, sessions, opinions, sources and webhooks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

LONG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "people",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("added", sa.Text, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("person", sa.Text, sa.ForeignKey("people.name"), nullable=False),
        sa.Column("ends", sa.Text),
    )
    op.create_table(
        "opinions",
        sa.Column("topic", sa.Integer, sa.ForeignKey("topics.number"), primary_key=True),
        sa.Column("document", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("relevant", sa.Boolean, nullable=False),
        sa.Column("time", sa.Text, nullable=False),
    )
    op.create_table(
        "sources",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("every", sa.Integer, nullable=False),
        sa.Column("last_run", sa.Text),
        sa.Column("documents", sa.Integer, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("memory", sa.Text),
    )
    op.create_table(
        "webhooks",
        sa.Column("topic", sa.Integer, sa.ForeignKey("topics.number"), primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("error", sa.Text),
    )
