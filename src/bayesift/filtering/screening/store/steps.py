"""The events that follow from what a person wants to do, or the reason why it cannot be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bayesift.errors import BadInput
from bayesift.filtering.screening.store import record_table
from bayesift.filtering.screening.store.adding import merges_of
from bayesift.filtering.screening.store.checks import is_same
from bayesift.filtering.screening.store.events import (
    LISTS,
    OTHER,
    RANDOM,
    Decided,
    Event,
    KeptApart,
    Merged,
    Redone,
    Settled,
    Undone,
    Withdrawn,
)
from bayesift.filtering.screening.store.list_state import CONFLICT
from bayesift.filtering.screening.store.so_far import undecided_draws
from bayesift.filtering.screening.store.state import State
from bayesift.filtering.screening.store.views import Happened, ToRead


class Steps:
    """Steps of a person at a time.

    Parameters
    ----------
    connection : Connection
        A transaction that holds the write lock.
    state : State
        The state, up to date.
    who, time : str
        The person, and when.
    """

    def __init__(self, connection: sa.Connection, state: State, who: str, time: str) -> None:
        self.connection, self.state, self.who = connection, state, who
        self.stamp: dict[str, Any] = {"who": who, "time": time}

    def decide(self, record: str, name: str, said: dict[str, Any], shown: ToRead | None) -> list[Event]:
        """Return the event of a decision; none if the person said the same before."""
        number = self._to_decide(name, record, said["reason"])
        before = self.state.held(name, number).get(self.who)
        if before is not None and is_same(before.event, said):
            return []
        more: dict[str, Any] = {"source": self._source(name, number, shown)}
        if shown is not None:
            more["probability"] = shown.probability
        if shown is not None and self.state.settings.reviewers > 1:
            more |= {"words_for": shown.words_for, "words_against": shown.words_against}
        return [Decided(list=name, record=number, **self.stamp, **said, **more)]

    def settle(self, record: str, name: str, said: dict[str, Any]) -> list[Event]:
        """Return the event of a settlement."""
        number = self._to_decide(name, record, said["reason"])
        if self.state.lists[name].status[number] < CONFLICT:
            raise BadInput(f"{record} still waits for decisions", remedy="settle it when it is in conflict")
        return [Settled(list=name, record=number, **self.stamp, **said)]

    def withdraw(self, record: str, name: str, settled: bool) -> Sequence[Event]:
        """Return the events that take back a decision, also those about records merged into it."""
        number = record_table.existing(self.connection, record)
        person = None if settled else self.who
        slots = self.state.lists[name].slots
        group = self.state.merges.group(int(self.state.merges.root[number]))
        events = [
            Withdrawn(list=name, record=member, settled=settled, **self.stamp)
            for member in group if person in slots.held([member])
        ]  # fmt: skip
        if not events:
            what = "was not settled" if settled else f"has no decision of {self.who}"
            raise BadInput(f"{record} {what}", remedy="see its history")
        return events

    def merge(self, first: str, second: str) -> list[Event]:
        """Return the event of a merge."""
        kept, other = self._pair(first, second)
        if self.state.merges.root[kept] == self.state.merges.root[other]:
            raise BadInput(f"{first} and {second} are merged already", remedy="nothing is to be done")
        return [Merged(record=kept, other=other, **self.stamp)]

    def merge_open(self) -> Sequence[Event]:
        """Return the events that merge all open pairs of which nothing says that they are two works."""
        return merges_of(self.state.merges.open_pairs(), self.stamp)

    def keep_apart(self, first: str, second: str) -> list[Event]:
        """Return the event that keeps two records apart."""
        one, other = self._pair(first, second)
        merges = self.state.merges
        if merges.root[one] == merges.root[other] and merges.state_of(one, other) != "merged":
            reason = f"{first} and {second} are merged by way of another record"
            raise BadInput(reason, remedy="keep the pairs apart that were merged; see duplicates('merged')")
        return [KeptApart(record=one, other=other, **self.stamp)]

    def step_back(self, again: bool) -> tuple[Happened, Event]:
        """Return the step that is undone, or redone, and the event that says so."""
        step = self.state.last_undone(self.who) if again else self.state.last_step(self.who)
        if step is None:
            raise BadInput(f"{self.who} has nothing to {'redo' if again else 'undo'}", remedy="see the history")
        found = Happened(*step)
        return found, (Redone if again else Undone)(event=found.number, **self.stamp)

    def _source(self, name: str, number: int, shown: ToRead | None) -> str:
        """Return how the person came to a record: a draw counts as one, however it is found."""
        if name == LISTS[0] and number in undecided_draws(self.state):
            return RANDOM
        return OTHER if shown is None or shown.source == RANDOM else shown.source

    def _pair(self, first: str, second: str) -> tuple[int, int]:
        one, other = (record_table.existing(self.connection, id) for id in (first, second))
        if one == other:
            raise BadInput(f"{first} is one record", remedy="name two different records")
        return one, other

    def _to_decide(self, name: str, record: str, reason: str | None) -> int:
        """Return the number of a record that can be decided in a list; raise if it cannot."""
        number, state = record_table.existing(self.connection, record), self.state
        root = int(state.merges.root[number])
        if root != number:
            kept = record_table.records_with(self.connection, [root])[0].id
            raise BadInput(f"{record} was merged into {kept}", remedy=f"decide about {kept}")
        if not state.in_list(name)[number]:
            remedy = "include it by title and abstract first"
            raise BadInput(f"{record} is not in the list {name!r}", remedy=remedy)
        if reason is not None and reason not in state.settings.reasons:
            remedy = f"reasons are: {', '.join(state.settings.reasons)}"
            raise BadInput(f"no reason {reason!r}", remedy=remedy)
        return number
