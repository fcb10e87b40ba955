"""All topics at a glance, and a new one."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from bayesift.errors import BayesiftError
from bayesift.filtering.store.documents import last_number
from bayesift.filtering.store.silence import silent_topics
from bayesift.service import queries, views
from bayesift.service.desk import Desk
from bayesift.service.forms import Reader, Reviewer, to
from bayesift.service.pages.common import TheDesk, facts_of
from bayesift.service.people import Person
from bayesift.service.rendering import render
from bayesift.service.topic_form import examples_of, joined_examples, words_of

LARGEST_FILE = 2 << 20  # bytes of an example
_GIVEN = {"name": "", "about": "", "words": "", "examples": ""}

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/")
def topics(request: Request, desk: TheDesk, person: Reader) -> Response:
    """Show all topics at a glance."""
    with desk.together(), desk.reading() as connection:
        rows, last = queries.all_topics(connection), last_number(connection)
        facts = [facts_of(desk, topic, own) for topic in rows for own in [desk.workspace.filter_of(topic.name)]]
    with desk.reading() as connection:  # others have their turn meanwhile
        days, silent = queries.days_of(connection, [topic.number for topic in rows]), silent_topics(connection)
    found = [
        views.topic_view(topic, known, days.get(topic.number, []), silent.get(topic.number))
        for topic, known in zip(rows, facts)
    ]
    return render(request, "topics.html", person, topics=found, documents=last)


@router.get("/topics/new")
def new_topic(request: Request, person: Reviewer) -> Response:
    """Show the form of a new topic."""
    return render(request, "new_topic.html", person, given=_GIVEN, preview=None)


@router.post("/topics/preview")
@router.post("/topics")
async def add_topic(request: Request, desk: TheDesk, person: Reviewer) -> Response:
    """Add a topic, or show the best stored documents for it."""
    from starlette.concurrency import run_in_threadpool

    async with request.form(max_files=50, max_part_size=2 << 20) as form:
        given = {name: str(form.get(name) or "") for name in _GIVEN}
        files = [
            (f.filename or "file", await f.read(LARGEST_FILE)) for f in form.getlist("files") if not isinstance(f, str)
        ]
    saves = request.url.path == "/topics"
    return await run_in_threadpool(_add_topic, request, desk, person, given, files, saves)


def _add_topic(
    request: Request, desk: Desk, person: Person, given: dict[str, str], files: list[tuple[str, bytes]], saves: bool
) -> Response:
    try:
        start: dict[str, Any] = {"about": given["about"].strip() or None, "words": words_of(given["words"]) or None}
        start["examples"] = examples_of(given["examples"], [file for file in files if file[1]])
        if saves:
            desk.workspace.add_topic(given["name"].strip(), who=person.name, **start)
            return to(f"/topics/{desk.number_of(given['name'].strip())}/inbox")
        best, searched = desk.preview(**start)
        given["examples"] = joined_examples(start["examples"])  # a form forgets its files
    except BayesiftError as error:
        return render(request, "new_topic.html", person, 400, given=given, preview=None, problem=str(error))
    found = [views.row_view(item, stored) for item, stored in best]
    return render(request, "new_topic.html", person, given=given, preview=found, searched=searched)
