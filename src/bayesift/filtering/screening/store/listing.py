"""What can be read of a review's records, at any time and in any thread: as one person may see them."""

from __future__ import annotations

import numpy as np
import sqlalchemy as sa

from bayesift.errors import BadInput
from bayesift.filtering.screening.store import log, record_table, so_far
from bayesift.filtering.screening.store.checks import check_list
from bayesift.filtering.screening.store.events import LISTS, Decided, Event, Pair
from bayesift.filtering.screening.store.list_state import CONFLICT, STATUSES, WAITING
from bayesift.filtering.screening.store.live import Live
from bayesift.filtering.screening.store.views import Conflict, Duplicate, Happened, Opinion, Seen

SOME = 50


class Listing:
    """The methods of a review that return records and what happened to them; they change nothing."""

    _live: Live

    def record(self, id: str, who: str | None = None) -> Seen:
        """Return a record and what is known about it.

        Parameters
        ----------
        id : str
            The record.
        who : str, optional
            The person who looks at it. In a blind review others' decisions are left out until the record has all of
            them (default: nothing is left out).

        Raises
        ------
        NotFound
            If there is no such record.
        """
        with self._live.reading() as connection:
            return self._seen(connection, [record_table.existing(connection, id)], who)[0]

    def id_of(self, number: int) -> str:
        """Return the id of the record with a number, which events name."""
        with self._live.reading() as connection:
            return record_table.records_with(connection, [number])[0].id

    def records(
        self, list: str = LISTS[0], status: str | None = None, *, limit: int = SOME, skip: int = 0,
        who: str | None = None,
    ) -> list[Seen]:  # fmt: skip
        """Return the records of a list in the order in which they were added.

        Parameters
        ----------
        list : str
            "abstract" or "full-text".
        status : str, optional
            Only records that are "unread", "waiting", "maybe", "conflict", "include", "exclude" or "merged" there.
        limit, skip : int
            How many at most, and how many to leave out before.
        who : str, optional
            The person who looks at them, as in `record`.
        """
        check_list(list)
        with self._live.reading() as connection:
            state = self._live.state
            chosen = state.in_list(list)
            if status is not None:
                if status not in STATUSES:
                    raise BadInput(f"status {status!r}", remedy=f"choose one of: {', '.join(STATUSES)}")
                known = np.where(so_far.hidden(state, list, who), WAITING, state.lists[list].status)
                chosen = (known == STATUSES.index(status)) & (chosen if status != "merged" else True)
            return self._seen(connection, np.flatnonzero(chosen)[skip : skip + limit].tolist(), who)

    def search(self, text: str, *, limit: int = SOME, who: str | None = None) -> list[Seen]:
        """Return the records that contain all words of a text, the best match first; a part in quotes is a phrase."""
        with self._live.reading() as connection:
            return self._seen(connection, record_table.search(connection, text, limit), who)

    def conflicts(self, list: str = LISTS[0]) -> list[Conflict]:
        """Return the records about which reviewers differ, in the order in which they were read."""
        check_list(list)
        with self._live.reading() as connection:
            found = self._live.state.lists[list]
            numbers = np.flatnonzero((found.status == CONFLICT) & self._live.state.in_list(list))
            numbers = numbers[np.argsort(found.first[numbers])]
            rows = zip(numbers.tolist(), record_table.records_with(connection, numbers.tolist()))
            return [Conflict(record, list, tuple(self._opinions(list, number))) for number, record in rows]

    def duplicates(self, state: str | None = None, *, limit: int | None = None, skip: int = 0) -> list[Duplicate]:
        """Return pairs of records that seem to be the same.

        Parameters
        ----------
        state : str, optional
            "merged" or "apart": the pairs of which that was said (default: pairs of which nothing was said).
        limit, skip : int
            How many at most (default: all), and how many to leave out before.
        """
        with self._live.reading() as connection:
            found = self._pairs(state)[skip : None if limit is None else skip + limit]
            numbers = sorted({number for pair in found for number in (pair.first, pair.second)})
            record = dict(zip(numbers, record_table.records_with(connection, numbers)))
            return [Duplicate(record[p.first], record[p.second], p.why, p.similarity, p.caution, state) for p in found]

    def count_duplicates(self, state: str | None = None) -> int:
        """Return the number of pairs that `duplicates` returns; their records are not read."""
        with self._live.reading():
            return len(self._pairs(state))

    def history(
        self, record: str | None = None, *, by: str | None = None, limit: int = SOME, before: int | None = None,
        who: str | None = None,
    ) -> list[Happened]:  # fmt: skip
        """Return what happened, the newest first.

        Parameters
        ----------
        record : str, optional
            Only what is about this record.
        by : str, optional
            Only what this person did.
        limit : int
            How many at most.
        before : int, optional
            Only events with a smaller number.
        who : str, optional
            The person who looks at it, as in `record`: what this person must not see yet is left out.
        """
        with self._live.reading() as connection:
            number = None if record is None else record_table.existing(connection, record)
            found = log.latest(connection, limit, before, number, by)
            return [Happened(n, event) for n, event in found if who is None or self._may_see(event, who)]

    def _pairs(self, state: str | None) -> list[Pair]:
        merges = self._live.state.merges
        if state is None:
            return merges.open_pairs()
        if state not in ("merged", "apart"):
            raise BadInput(f"state {state!r}", remedy="choose merged or apart")
        pairs = [pair for pair in merges.pairs if merges.state_of(*pair) == state]
        return [merges.found.get(pair, Pair(*pair, "said by a person", 1.0)) for pair in pairs]

    def _opinions(self, list: str, number: int) -> list[Opinion]:
        ordered = sorted(self._live.state.held(list, number).values(), key=lambda h: h.since)
        return [Opinion.of(h.event) for h in ordered]

    def _is_hidden(self, list: str, number: int, author: str | None, who: str | None) -> bool:
        """Return whether a person must not see a decision yet."""
        state = self._live.state
        root = int(state.merges.root[number])
        is_open = state.lists[list].status[root] < CONFLICT
        return bool(who is not None and state.settings.blind and author not in (None, who) and is_open)

    def _may_see(self, event: Event, who: str) -> bool:
        return not (isinstance(event, Decided) and self._is_hidden(event.list, event.record, event.who, who))

    def _seen(self, connection: sa.Connection, numbers: list[int], who: str | None) -> list[Seen]:
        state, seen = self._live.state, []
        unknown = {name: so_far.hidden(state, name, who) for name in LISTS}
        for number, record in zip(numbers, record_table.records_with(connection, numbers)):
            root = int(state.merges.root[number])
            status, said, hidden = {}, {}, {}
            for name, found in state.lists.items():
                status[name] = STATUSES[WAITING if unknown[name][number] else found.status[number]]
                known = self._opinions(name, root)
                shown = [o for o in known if o.settled or not self._is_hidden(name, number, o.who, who)]
                said[name], hidden[name] = tuple(shown), len(known) - len(shown)
            others = [n for n in state.merges.group(root) if n != number] if root == number else [root]
            ids = [other.id for other in record_table.records_with(connection, others)]
            kept = None if root == number else ids[0]
            seen.append(Seen(record, status, said, hidden, tuple(ids) if kept is None else (), kept))
        return seen
