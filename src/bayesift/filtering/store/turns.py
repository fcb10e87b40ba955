"""A lock for threads that take turns in the order in which they came.

A lock of the standard library goes to whoever asks first after it was released, which is mostly the thread that has
just released it: one that stores documents batch after batch would keep all others out. Here it joins the end of the
queue, and an answer waits for one batch at most.
"""

from __future__ import annotations

import threading
from collections import deque


class Turns:
    """A lock with a queue; the thread that has it may take it again.

    Examples
    --------
    >>> turns = Turns()
    >>> with turns, turns:
    ...     turns.waiting
    0
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()  # of all below, never held for long
        self._queue: deque[tuple[int, threading.Lock]] = deque()
        self._owner: int | None = None
        self._depth = 0

    @property
    def waiting(self) -> int:
        """How many threads wait."""
        return len(self._queue)

    def __enter__(self) -> None:
        me = threading.get_ident()
        with self._guard:
            if self._owner in (None, me):
                self._owner = me
                self._depth += 1
                return
            signal = threading.Lock()
            signal.acquire()
            self._queue.append((me, signal))
        try:
            signal.acquire()  # until the turn is handed over
        except BaseException:  # Ctrl-C
            with self._guard:
                if self._owner != me:
                    self._queue.remove((me, signal))
                    raise
            self.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        with self._guard:
            self._depth -= 1
            if self._depth:
                return
            self._owner = None
            if self._queue:
                self._owner, signal = self._queue.popleft()
                self._depth = 1
                signal.release()
