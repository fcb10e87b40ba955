"""The API of a review: read the next record, decide, undo, look at the progress, search and export."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path, Query, Request
from fastapi.responses import FileResponse, Response
from pydantic import Field

from bayesift.filtering.screening.records import Record
from bayesift.filtering.screening.store.views import Opinion, ToRead
from bayesift.service.api.common import SAFE_TEXT, Id, RequestBody, new_router
from bayesift.service.forms import Admin, Reader, Reviewer
from bayesift.service.rendering import render
from bayesift.service.screening.desk import TheDesk
from bayesift.service.screening.files import export_file
from bayesift.service.screening.history import in_words
from bayesift.service.views import with_code

DESCRIPTION = (
    "Records, decisions and progress of a bayesift review. On this machine no account is needed; elsewhere send a "
    "token: `Authorization: Bearer TOKEN` (`bayesift user token REVIEW NAME`). Decisions are those of its owner."
)
ListName = Literal["abstract", "full-text"]
Decision = Literal["include", "exclude", "maybe"]
Order = Literal["ranked", "random", "date"]
Tags = Annotated[list[Annotated[str, Field(max_length=100, pattern=SAFE_TEXT)]], Field(max_length=50)]
Count = Annotated[int, Query(ge=1, le=100)]

router = new_router()


class DecisionIn(RequestBody):
    """A decision about a record."""

    record: Id
    decision: Decision
    list: ListName = "abstract"
    reason: str | None = Field(None, max_length=200, pattern=SAFE_TEXT)
    note: str | None = Field(None, max_length=10_000, pattern=SAFE_TEXT)
    tags: Tags = Field(default_factory=lambda: [])


@router.get("/docs", include_in_schema=False)
def docs(request: Request, person: Reader) -> Response:
    """Show the calls of the API."""
    calls = [
        {"method": method.upper(), "path": path, "text": with_code(about.get("description", ""))}
        for path, methods in request.app.openapi()["paths"].items() for method, about in methods.items()
    ]  # fmt: skip
    return render(request, "api.html", person, calls=calls, description=with_code(DESCRIPTION))


@router.get("/progress")
def get_progress(desk: TheDesk, person: Reader, list: ListName = "abstract") -> dict[str, Any]:
    """Return how far a list has come, the estimate of what is left, and the stopping rule's state."""
    found = desk.review.progress(list, person.name)
    counts = ("records", "read", "included", "excluded", "maybe", "waiting", "conflicts", "unread", "mine", "left")
    left, rule = found.remaining, found.stopping
    return {"list": list} | {name: getattr(found, name) for name in counts} | {
        "remaining": left and {"mean": left.mean, "low": left.low, "high": left.high, "level": left.level},
        "stopping": rule and {"stop": rule.stop, "sentence": rule.sentence},
    }  # fmt: skip


@router.get("/next")
def get_next_records(
    desk: TheDesk, person: Reader, list: ListName = "abstract", order: Order = "ranked", count: Count = 1
) -> dict[str, Any]:
    """Return the records to read next, the first one first."""
    look = not person.may("reviewer")
    found = desk.review.next(list, who=person.name, order=order, count=count, look=look)
    return {"items": [_to_read(item) for item in found]}


@router.post("/decisions")
def decide(desk: TheDesk, person: Reviewer, given: DecisionIn) -> dict[str, Any]:
    """Store a decision; it replaces what the person decided about the record before."""
    about = {"reason": given.reason, "note": given.note, "tags": given.tags}
    desk.decide(given.record, given.decision, person, given.list, **about)
    return {"record": given.record, "list": given.list, "decision": given.decision}


@router.post("/undo")
def undo(desk: TheDesk, person: Reviewer) -> dict[str, Any]:
    """Undo the person's last step, and return it; repeatable without limit."""
    step = desk.undo(person)
    number = getattr(step.event, "record", None)
    record = None if number is None else desk.records_of([number])[number].id
    return {"step": step.number, "record": record, "what": in_words(step.event)}


@router.get("/search")
def search(
    desk: TheDesk, person: Reader, q: Annotated[str, Query(max_length=200)], limit: Count = 20
) -> dict[str, Any]:
    """Return the records that have all these words, the best match first."""
    found = desk.review.search(q, limit=limit, who=person.name)
    return {"items": [record_json(seen.record) | {"status": seen.status} for seen in found]}


@router.get("/records/{id:path}")
def get_record(
    desk: TheDesk, person: Reader, id: Annotated[str, Path(min_length=1, max_length=1000)]
) -> dict[str, Any]:
    """Return a record and the decisions about it that the person may see."""
    seen = desk.review.record(id, who=person.name)
    said = {list: [_opinion(o) for o in found] for list, found in seen.opinions.items()}
    return record_json(seen.record) | {"status": seen.status, "decisions": said, "hidden": seen.hidden}


@router.get("/export/{name}", response_class=FileResponse)
def export(desk: TheDesk, person: Admin, name: Literal["records.ris", "records.csv", "review.jsonl.zst"]) -> Response:
    """Return the records with their decisions, or the whole review for `bayesift screen import`."""
    return export_file(desk, name)


def record_json(record: Record) -> dict[str, Any]:
    """Return a record as JSON."""
    return {
        "id": record.id, "title": record.title, "abstract": record.abstract, "authors": record.authors,
        "year": record.year, "journal": record.journal, "doi": record.doi, "pmid": record.pmid,
        "keywords": record.keywords, "url": record.url, "file": record.source,
    }  # fmt: skip


def _to_read(item: ToRead) -> dict[str, Any]:
    return record_json(item.record) | {
        "probability": item.probability, "source": item.source, "words_for": item.words_for,
        "words_against": item.words_against, "mine": item.mine and _opinion(item.mine),
    }  # fmt: skip


def _opinion(opinion: Opinion) -> dict[str, Any]:
    return {
        "who": opinion.who, "decision": opinion.decision, "reason": opinion.reason, "note": opinion.note,
        "tags": opinion.tags, "time": opinion.time, "settled": opinion.settled,
    }  # fmt: skip
