"""Progress on stderr: a bar on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

T = TypeVar("T")
PLAIN_SECONDS = 10.0  # between two plain lines
announced: set[str] | None = None  # lines printed by `announce`; None: print nothing, the default of the library


def track(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Yield the items and show progress; nothing is shown outside the main thread.

    >>> list(track([1, 2, 3], "counting"))
    [1, 2, 3]
    """
    if threading.current_thread() is not threading.main_thread():
        yield from items
        return
    if total is None and isinstance(items, Sized):
        total = len(items)
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import track as bar

        yield from bar(items, description=what, total=total, console=Console(stderr=True), transient=True)
        return
    last = time.monotonic()
    for done, item in enumerate(items):
        yield item
        if time.monotonic() - last >= PLAIN_SECONDS:
            last = time.monotonic()
            print(f"{what}: {done + 1}" + (f" of {total}" if total else ""), file=sys.stderr, flush=True)


def announce(text: str) -> None:
    """Print a line once before slow work, if the command line is running."""
    if announced is not None and text not in announced:
        announced.add(text)
        print(f"bayesift: {text}", file=sys.stderr, flush=True)
