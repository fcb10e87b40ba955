"""The report of a review, as a page to look at and a file to keep.

The file stands alone, with its style inside it. When it is shown, no script of it can run (Content-Security-Policy).
"""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from bayesift.service.forms import Reader
from bayesift.service.screening.desk import TheDesk

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/report")
def report(desk: TheDesk, person: Reader, download: bool = False) -> Response:
    """Return the report."""
    from bayesift.report.review import review_page

    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
    if download:
        headers["Content-Disposition"] = 'attachment; filename="report.html"'
    return HTMLResponse(review_page(desk.review.summary()).html(), headers=headers)
