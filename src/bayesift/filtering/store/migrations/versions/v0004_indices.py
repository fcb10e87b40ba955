"""Create the indices that lists need: what waits, what was shown on each day, and the events about a document."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the indices; queries of what waits and of days then read the index alone."""
    op.drop_index("deliveries_state", "deliveries")
    op.create_index("deliveries_state", "deliveries", ["topic", "state", "document"])
    op.create_index("deliveries_day", "deliveries", ["topic", "time", "kind", "state", "gain"])
    op.create_index("events_document", "events", ["topic", "document", "number"])
