"""What all calls of the API share: types of parameters, documented errors, and how things look as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator

from bayesift.filtering.store.documents import StoredDocument

DESCRIPTION = (
    "Documents in, topics, inbox, judgements and search of a bayesift workspace. On this machine no account is needed; "
    "elsewhere send a token: `Authorization: Bearer TOKEN` (`bayesift user token NAME`)."
)
LONGEST = 2_000_000  # characters of a text
NOT_OBJECTS = ("model_attributes_type", "model_type", "dict_type")
SAFE_TEXT = r"^[^\x00]*$"
Id = Annotated[str, Field(min_length=1, max_length=1000, pattern=SAFE_TEXT)]
Limit = Annotated[int, Query(ge=1, le=1000)]


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
        (408, "Too slow"), (413, "Too large"), (422, "Invalid request"), (429, "Too many requests"),
        (431, "Address or headers too large"), (503, "The database does not answer"),
    )
}  # fmt: skip


def new_router() -> APIRouter:
    """Return a router whose calls document the errors."""
    return APIRouter(tags=["bayesift"], responses=ERRORS)


class RequestBody(BaseModel):
    """What a request sends. Fields that it does not know are an error: a misspelt one would be lost."""

    model_config = ConfigDict(extra="forbid")


class DocumentIn(RequestBody):
    """A document: a text, or a title and a body. Without an id it gets one that depends on its text."""

    id: Id | None = None
    text: str = Field("", max_length=LONGEST)
    title: str = Field("", max_length=10_000)
    body: str = Field("", max_length=LONGEST)
    date: str | None = Field(None, max_length=40)
    url: str | None = Field(None, max_length=2000)
    source: str | None = Field(None, max_length=200)

    @model_validator(mode="after")
    def _has_text(self) -> Self:
        if self.text and self.body:
            raise ValueError("text and body; give one of them")
        if not self.full_text:
            raise ValueError("no text; give text, or title and body")
        return self

    @property
    def full_text(self) -> str:
        """Title and text."""
        return f"{self.title}\n{self.body or self.text}".strip()

    def as_dict(self) -> dict[str, Any]:
        """Return what `Workspace.process` takes."""
        given = self.model_dump(exclude={"text"}) | {"body": self.body or self.text}
        return {name: value for name, value in given.items() if value not in (None, "")}


def first_error(errors: Sequence[Any], skip: int = 0) -> str:
    """Return one of the errors that pydantic found: where it is, without the first `skip` parts, and what is wrong.

    It is the first one, or that of the form that fits best if a body may have several: the one found deepest.

    >>> first_error([{"loc": ("body", "JudgementIn", "relevant"), "msg": "wrong", "type": "bool"}], skip=1)
    'relevant: wrong'
    >>> first_error([{"loc": ("body", "JudgementIn", "Relevant"), "msg": "unknown", "type": "extra_forbidden"}], 1)
    'Relevant: unknown'
    """
    error = max(errors, key=lambda found: len(found["loc"]))
    if error["type"] == "json_invalid" and skip:
        return f"The body is not JSON: {error.get('ctx', {}).get('error', error['msg'])}"
    if error["type"] in NOT_OBJECTS:
        what = "a JSON object is expected, sent with Content-Type: application/json"
    else:
        what = error["msg"].removeprefix("Value error, ")
    place = error["loc"][skip:]
    field = len(place) - 1 if error["type"] == "extra_forbidden" else None  # whatever it looks like
    where = ".".join(str(part) for i, part in enumerate(place) if i == field or not _names_a_form(part))
    return f"{where}: {what}" if where else what


def _names_a_form(part: Any) -> bool:
    """Return whether a part of a place is pydantic's name of one of several forms, and not a field or a number."""
    return isinstance(part, str) and ("[" in part or part[:1].isupper())


def document_json(document: StoredDocument, *, text: bool) -> dict[str, Any]:
    """Return a stored document as JSON, with or without its text."""
    about = {
        "id": document.id, "number": document.number, "title": document.title, "date": document.date,
        "source": document.source, "url": document.url, "added": document.added,
    }  # fmt: skip
    return about | ({"body": document.body} if text else {})
