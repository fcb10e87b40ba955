"""Attempts to log in: so many per client, name and minute, and few passwords that are checked at the same time.

An attempt counts from before its password is checked, so that attempts at the same time are not more than those one
after the other. One that succeeds is taken back; the failed ones of the same client count on. A name may be tried more
often than a client may try, so that no single client can keep a person out. Argon2 takes 64 MB and a core, so only
`TOGETHER` checks run.
"""

from __future__ import annotations

import threading
import time

TRIES, TRIES_OF_NAME = 10, 30  # failed attempts of a client, and with a name
FORGIVEN = 60.0  # seconds after which they are forgotten
TOGETHER = 2  # passwords that are checked at the same time


class Attempts:
    """The attempts of the last minute, by client and by name.

    >>> attempts = Attempts()
    >>> [attempts.count("192.0.2.1", "ada") for _ in range(11)].count(True)
    10
    >>> attempts.take_back("192.0.2.1", "ada")
    >>> [attempts.count("192.0.2.1", "ada") for _ in range(2)]
    [True, False]
    """

    def __init__(self) -> None:
        self.checking = threading.BoundedSemaphore(TOGETHER)
        self._lock = threading.Lock()
        self._recent: dict[tuple[str, str], list[float]] = {}

    def count(self, client: str, name: str) -> bool:
        """Count an attempt with a name, and return whether it is allowed; one that is not does not count."""
        with self._lock:
            since = time.monotonic() - FORGIVEN
            self._recent = {
                key: kept for key, times in self._recent.items() if (kept := [when for when in times if when > since])
            }
            by_client, by_name = (self._recent.setdefault(key, []) for key in _keys(client, name))
            if len(by_client) >= TRIES or len(by_name) >= TRIES_OF_NAME:
                return False
            by_client.append(time.monotonic())
            by_name.append(time.monotonic())
            return True

    def take_back(self, client: str, name: str) -> None:
        """Take back an attempt that has succeeded."""
        with self._lock:
            for key in _keys(client, name):
                if times := self._recent.get(key):
                    times.pop()


def _keys(client: str, name: str) -> list[tuple[str, str]]:
    return [("client", client), ("name", name)]
