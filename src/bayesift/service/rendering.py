"""Templates, and the answer to an error: a page for people, problem+json for programs."""

from __future__ import annotations

import contextlib
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from bayesift import __version__
from bayesift.errors import BayesiftError
from bayesift.service.access import person_of
from bayesift.service.people import Person
from bayesift.service.views import number, percent, when

DEFAULTS: dict[str, Any] = {
    "query": "", "message": "", "problem": "", "open_why": False, "more": 0, "judging": False, "older_changes": "",
}  # fmt: skip


@cache
def environment() -> Environment:
    """Return the templates, which escape every text and know every name."""
    found = Environment(
        loader=PackageLoader("bayesift.service"), autoescape=select_autoescape(default=True), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    found.filters |= {"percent": percent, "number": number, "when": when}
    return found


def render(request: Request, template: str, person: Person | None, status: int = 200, **shown: Any) -> Response:
    """Return a page; without a person, the database is not asked."""
    accounts, site = person is not None and request.app.state.people.exist(), request.app.state.site
    menu = [*site.menu, *([("People", "/people")] if person is not None and person.may("admin") and accounts else [])]
    about = {
        "menu": menu if person else [], "here": request.url.path, "version": __version__, "site": site,
        "may_review": person is not None and person.may("reviewer"),
        "may_manage": person is not None and person.may("admin"),
        "person": person.name if person is not None and accounts else "",
    }  # fmt: skip
    html = environment().get_template(template).render(DEFAULTS | about | shown)
    return HTMLResponse(html, status, headers={"Cache-Control": "no-store"})


def problem(
    request: Request, status: int, title: str, detail: str, headers: dict[str, str] | None = None,
    knows_people: bool = True,
) -> Response:  # fmt: skip
    """Return an error: as a page where a page was asked for, else as problem+json (RFC 9457).

    Where the database, which knows people, is away, the page is that of nobody; it is not asked if that is known.
    """
    wants_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    if wants_page:
        person = None
        if knows_people:
            with contextlib.suppress(Exception if status == 500 else BayesiftError):
                person = person_of(request)
        found = render(request, "error.html", person, status, title=title, detail=detail)
        found.headers.update(headers or {})
        return found
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return JSONResponse(body, status, headers, media_type="application/problem+json")
