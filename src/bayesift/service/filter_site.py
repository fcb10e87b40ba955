"""The pages and calls of a filter's workspace."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from fastapi import FastAPI

from bayesift.service import accounts, api, manage, pages
from bayesift.service.background import Background
from bayesift.service.desk import Desk
from bayesift.service.site import Search, Site

MENU = (
    ("Topics", "/"),
    ("Documents", "/documents"),
    ("Try", "/try"),
    ("Sources", "/sources"),
    ("Health", "/health/page"),
)
ROLES = "A reader reads; a reviewer judges and edits topics; an admin manages people and sources."


def filter_site(url: str | Path) -> Site:
    """Open a workspace and return its pages and calls."""
    desk = Desk.open(url)

    @contextlib.contextmanager
    def running(app: FastAPI) -> Iterator[None]:
        desk.allow_private = app.state.settings.allow_private
        app.state.background = background = Background(desk)
        background.start()
        try:
            yield
        finally:
            background.stop()

    return Site(
        desk, desk.workspace.database, (*pages.ROUTERS, accounts.router, manage.router), api.ROUTERS, MENU,
        Search("/documents", "documents"), "filter", api.DESCRIPTION, ROLES, running,
    )  # fmt: skip
