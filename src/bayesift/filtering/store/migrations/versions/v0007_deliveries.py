"""Drop what nothing reads from the deliveries: the words and the interval, which the inbox computes itself."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Drop the columns, in one copy of the table on SQLite."""
    with op.batch_alter_table("deliveries") as table:
        for name in ("low", "high", "why"):
            table.drop_column(name)
