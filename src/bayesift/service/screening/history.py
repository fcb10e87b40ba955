"""What happened in a review, the newest first; each decision, settlement and merge can be reversed."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from bayesift.errors import BadInput
from bayesift.filtering.screening.records import Record
from bayesift.filtering.screening.store import events
from bayesift.filtering.screening.store.views import Happened
from bayesift.service.access import inside
from bayesift.service.forms import Before, Reader, Reviewer, to
from bayesift.service.rendering import render
from bayesift.service.screening import views
from bayesift.service.screening.desk import NAMES, TheDesk, list_of

LISTED = 50  # steps of a page
SHORT = 40  # characters of a setting that is shown

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/history")
def history(request: Request, desk: TheDesk, person: Reader, by: str = "", before: Before = None) -> Response:
    """Show what happened, by everybody or by one person."""
    found = desk.review.history(by=by or None, limit=LISTED, before=before, who=person.name)
    numbers = [n for h in found for n in (getattr(h.event, "record", None), getattr(h.event, "other", None))]
    records = desk.records_of(n for n in numbers if n is not None)
    before_settings = desk.settings_before() if any(isinstance(h.event, events.SettingsChanged) for h in found) else {}
    older = {"by": by, "before": found[-1].number} if found else {}
    shown: dict[str, Any] = {
        "steps": [step_view(happened, records, before_settings.get(happened.number)) for happened in found],
        "by": by, "people": desk.review.people, "me": person.name,
        "older": f"/history?{urlencode(older)}" if len(found) == LISTED else None,
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


def step_view(happened: Happened, records: dict[int, Record], settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return an event in words, with its record and how it can be reversed; `settings` were in force before it."""
    event = happened.event
    record, other = (records.get(getattr(event, name, -1)) for name in ("record", "other"))
    reverse = {events.Decided: "decision", events.Settled: "settled", events.Merged: "merge"}.get(type(event), "")
    return {
        "number": happened.number, "who": event.who or "", "time": event.time, "what": in_words(event, settings),
        "list": getattr(event, "list", ""), "reverse": reverse, "note": getattr(event, "note", None),
        "tags": getattr(event, "tags", ()),
        "records": [(r.id, views.title_of(r), views.address_of(r.id)) for r in (record, other) if r is not None],
    }  # fmt: skip


def in_words(event: events.Event, settings: dict[str, Any] | None = None) -> str:
    """Return what an event was; `settings` were in force before it.

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
            return "settings: " + ", ".join(_changes(event.settings, settings or {}))
        case events.Drawn():
            return "drawn at random"
        case events.Undone():
            return f"undid step {event.event:,}"
        case events.Redone():
            return f"did step {event.event:,} again"


def _changes(new: dict[str, Any], old: dict[str, Any]) -> list[str]:
    """Return which settings changed, and short ones from what to what.

    >>> _changes({"reviewers": 1, "question": "Why?", "rule": {"recall": 0.9}}, {"reviewers": 2, "rule": {}})
    ['reviewers from 2 to 1', 'question', 'rule: recall 0.9']
    """
    found = []
    for name, value in new.items():
        was = old.get(name)
        if isinstance(value, dict) and isinstance(was, dict):
            parts = [_change(key, was.get(key), part) for key, part in value.items() if part != was.get(key)]
            found.append(f"{name}: {', '.join(parts)}" if parts else name)
        else:
            found.append(_change(name, was, value) if was is not None else name)
    return found


def _change(name: str, was: Any, now: Any) -> str:
    shown = [{True: "yes", False: "no"}[v] if isinstance(v, bool) else str(v) for v in (was, now)]
    if isinstance(now, list | tuple | dict) or max(map(len, shown)) > SHORT:
        return name
    now_text = f"{name.replace('_', ' ')} {shown[1]}"
    return now_text if was is None else f"{name.replace('_', ' ')} from {shown[0]} to {shown[1]}"
