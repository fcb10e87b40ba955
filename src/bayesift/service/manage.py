"""Pages about the service itself: logging in, people, sources, health and metrics."""

from __future__ import annotations

import time
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from bayesift.errors import BayesiftError
from bayesift.filtering.store.locking import CATALOGUE
from bayesift.filtering.store.schema import sources
from bayesift.service import queries
from bayesift.service.access import COOKIE, check_origin, inside, requires
from bayesift.service.pages import TheDesk, to
from bayesift.service.people import SESSION_DAYS, People, Person
from bayesift.service.rendering import render
from bayesift.service.uploads import documents_of_files

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)
Admin = Annotated[Person, Depends(requires("admin"))]
Reader = Annotated[Person, Depends(requires("reader"))]
Reviewer = Annotated[Person, Depends(requires("reviewer"))]
TRIES, FORGIVEN = 10, 60.0  # failed log-ins of a client, and seconds after which they are forgotten


@router.get("/login")
def login_page(request: Request, to: str = "/") -> Response:
    """Show the form to log in."""
    return render(request, "login.html", None, to=inside(to))


@router.post("/login")
def login(
    request: Request, name: Annotated[str, Form(max_length=200)], password: Annotated[str, Form(max_length=1000)],
    to: Annotated[str, Form()] = "/",
) -> Response:  # fmt: skip
    """Log in, with a new session."""
    check_origin(request)
    client = request.client.host if request.client else ""
    failed: dict[str, list[float]] = request.app.state.__dict__.setdefault("failed", {})
    recent = [when for when in failed.get(client, []) if when > time.monotonic() - FORGIVEN]
    if len(recent) >= TRIES:
        raise HTTPException(429, "Too many attempts; wait a minute.")
    people: People = request.app.state.people
    session = people.log_in(name.strip(), password)
    if session is None:
        failed[client] = [*recent, time.monotonic()]
        return render(request, "login.html", None, 403, to=inside(to), problem="Name or password is wrong.")
    failed.pop(client, None)
    answer = RedirectResponse(inside(to), 303)
    answer.set_cookie(
        COOKIE, session, max_age=SESSION_DAYS * 86_400, httponly=True, samesite="lax",
        secure=request.app.state.settings.secure,
    )  # fmt: skip
    return answer


@router.post("/logout")
def logout(request: Request) -> Response:
    """End the session."""
    check_origin(request)
    if session := request.cookies.get(COOKIE):
        request.app.state.people.log_out(session)
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE)
    return answer


@router.get("/people")
def people_page(request: Request, desk: TheDesk, person: Admin) -> Response:
    """Show who has an account, and how far reviewers agree."""
    return _people(request, desk, person)


def _people(request: Request, desk: Any, person: Person, status: int = 200, **more: Any) -> Response:
    with desk.reading() as connection:
        judged, agreement = queries.judgements_by(connection), queries.agreement(connection)
    listed = [
        {"name": p.name, "role": p.role, "judgements": judged.get(p.name, (0, ""))[0],
         "last_seen": judged.get(p.name, (0, ""))[1]} for p in request.app.state.people.listed()
    ]  # fmt: skip
    return render(request, "people.html", person, status, people=listed, agreement=agreement, **more)


@router.post("/people")
def add_person(
    request: Request, desk: TheDesk, person: Admin, name: Annotated[str, Form()], password: Annotated[str, Form()],
    role: Annotated[str, Form()],
) -> Response:  # fmt: skip
    """Add an account; the first one is an admin's, since from then on people have to log in."""
    people: People = request.app.state.people
    if not people.exist() and role != "admin":
        return _people(request, desk, person, 400, problem="The first account must be an admin's.")
    try:
        people.add(name, password, role)
    except BayesiftError as error:
        return _people(request, desk, person, 400, problem=str(error))
    return to("/people")


@router.post("/people/remove")
def remove_person(request: Request, person: Admin, name: Annotated[str, Form()]) -> Response:
    """Remove an account."""
    request.app.state.people.remove(name)
    return to("/people")


@router.get("/sources")
def sources_page(request: Request, desk: TheDesk, person: Reader, added: int | None = None) -> Response:
    """Show where documents come from."""
    message = "" if added is None else f"{added:,} new documents stored."
    return _sources(request, desk, person, message=message)


def _sources(request: Request, desk: Any, person: Person, status: int = 200, **more: Any) -> Response:
    with desk.reading() as connection:
        rows = [dict(row._mapping) for row in connection.execute(sa.select(sources).order_by(sources.c.address))]
    return render(request, "sources.html", person, status, sources=rows, **more)


@router.post("/sources")
def add_source(
    request: Request,
    desk: TheDesk,
    person: Admin,
    address: Annotated[str, Form()],
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
    request.app.state.background.wake()
    return to("/sources")


@router.post("/sources/remove")
def remove_source(desk: TheDesk, person: Admin, address: Annotated[str, Form()]) -> Response:
    """Remove a feed or a folder; its documents stay."""
    with desk.workspace.database.write(CATALOGUE) as connection:
        connection.execute(sources.delete().where(sources.c.address == address))
    return to("/sources")


@router.post("/sources/upload")
async def upload(request: Request, desk: TheDesk, person: Reviewer) -> Response:
    """Store the documents of files."""
    from starlette.concurrency import run_in_threadpool

    async with request.form(max_files=20, max_part_size=1 << 20) as form:
        found = [(f.filename or "file", await f.read()) for f in form.getlist("files") if not isinstance(f, str)]

    def add() -> Response:
        try:
            added, _ = desk.add_documents(documents_of_files(found), source="upload")
        except BayesiftError as error:
            return _sources(request, desk, person, 400, problem=str(error))
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
    return render(request, "health.html", person, cards=cards, problems=problems)


@router.get("/health", response_class=JSONResponse)
def health(desk: TheDesk) -> dict[str, str]:
    """Return whether the database answers; no account is needed."""
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
