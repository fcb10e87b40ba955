"""Attempts to log in: so many per client and minute, and few passwords that are checked at the same time.

An attempt counts from before its password is checked, so that attempts at the same time are not more than those one
after the other. One that succeeds is forgotten. Argon2 takes 64 MB and a core, so only `TOGETHER` checks run.
"""

from __future__ import annotations

import threading
import time

TRIES, FORGIVEN = 10, 60.0  # failed attempts of a client, and seconds after which they are forgotten
TOGETHER = 2  # passwords that are checked at the same time


class Attempts:
    """The attempts of the last minute, by client.

    >>> attempts = Attempts()
    >>> [attempts.count("192.0.2.1") for _ in range(11)].count(True)
    10
    >>> attempts.forget("192.0.2.1")
    >>> attempts.count("192.0.2.1")
    True
    """

    def __init__(self) -> None:
        self.checking = threading.BoundedSemaphore(TOGETHER)
        self._lock = threading.Lock()
        self._recent: dict[str, list[float]] = {}

    def count(self, client: str) -> bool:
        """Count an attempt, and return whether it is allowed; one that is not does not count."""
        with self._lock:
            since = time.monotonic() - FORGIVEN
            self._recent = {
                name: kept for name, times in self._recent.items() if (kept := [when for when in times if when > since])
            }
            times = self._recent.setdefault(client, [])
            if len(times) >= TRIES:
                return False
            times.append(time.monotonic())
            return True

    def forget(self, client: str) -> None:
        """Forget the attempts of a client that has logged in."""
        with self._lock:
            self._recent.pop(client, None)
