"""Reading of files that others write: a file is read when it has not changed for a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

SETTLED = 1.0  # seconds since the last change of a file
TRIES = 3  # to read a file that is being written, before the others come first

Found = TypeVar("Found")


class Unsettled(Exception):
    """A file is being written all the time."""


def settled(path: Path, read: Callable[[BinaryIO], Found]) -> Found:
    """Return what `read` returns for a file that does not change meanwhile.

    A file that has changed within the last second is waited for.

    Raises
    ------
    Unsettled
        If it goes on changing.
    """
    for _ in range(TRIES):
        before = path.stat()
        wait = SETTLED - (time.time() - before.st_mtime)
        if 0.0 < wait <= SETTLED:
            time.sleep(wait)
        with path.open("rb") as file:
            found = read(file)
        after = path.stat()
        if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size):
            return found
    raise Unsettled
