"""Create the table of what was changed around the topics: people, tokens, sources, webhooks, documents sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

LONG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "service_events",
        sa.Column("number", LONG, primary_key=True, autoincrement=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("who", sa.Text),
        sa.Column("time", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
