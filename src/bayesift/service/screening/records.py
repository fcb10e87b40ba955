"""All records and a search in them, and one record with what was decided about it."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from bayesift.errors import BadInput
from bayesift.filtering.screening.records import LISTS
from bayesift.filtering.screening.store.list_state import STATUSES
from bayesift.filtering.screening.store.views import Seen
from bayesift.service.access import inside
from bayesift.service.forms import Reader, Reviewer, to
from bayesift.service.people import Person
from bayesift.service.rendering import render
from bayesift.service.screening import views
from bayesift.service.screening.desk import NAMES, ScreeningDesk, TheDesk, decision_of, list_of
from bayesift.service.screening.history import step_view
from bayesift.service.screening.screen import KEYS, Text

LISTED = 50  # records of a page
SEARCHED = 1000  # records with the words, among which those of the list and the state are shown

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/records")
def records(
    request: Request, desk: TheDesk, person: Reader, q: str = "", list: str = LISTS[0], status: str = "",
    skip: Annotated[int, Query(ge=0, le=2**40)] = 0,
) -> Response:  # fmt: skip
    """Show the records of a list, those in one state, or those with some words."""
    list_of(list)
    if status and status not in STATUSES:
        raise BadInput(f"no state {status[:40]!r}", remedy=f"choose one of: {', '.join(STATUSES)}")
    best = 0  # shown of the records found, if there are more
    if q.strip():
        found = [seen for seen in desk.review.search(q, limit=SEARCHED, who=person.name) if _is_in(seen, list, status)]
        best = LISTED if len(found) > LISTED else 0
        found = found[:LISTED]
    else:
        found = desk.review.records(list, status or None, limit=LISTED, skip=skip, who=person.name)
    here = {"list": list} | ({"status": status} if status else {})
    more = len(found) == LISTED and not q.strip()
    shown: dict[str, Any] = {
        "rows": [views.row_view(seen, list) for seen in found], "list": list, "lists": views.LIST_NAMES,
        "state": status, "states": views.STATUS, "query": q, "best": best, "total": len(desk.review),
        "more": f"/records?{urlencode(here | {'skip': skip + LISTED})}" if more else None,
    }  # fmt: skip
    return render(request, "screening/records.html", person, **shown)


def _is_in(seen: Seen, list: str, status: str) -> bool:
    """Return whether a record is in a list, and there in a state; merged records are shown where they are asked for."""
    if status:
        return seen.status[list] == status and (list == LISTS[0] or status == "merged" or _is_included(seen))
    return list == LISTS[0] or _is_included(seen)


def _is_included(seen: Seen) -> bool:
    return seen.status[LISTS[0]] == "include"


@router.get("/records/{id:path}")
def record(request: Request, desk: TheDesk, person: Reader, id: str) -> Response:
    """Show a record, what was decided about it, and what happened to it."""
    seen = desk.review.record(id, who=person.name)
    decided = [
        {"list": list, "name": NAMES[list], "status": views.STATUS[seen.status[list]], "kind": seen.status[list],
         "opinions": seen.opinions[list], "hidden": seen.hidden[list],
         "mine": next((o for o in seen.opinions[list] if o.who == person.name and not o.settled), None)}
        for list in LISTS
    ]  # fmt: skip
    is_in_full_text = seen.status[LISTS[0]] == "include" or bool(seen.opinions[LISTS[1]])
    past = desk.review.history(seen.record.id, who=person.name)
    shown: dict[str, Any] = {
        "item": _marked(desk, seen, person), "decided": decided if is_in_full_text else decided[:1],
        "merged": [(other, views.address_of(other)) for other in seen.merged],
        "kept": seen.kept and (seen.kept, views.address_of(seen.kept)), "reasons": desk.review.settings.reasons,
        "keys": KEYS, "back": views.address_of(seen.record.id), "me": person.name,
        "history": [step_view(happened, {}) for happened in past],
    }  # fmt: skip
    return render(request, "screening/record.html", person, **shown)


def _marked(desk: ScreeningDesk, seen: Seen, person: Person) -> dict[str, Any]:
    """Return a record with its words marked as on the screening page; one that was merged has none."""
    if seen.kept is not None:
        return views.text_view(seen.record)
    item = desk.review.to_read(seen.record.id, who=person.name)
    return views.text_view(item.record, item.words_for, item.words_against)


@router.post("/decide")
def decide(
    desk: TheDesk, person: Reviewer, record: Annotated[str, Form()], list: Annotated[str, Form()],
    decision: Annotated[str, Form()] = "", reason: Annotated[str, Form()] = "", note: Text = "", tags: Text = "",
    back: Annotated[str, Form()] = "/",
) -> Response:  # fmt: skip
    """Store a decision about any record, such as one that was searched for."""
    desk.decide(record, decision_of(decision, reason), person, list_of(list), reason=reason, note=note, tags=tags)
    return to(inside(back))
