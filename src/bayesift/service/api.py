"""The API: the same calls as the pages, as JSON. Errors are problem+json; a topic is known by its number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask

from bayesift.errors import BadInput
from bayesift.filtering.items import Item
from bayesift.filtering.store.documents import StoredDocument
from bayesift.service import queries, views
from bayesift.service.access import requires
from bayesift.service.pages import TheDesk
from bayesift.service.people import Person

DESCRIPTION = (
    "Documents in, topics, inbox, judgements and search of a bayesift workspace. On this machine no account is needed; "
    "elsewhere send a token: `Authorization: Bearer TOKEN` (`bayesift user token NAME`)."
)
LONGEST = 2_000_000  # characters of a text
SAFE_TEXT = r"^[^\x00]*$"
Reader = Annotated[Person, Depends(requires("reader"))]
Reviewer = Annotated[Person, Depends(requires("reviewer"))]
Admin = Annotated[Person, Depends(requires("admin"))]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="Number of the topic.")]
Id = Annotated[str, Field(min_length=1, max_length=1000, pattern=SAFE_TEXT)]
Limit = Annotated[int, Query(ge=1, le=1000)]
Before = Annotated[int | None, Query(ge=1, le=2**62)]


class Problem(BaseModel):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": {"application/problem+json": {"schema": Problem.model_json_schema()}}}
    for status, text in (
        (400, "Not possible"), (401, "Not logged in"), (403, "Not allowed"), (404, "Not found"),
        (413, "Too large"), (422, "Invalid request"), (429, "Too many requests"), (503, "The database does not answer"),
    )
}  # fmt: skip
LINES = {"requestBody": {"required": True, "content": {"application/x-ndjson": {"schema": {"type": "string"}}}}}
router = APIRouter(tags=["bayesift"], responses=ERRORS)


class DocumentIn(BaseModel):
    """A document: a text, or a title and a body. Without an id it gets one that depends on its text."""

    id: Id | None = None
    title: str = Field("", max_length=10_000)
    body: str = Field("", max_length=LONGEST)
    date: str | None = Field(None, max_length=40)
    url: str | None = Field(None, max_length=2000)
    source: str | None = Field(None, max_length=200)

    def as_dict(self) -> dict[str, Any]:
        """Return what `Workspace.process` takes."""
        return {name: value for name, value in self.model_dump().items() if value not in (None, "")}


class StartIn(BaseModel):
    """What a topic starts from: a statement, words (mean and deviation of their weights), examples, or several."""

    about: str | None = Field(None, max_length=5000)
    words: dict[str, tuple[float, float]] = Field(default_factory=dict)
    examples: list[str] = Field(default_factory=list, max_length=100)


class TopicIn(StartIn):
    """A new topic, from any of these, or from one that was exported."""

    name: str = Field(min_length=1, max_length=80)
    exported: dict[str, Any] | None = None


class TopicChange(BaseModel):
    """What to change of a topic."""

    name: str | None = Field(None, min_length=1, max_length=80)
    per_day: int | None = Field(None, ge=1, le=10_000)
    balance: float | None = Field(None, gt=0, lt=1)
    paused: bool | None = None


class JudgementIn(BaseModel):
    """An answer. One that differs from an earlier answer replaces it."""

    document: Id
    relevant: bool
    note: str | None = Field(None, max_length=2000)


class WordsIn(BaseModel):
    """The words that a person sets for a topic, instead of those set before."""

    words: dict[str, tuple[float, float]]


class WebhookIn(BaseModel):
    """Where delivered documents of a topic are posted; None ends it."""

    address: str | None = Field(None, max_length=2000)


@router.get("/docs", include_in_schema=False)
def docs(request: Request, person: Reader) -> Response:
    """Show the calls of the API."""
    from bayesift.service.rendering import render

    calls = [
        {"method": method.upper(), "path": path, "text": views.with_code(about.get("description", ""))}
        for path, methods in request.app.openapi()["paths"].items() for method, about in methods.items()
    ]  # fmt: skip
    return render(request, "api.html", person, calls=calls, description=views.with_code(DESCRIPTION))


@router.post("/documents", status_code=201)
def add_documents(
    request: Request, desk: TheDesk, person: Reviewer, documents: DocumentIn | list[DocumentIn]
) -> dict[str, Any]:
    """Store one document or several, decide about them, and return what is shown; one that is stored stays as it is."""
    given = documents if isinstance(documents, list) else [documents]
    return _added(request, desk, [document.as_dict() for document in given])


@router.post("/documents/lines", status_code=201, openapi_extra=LINES)
async def add_lines(request: Request, desk: TheDesk, person: Reviewer) -> dict[str, Any]:
    """Store documents that come as JSON lines."""
    from starlette.concurrency import run_in_threadpool

    body = await request.body()
    return await run_in_threadpool(lambda: _added(request, desk, list(_lines(body))))


def _lines(body: bytes) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(body.splitlines(), 1):
        if line.strip():
            try:
                yield DocumentIn.model_validate(msgspec.json.decode(line)).as_dict()
            except ValueError as error:
                reason = str(error).replace("\n", "; ")[:200]
                raise BadInput(
                    f"line {number} is not a document: {reason}", remedy="send one JSON object per line"
                ) from None


def _added(request: Request, desk: Any, documents: list[dict[str, Any]]) -> dict[str, Any]:
    added, items = desk.add_documents(documents)
    return {"received": len(documents), "added": added, "shown": [item.to_dict() for item in items]}


@router.get("/documents")
def list_documents(desk: TheDesk, person: Reader, before: Before = None, limit: Limit = 50) -> dict[str, Any]:
    """Return documents, the newest first; `next` is the value of `before` for the next page."""
    with desk.reading() as connection:
        found = queries.page_of_documents(connection, before, limit)
    return {
        "documents": [_document(d, text=False) for d in found],
        "next": found[-1].number if len(found) == limit else None,
    }


@router.get("/documents/{id:path}")
def get_document(desk: TheDesk, person: Reader, id: str) -> dict[str, Any]:
    """Return a document with its text."""
    return _document(desk.document(id), text=True)


@router.get("/search")
def search(
    desk: TheDesk, person: Reader, q: Annotated[str, Query(max_length=200)], limit: Limit = 20
) -> dict[str, Any]:
    """Return the documents that have all these words, the best first."""
    return {"documents": [_document(d, text=False) for d in desk.workspace.search(q, limit)]}


@router.post("/try")
def try_text(desk: TheDesk, person: Reader, document: DocumentIn) -> dict[str, Any]:
    """Return how each topic sees a text; nothing is stored or learned."""
    return {"topics": [_item(i) for i in desk.try_text(f"{document.title}\n{document.body}".strip())]}


@router.get("/topics")
def list_topics(desk: TheDesk, person: Reader) -> dict[str, Any]:
    """Return all topics."""
    return {"topics": [_topic(desk, topic) for topic in desk.topics()]}


@router.post("/topics", status_code=201)
def add_topic(desk: TheDesk, person: Reviewer, topic: TopicIn) -> dict[str, Any]:
    """Add a topic."""
    name = topic.name.strip()
    start = topic.model_dump(exclude={"name"})
    desk.workspace.add_topic(name, who=person.name, **{key: value for key, value in start.items() if value})
    return _topic(desk, desk.topic(desk.number_of(name)))


@router.post("/topics/preview")
def preview_topic(desk: TheDesk, person: Reviewer, start: StartIn) -> dict[str, Any]:
    """Return the best stored documents for a topic that is not saved."""
    best, looked = desk.preview(**{key: value for key, value in start.model_dump().items() if value})
    return {"documents": [_item(item) | {"document": d.id} for item, d in best], "searched": looked}


@router.get("/topics/{number}")
def get_topic(desk: TheDesk, person: Reader, number: Number) -> dict[str, Any]:
    """Return a topic."""
    return _topic(desk, desk.topic(number))


@router.patch("/topics/{number}")
def change_topic(desk: TheDesk, person: Reviewer, number: Number, change: TopicChange) -> dict[str, Any]:
    """Rename, pause or resume a topic, or change what its reader wants."""
    topic = desk.topic(number)
    if change.paused is not None and change.paused != topic.paused:
        set_paused = desk.workspace.pause_topic if change.paused else desk.workspace.resume_topic
        set_paused(topic.name, who=person.name)
    if change.per_day is not None or change.balance is not None:
        desk.workspace.set_topic(topic.name, per_day=change.per_day, balance=change.balance, who=person.name)
    if change.name is not None and change.name.strip() != topic.name:
        desk.workspace.rename_topic(topic.name, change.name.strip(), who=person.name)
    return _topic(desk, desk.topic(number))


@router.delete("/topics/{number}", status_code=204)
def remove_topic(desk: TheDesk, person: Reviewer, number: Number) -> None:
    """Remove a topic; its events stay in the workspace."""
    desk.workspace.remove_topic(desk.topic(number).name, who=person.name)


@router.get("/topics/{number}/inbox")
def inbox(desk: TheDesk, person: Reader, number: Number, limit: Limit = 50) -> dict[str, Any]:
    """Return what waits for an answer, best first."""
    return {"items": [_item(item) for item in desk.inbox(desk.topic(number), limit)]}


@router.post("/topics/{number}/judgements", status_code=201)
def judge(
    desk: TheDesk, person: Reviewer, number: Number, judgements: JudgementIn | list[JudgementIn]
) -> dict[str, Any]:
    """Learn from answers, in their order; each is in the database before the next one is looked at."""
    topic, wrong = desk.topic(number), []
    given = judgements if isinstance(judgements, list) else [judgements]
    for answer in given:
        try:
            desk.judge(topic, answer.document, answer.relevant, person, answer.note)
        except BadInput as error:
            if len(given) == 1:
                raise
            wrong.append({"document": answer.document, "detail": str(error)})
    return {"learned": len(given) - len(wrong), "refused": wrong}


@router.get("/topics/{number}/judgements")
def list_judgements(
    desk: TheDesk, person: Reader, number: Number, before: Before = None, limit: Limit = 50
) -> dict[str, Any]:
    """Return the answers that count, the last first; `next` is the value of `before` for the next page."""
    found = desk.history(desk.topic(number), before, limit)
    return {"judgements": [j._asdict() for j in found], "next": found[-1].number if len(found) == limit else None}


@router.delete("/topics/{number}/judgements/{document:path}", status_code=204)
def withdraw(desk: TheDesk, person: Reviewer, number: Number, document: str) -> None:
    """Remove an answer: it is then as if it had never come."""
    desk.withdraw(desk.topic(number), document, person)


@router.post("/topics/{number}/undo")
def undo(desk: TheDesk, person: Reviewer, number: Number) -> dict[str, Any]:
    """Undo the last change, and return it; repeatable."""
    event = desk.undo(desk.topic(number), person)
    return {"undone": type(event).__struct_config__.tag, "document": getattr(event, "document", None)}


@router.get("/topics/{number}/explain/{document:path}")
def explain(desk: TheDesk, person: Reader, number: Number, document: str) -> dict[str, Any]:
    """Return how a topic sees a stored document, and which words count."""
    return _item(desk.explain(desk.topic(number), desk.document(document)))


@router.get("/topics/{number}/words")
def words(desk: TheDesk, person: Reader, number: Number) -> dict[str, Any]:
    """Return the words of a topic with weights, deviations, and what a person has set."""
    return {"words": views.words_view(desk, desk.topic(number).name)}


@router.put("/topics/{number}/words")
def set_words(desk: TheDesk, person: Reviewer, number: Number, given: WordsIn) -> dict[str, Any]:
    """Set words of a topic, as prior knowledge."""
    name = desk.topic(number).name
    desk.workspace.edit_words(name, given.words, who=person.name)
    return {"words": views.words_view(desk, name)}


@router.get("/topics/{number}/statistics")
def statistics(desk: TheDesk, person: Reader, number: Number) -> dict[str, Any]:
    """Return what was shown and judged on each of the last days."""
    return {"days": [day._asdict() for day in queries.all_days(desk.days(desk.topic(number)))]}


@router.get("/topics/{number}/export")
def export_topic(desk: TheDesk, person: Reader, number: Number) -> dict[str, Any]:
    """Return a topic as JSON, for `exported` of a new topic here or elsewhere."""
    return desk.workspace.export_topic(desk.topic(number).name)


@router.put("/topics/{number}/webhook")
def set_webhook(desk: TheDesk, person: Admin, number: Number, hook: WebhookIn) -> dict[str, Any]:
    """Set where delivered documents of a topic are posted."""
    desk.set_webhook(desk.topic(number), hook.address)
    return {"address": hook.address}


@router.get("/topics/{number}/webhook")
def get_webhook(desk: TheDesk, person: Reader, number: Number) -> dict[str, Any]:
    """Return where delivered documents of a topic are posted, and the last error."""
    return desk.webhook(desk.topic(number))._asdict()


@router.get("/export", response_class=FileResponse)
def export(desk: TheDesk, person: Admin) -> Response:
    """Return the whole workspace, for `bayesift filter import`."""
    import tempfile
    from pathlib import Path as File

    folder = tempfile.mkdtemp(prefix="bayesift-export-")
    path = File(folder) / "workspace.jsonl.zst"

    def remove() -> None:
        path.unlink(missing_ok=True)
        File(folder).rmdir()

    try:
        desk.workspace.export(path)
    except BaseException:
        remove()
        raise
    return FileResponse(
        path, filename="workspace.jsonl.zst", media_type="application/zstd", background=BackgroundTask(remove)
    )


def _document(document: StoredDocument, *, text: bool) -> dict[str, Any]:
    about = {
        "id": document.id, "number": document.number, "title": document.title, "date": document.date,
        "source": document.source, "url": document.url, "added": document.added,
    }  # fmt: skip
    return about | ({"body": document.body} if text else {})


def _topic(desk: Any, topic: queries.TopicRow) -> dict[str, Any]:
    own = desk.workspace.filter_of(topic.name)
    about, per_day, balance = views.topic_settings(own, topic.name)
    with desk.reading() as connection:
        waiting = queries.waiting_counts(connection).get(topic.number, 0)
    return {
        "number": topic.number, "name": topic.name, "about": about, "paused": topic.paused, "waiting": waiting,
        "per_day": per_day, "balance": balance,
    }  # fmt: skip


def _item(item: Item) -> dict[str, Any]:
    return item.to_dict()
