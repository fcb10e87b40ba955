"""Progress of long work: a bar on a terminal, a plain line now and then elsewhere, always on stderr."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

T = TypeVar("T")
PLAIN_SECONDS = 10.0  # between two plain lines
announced: set[str] | None = None  # what `announce` has printed; None: it prints nothing, as in a library


def track(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Yield the items and show how far it is; work in other threads than the main one goes on silently.

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
    """Print a line about slow work that is about to begin, once, if the command line has asked for such lines."""
    if announced is not None and text not in announced:
        announced.add(text)
        print(f"bayesift: {text}", file=sys.stderr, flush=True)
