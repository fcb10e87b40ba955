"""The inbox of a topic and judgements: answers, changed ones, undo, and why a document is seen as it is."""

from __future__ import annotations

from typing import Any

from pydantic import Field, StrictBool

from bayesift.errors import BadInput
from bayesift.service.api.common import Id, Limit, RequestBody, new_router
from bayesift.service.forms import Before, Number, Reader, Reviewer
from bayesift.service.pages.common import TheDesk

router = new_router()


class JudgementIn(RequestBody):
    """An answer. One that differs from an earlier answer replaces it."""

    document: Id
    relevant: StrictBool
    note: str | None = Field(None, max_length=2000)


@router.get("/topics/{number}/inbox")
def get_inbox(desk: TheDesk, person: Reader, number: Number, limit: Limit = 50) -> dict[str, Any]:
    """Return what waits for an answer, best first."""
    return {"items": [item.to_dict() for item in desk.inbox(desk.topic(number), limit)]}


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
    """Undo the last change, with accounts the person's own, and return it; repeatable."""
    event = desk.undo(desk.topic(number), person)
    return {"undone": type(event).__struct_config__.tag, "document": getattr(event, "document", None)}


@router.get("/topics/{number}/explain/{document:path}")
def explain(desk: TheDesk, person: Reader, number: Number, document: str) -> dict[str, Any]:
    """Return how a topic sees a stored document, and which words count."""
    return desk.explain(desk.topic(number), desk.document(document)).to_dict()
