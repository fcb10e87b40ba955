"""Records about which reviewers differ, side by side, to be settled; and pairs that may be duplicates."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from bayesift.display.markdown import markdown_html
from bayesift.errors import BadInput
from bayesift.filtering.screening.records import LISTS
from bayesift.service.forms import Reader, Reviewer, to
from bayesift.service.rendering import render
from bayesift.service.screening import views
from bayesift.service.screening.desk import TheDesk, decision_of, list_of
from bayesift.service.screening.progress import agreement_view
from bayesift.service.screening.screen import Text

SHOWN = 20  # conflicts or pairs of a page
Skip = Annotated[int, Query(ge=0, le=2**40)]

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/conflicts")
def conflicts(request: Request, desk: TheDesk, person: Reader, list: str = LISTS[0], skip: Skip = 0) -> Response:
    """Show records in conflict, with what each reviewer said."""
    found, settings = desk.review.conflicts(list_of(list)), desk.review.settings
    some = found[skip : skip + SHOWN]
    shown: dict[str, Any] = {
        "items": [views.text_view(c.record) | {"opinions": c.opinions} for c in some], "list": list,
        "lists": [(name, label, len(desk.review.conflicts(name))) for name, label in views.LIST_NAMES],
        "criteria": Markup(markdown_html(settings.criteria)),
        "reasons": settings.reasons, "reviewers": settings.reviewers,
        "agreement": agreement_view(desk.review), "total": len(found),
        "more": f"/conflicts?list={list}&skip={skip + SHOWN}" if len(found) > skip + SHOWN else None,
    }  # fmt: skip
    return render(request, "screening/conflicts.html", person, **shown)


@router.post("/conflicts")
def settle(
    desk: TheDesk, person: Reviewer, record: Annotated[str, Form()], list: Annotated[str, Form()],
    decision: Annotated[str, Form()] = "", reason: Annotated[str, Form()] = "", note: Text = "",
) -> Response:  # fmt: skip
    """Settle a conflict."""
    desk.settle(record, decision_of(decision, reason), person, list_of(list), reason=reason, note=note)
    return to(f"/conflicts?list={list}")


@router.get("/duplicates")
def duplicates(request: Request, desk: TheDesk, person: Reader, state: str = "", skip: Skip = 0) -> Response:
    """Show pairs of records that may be the same, side by side."""
    total = desk.review.count_duplicates(state or None)
    found = desk.review.duplicates(state or None, limit=SHOWN, skip=skip)
    shown: dict[str, Any] = {
        "pairs": [
            {"first": views.text_view(d.first), "second": views.text_view(d.second), "why": d.why,
             "similarity": d.similarity, "caution": d.caution} for d in found
        ],
        "state": state, "total": total,
        "more": f"/duplicates?state={state}&skip={skip + SHOWN}" if total > skip + SHOWN else None,
    }  # fmt: skip
    return render(request, "screening/duplicates.html", person, **shown)


@router.post("/duplicates/all")
def merge_all(desk: TheDesk, person: Reviewer) -> Response:
    """Merge all pairs without a caution."""
    desk.review.merge_duplicates(who=person.name)
    desk.changes.publish("decided", list=None)
    return to("/duplicates")


@router.post("/duplicates")
def answer(
    desk: TheDesk, person: Reviewer, first: Annotated[str, Form()], second: Annotated[str, Form()],
    same: Annotated[str, Form()], state: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Merge two records, of which the first is kept, or keep them apart."""
    if same not in ("yes", "no"):
        raise BadInput(f"the answer is {same[:20]!r}", remedy="give yes or no")
    (desk.review.merge if same == "yes" else desk.review.keep_apart)(first, second, who=person.name)
    desk.changes.publish("decided", list=None)
    return to("/duplicates" + (f"?state={state}" if state in ("merged", "apart") else ""))
