"""Open a workspace for a verb, and say who uses it."""

from __future__ import annotations

import contextlib
import getpass
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bayesift.filtering.store import Workspace


def workspace_class() -> type[Workspace]:
    """Return the class `Workspace`, which takes a while to import."""
    from bayesift.cli.lazy_imports import postponed

    with postponed():
        from bayesift.filtering.store import Workspace

    return Workspace


@contextlib.contextmanager
def opened(name: str, *, write: bool = True) -> Iterator[Workspace]:
    """Open a workspace; it is closed at the end."""
    with workspace_class().open(name, write=write) as workspace:
        yield workspace


@contextlib.contextmanager
def opened_for_stream(name: str) -> Iterator[Workspace]:
    """Open a workspace for documents that come for a long time: its topics are loaded first."""
    from bayesift.garbage import keep_all

    with opened(name) as workspace:
        workspace.load()
        keep_all()
        yield workspace


def user(given: str | None) -> str | None:
    """Return who is named, else the name of the user, else None."""
    if given is not None:
        return given
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user without a name, as in some containers
        return None
