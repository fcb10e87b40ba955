"""The pages: lists of topics and documents, the inbox, a topic, a text to try.

Every change is a form that is posted and answered by a redirection, so that pages work without the script; the script
sends the same forms and asks for the inbox only (`X-Fragment`).
"""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from bayesift.errors import BadInput, BayesiftError
from bayesift.service import queries, views
from bayesift.service.access import inside, requires
from bayesift.service.atom import atom_feed
from bayesift.service.charts import asked_by_week, charts_of
from bayesift.service.desk import Desk, examples_of, words_of
from bayesift.service.marks import marked
from bayesift.service.people import Person
from bayesift.service.queries import TopicRow
from bayesift.service.rendering import render
from bayesift.service.views import TopicView

QUEUE = 50  # waiting documents in the list
LISTED = 50  # documents of a page
FORBIDDEN = (0.0, views.FORBIDDEN_SD)  # a word that counts for nothing
LARGEST_FILE = 2 << 20  # bytes of an example

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)
Reader = Annotated[Person, Depends(requires("reader"))]
Reviewer = Annotated[Person, Depends(requires("reviewer"))]
Admin = Annotated[Person, Depends(requires("admin"))]


def desk_of(request: Request) -> Desk:
    """Return the desk of the application."""
    found: Desk = request.app.state.desk
    return found


TheDesk = Annotated[Desk, Depends(desk_of)]


@router.get("/")
def topics(request: Request, desk: TheDesk, person: Reader) -> Response:
    """Show all topics at a glance."""
    with desk.reading() as connection:
        rows, waiting = queries.all_topics(connection), queries.waiting_counts(connection)
        days, last = queries.days_of(connection), queries.page_of_documents(connection, None, 1)
    found = [views.topic_view(desk, t, days.get(t.number, []), waiting.get(t.number, 0)) for t in rows]
    return render(request, "topics.html", person, topics=found, documents=last[0].number if last else 0)


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
    except BayesiftError as error:
        return render(request, "new_topic.html", person, 400, given=given, preview=None, problem=str(error))
    found = [views.row_view(item, stored) for item, stored in best]
    return render(request, "new_topic.html", person, given=given, preview=found, searched=searched)


_GIVEN = {"name": "", "about": "", "words": "", "examples": ""}


@router.get("/topics/{number}/inbox")
def inbox(request: Request, desk: TheDesk, person: Reader, number: int, at: str | None = None) -> Response:
    """Show what waits: the list, one document, and the next one in advance."""
    return _inbox(request, desk, person, desk.topic(number), at)


def _inbox(request: Request, desk: Desk, person: Person, topic: TopicRow, at: str | None) -> Response:
    view, ranked = _view(desk, topic), desk.workspace.ranking(topic.name)
    place = next((i for i, outcome in enumerate(ranked) if outcome.document == at), 0)
    shown: dict[str, Any] = {"items": [], "current": None, "following": None}
    if ranked:
        after = [*[outcome.document for outcome in [*ranked[place + 1 :], *ranked[:place]]][:2], None, None]
        first = max(0, min(place - QUEUE // 2, len(ranked) - QUEUE))
        listed = ranked[first : first + QUEUE]
        titles = desk.titles(outcome.document for outcome in listed)
        shown["items"] = [
            {"document": o.document, "title": titles.get(o.document) or o.document, "kind": o.source,
             "probability": o.probability, "address": _at(view, o.document)} for o in listed
        ]  # fmt: skip
        shown["more"] = len(ranked) - len(listed)
        shown["current"] = _document(desk, view, ranked[place].document, after[0])
        shown["following"] = _document(desk, view, after[0], after[1]) if after[0] else None
    template = "_work.html" if request.headers.get("x-fragment") else "inbox.html"
    return render(request, template, person, topic=view, waiting=len(ranked), **shown)


def _document(desk: Desk, view: TopicView, document: str, following: str | None) -> views.DocumentView:
    item = desk.workspace.explain(view.name, document)
    return views.document_view(item, desk.workspace.document(document), view, following)


def _at(view: TopicView, document: str) -> str:
    return f"{view.inbox}?{urlencode({'at': document})}"


@router.post("/topics/{number}/judge")
def judge(
    request: Request, desk: TheDesk, person: Reviewer, number: int, document: Annotated[str, Form()],
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
def undo(request: Request, desk: TheDesk, person: Reviewer, number: int) -> Response:
    """Undo the last change and show its document."""
    topic = desk.topic(number)
    event = desk.undo(topic, person)
    at = getattr(event, "document", None)
    if request.headers.get("x-fragment"):
        return _inbox(request, desk, person, topic, at)
    return to(f"/topics/{number}/inbox" + (f"?{urlencode({'at': at})}" if at else ""))


@router.get("/topics/{number}")
def topic_page(request: Request, desk: TheDesk, person: Reader, number: int, before: int | None = None) -> Response:
    """Show what a topic has learned, and how well it does."""
    return _topic_page(request, desk, person, desk.topic(number), before)


def _topic_page(
    request: Request, desk: Desk, person: Person, topic: TopicRow, before: int | None = None, status: int = 200,
    **more: Any,
) -> Response:  # fmt: skip
    view, past = _view(desk, topic), desk.history(topic, before, LISTED // 2)
    history = [{**j._asdict(), "address": f"/documents/{quote(j.document, safe='')}"} for j in past]
    with desk.reading() as connection:
        questions = queries.questions_of(connection, topic.number)
    shown = {
        "charts": charts_of(queries.all_days(desk.days(topic)), desk.answers(topic)),
        "asked": asked_by_week(questions), "words": views.words_view(desk, topic.name), "history": history,
        "moved": None, "webhook": desk.webhook(topic) if person.may("admin") else None,
        "older": f"{view.page}?before={past[-1].number}#history" if len(past) == LISTED // 2 else None,
    }  # fmt: skip
    return render(request, "topic.html", person, status, topic=view, **shown | more)


@router.post("/topics/{number}/words/preview")
@router.post("/topics/{number}/words")
async def words(request: Request, desk: TheDesk, person: Reviewer, number: int) -> Response:
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
             "now": place, "address": f"/documents/{quote(now.document, safe='')}"}
            for now, then, was, place in desk.preview_words(topic, chosen)
        ]  # fmt: skip
    except BayesiftError as error:
        return _topic_page(request, desk, person, topic, status=400, problem=str(error))
    listed = views.words_view(desk, topic.name, chosen)
    return _topic_page(request, desk, person, topic, moved=moved, words=listed)


def edited_words(given: dict[str, str]) -> dict[str, tuple[float, float]]:
    """Return the words of the form: those set, the new one, and forbidden ones.

    >>> edited_words({"set:wheat": "1.5", "set:oil": "", "forbid:spam": "on", "new": "corn", "new_weight": "2"})
    {'wheat': (1.5, 0.5), 'spam': (0.0, 0.001), 'corn': (2.0, 0.5)}
    """
    found: dict[str, tuple[float, float]] = {}
    pairs = [(name.removeprefix("set:"), value) for name, value in given.items() if name.startswith("set:")]
    if given.get("new", "").strip():
        pairs.append((given["new"].strip(), given.get("new_weight", "") or "1"))
    forbidden = {name.removeprefix("forbid:"): FORBIDDEN for name in given if name.startswith("forbid:")}
    for word, value in pairs:
        if value.strip() and word not in forbidden:
            try:
                found[word] = (float(value), 0.5)
            except ValueError:
                raise BadInput(f"the weight of {word[:40]!r} is {value[:20]!r}", remedy="give a number") from None
    new = {word: pair for word, pair in found.items() if word not in dict(pairs[:-1])}
    return {w: p for w, p in found.items() if w not in new} | forbidden | new


@router.post("/topics/{number}/revise")
def revise(
    desk: TheDesk,
    person: Reviewer,
    number: int,
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
    desk: TheDesk, person: Reviewer, number: int, name: Annotated[str, Form()], per_day: Annotated[int, Form()],
    balance: Annotated[float, Form()],
) -> Response:  # fmt: skip
    """Change the name of a topic and what its reader wants."""
    topic = desk.topic(number)
    desk.set_topic(topic, name.strip(), per_day, balance, person)
    return to(f"/topics/{number}#settings")


@router.post("/topics/{number}/webhook")
def set_webhook(
    request: Request, desk: TheDesk, person: Admin, number: int, address: Annotated[str, Form(max_length=2000)] = ""
) -> Response:
    """Set where delivered documents are posted; an empty address means nowhere."""
    topic = desk.topic(number)
    try:
        desk.set_webhook(topic, address.strip() or None)
    except BayesiftError as error:
        return _topic_page(request, desk, person, topic, status=400, problem=str(error))
    return to(f"/topics/{number}#settings")


@router.post("/topics/{number}/pause")
def pause(desk: TheDesk, person: Reviewer, number: int) -> Response:
    """Pause a topic, or let it go on."""
    topic = desk.topic(number)
    change = desk.workspace.resume_topic if topic.paused else desk.workspace.pause_topic
    change(topic.name, who=person.name)
    return to(f"/topics/{number}#settings")


@router.post("/topics/{number}/delete")
def delete(desk: TheDesk, person: Reviewer, number: int, confirm: Annotated[str, Form()]) -> Response:
    """Remove a topic whose name was typed."""
    topic = desk.topic(number)
    if confirm.strip() != topic.name:
        raise BadInput("the name that was typed is not the topic's", remedy=f"type: {topic.name}")
    desk.workspace.remove_topic(topic.name, who=person.name)
    return to("/")


@router.get("/topics/{number}/export.json")
def export_topic(desk: TheDesk, person: Reader, number: int) -> Response:
    """Return a topic as a file."""
    topic = desk.topic(number)
    safe = quote(topic.name, safe="")
    return JSONResponse(
        desk.workspace.export_topic(topic.name),
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{safe}.topic.json"},
    )


@router.get("/topics/{number}/feed.atom")
def feed(request: Request, desk: TheDesk, person: Reader, number: int) -> Response:
    """Return what was delivered to a topic, for a feed reader."""
    topic = desk.topic(number)
    return Response(atom_feed(desk, topic, str(request.base_url)), media_type="application/atom+xml")


@router.get("/documents")
def documents(
    request: Request, desk: TheDesk, person: Reader, q: str = "", topic: str = "", before: int | None = None
) -> Response:
    """Show all documents, or those with some words, and what a topic did with each."""
    with desk.reading() as connection:
        rows, last = queries.all_topics(connection), queries.page_of_documents(connection, None, 1)
        found = [] if q.strip() else queries.page_of_documents(connection, before, LISTED)
    if q.strip():
        found = desk.workspace.search(q, LISTED)
    chosen = next((t for t in rows if t.name == topic), None) or (rows[0] if q.strip() and rows else None)
    here = {"q": q, "topic": chosen.name if chosen else ""}
    more = {**here, "before": found[-1].number} if len(found) == LISTED and not q.strip() else None
    shown: dict[str, Any] = {
        "rows": _listed(desk, chosen, found), "topics": [t.name for t in rows], "topic": here["topic"], "query": q,
        "total": last[0].number if last else 0, "back": f"/documents?{urlencode(here)}",
        "older": f"/documents?{urlencode(more)}" if more else None,
    }  # fmt: skip
    return render(request, "documents.html", person, **shown)


def _listed(desk: Desk, topic: TopicRow | None, found: list[Any]) -> list[dict[str, Any]]:
    if topic is None:
        return [
            {"title": views.title_of(d), "date": d.date, "source": d.source, "anchor": f"d{d.number}",
             "address": f"/documents/{quote(d.id, safe='')}"} for d in found
        ]  # fmt: skip
    with desk.reading() as connection:
        states = queries.states_of(connection, topic.number, [d.number for d in found])
    return [_as_seen(desk, topic, d, states.get(d.number)) for d in found]


def _as_seen(desk: Desk, topic: TopicRow, document: Any, state: tuple[str, str] | None) -> dict[str, Any]:
    answer = desk.answer(topic, document.id)
    judged = "judged relevant" if answer else "judged not relevant"
    said = "passed over when it came" if state is None else f"{state[0]}, {judged if answer is not None else state[1]}"
    view = {"state": said, "judged": answer, "judge": f"/topics/{topic.number}/judge"}
    return views.row_view(desk.explain(topic, document), document, **view)


@router.get("/documents/{id:path}")
def document(request: Request, desk: TheDesk, person: Reader, id: str) -> Response:
    """Show a document and how each topic sees it."""
    stored = desk.document(id)
    found: list[dict[str, Any]] = []
    for topic in desk.topics():
        with desk.reading() as connection:
            state = queries.states_of(connection, topic.number, [stored.number]).get(stored.number)
        row = _as_seen(desk, topic, stored, state)
        found.append(row | {"topic": topic.name, "page": f"/topics/{topic.number}"})
    found.sort(key=lambda row: -row["probability"])
    best: tuple[str, dict[str, float]] = next(
        ((row["topic"], dict(row["why"])) for row in found if row["why"]), ("", {})
    )
    shown = {
        "id": stored.id, "title": views.title_of(stored),
        "facts": [fact for fact in (stored.id, stored.date, stored.source) if fact],
        "url": views.web_address(stored.url), "title_html": marked(stored.title or stored.id, {}),
        "body_html": marked(stored.body or "The text of this document has expired.", best[1]),
    }  # fmt: skip
    back = f"/documents/{quote(stored.id, safe='')}"
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
         "range": views.interval(item), "because": views.because(item), "state": "not stored"}
        for item in desk.try_text(text)
    ]  # fmt: skip
    return render(request, "try.html", person, text=text, found=found, judging=False)


def _view(desk: Desk, topic: TopicRow) -> TopicView:
    with desk.reading() as connection:
        waiting = queries.waiting_counts(connection).get(topic.number, 0)
    return views.topic_view(desk, topic, desk.days(topic), waiting)


def to(address: str) -> Response:
    """Return a redirection after a form."""
    return RedirectResponse(address, 303)
