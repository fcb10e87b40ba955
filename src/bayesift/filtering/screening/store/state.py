"""The state of a review: a function of its events, folded in as they come."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.screening.store.events import (
    LISTS,
    Decided,
    Drawn,
    DuplicatesFound,
    Event,
    KeptApart,
    Merged,
    RecordsAdded,
    Redone,
    SettingsChanged,
    Settled,
    Step,
    Undone,
    Withdrawn,
)
from bayesift.filtering.screening.store.list_state import INCLUDED, MERGED, ListState
from bayesift.filtering.screening.store.merges import Merges
from bayesift.filtering.screening.store.settings import ReviewSettings
from bayesift.filtering.screening.store.slots import Held

STEPS = Decided | Settled | Withdrawn | Merged | KeptApart


class State:
    """What holds after some events.

    Attributes
    ----------
    last : int
        The number of the last event.
    size : int
        The number of records, merged ones too.
    settings : ReviewSettings
        The settings.
    lists : dict of ListState
        The lists, by name.
    merges : Merges
        Which records are the same.
    added : list of (int, RecordsAdded)
        The additions of records, with the numbers of their events.
    grown : int
        The number of the last event by which records came to the list: new ones, or those of a merge taken back.
    drawn : array
        The number of the event that last drew each record at random, 0 if none did.
    draws : int
        The number of random draws.
    """

    def __init__(self) -> None:
        self.last = self.size = self.grown = self.draws = 0
        self.drawn = np.empty(0, np.int64)
        self.settings = ReviewSettings()
        self.lists = {name: ListState() for name in LISTS}
        self.merges = Merges()
        self.added: list[tuple[int, RecordsAdded]] = []
        self._steps: dict[int, Step] = {}  # all that can be undone, undone ones too
        self._done: dict[str, list[int]] = {}  # numbers of each person's steps, undone ones left out
        self._undone: dict[str, list[int]] = {}  # and those that can be redone

    def fold(self, events: Iterable[tuple[int, Event]]) -> None:
        """Take events in, with their numbers."""
        touched: set[int] = set()
        for number, event in events:
            self.last = number
            if isinstance(event, STEPS):
                self._steps[number] = event
                if event.who is not None:
                    self._done.setdefault(event.who, []).append(number)
                    self._undone.pop(event.who, None)
                touched |= self._enter(number, event)
            elif isinstance(event, Undone | Redone):
                touched |= self._take_back(event)
            elif isinstance(event, RecordsAdded):
                self._grow(number, event)
            elif isinstance(event, Drawn):
                self.drawn[event.record] = number
                self.draws += 1
            elif isinstance(event, DuplicatesFound):
                self.merges.found |= {(pair.first, pair.second): pair for pair in event.pairs}
            else:
                touched |= self._set(event)
        if self.merges.stale:
            touched |= self.merges.rebuild()
        root = self.merges.root
        for record in touched | {int(root[record]) for record in touched}:
            group = self.merges.group(record) if root[record] == record else []
            for found in self.lists.values():
                found.update(record, group, self.settings.reviewers)

    def last_step(self, who: str) -> tuple[int, Step] | None:
        """Return the step that a person's undo takes back, with its number."""
        done = self._done.get(who)
        return (done[-1], self._steps[done[-1]]) if done else None

    def last_undone(self, who: str) -> tuple[int, Step] | None:
        """Return the step that a person's redo brings back, with its number."""
        undone = self._undone.get(who)
        return (undone[-1], self._steps[undone[-1]]) if undone else None

    def in_list(self, name: str) -> NDArray[np.bool_]:
        """Return whether each record is in a list: those included by the abstract come to the full text."""
        first = self.lists[LISTS[0]].status
        inside: NDArray[np.bool_] = first != MERGED if name == LISTS[0] else first == INCLUDED
        return inside

    def held(self, name: str, record: int) -> dict[str | None, Held]:
        """Return the decisions about a record that hold in a list, by person; the settlement is that of None."""
        return self.lists[name].slots.held(self.merges.group(int(self.merges.root[record])))

    def people(self) -> list[str]:
        """Return who decided something, in the order of names."""
        return sorted({who for found in self.lists.values() for who, codes in found.persons.items() if codes.any()})

    def _enter(self, number: int, event: Step) -> set[int]:
        if isinstance(event, Merged | KeptApart):
            if isinstance(event, KeptApart) and self.merges.state_of(event.record, event.other) == "merged":
                self.grown = self.last
            self.merges.note(number, event)
            return {event.record, event.other}
        self.lists[event.list].slots.note(number, event)
        return {event.record}

    def _take_back(self, event: Undone | Redone) -> set[int]:
        assert event.who is not None
        step = self._steps[event.event]
        done, undone = self._done.setdefault(event.who, []), self._undone.setdefault(event.who, [])
        if isinstance(event, Redone):
            undone.remove(event.event)
            done.append(event.event)
            return self._enter(event.event, step)
        done.remove(event.event)
        undone.append(event.event)
        if isinstance(step, Merged | KeptApart):
            self.merges.drop(event.event)
            self.grown = self.last
            return {step.record, step.other}
        self.lists[step.list].slots.drop(event.event)
        return {step.record}

    def _grow(self, number: int, event: RecordsAdded) -> None:
        self.added.append((number, event))
        self.grown = number
        self.size = event.first + event.count
        self.merges.grow(self.size)
        self.drawn = np.append(self.drawn, np.zeros(self.size - self.drawn.size, np.int64))
        for found in self.lists.values():
            found.grow(self.size)

    def _set(self, event: SettingsChanged) -> set[int]:
        before = self.settings.reviewers
        self.settings = self.settings.changed(event.settings)
        if self.settings.reviewers == before:
            return set()
        return {record for found in self.lists.values() for record in np.flatnonzero(found.first).tolist()}
