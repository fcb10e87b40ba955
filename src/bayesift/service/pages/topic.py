"""The page of a topic: charts, words, history and settings."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.store.silence import silent_topics
from bayesift.service import queries, views
from bayesift.service.atom import atom_feed
from bayesift.service.charts import asked_by_week, charts_of
from bayesift.service.desk import Desk
from bayesift.service.forms import Admin, Before, Number, Reader, Reviewer, to
from bayesift.service.pages.common import TheDesk, facts_of
from bayesift.service.pages.words import edited_words
from bayesift.service.people import Person
from bayesift.service.queries import TopicRow
from bayesift.service.rendering import render
from bayesift.service.topic_changes import changes_of

LISTED = 25  # judgements of a page, and changes

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/topics/{number}")
def topic_page(
    request: Request, desk: TheDesk, person: Reader, number: Number, before: Before = None, changed: Before = None
) -> Response:
    """Show what a topic has learned, and how well it does; with judgements and changes before some event."""
    return _topic_page(request, desk, person, desk.topic(number), before, changed)


def _topic_page(
    request: Request, desk: Desk, person: Person, topic: TopicRow, before: int | None = None,
    changed: int | None = None, status: int = 200, **more: Any,
) -> Response:  # fmt: skip
    with desk.workspace.using(topic.name) as own:
        facts, answers, words = facts_of(desk, topic, own), desk.answers(topic), views.words_view(desk, topic.name)
    with desk.reading() as connection:  # others have their turn meanwhile
        past, days = desk.history(topic, before, LISTED), desk.days(topic)
        questions = queries.questions_of(connection, topic.number)
        silent = silent_topics(connection).get(topic.number)
        changes = changes_of(connection, topic.number, changed, LISTED)
    view = views.topic_view(topic, facts, days, silent)
    history = [{**j._asdict(), "address": views.document_address(j.document)} for j in past]
    shown = {
        "charts": charts_of(queries.all_days(days), answers), "asked": asked_by_week(questions), "words": words,
        "history": history, "moved": None, "webhook": desk.webhook(topic) if person.may("admin") else None,
        "older": f"{view.page}?before={past[-1].number}#history" if len(past) == LISTED else None,
        "changes": changes,
        "older_changes": f"{view.page}?changed={changes[-1].number}#changes" if len(changes) == LISTED else "",
    }  # fmt: skip
    return render(request, "topic.html", person, status, topic=view, **shown | more)


@router.post("/topics/{number}/words/preview")
@router.post("/topics/{number}/words")
async def words(request: Request, desk: TheDesk, person: Reviewer, number: Number) -> Response:
    """Set the words of a topic, or show which waiting documents would change place."""
    from starlette.concurrency import run_in_threadpool

    async with request.form(max_files=0, max_fields=5000) as form:
        given = {name: str(value) for name, value in form.items()}
    previews = request.url.path.endswith("/preview")
    return await run_in_threadpool(_words, request, desk, person, number, given, previews)


def _words(
    request: Request, desk: Desk, person: Person, number: int, given: dict[str, str], previews: bool
) -> Response:
    topic = desk.topic(number)
    try:
        chosen = edited_words(given)
        if not previews:
            desk.workspace.edit_words(topic.name, chosen, who=person.name)
            return to(f"/topics/{number}#words")
        moved = [
            {"title": now.title or now.document, "before": now.probability, "after": then.probability, "was": was,
             "now": place, "address": views.document_address(now.document)}
            for now, then, was, place in desk.preview_words(topic, chosen)
        ]  # fmt: skip
    except BayesiftError as error:
        return _topic_page(request, desk, person, topic, status=400, problem=str(error))
    listed = views.words_view(desk, topic.name, chosen)
    return _topic_page(request, desk, person, topic, moved=moved, words=listed)


@router.post("/topics/{number}/revise")
def revise(
    desk: TheDesk,
    person: Reviewer,
    number: Number,
    document: Annotated[str, Form()],
    to_: Annotated[str, Form(alias="to")],
) -> Response:
    """Change or withdraw a judgement of the history."""
    topic = desk.topic(number)
    if to_ == "withdraw":
        desk.withdraw(topic, document, person)
    else:
        answer = desk.answer(topic, document)
        if answer is None:
            raise BadInput(f"document {document[:80]!r} has no answer", remedy="judge it first")
        desk.judge(topic, document, not answer, person)
    return to(f"/topics/{number}#history")


@router.post("/topics/{number}/settings")
def settings(
    desk: TheDesk, person: Reviewer, number: Number, name: Annotated[str, Form()], per_day: Annotated[int, Form()],
    balance: Annotated[float, Form()],
) -> Response:  # fmt: skip
    """Change the name of a topic and what its reader wants."""
    topic = desk.topic(number)
    desk.workspace.change_topic(topic.name, new=name.strip(), per_day=per_day, balance=balance, who=person.name)
    return to(f"/topics/{number}#settings")


@router.post("/topics/{number}/webhook")
def set_webhook(
    request: Request, desk: TheDesk, person: Admin, number: Number, address: Annotated[str, Form(max_length=2000)] = ""
) -> Response:
    """Set where delivered documents are posted; an empty address means nowhere."""
    topic = desk.topic(number)
    try:
        desk.set_webhook(topic, address.strip() or None, person)
    except BayesiftError as error:
        return _topic_page(request, desk, person, topic, status=400, problem=str(error))
    return to(f"/topics/{number}#settings")


@router.post("/topics/{number}/pause")
def pause(desk: TheDesk, person: Reviewer, number: Number) -> Response:
    """Pause a topic, or let it go on."""
    topic = desk.topic(number)
    change = desk.workspace.resume_topic if topic.paused else desk.workspace.pause_topic
    change(topic.name, who=person.name)
    return to(f"/topics/{number}#settings")


@router.post("/topics/{number}/delete")
def delete(desk: TheDesk, person: Reviewer, number: Number, confirm: Annotated[str, Form()]) -> Response:
    """Remove a topic whose name was typed."""
    topic = desk.topic(number)
    if confirm.strip() != topic.name.strip():
        raise BadInput("the name that was typed is not the topic's", remedy=f"type: {topic.name}")
    desk.workspace.remove_topic(topic.name, who=person.name)
    return to("/")


@router.get("/topics/{number}/export.json")
def export_topic(desk: TheDesk, person: Reader, number: Number) -> Response:
    """Return a topic as a file."""
    topic = desk.topic(number)
    safe = quote(topic.name, safe="")
    return JSONResponse(
        desk.workspace.export_topic(topic.name),
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{safe}.topic.json"},
    )


@router.get("/topics/{number}/feed.atom")
def feed(request: Request, desk: TheDesk, person: Reader, number: Number) -> Response:
    """Return what was delivered to a topic, for a feed reader."""
    topic = desk.topic(number)
    return Response(atom_feed(desk, topic, str(request.base_url)), media_type="application/atom+xml")
