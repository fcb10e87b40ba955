"""What people changed around the topics: accounts, tokens, sources, webhooks, and documents that they sent."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from bayesift.filtering.store import journal
from bayesift.service.api.common import Limit, new_router
from bayesift.service.forms import Admin, Before

router = new_router()


@router.get("/changes")
def list_changes(request: Request, person: Admin, before: Before = None, limit: Limit = 50) -> dict[str, Any]:
    """Return who changed people, tokens, sources and webhooks and who sent documents, the newest first.

    `next` is the value of `before` for the next page.
    """
    with request.app.state.site.database.read() as connection:
        found = journal.changes(connection, before=before, limit=limit)
    return {
        "changes": [change._asdict() | {"text": change.text} for change in found],
        "next": found[-1].number if len(found) == limit else None,
    }
