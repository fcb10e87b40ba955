"""What follows from the decisions of one list, as arrays over all records, so that counts and orders are fast.

A record is
    included, excluded   if it was settled, or `reviewers` persons decided, all the same
    in conflict          if `reviewers` persons decided, not all the same
    waiting              if some persons decided, but not enough
    maybe                if nobody decided, and a person said maybe
    unread               otherwise
    merged               if another record is kept for it

The ranker learns the settlement; else the first decision to include or exclude, whatever came later. A maybe teaches
nothing. The stopping rule counts a record from its first decision on; a maybe counts as relevant, since it is in hand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.screening.store.events import EXCLUDE, INCLUDE, MAYBE, SOURCES, Decided, Settled
from bayesift.filtering.screening.store.slots import Held, Slots, opinions

STATUSES = ("unread", "waiting", "maybe", "conflict", "include", "exclude", "merged")
UNREAD, WAITING, IN_DOUBT, CONFLICT, INCLUDED, EXCLUDED, MERGED = range(len(STATUSES))
CODES = {INCLUDE: 1, EXCLUDE: 2, MAYBE: 3}  # of a person's decisions; 0 is none
NOTHING = -1

Codes = NDArray[np.int8]
Numbers = NDArray[np.int64]


class ListState:
    """One list of a review.

    Attributes
    ----------
    status : array
        What each record is, an index of `STATUSES`.
    learned : array
        What the ranker learns of each record: 1, 0 or `NOTHING`.
    relevant : array
        What the stopping rule counts: 1, 0 or `NOTHING`.
    first : array
        The number of the first event that decides about each record, 0 if none does.
    source : array
        How the first person came to each record, an index of `SOURCES`.
    persons : dict of array
        The decisions of each person, by `CODES`.
    """

    def __init__(self) -> None:
        self.slots = Slots()
        self.status: Codes = np.empty(0, np.int8)
        self.learned: Codes = np.empty(0, np.int8)
        self.relevant: Codes = np.empty(0, np.int8)
        self.source: Codes = np.empty(0, np.int8)
        self.first: Numbers = np.empty(0, np.int64)
        self.persons: dict[str, Codes] = {}

    def grow(self, size: int) -> None:
        """Know more records."""
        more = size - self.status.size
        self.status = np.append(self.status, np.zeros(more, np.int8))
        self.source = np.append(self.source, np.zeros(more, np.int8))
        self.learned = np.append(self.learned, np.full(more, NOTHING, np.int8))
        self.relevant = np.append(self.relevant, np.full(more, NOTHING, np.int8))
        self.first = np.append(self.first, np.zeros(more, np.int64))
        for who, codes in self.persons.items():
            self.persons[who] = np.append(codes, np.zeros(more, np.int8))

    def of_person(self, who: str) -> Codes:
        """Return the decisions of a person about all records."""
        if who not in self.persons:
            self.persons[who] = np.zeros(self.status.size, np.int8)
        return self.persons[who]

    def update(self, record: int, group: list[int], reviewers: int) -> None:
        """Compute what a record is; it has no group if another one is kept for it."""
        for codes in self.persons.values():
            codes[record] = 0
        held = self.slots.held(group)
        for who, said in held.items():
            if who is not None:
                self.of_person(who)[record] = CODES[said.event.decision]
        settled, votes = held.get(None), opinions(held)
        earliest = min(held.values(), key=lambda h: h.since, default=None)
        teacher = settled or (votes[0] if votes else None)
        self.status[record] = status_of(held, reviewers) if group else MERGED
        self.learned[record] = NOTHING if teacher is None else _learned(teacher.event)
        self.first[record] = 0 if earliest is None else earliest.since
        self.source[record] = 0 if earliest is None else SOURCES.index(earliest.source)
        shown = teacher or earliest
        self.relevant[record] = NOTHING if shown is None else shown.event.decision != EXCLUDE

    def is_complete(self) -> NDArray[np.bool_]:
        """Return whether nobody has to decide about each record any more; conflicts are settled elsewhere."""
        return self.status >= CONFLICT


def _learned(event: Decided | Settled) -> int:
    return NOTHING if event.decision == MAYBE else int(event.decision == INCLUDE)


def status_of(held: dict[str | None, Held], reviewers: int) -> int:
    """Return what a record is by the decisions that hold."""
    if None in held:
        return {INCLUDE: INCLUDED, EXCLUDE: EXCLUDED, MAYBE: IN_DOUBT}[held[None].event.decision]
    votes = [said.event.decision for said in opinions(held)]
    if len(votes) >= reviewers:
        same = len(set(votes)) == 1
        return CONFLICT if not same else INCLUDED if votes[0] == INCLUDE else EXCLUDED
    if votes:
        return WAITING
    return IN_DOUBT if held else UNREAD
