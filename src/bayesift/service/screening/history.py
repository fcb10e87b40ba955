"""What happened in a review, the newest first; each decision, settlement and merge can be reversed."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from bayesift.errors import BadInput
from bayesift.filtering.screening.records import Record
from bayesift.filtering.screening.store import events
from bayesift.filtering.screening.store.views import Happened
from bayesift.service.access import inside
from bayesift.service.forms import Reader, Reviewer, to
from bayesift.service.rendering import render
from bayesift.service.screening import views
from bayesift.service.screening.desk import NAMES, TheDesk, list_of

LISTED = 50  # steps of a page

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/history")
def history(
    request: Request, desk: TheDesk, person: Reader, by: str = "", before: Annotated[int | None, Query(ge=1)] = None
) -> Response:
    """Show what happened, by everybody or by one person."""
    found = desk.review.history(by=by or None, limit=LISTED, before=before, who=person.name)
    numbers = [n for h in found for n in (getattr(h.event, "record", None), getattr(h.event, "other", None))]
    records = desk.records_of(n for n in numbers if n is not None)
    older = {"by": by, "before": found[-1].number} if found else {}
    shown: dict[str, Any] = {
        "steps": [step_view(happened, records) for happened in found], "by": by, "people": desk.review.people,
        "me": person.name, "older": f"/history?{urlencode(older)}" if len(found) == LISTED else None,
    }  # fmt: skip
    return render(request, "screening/history.html", person, **shown)


@router.post("/withdraw")
def withdraw(
    desk: TheDesk, person: Reviewer, record: Annotated[str, Form()], list: Annotated[str, Form()],
    settled: Annotated[bool, Form()] = False, back: Annotated[str, Form()] = "/history",
) -> Response:  # fmt: skip
    """Take back one's own decision about a record, or a settlement."""
    desk.review.withdraw(record, list=list_of(list), who=person.name, settled=settled)
    desk.changes.publish("decided", list=list)
    return to(inside(back))


@router.post("/undo")
def undo(desk: TheDesk, person: Reviewer, again: Annotated[str, Form()] = "") -> Response:
    """Undo the person's last step, or do again what was undone."""
    if again not in ("", "yes"):
        raise BadInput(f"again is {again[:20]!r}", remedy="give yes, or nothing")
    if again:
        desk.review.redo(person.name)
        desk.changes.publish("decided", list=None)
    else:
        desk.undo(person)
    return to("/history")


def step_view(happened: Happened, records: dict[int, Record]) -> dict[str, Any]:
    """Return an event in words, with its record and how it can be reversed."""
    event = happened.event
    record, other = (records.get(getattr(event, name, -1)) for name in ("record", "other"))
    reverse = {events.Decided: "decision", events.Settled: "settled", events.Merged: "merge"}.get(type(event), "")
    return {
        "number": happened.number, "who": event.who or "", "time": event.time, "what": in_words(event),
        "list": getattr(event, "list", ""), "reverse": reverse, "note": getattr(event, "note", None),
        "tags": getattr(event, "tags", ()),
        "records": [(r.id, views.title_of(r), views.address_of(r.id)) for r in (record, other) if r is not None],
    }  # fmt: skip


def in_words(event: events.Event) -> str:
    """Return what an event was.

    >>> in_words(events.Decided(list="abstract", record=0, decision="exclude", reason="wrong population"))
    'exclude (wrong population), titles and abstracts'
    """
    match event:
        case events.Decided() | events.Settled():
            why = f" ({event.reason})" if event.reason else ""
            settled = "settled: " if isinstance(event, events.Settled) else ""
            return f"{settled}{event.decision}{why}, {NAMES[event.list].lower()}"
        case events.Withdrawn():
            what = "settlement" if event.settled else "decision"
            return f"{what} withdrawn, {NAMES[event.list].lower()}"
        case events.Merged():
            return "merged as duplicates"
        case events.KeptApart():
            return "kept apart"
        case events.RecordsAdded():
            return f"{event.count:,} records added" + (f" from {', '.join(event.files)}" if event.files else "")
        case events.DuplicatesFound():
            return f"{len(event.pairs):,} pairs of possible duplicates found"
        case events.SettingsChanged():
            return "settings: " + ", ".join(event.settings)
        case events.Drawn():
            return "drawn at random"
        case events.Undone():
            return f"undid step {event.event:,}"
        case events.Redone():
            return f"did step {event.event:,} again"
