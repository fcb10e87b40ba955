"""File locks between processes; a lock is released when the file is closed or the process ends."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where files that are open cannot be removed or replaced
    fcntl = None  # type: ignore[assignment]


def lock_file(file: int, *, wait: bool = True) -> bool:
    """Lock an open file; return False if another process holds the lock, raise OSError if locks are not supported."""
    if fcntl is None:
        raise OSError(errno.ENOLCK, "file locks are not supported")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def locked(path: str | Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Lock the file at PATH; call `waiting` before waiting for another process.

    PATH may be replaced while it is locked. A file that does not exist is not locked.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # no such file, or locks are not supported
            while True:
                file = stack.enter_context(Path(path).open("rb"))
                if not lock_file(file.fileno(), wait=False):
                    waiting()
                    lock_file(file.fileno())
                if os.path.samestat(Path(path).stat(), os.fstat(file.fileno())):
                    break  # else the process that held the lock has replaced the file
        yield
