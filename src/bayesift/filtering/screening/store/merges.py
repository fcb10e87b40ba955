"""Which records are the same, by the merges in force: each group has one record that is kept and shown."""

from __future__ import annotations

from bisect import insort

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.screening.store.events import KeptApart, Merged, Pair

Numbers = NDArray[np.int64]


class Merges:
    """Groups of records that are the same; `root[i]` is the record kept for record i, itself if it is kept."""

    def __init__(self) -> None:
        self.root: Numbers = np.empty(0, np.int64)
        self.members: dict[int, list[int]] = {}  # of each group of two and more, by the record kept
        self.pairs: dict[tuple[int, int], list[int]] = {}  # numbers of the events in force about each pair
        self.found: dict[tuple[int, int], Pair] = {}  # pairs that seem to be the same
        self._events: dict[int, Merged | KeptApart] = {}
        self.stale = False

    def grow(self, size: int) -> None:
        """Know more records."""
        self.root = np.append(self.root, np.arange(self.root.size, size, dtype=np.int64))

    def note(self, number: int, event: Merged | KeptApart) -> None:
        """Take an event into force, also one that was undone."""
        self._events[number] = event
        insort(self.pairs.setdefault(_pair(event), []), number)
        self.stale = True

    def drop(self, number: int) -> None:
        """Take an event out of force."""
        self.pairs[_pair(self._events.pop(number))].remove(number)
        self.stale = True

    def group(self, record: int) -> list[int]:
        """Return the records of a kept record's group, itself first."""
        return self.members.get(record, [record])

    def state_of(self, first: int, second: int) -> str | None:
        """Return what was last said of a pair: "merged", "apart" or None."""
        numbers = self.pairs.get(_key(first, second))
        if not numbers:
            return None
        return "merged" if isinstance(self._events[numbers[-1]], Merged) else "apart"

    def open_pairs(self) -> list[Pair]:
        """Return the pairs that seem to be the same, and of which nothing was said."""
        root = self.root
        return [
            pair for (a, b), pair in self.found.items() if root[a] != root[b] and self.state_of(a, b) is None
        ]  # fmt: skip

    def rebuild(self) -> set[int]:
        """Form the groups again, and return the records whose group has changed."""
        self.stale = False
        before, members = self.root, self.members
        self.root, self.members = np.arange(before.size, dtype=np.int64), {}
        last = sorted(numbers[-1] for numbers in self.pairs.values() if numbers)
        parent: dict[int, int] = {}
        for number in last:
            event = self._events[number]
            if isinstance(event, Merged):
                kept, other = _find(parent, event.record), _find(parent, event.other)
                kept, other = sorted((kept, other)) if event.automatic else (kept, other)
                if kept != other:
                    parent[other] = kept
        for record in sorted(parent):
            kept = _find(parent, record)
            self.root[record] = kept
            self.members.setdefault(kept, [kept]).append(record)
        changed = set(np.flatnonzero(before != self.root).tolist())
        return changed | {k for k in self.members.keys() | members.keys() if members.get(k) != self.members.get(k)}


def _key(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)


def _pair(event: Merged | KeptApart) -> tuple[int, int]:
    return _key(event.record, event.other)


def _find(parent: dict[int, int], record: int) -> int:
    while record in parent:
        record = parent[record]
    return record
