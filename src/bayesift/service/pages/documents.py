"""All documents and a search in them, one document, and a text to try."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from bayesift.filtering.store.documents import last_number
from bayesift.filtering.store.listings import newest_documents
from bayesift.filtering.store.search import search
from bayesift.service import queries, views
from bayesift.service.desk import Desk
from bayesift.service.forms import Before, Reader
from bayesift.service.marks import marked
from bayesift.service.pages.common import TheDesk
from bayesift.service.queries import TopicRow
from bayesift.service.rendering import render

LISTED = 50  # documents of a page

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/documents")
def documents(
    request: Request, desk: TheDesk, person: Reader, q: str = "", topic: str | None = None, before: Before = None
) -> Response:
    """Show all documents, or those with some words, and what a topic did with each."""
    with desk.reading() as connection:
        rows, last = queries.all_topics(connection), last_number(connection)
        found = search(connection, q, LISTED) if q.strip() else newest_documents(connection, before, LISTED)
    first = rows[0] if q.strip() and rows and topic is None else None  # the search field of every page asks for none
    chosen = next((t for t in rows if t.name == topic), first)
    here = {"q": q, "topic": chosen.name if chosen else ""}
    more = {**here, "before": found[-1].number} if len(found) == LISTED and not q.strip() else None
    shown: dict[str, Any] = {
        "rows": _listed(desk, chosen, found), "topics": [t.name for t in rows], "topic": here["topic"], "query": q,
        "total": last, "back": f"/documents?{urlencode(here)}",
        "older": f"/documents?{urlencode(more)}" if more else None,
    }  # fmt: skip
    return render(request, "documents.html", person, **shown)


def _listed(desk: Desk, topic: TopicRow | None, found: list[Any]) -> list[dict[str, Any]]:
    if topic is None:
        return [
            {"title": views.title_of(d), "date": d.date, "source": d.source, "anchor": f"d{d.number}",
             "address": views.document_address(d.id)} for d in found
        ]  # fmt: skip
    with desk.together(), desk.reading() as connection:
        states = queries.states_of(connection, topic.number, [d.number for d in found])
        return [_as_seen(desk, topic, d, states.get(d.number)) for d in found]


def _as_seen(desk: Desk, topic: TopicRow, document: Any, state: tuple[str, str] | None) -> dict[str, Any]:
    answer = desk.answer(topic, document.id)
    judged = "judged relevant" if answer else "judged not relevant"
    said = "passed over when it came" if state is None else f"{state[0]}, {judged if answer is not None else state[1]}"
    view = {"state": said, "judged": answer, "judge": f"/topics/{topic.number}/judge"}
    return views.row_view(desk.explain(topic, document), document, **view)


@router.get("/documents/{id:path}")
def document(
    request: Request, desk: TheDesk, person: Reader, id: str, named: Annotated[str, Query(alias="id")] = ""
) -> Response:
    """Show a document and how each topic sees it."""
    with desk.together(), desk.reading() as connection:
        stored = desk.document(id or named)
        states = queries.states_by_topic(connection, stored.number)
        found: list[dict[str, Any]] = [
            _as_seen(desk, topic, stored, states.get(topic.number))
            | {"topic": topic.name, "page": f"/topics/{topic.number}"}
            for topic in desk.topics()
        ]
    found.sort(key=lambda row: -row["probability"])
    best: tuple[str, dict[str, float]] = next(
        ((row["topic"], dict(row["why"])) for row in found if row["why"]), ("", {})
    )
    shown = {
        "id": stored.id, "title": views.title_of(stored),
        "facts": [fact for fact in (stored.id, stored.date, stored.source) if fact],
        "url": views.web_address(stored.url), "title_html": marked(stored.title or stored.id, {}),
        "body_html": marked(views.text_of(stored), best[1]),
    }  # fmt: skip
    back = views.document_address(stored.id)
    return render(
        request, "document.html", person, document=shown, found=found, judging=True, back=back, marked_by=best[0]
    )


@router.get("/try")
def try_page(request: Request, person: Reader) -> Response:
    """Show the form for a text."""
    return render(request, "try.html", person, text="", found=None)


@router.post("/try")
def try_text(
    request: Request, desk: TheDesk, person: Reader, text: Annotated[str, Form(max_length=1_000_000)]
) -> Response:
    """Show how each topic sees a text."""
    number = {topic.name: topic.number for topic in desk.topics()}
    found = [
        {"topic": item.topic, "page": f"/topics/{number[item.topic]}", "probability": item.probability,
         "range": views.interval(item), "because": views.because(item), "state": ""}
        for item in desk.try_text(text)
    ]  # fmt: skip
    return render(request, "try.html", person, text=text, found=found, judging=False)
