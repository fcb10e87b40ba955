"""The inbox of a topic: what waits, judging and undo."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from bayesift.errors import BadInput
from bayesift.service import views
from bayesift.service.access import inside
from bayesift.service.desk import Desk
from bayesift.service.forms import Number, Reader, Reviewer, to
from bayesift.service.pages.common import TheDesk, facts_of
from bayesift.service.people import Person
from bayesift.service.queries import TopicRow
from bayesift.service.rendering import render
from bayesift.service.views import TopicView

QUEUE = 50  # waiting documents in the list

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/topics/{number}/inbox")
def inbox(request: Request, desk: TheDesk, person: Reader, number: Number, at: str | None = None) -> Response:
    """Show what waits: the list, one document, and the next one in advance."""
    return _inbox(request, desk, person, desk.topic(number), at)


def _inbox(request: Request, desk: Desk, person: Person, topic: TopicRow, at: str | None) -> Response:
    with desk.together():  # as short as possible: judgements wait meanwhile
        ranked = desk.workspace.ranking(topic.name)
        place = next((i for i, outcome in enumerate(ranked) if outcome.document == at), 0) if at else 0
        here = [outcome.document for outcome in [*ranked[place : place + 3], *ranked[:place]][:3]]
        with desk.workspace.using(topic.name) as own:
            facts, seen = facts_of(desk, topic, own), [own.explain(topic.name, document) for document in here[:2]]
    gone = views.document_address(at) if at and at not in here[:1] else None
    first = max(0, min(place - QUEUE // 2, len(ranked) - QUEUE))
    listed = ranked[first : first + QUEUE]
    with desk.reading():
        view = views.topic_view(topic, facts, desk.days(topic, last=1))
        titles = desk.titles(outcome.document for outcome in listed)
        texts = {stored.id: stored for stored in desk.documents(here[:2])}
    items = [
        {"document": o.document, "title": titles.get(o.document) or o.document, "kind": o.source,
         "probability": o.probability, "address": _at(view, o.document)} for o in listed
    ]  # fmt: skip
    read = [
        views.document_view(item, texts.get(item.document), view, following)
        for item, following in zip(seen, [*here[1:], None])
    ]
    current, following, *_ = [*read, None, None]
    shown = {"items": items, "more": len(ranked) - len(listed), "current": current, "following": following}
    template = "_work.html" if request.headers.get("x-fragment") else "inbox.html"
    return render(request, template, person, topic=view, waiting=len(ranked), gone=gone, **shown)  # type: ignore[arg-type]


def _at(view: TopicView, document: str) -> str:
    return f"{view.inbox}?at={quote(document, safe='')}"


@router.post("/topics/{number}/judge")
def judge(
    request: Request, desk: TheDesk, person: Reviewer, number: Number, document: Annotated[str, Form()],
    relevant: Annotated[str, Form()], next: Annotated[str, Form()] = "", back: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Learn from an answer and show the next document, or go back to where it was given."""
    topic = desk.topic(number)
    if relevant not in ("yes", "no", "skip"):
        raise BadInput(f"the answer is {relevant[:20]!r}", remedy="give yes, no or skip")
    if relevant != "skip":
        desk.judge(topic, document, relevant == "yes", person)
    if back:
        return to(inside(back))
    if request.headers.get("x-fragment"):
        return _inbox(request, desk, person, topic, next or None)
    return to(f"/topics/{number}/inbox" + (f"?{urlencode({'at': next})}" if next else ""))


@router.post("/topics/{number}/undo")
def undo(request: Request, desk: TheDesk, person: Reviewer, number: Number) -> Response:
    """Undo the last change, with accounts the person's own, and show its document."""
    topic = desk.topic(number)
    event = desk.undo(topic, person)
    at = getattr(event, "document", None)
    if request.headers.get("x-fragment"):
        return _inbox(request, desk, person, topic, at)
    return to(f"/topics/{number}/inbox" + (f"?{urlencode({'at': at})}" if at else ""))
