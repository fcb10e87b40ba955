"""What one kind of workspace shows: a filter's inbox or a review's screening, behind the same access and style."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import NamedTuple, Protocol

from fastapi import APIRouter, FastAPI

from bayesift.filtering.store import migrate
from bayesift.filtering.store.database import Database
from bayesift.service.changes import Changes
from bayesift.service.people import LOCAL, Person
from bayesift.service.queries import Agreement

WAIT = 10.0  # seconds for the database


class Activity(NamedTuple):
    """What people have done: by name, how often and when last; and how far two of them agree."""

    done: dict[str, tuple[int, str]]
    agreement: list[Agreement]


class AnyDesk(Protocol):
    """What pages and API work on."""

    changes: Changes
    ready: Event  # set when what answers need is loaded, or cannot be loaded: then whoever asks hears why

    def activity(self) -> Activity:
        """Return what people have done."""

    def close(self) -> None:
        """Close the workspace."""


class Search(NamedTuple):
    """The search field of every page: where it leads, and what it finds."""

    address: str
    what: str


@dataclass(frozen=True)
class Site:
    """The pages and calls of one workspace.

    Parameters
    ----------
    desk : AnyDesk
        What they work on; it is opened.
    database : Database
        Where accounts are.
    pages, api : sequences of APIRouter
        Pages, and calls below /api.
    menu : sequence of (name, address)
        The pages that every page leads to; the first one is the home page.
    search : Search
        The search field.
    keys : str
        The set of keys of the script.
    description : str
        Of the API.
    roles : str
        What each role may do, in a sentence.
    running : callable
        Returns a context in which the application answers.
    local : Person
        Who asks, on this machine, while nobody has an account.
    """

    desk: AnyDesk
    database: Database
    pages: tuple[APIRouter, ...]
    api: tuple[APIRouter, ...]
    menu: tuple[tuple[str, str], ...]
    search: Search
    keys: str
    description: str
    roles: str
    running: Callable[[FastAPI], AbstractContextManager[None]]
    local: Person = LOCAL


def is_review(url: str | Path) -> bool:
    """Return whether a database is a review; False also if it is missing or not ours, which opening it explains."""
    database = Database(url, WAIT)
    try:
        exists = database.path is None or database.path.is_file()
        known = exists and database.is_marked and migrate.version_of(database) is not None
        return known and migrate.kind_of(database) == "review"
    finally:
        database.close()
