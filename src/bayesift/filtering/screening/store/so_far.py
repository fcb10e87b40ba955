"""What was read of the abstract list so far, as the stopping rule counts it: all of it, or as one person may know it.

A random draw stands at the place where it was made (`events.Drawn`), whenever it is decided, and counts when all draws
made before it are decided. So the bound rests on uniform choices among the records unread at that place, whoever had
one of them before him, and however long somebody takes to decide.

In a blind review, others' decisions about a record stay hidden from a person until the record has all of them
(`hidden`). For this person such records are unread, draws made after one of them do not count, and records that
lack decisions count as the person decided them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.store.events import LISTS, RANDOM, SOURCES
from bayesift.filtering.screening.store.list_state import CODES, CONFLICT
from bayesift.filtering.screening.store.state import State

Numbers = NDArray[np.intp]
Mask = NDArray[np.bool_]


def unread(state: State, name: str) -> Numbers:
    """Return the records of a list that nobody has read."""
    return np.flatnonzero((state.lists[name].first == 0) & state.in_list(name))


def undecided_draws(state: State) -> Numbers:
    """Return the records drawn at random that nobody has read, in the order of the draws.

    Draws made before records came to the list say nothing about those, so they are void.
    """
    left = unread(state, LISTS[0])
    left = left[state.drawn[left] > state.grown]
    ordered: Numbers = left[np.argsort(state.drawn[left])]
    return ordered


def hidden(state: State, name: str, who: str | None) -> Mask:
    """Return the records of a list about which a person must not know yet what others decided."""
    found = state.lists[name]
    if who is None or not is_blind(state):
        return np.zeros(state.size, bool)
    unknown: Mask = (found.first > 0) & (found.status < CONFLICT) & (_decisions(state, name, who) == 0)
    return unknown


def is_blind(state: State) -> bool:
    """Return whether persons must not know others' decisions."""
    return state.settings.blind and state.settings.reviewers > 1


def reading_of(state: State, probabilities: NDArray[np.float64] | None, who: str | None = None) -> Reading:
    """Return what the stopping rule looks at.

    Parameters
    ----------
    state : State
        The review.
    probabilities : array of float or None
        Those of all records. They follow from all decisions, so they are left out where some are hidden from `who`.
    who : str or None
        The person who looks at it; None is somebody who may know everything.
    """
    found, inside = state.lists[LISTS[0]], state.in_list(LISTS[0])
    unknown = hidden(state, LISTS[0], who) & inside
    place = _places(state)
    read = np.flatnonzero((found.first > 0) & inside & ~unknown)
    read = read[np.argsort(place[read])]
    left = np.flatnonzero(inside & ((found.first == 0) | unknown))
    gaps = place[np.append(np.flatnonzero(unknown), undecided_draws(state))]  # after which draws do not count yet
    gap = gaps[gaps > state.grown].min(initial=state.last + 1)
    p = None if probabilities is None or unknown.any() else np.clip(probabilities[left], 0.0, 1.0)
    return Reading(
        _relevant(state, who)[read], np.array(SOURCES)[found.source[read]], read.size + left.size, p,
        int((place[read] < state.grown).sum()), int((place[read] < gap).sum()),
    )  # fmt: skip


def _places(state: State) -> NDArray[np.int64]:
    """Return the number of the event from which on each record is read: its draw, else its first decision."""
    found, drawn = state.lists[LISTS[0]], state.drawn
    is_draw = (drawn > 0) & ((found.first == 0) | ((found.source == SOURCES.index(RANDOM)) & (drawn < found.first)))
    return np.where(is_draw, drawn, found.first)


def _relevant(state: State, who: str | None) -> Mask:
    """Return which records count as relevant, as a person may know it."""
    found = state.lists[LISTS[0]]
    relevant: Mask = found.relevant == 1
    if who is None or not is_blind(state):
        return relevant
    mine = _decisions(state, LISTS[0], who)
    own: Mask = np.where((found.status < CONFLICT) & (mine > 0), mine != CODES["exclude"], relevant)
    return own


def _decisions(state: State, name: str, who: str) -> NDArray[np.int8]:
    """Return a person's decisions about all records, by `CODES`; 0 is none."""
    return state.lists[name].persons.get(who, np.zeros(state.size, np.int8))
