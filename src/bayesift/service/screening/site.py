"""The pages and calls of a review."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from fastapi import FastAPI

from bayesift.service import accounts
from bayesift.service.api import changes
from bayesift.service.people import Person, this_user
from bayesift.service.screening import (
    api,
    conflicts,
    files,
    health,
    history,
    progress,
    records,
    report,
    screen,
    settings,
)
from bayesift.service.screening.desk import ScreeningDesk
from bayesift.service.site import Search, Site

MENU = (
    ("Progress", "/"),
    ("Screen", "/screen/abstract"),
    ("Records", "/records"),
    ("Conflicts", "/conflicts"),
    ("Duplicates", "/duplicates"),
    ("History", "/history"),
    ("Files", "/files"),
    ("Settings", "/settings"),
)
PAGES = (progress, screen, records, conflicts, history, files, report, settings, health, accounts)
ROLES = "A reader reads; a reviewer decides and adds records; an admin manages people and settings and exports."


def screening_site(url: str | Path) -> Site:
    """Open a review and return its pages and calls."""
    desk = ScreeningDesk.open(url)

    @contextlib.contextmanager
    def running(app: FastAPI) -> Iterator[None]:
        threading.Thread(target=desk.load, daemon=True).start()
        yield

    return Site(
        desk, desk.review.database, tuple(page.router for page in PAGES), (api.router, changes.router), MENU,
        Search("/records", "records"), "screening", api.DESCRIPTION, ROLES, running, local_person(),
    )  # fmt: skip


def local_person() -> Person:
    """Return who decides while nobody has an account: the user, as in the terminal."""
    return Person(this_user(), "admin")
