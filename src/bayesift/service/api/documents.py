"""Documents: send, list, read, search, and try a text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Query, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from bayesift.errors import BadInput
from bayesift.filtering.store.listings import newest_documents
from bayesift.service.api.common import DocumentIn, Limit, document_json, first_error, new_router
from bayesift.service.desk import Desk
from bayesift.service.forms import Before, Reader, Reviewer
from bayesift.service.pages.common import TheDesk
from bayesift.service.people import Person

LINES = {"requestBody": {"required": True, "content": {"application/x-ndjson": {"schema": {"type": "string"}}}}}
router = new_router()


@router.post("/documents", status_code=201)
def add_documents(desk: TheDesk, person: Reviewer, documents: DocumentIn | list[DocumentIn]) -> dict[str, Any]:
    """Store one document or several, decide about them, and return what is shown; one that is stored stays as it is."""
    given = documents if isinstance(documents, list) else [documents]
    return _added(desk, person, [document.as_dict() for document in given])


@router.post("/documents/lines", status_code=201, openapi_extra=LINES)
async def add_lines(request: Request, desk: TheDesk, person: Reviewer) -> dict[str, Any]:
    """Store documents that come as JSON lines."""
    body = await request.body()
    return await run_in_threadpool(lambda: _added(desk, person, list(_lines(body))))


def _lines(body: bytes) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(body.splitlines(), 1):
        if line.strip():
            try:
                yield DocumentIn.model_validate_json(line).as_dict()
            except ValidationError as error:
                what = f"line {number} is not a document: {first_error(error.errors())}"
                raise BadInput(what, remedy="send one JSON object per line") from None


def _added(desk: Desk, person: Person, documents: list[dict[str, Any]]) -> dict[str, Any]:
    added, items = desk.add_documents(documents, person=person)
    return {"received": len(documents), "added": added, "shown": [item.to_dict() for item in items]}


@router.get("/documents")
def list_documents(desk: TheDesk, person: Reader, before: Before = None, limit: Limit = 50) -> dict[str, Any]:
    """Return documents, the newest first; `next` is the value of `before` for the next page."""
    with desk.reading() as connection:
        found = newest_documents(connection, before, limit)
    return {
        "documents": [document_json(d, text=False) for d in found],
        "next": found[-1].number if len(found) == limit else None,
    }


@router.get("/documents/{id:path}")
def get_document(desk: TheDesk, person: Reader, id: str) -> dict[str, Any]:
    """Return a document with its text."""
    return document_json(desk.document(id), text=True)


@router.get("/search")
def search(
    desk: TheDesk, person: Reader, q: Annotated[str, Query(max_length=200)], limit: Limit = 20
) -> dict[str, Any]:
    """Return the documents that have all these words, the best first."""
    return {"documents": [document_json(d, text=False) for d in desk.workspace.search(q, limit)]}


@router.post("/try")
def try_text(desk: TheDesk, person: Reader, document: DocumentIn) -> dict[str, Any]:
    """Return how each topic sees a text; nothing is stored or learned."""
    return {"topics": [i.to_dict() for i in desk.try_text(document.full_text)]}
