"""Which records a person reads next.

First those that another person has read and that still wait for a decision, in the order in which they were first read,
which says nothing about what the others decided. Then unread ones: random draws that are not decided yet, then by rank;
or at random, or the newest first. At the end those that were "maybe".

A draw stays until it is decided, so that nobody can choose among draws. One that another person has before him is left
to that person.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.stopping import draw
from bayesift.filtering.screening.store.events import LISTS, OTHER, RANDOM, RANKED
from bayesift.filtering.screening.store.list_state import CODES, IN_DOUBT, WAITING
from bayesift.filtering.screening.store.so_far import Mask, Numbers, is_blind, undecided_draws, unread
from bayesift.filtering.screening.store.state import State

ORDERS = ("ranked", "random", "date")
DRAWS = 2  # that a person has before him: pages show the second one at once when the first is decided


class Chosen(NamedTuple):
    """A record to read, and why."""

    record: int
    source: str


def missing_draws(state: State, wanted: int, taken: Collection[int]) -> list[int]:
    """Draw records until a person has `wanted` draws, or all unread records are drawn; return the new ones.

    Each is uniform over the records that are unread and not drawn, also those in `taken`, which others have before
    them: such a draw is theirs, and another one is made.
    """
    before = undecided_draws(state)
    mine = sum(record not in taken for record in before.tolist())
    left, made = np.setdiff1d(unread(state, LISTS[0]), before), list[int]()
    while mine < wanted and left.size:
        made.append(draw(left, state.draws + len(made), state.settings.seed))
        left = left[left != made[-1]]
        mine += made[-1] not in taken
    return made


class Choice:
    """What a person reads next in a list.

    Parameters
    ----------
    state : State
        The review.
    name, who, order : str
        The list, the person, and one of `ORDERS`.
    taken : collection of int
        Unread records that others have before them; they come last.
    """

    def __init__(self, state: State, name: str, who: str, order: str, taken: Collection[int] = ()) -> None:
        self.state, self.name, self.order, self.taken = state, name, order, taken
        self.found = state.lists[name]
        self.mine = self.found.persons.get(who, np.zeros(state.size, np.int8))
        self.open = state.in_list(name) & ~self.found.is_complete()

    def begun(self) -> Numbers:
        """Return the records that others have read, and that wait for this person's decision.

        In a blind review also those of which others said "maybe": at the end, they would tell.
        """
        status = self.found.status
        waits = (status == WAITING) | (status == IN_DOUBT) if is_blind(self.state) else status == WAITING
        return self._by_time(self.open & (self.mine == 0) & waits)

    def doubtful(self) -> Numbers:
        """Return the records that were "maybe"."""
        others = (self.mine == 0) & (self.found.status == IN_DOUBT) & (not is_blind(self.state))
        return self._by_time(self.open & ((self.mine == CODES["maybe"]) | others))

    def left(self) -> int:
        """Return how many records this person has to read, if all are read."""
        return int(self.begun().size + unread(self.state, self.name).size + self.doubtful().size)

    def first(self, count: int, ranker: Callable[[], PoolRanker], years: Callable[[], list[int]]) -> list[Chosen]:
        """Return the first records to read."""
        chosen = [Chosen(record, OTHER) for record in self.begun()[:count].tolist()]
        if len(chosen) < count:
            chosen += self._fresh(count - len(chosen), ranker, years)
        return chosen + [Chosen(record, OTHER) for record in self.doubtful()[: count - len(chosen)].tolist()]

    def _fresh(self, count: int, ranker: Callable[[], PoolRanker], years: Callable[[], list[int]]) -> list[Chosen]:
        fresh = unread(self.state, self.name)
        if not fresh.size:
            return []
        if self.order == "date":
            newest = np.argsort(-np.array(years())[fresh], kind="stable")
            return self._others_last(fresh[newest], OTHER, count)
        draws = undecided_draws(self.state) if self.name == LISTS[0] else fresh[:0]
        mine = [Chosen(record, RANDOM) for record in draws.tolist() if record not in self.taken]
        if self.order == "random":
            rest = self._others_last(self._shuffled(fresh), OTHER, count + len(mine))
        else:
            most = count + len(mine) + len(self.taken)
            rest = self._others_last(ranker().order(most, among=fresh), RANKED, count + len(mine))
        drawn = {chosen.record for chosen in mine}
        return [*mine, *(chosen for chosen in rest if chosen.record not in drawn)][:count]

    def _shuffled(self, fresh: Numbers) -> Numbers:
        """Return unread records in a random order that is the same each time."""
        place = np.random.default_rng(self.state.settings.seed).permutation(self.state.size)
        return fresh[np.argsort(place[fresh])]

    def _others_last(self, records: Numbers, source: str, count: int) -> list[Chosen]:
        taken = np.isin(records, list(self.taken))
        ordered = np.concatenate([records[~taken], records[taken]])
        return [Chosen(record, source) for record in ordered[:count].tolist()]

    def _by_time(self, mask: Mask) -> Numbers:
        records = np.flatnonzero(mask)
        ordered: Numbers = records[np.argsort(self.found.first[records])]
        return ordered
