"""Create the table of the unread records that persons have before them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

LONG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "screening_holds",
        sa.Column("list", sa.Text, primary_key=True),
        sa.Column("record", LONG, sa.ForeignKey("records.number"), primary_key=True, autoincrement=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("time", sa.Text, nullable=False),
    )
