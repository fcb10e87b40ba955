"""Whether the service answers, for people, probes and Prometheus."""

from __future__ import annotations

import sqlalchemy as sa
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from bayesift.filtering.screening.records import LISTS
from bayesift.service.forms import Reader
from bayesift.service.screening.desk import TheDesk

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)
COUNTS = ("unread", "waiting", "maybe", "conflicts", "included", "excluded")


@router.get("/health", response_class=JSONResponse)
def health(request: Request) -> dict[str, str]:
    """Return whether the database answers; no account is needed."""
    with request.app.state.site.database.read() as connection:
        connection.execute(sa.text("SELECT 1"))
    return {"status": "ok"}


@router.get("/metrics")
def metrics(desk: TheDesk, person: Reader) -> Response:
    """Return counts in Prometheus' text format."""
    lines = ["# TYPE bayesift_listeners gauge", f"bayesift_listeners {len(desk.changes)}"]
    lines.append("# TYPE bayesift_records gauge")
    for list in LISTS:
        found = desk.review.progress(list)
        lines += [f'bayesift_records{{list="{list}",state="{name}"}} {getattr(found, name)}' for name in COUNTS]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")
