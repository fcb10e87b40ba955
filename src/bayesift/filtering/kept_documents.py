"""The texts that may still be judged, and the ids of documents that came, both bounded.

A filter keeps the last documents that came, and of those shown the last ones. A document whose text is gone can still
be judged while it waits, since its topics keep its vector; only the spelling of its words is lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from bayesift.corpora import Document

LAST = 1_000  # documents that came
SHOWN = 10_000  # documents that were shown
IDS = 100_000


class KeptDocuments(Mapping[str, Document]):
    """Documents by id.

    Examples
    --------
    >>> kept = KeptDocuments(last=2)
    >>> for id in "abc":
    ...     kept.keep(Document(id))
    ...     kept.show("a")
    >>> sorted(kept)
    ['a', 'b', 'c']
    """

    def __init__(self, last: int = LAST, shown: int = SHOWN) -> None:
        self._limits = {"last": last, "shown": shown}
        self._last: dict[str, Document] = {}
        self._shown: dict[str, Document] = {}

    def __getitem__(self, id: str) -> Document:
        return self._shown[id] if id in self._shown else self._last[id]

    def __iter__(self) -> Iterator[str]:
        yield from self._shown
        yield from self._last

    def __len__(self) -> int:
        return len(self._shown) + len(self._last)

    def keep(self, document: Document) -> None:
        """Keep a document that came."""
        self._last[document.id] = document
        if len(self._last) > self._limits["last"]:
            del self._last[next(iter(self._last))]

    def show(self, id: str) -> None:
        """Keep a document longer, since it was shown."""
        if id in self._last:
            self._shown[id] = self._last.pop(id)
            if len(self._shown) > self._limits["shown"]:
                del self._shown[next(iter(self._shown))]

    def state(self) -> dict[str, Any]:
        """Return the documents as lists of strings."""
        parts = {"last": self._last, "shown": self._shown}
        rows = {name: [[d.id, d.title, d.body, d.date] for d in kept.values()] for name, kept in parts.items()}
        return rows | {"limits": dict(self._limits)}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> KeptDocuments:
        """Return the documents of a state."""
        self = cls(**state["limits"])
        for name, kept in (("last", self._last), ("shown", self._shown)):
            kept.update((id, Document(id, title, body, date=date)) for id, title, body, date in state[name])
        return self


class SeenIds:
    """The ids of the last documents, as hashes of 64 bits."""

    def __init__(self, hashes: Any = (), most: int = IDS) -> None:
        self._hashes: dict[int, None] = dict.fromkeys(np.asarray(hashes, np.uint64).tolist())
        self._most = most

    def __contains__(self, id: str) -> bool:
        return _hash(id) in self._hashes

    def add(self, id: str) -> None:
        """Remember an id, and drop the oldest if there are too many."""
        self._hashes[_hash(id)] = None
        if len(self._hashes) > self._most:
            del self._hashes[next(iter(self._hashes))]

    def state(self) -> Any:
        """Return the hashes as an array, the oldest first."""
        return np.fromiter(self._hashes, np.uint64, len(self._hashes))


def _hash(id: str) -> int:
    return int.from_bytes(hashlib.blake2b(id.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
