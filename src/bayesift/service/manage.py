"""Pages about the service itself: sources, health and metrics."""

from __future__ import annotations

from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from bayesift.errors import BayesiftError
from bayesift.filtering.feeds.addresses import without_login
from bayesift.filtering.store import journal
from bayesift.filtering.store.locking import CATALOGUE
from bayesift.filtering.store.schema import sources
from bayesift.service.forms import Admin, Reader, Reviewer, to
from bayesift.service.limits import LARGEST
from bayesift.service.pages.common import TheDesk
from bayesift.service.people import Person
from bayesift.service.rendering import render
from bayesift.service.uploads import documents_of_files

BAD = 20  # entries that could not be read and are named
_SOURCES = sa.select(sources).order_by(sources.c.address)

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/sources")
def sources_page(request: Request, desk: TheDesk, person: Reader, added: int | None = None) -> Response:
    """Show where documents come from."""
    return _sources(request, desk, person, message="" if added is None or added < 0 else stored(added))


def stored(added: int) -> str:
    """Return how many documents were stored, in words.

    >>> stored(1), stored(1200)
    ('1 new document stored.', '1,200 new documents stored.')
    """
    return f"{added:,} new document{'' if added == 1 else 's'} stored."


def _sources(request: Request, desk: Any, person: Person, status: int = 200, **more: Any) -> Response:
    with desk.reading() as connection:
        rows = [
            {**row._mapping, "number": number, "address": without_login(row.address)}
            for number, row in enumerate(connection.execute(_SOURCES), 1)
        ]
        changes = journal.changes(connection, journal.OF_SOURCES)
    shown = {"sources": rows, "changes": changes, "most": LARGEST >> 20, "bad": [], "more_bad": 0}
    return render(request, "sources.html", person, status, **shown | more)


@router.post("/sources")
def add_source(
    request: Request,
    desk: TheDesk,
    person: Admin,
    address: Annotated[str, Form(max_length=2000)],
    every: Annotated[int, Form(ge=1, le=10_080)],
) -> Response:
    """Add a feed or a folder that is read again and again."""
    from bayesift.filtering.feeds.sources import source_of

    address = address.strip()
    try:
        source_of(address)
    except BayesiftError as error:
        return _sources(request, desk, person, 400, problem=str(error))
    kind = "feed" if "://" in address else "folder or file"
    row = {"address": address, "kind": kind, "every": every, "last_run": None, "documents": 0, "error": None}
    with desk.workspace.database.write(CATALOGUE) as connection:
        connection.execute(sources.delete().where(sources.c.address == address))
        connection.execute(sources.insert(), row)
        journal.note(connection, "source-added", person.name, address=address, every=every)
    request.app.state.background.forget(address)
    request.app.state.background.wake()
    return to("/sources")


@router.post("/sources/remove")
def remove_source(
    request: Request, desk: TheDesk, person: Admin, number: Annotated[int, Form()], address: Annotated[str, Form()]
) -> Response:
    """Remove a feed or a folder; its documents stay.

    Its number is that of the list, whose address has no login: several may have the same.
    """
    with desk.workspace.database.write(CATALOGUE) as connection:
        own = dict(enumerate(connection.execute(_SOURCES).scalars(), 1)).get(number)
        if own is not None and without_login(own) == address:
            connection.execute(sources.delete().where(sources.c.address == own))
            journal.note(connection, "source-removed", person.name, address=own)
            request.app.state.background.forget(own)
            return to("/sources")
    problem = f"{address}: is not number {number} of the sources now; remove it from the list below"
    return _sources(request, desk, person, 400, problem=problem)


@router.post("/sources/upload")
async def upload(request: Request, desk: TheDesk, person: Reviewer) -> Response:
    """Store the documents of files."""
    from starlette.concurrency import run_in_threadpool

    async with request.form(max_files=20, max_part_size=1 << 20) as form:
        found = [(f.filename or "file", await f.read()) for f in form.getlist("files") if not isinstance(f, str)]

    def add() -> Response:
        try:
            documents, bad = documents_of_files(found)
            added, _ = desk.add_documents(documents, source="upload", person=person, way="upload")
        except BayesiftError as error:
            return _sources(request, desk, person, 400, problem=str(error))
        if bad:
            more_bad = max(0, len(bad) - BAD)
            return _sources(request, desk, person, message=stored(added), bad=bad[:BAD], more_bad=more_bad)
        return to(f"/sources?added={added}")

    return await run_in_threadpool(add)


@router.get("/health/page")
def health_page(request: Request, desk: TheDesk, person: Reader) -> Response:
    """Show the state of the service."""
    state = desk.workspace.status()
    cards = [
        ("documents", f"{state.documents:,}"), ("topics", f"{len(state.topics):,}"),
        ("waiting", f"{sum(t.waiting for t in state.topics):,}"),
        ("judged", f"{sum(t.relevant + t.irrelevant for t in state.topics):,}"),
        ("database", f"{state.bytes / 1e6:,.1f} MB"), ("open pages", f"{len(desk.changes):,}"),
    ]  # fmt: skip
    problems = [f"Group {g.number} has {g.behind:,} documents to process." for g in state.groups if g.behind]
    if ended := request.app.state.background.ended():
        problems.append(f"{ended_text(ended)}.")
    return render(request, "health.html", person, cards=cards, problems=problems)


def ended_text(ended: list[str]) -> str:
    """Return what the service no longer does, and what to do.

    >>> ended_text(["reads sources"])
    'The thread that reads sources has ended; start the service again, and look at its log'
    """
    which = f"threads that {', '.join(ended)} have" if len(ended) > 1 else f"thread that {ended[0]} has"
    return f"The {which} ended; start the service again, and look at its log"


@router.get("/health", response_class=JSONResponse)
def health(request: Request, desk: TheDesk) -> dict[str, str]:
    """Return whether the database answers and the threads of the service run; no account is needed."""
    if ended := request.app.state.background.ended():
        raise HTTPException(503, f"{ended_text(ended)}.")
    with desk.reading() as connection:
        connection.execute(sa.text("SELECT 1"))
    return {"status": "ok"}


@router.get("/metrics")
def metrics(desk: TheDesk, person: Reader) -> Response:
    """Return counts in Prometheus' text format."""
    state = desk.workspace.status()
    lines = [
        "# TYPE bayesift_documents gauge", f"bayesift_documents {state.documents}",
        "# TYPE bayesift_database_bytes gauge", f"bayesift_database_bytes {state.bytes}",
        "# TYPE bayesift_listeners gauge", f"bayesift_listeners {len(desk.changes)}",
        "# TYPE bayesift_topic_documents gauge",
    ]  # fmt: skip
    for topic in state.topics:
        name = topic.name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        for kind in ("waiting", "relevant", "irrelevant", "expired"):
            lines.append(f'bayesift_topic_documents{{topic="{name}",state="{kind}"}} {getattr(topic, kind)}')
    lines.append("# TYPE bayesift_group_behind gauge")
    lines += [f'bayesift_group_behind{{group="{g.number}"}} {g.behind}' for g in state.groups]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")
