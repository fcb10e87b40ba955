"""Decisions in force: for each list, record and person the events that count, of which the last one says what holds.

To undo an event takes it out, to redo it puts it back at its place, so what holds depends on the events in force alone.
"""

from __future__ import annotations

from bisect import insort
from typing import NamedTuple

from bayesift.filtering.screening.store.events import MAYBE, Decided, Settled, Withdrawn

Said = Decided | Settled | Withdrawn


class Held(NamedTuple):
    """A decision that holds, the number of its event, and that of the person's first decision about the record.

    `source` is how the person came to the record, which a change of the decision does not alter.
    """

    number: int
    event: Decided | Settled
    since: int
    source: str


class Slots:
    """The decisions of one list; the settlement of a record is kept under the person None."""

    def __init__(self) -> None:
        self._numbers: dict[int, dict[str | None, list[int]]] = {}  # by record and person
        self._events: dict[int, Said] = {}

    def note(self, number: int, event: Said) -> None:
        """Take an event into force, also one that was undone."""
        self._events[number] = event
        insort(self._numbers.setdefault(event.record, {}).setdefault(_person(event), []), number)

    def drop(self, number: int) -> None:
        """Take an event out of force."""
        event = self._events.pop(number)
        self._numbers[event.record][_person(event)].remove(number)

    def held(self, records: list[int], before: int | None = None) -> dict[str | None, Held]:
        """Return what holds of records that are the same, by person; of several decisions of a person, the last.

        With `before`, return what held before the event with this number, by the events that are in force now.
        """
        found: dict[str | None, Held] = {}
        for record in records:
            for who, numbers in self._numbers.get(record, {}).items():
                said = self._said([n for n in numbers if before is None or n < before])
                if said is not None and (who not in found or found[who].number < said.number):
                    found[who] = said
        return found

    def _said(self, numbers: list[int]) -> Held | None:
        """Return what the last of some events of a person says."""
        first = None
        for number in numbers:
            event = self._events[number]
            if isinstance(event, Withdrawn):
                first = None
            elif first is None:
                first = number, event.source
        return None if first is None else Held(numbers[-1], self._events[numbers[-1]], *first)  # type: ignore[arg-type]


def opinions(held: dict[str | None, Held]) -> list[Held]:
    """Return the persons' decisions to include or exclude, in the order in which they came to the record."""
    said = (h for who, h in held.items() if who is not None and h.event.decision != MAYBE)
    return sorted(said, key=lambda h: h.since)


def _person(event: Said) -> str | None:
    return None if isinstance(event, Settled) or (isinstance(event, Withdrawn) and event.settled) else event.who
