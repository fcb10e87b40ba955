"""The application: pages, API, static files, and what happens while it runs."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.concurrency import contextmanager_in_threadpool, run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException as AnyHTTPException

from bayesift import __version__
from bayesift.display.style import SHEET
from bayesift.errors import BayesiftError, NotFound
from bayesift.filtering.store import StoreFailed
from bayesift.service.access import NotLoggedIn, requires
from bayesift.service.api.common import first_error
from bayesift.service.attempts import Attempts
from bayesift.service.changes import MOST, Changes
from bayesift.service.filter_site import filter_site
from bayesift.service.limits import HEADERS, Limits
from bayesift.service.people import People
from bayesift.service.rendering import problem
from bayesift.service.screening import screening_site
from bayesift.service.site import is_review

STATIC = {"bayesift.js": "text/javascript", "icon.svg": "image/svg+xml", "style.css": "text/css"}
AWAY = {"Retry-After": "5"}


@dataclass(frozen=True)
class ServiceSettings:
    """How the service runs.

    Parameters
    ----------
    is_local : bool
        Whether it listens on the loopback address only, and behind no proxy, so that no account is needed.
    secure : bool
        Whether it is reached by https, so that cookies are sent over https only.
    allow_private : bool
        Whether feeds and webhooks may have addresses of a private network.
    """

    is_local: bool = True
    secure: bool = False
    allow_private: bool = False


def create_app(url: str | Path, settings: ServiceSettings | None = None) -> FastAPI:
    """Return the application for a workspace: the inbox of a filter, or the screening of a review.

    Parameters
    ----------
    url : str or Path
        A workspace: a file, or postgresql://user@host/database.
    settings : ServiceSettings, optional
        How it runs.

    Raises
    ------
    NotFound, BadInput
        If the workspace is missing or not one.
    """
    site = screening_site(url) if is_review(url) else filter_site(url)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        site.desk.changes.start()
        try:
            async with contextmanager_in_threadpool(site.running(app)):  # to end it may wait for the network
                try:
                    yield
                finally:
                    site.desk.changes.stop()
        finally:
            await run_in_threadpool(site.desk.close)

    app = FastAPI(
        title="bayesift", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json", description=site.description,
    )  # fmt: skip
    app.state.site, app.state.desk, app.state.people = site, site.desk, People(site.database)
    app.state.settings, app.state.attempts = settings or ServiceSettings(), Attempts()
    for router in site.pages:
        app.include_router(router)
    for router in site.api:
        app.include_router(router, prefix="/api")
    app.add_api_route("/static/{name}", static, include_in_schema=False)
    app.add_api_route("/changes", listen, dependencies=[Depends(requires("reader"))], include_in_schema=False)
    app.add_middleware(Limits)
    _answer_errors(app)
    return app


def static(name: str) -> Response:
    """Return the script, the style sheet or the icon."""
    if name not in STATIC:
        raise HTTPException(404, "No such file.")
    folder = files("bayesift.service") / "static"
    text = (
        SHEET + (folder / "service.css").read_text("utf-8")
        if name == "style.css"
        else (folder / name).read_text("utf-8")
    )
    return Response(text, media_type=STATIC[name], headers={"Cache-Control": "max-age=3600"})


async def listen(request: Request, topic: str | None = None) -> Response:
    """Send changes as they happen."""
    changes: Changes = request.app.state.desk.changes
    if len(changes) >= MOST:
        raise HTTPException(503, "Too many pages listen to changes.", AWAY)
    return StreamingResponse(
        changes.listen(topic),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _answer_errors(app: FastAPI) -> None:
    """Answer errors; these functions run in threads, because a page asks the database who is logged in."""

    @app.exception_handler(NotLoggedIn)
    def not_logged_in(request: Request, error: NotLoggedIn) -> Response:
        if "text/html" in request.headers.get("accept", "") and not request.headers.get("x-fragment"):
            return RedirectResponse(error.page, 303)
        return problem(request, 401, "Not logged in", str(error.detail), dict(error.headers or {}))

    @app.exception_handler(AnyHTTPException)
    def refused(request: Request, error: AnyHTTPException) -> Response:
        titles = {403: "Not allowed", 404: "Not found", 503: "Not ready yet"}
        return problem(
            request,
            error.status_code,
            titles.get(error.status_code, "Refused"),
            str(error.detail),
            dict(error.headers or {}),
        )

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        return problem(request, 422, "Invalid request", first_error(error.errors(), skip=1))  # not: body, query

    @app.exception_handler(StoreFailed)
    def away(request: Request, error: StoreFailed) -> Response:
        return problem(
            request, 503, "The database does not answer", f"{error}. Nothing that was acknowledged is lost.", AWAY,
            knows_people=False,
        )  # fmt: skip

    @app.exception_handler(BayesiftError)
    def bad_input(request: Request, error: BayesiftError) -> Response:
        missing = isinstance(error, NotFound)
        return problem(request, 404 if missing else 400, "Not found" if missing else "Not possible", str(error))

    @app.exception_handler(Exception)
    def failed(request: Request, error: Exception) -> Response:  # the server writes the error to its log
        headers = {name.decode(): value.decode() for name, value in HEADERS}  # this answer does not pass `Limits`
        detail = "The request failed. Try again; if it fails again, the log of the service says why."
        return problem(request, 500, "Something went wrong", detail, headers)

    @app.exception_handler(404)
    def no_page(request: Request, error: HTTPException) -> Response:
        return problem(request, 404, "Not found", "There is nothing at this address.")

    @app.exception_handler(405)
    def no_method(request: Request, error: HTTPException) -> Response:
        return problem(
            request, 405, "Not allowed", "This address does not take such a request.", dict(error.headers or {})
        )
