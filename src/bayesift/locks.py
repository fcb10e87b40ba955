"""Locks on files, between processes: held until the file is closed, and by nobody once a process has died."""

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
    """Lock an open file; return False if another process holds the lock, raise OSError where there are no locks."""
    if fcntl is None:
        raise OSError(errno.ENOLCK, "no locks on this system")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def locked(path: str | Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of the file at PATH; call `waiting` before waiting for another process that holds it.

    PATH may be replaced under the lock. A file that does not exist is not locked.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # no such file, or no locks here
            while True:
                file = stack.enter_context(Path(path).open("rb"))
                if not lock_file(file.fileno(), wait=False):
                    waiting()
                    lock_file(file.fileno())
                if os.path.samestat(Path(path).stat(), os.fstat(file.fileno())):
                    break  # else whoever held the lock has replaced the file
        yield
