"""Pages about people: logging in and out, accounts and roles."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from bayesift.errors import BayesiftError
from bayesift.filtering.store import journal
from bayesift.service.access import COOKIE, check_origin, check_reachable, inside
from bayesift.service.attempts import Attempts
from bayesift.service.forms import Admin, to
from bayesift.service.people import SESSION_DAYS, People, Person
from bayesift.service.rendering import render

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/login")
def login_page(request: Request, to: str = "/", lost: bool = False) -> Response:
    """Show the form to log in; `lost` says that the session ended before an answer was stored."""
    check_reachable(request)
    message = "Log in again: the last answer was not stored." if lost else ""
    return render(request, "login.html", None, to=inside(to), message=message)


@router.post("/login")
def login(
    request: Request, name: Annotated[str, Form(max_length=200)], password: Annotated[str, Form(max_length=1000)],
    to: Annotated[str, Form()] = "/",
) -> Response:  # fmt: skip
    """Log in, with a new session."""
    check_origin(request)
    client = request.client.host if request.client else ""
    attempts: Attempts = request.app.state.attempts
    name = name.strip()
    if not attempts.count(client, name):
        raise HTTPException(429, "Too many attempts; wait a minute.")
    people: People = request.app.state.people
    with attempts.checking:
        session = people.log_in(name, password)
    if session is None:
        return render(request, "login.html", None, 403, to=inside(to), problem="Name or password is wrong.")
    attempts.take_back(client, name)
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
def people_page(request: Request, person: Admin) -> Response:
    """Show who has an account, and how far reviewers agree."""
    return _people(request, person)


def _people(request: Request, person: Person, status: int = 200, **more: Any) -> Response:
    activity = request.app.state.desk.activity()
    listed = [
        {"name": p.name, "role": p.role, "judgements": activity.done.get(p.name, (0, ""))[0],
         "last_seen": activity.done.get(p.name, (0, ""))[1]} for p in request.app.state.people.listed()
    ]  # fmt: skip
    with request.app.state.site.database.read() as connection:
        changes = journal.changes(connection)
    shown = {"people": listed, "agreement": activity.agreement, "changes": changes}
    shown["roles"] = request.app.state.site.roles
    return render(request, "people.html", person, status, **shown | more)


@router.post("/people")
def add_person(
    request: Request, person: Admin, name: Annotated[str, Form()], password: Annotated[str, Form()],
    role: Annotated[str, Form()],
) -> Response:  # fmt: skip
    """Add an account; the first one is an admin's, since from then on people have to log in."""
    people: People = request.app.state.people
    if not people.exist() and role != "admin":
        return _people(request, person, 400, problem="The first account must be an admin's.")
    try:
        people.add(name, password, role, who=person.name)
    except BayesiftError as error:
        return _people(request, person, 400, problem=str(error))
    return to("/people")


@router.post("/people/remove")
def remove_person(request: Request, person: Admin, name: Annotated[str, Form()]) -> Response:
    """Remove an account."""
    request.app.state.people.remove(name, who=person.name)
    return to("/people")
