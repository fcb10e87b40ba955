"""The screening page: one record to decide about, the criteria beside it, and what comes next."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from bayesift.display.markdown import markdown_html
from bayesift.errors import BadInput
from bayesift.filtering.screening.store.choosing import ORDERS
from bayesift.filtering.screening.store.views import ToRead
from bayesift.service.forms import Reader, Reviewer, to
from bayesift.service.people import Person
from bayesift.service.rendering import render
from bayesift.service.screening import views
from bayesift.service.screening.desk import ScreeningDesk, TheDesk, decision_of, list_of

AHEAD = 8  # records whose titles are listed
TAGGED = 100  # last steps of a person whose tags are offered
KEYS = 9  # reasons that have a key
ORDER_NAMES = {"ranked": "most promising first", "random": "random", "date": "newest first"}
Text = Annotated[str, Form(max_length=10_000)]

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/screen/{list}")
def screen(
    request: Request, desk: TheDesk, person: Reader, list: str, order: str = "ranked", at: str | None = None
) -> Response:
    """Show the record to read, the criteria, and what comes next."""
    return _screen(request, desk, person, list_of(list), order, at)


@router.post("/screen/{list}")
def decide(
    request: Request, desk: TheDesk, person: Reviewer, list: str, record: Annotated[str, Form()],
    decision: Annotated[str, Form()] = "", reason: Annotated[str, Form()] = "", note: Text = "", tags: Text = "",
    order: Annotated[str, Form()] = "ranked", next: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Store a decision and show the next record; with the script, it is the one that is on the screen already."""
    desk.decide(record, decision_of(decision, reason), person, list_of(list), reason=reason, note=note, tags=tags)
    if request.headers.get("x-fragment"):
        return _screen(request, desk, person, list, order, next or None)
    return to(views.screen_address(list, order))


@router.post("/screen/{list}/undo")
def undo(
    request: Request, desk: TheDesk, person: Reviewer, list: str, order: Annotated[str, Form()] = "ranked"
) -> Response:
    """Undo the person's last step and show its record."""
    step = desk.undo(person).event
    number, there = getattr(step, "record", None), getattr(step, "list", list_of(list))
    at = None if number is None else desk.records_of([number])[number].id
    if request.headers.get("x-fragment") and there == list:
        return _screen(request, desk, person, list, order, at)
    return to(views.screen_address(there, order, at))


def _screen(request: Request, desk: ScreeningDesk, person: Person, list: str, order: str, at: str | None) -> Response:
    if order not in ORDERS:
        raise BadInput(f"no order {order[:40]!r}", remedy=f"choose one of: {', '.join(ORDERS)}")
    review, settings = desk.review, desk.review.settings
    ahead = review.next(list, who=person.name, order=order, count=AHEAD, look=not person.may("reviewer"))
    current = _at(desk, person, list, ahead, at)
    rest = [*(item for item in ahead if current is None or item.record.id != current.record.id), None, None]
    shown: dict[str, Any] = {
        "list": list, "lists": views.LIST_NAMES, "order": order, "orders": ORDER_NAMES,
        "progress": views.progress_view(review.progress(list, person.name)),
        "criteria": Markup(markdown_html(settings.criteria)), "question": settings.question,
        "reasons": settings.reasons, "keys": KEYS, "tags": _tags(desk, person),
        "current": current and views.reading_view(current, order, rest[0]),
        "following": rest[0] and views.reading_view(rest[0], order, rest[1]),
        "queue": [_queued(item, order, current) for item in ahead],
    }  # fmt: skip
    template = "screening/_work.html" if request.headers.get("x-fragment") else "screening/screen.html"
    return render(request, template, person, **shown)


def _at(desk: ScreeningDesk, person: Person, list: str, ahead: list[ToRead], at: str | None) -> ToRead | None:
    """Return the record that is asked for, else the first."""
    found = next((item for item in ahead if item.record.id == at), None)
    if found is None and at:
        found = desk.review.to_read(at, list, who=person.name)
    return found or (ahead[0] if ahead else None)


def _queued(item: ToRead, order: str, current: ToRead | None) -> dict[str, Any]:
    return {
        "document": item.record.id, "title": views.title_of(item.record), "probability": item.probability,
        "source": item.source, "address": views.screen_address(item.list, order, item.record.id),
        "current": current is not None and item.record.id == current.record.id,
    }  # fmt: skip


def _tags(desk: ScreeningDesk, person: Person) -> list[str]:
    """Return the tags that a person used lately."""
    past = desk.review.history(by=person.name, limit=TAGGED)
    return sorted({tag for happened in past for tag in getattr(happened.event, "tags", ())})
