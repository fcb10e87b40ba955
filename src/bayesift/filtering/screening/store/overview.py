"""What can be said of a review as a whole, at any time and in any thread: settings, progress, agreement, exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.records import Record
from bayesift.filtering.screening.store import log
from bayesift.filtering.screening.store.agreement import Agreement
from bayesift.filtering.screening.store.checks import check_list
from bayesift.filtering.screening.store.choosing import Choice
from bayesift.filtering.screening.store.decided import decided_records
from bayesift.filtering.screening.store.estimates import Estimates
from bayesift.filtering.screening.store.events import INCLUDE, LISTS, Event
from bayesift.filtering.screening.store.export import write_export
from bayesift.filtering.screening.store.list_state import IN_DOUBT, STATUSES
from bayesift.filtering.screening.store.live import Live
from bayesift.filtering.screening.store.settings import ReviewSettings
from bayesift.filtering.screening.store.slots import opinions
from bayesift.filtering.screening.store.so_far import hidden, reading_of
from bayesift.filtering.screening.store.summarising import summary_of
from bayesift.filtering.screening.store.views import Progress
from bayesift.filtering.screening.summary import ReviewSummary
from bayesift.filtering.store.database import Database

Table = list[int]


class Overview:
    """The methods of a review that count and summarise; they change nothing."""

    database: Database
    _live: Live
    _estimates: Estimates

    @property
    def settings(self) -> ReviewSettings:
        """The settings, up to date."""
        with self._live.reading():
            return self._live.state.settings

    @property
    def people(self) -> list[str]:
        """The persons who decided something, in the order of names."""
        with self._live.reading():
            return self._live.state.people()

    def __len__(self) -> int:
        """Return the number of records, merged ones too."""
        with self._live.reading():
            return self._live.state.size

    def agreement(self, list: str = LISTS[0]) -> list[Agreement]:
        """Return how far each two reviewers agree about what both decided, before conflicts were settled."""
        check_list(list)
        with self._live.reading():
            found, merges = self._live.state.lists[list], self._live.state.merges
            counts: dict[tuple[str, str], Table] = {}
            for record in np.flatnonzero(found.first).tolist():
                held = found.slots.held(merges.group(record))
                if None in held:
                    held = found.slots.held(merges.group(record), held[None].since)
                votes = {h.event.who: h.event.decision == INCLUDE for h in opinions(held) if h.event.who}
                names = sorted(votes)
                for i, a in enumerate(names):
                    for b in names[i + 1 :]:
                        counts.setdefault((a, b), [0, 0, 0, 0])[2 * (not votes[a]) + (not votes[b])] += 1
            pairs = [Agreement(a, b, *table) for (a, b), table in counts.items()]
            return sorted(pairs, key=lambda pair: (-pair.records, pair.first, pair.second))

    def progress(self, list: str = LISTS[0], who: str | None = None) -> Progress:
        """Return how far a list has come; for the abstract list also what is estimated to be left.

        Parameters
        ----------
        list : str
            "abstract" or "full-text".
        who : str, optional
            The person who looks at it, whose share is counted. In a blind review, what follows from others' decisions
            about records that lack decisions is left out: such records count as unread in the estimates, and as the
            person decided them, and others' "maybe" as waiting.
        """
        check_list(list)
        with self._live.reading() as connection:
            state = self._live.state
            found, inside = state.lists[list], state.in_list(list)
            counts = np.bincount(found.status[inside], minlength=len(STATUSES)).tolist()
            unread, waiting, maybe, conflicts, included, excluded, _ = counts
            records = int(inside.sum())
            shares: dict[str, Any] = {}
            if who is not None:
                mine = found.persons.get(who)
                decided = 0 if mine is None else int((mine[inside] > 0).sum())
                shares = {"mine": decided, "left": Choice(state, list, who, "ranked").left()}
            others = int((hidden(state, list, who) & inside & (found.status == IN_DOUBT)).sum())
            maybe, waiting = maybe - others, waiting + others
            known: dict[str, Any] = {}
            if list == LISTS[0] and records:
                estimate = self._estimates.of(connection, who)
                known = {name: getattr(estimate, name) for name in ("remaining", "stopping", "certificate")}
            return Progress(list, records, records - unread, included, excluded, maybe, waiting, conflicts, unread,
                            **shares, **known)  # fmt: skip

    def reading(self, who: str | None = None) -> Reading:
        """Return the titles and abstracts that were read, in their order, as the stopping rule sees them.

        Parameters
        ----------
        who : str, optional
            The person who looks at it, as in `progress`.
        """
        with self._live.reading():
            return reading_of(self._live.state, None, who)

    def events(self) -> list[Event]:
        """Return all events, in their order."""
        with self._live.reading() as connection:
            return [event for _, event in log.after(connection, 0)]

    def decided_records(self) -> list[Record]:
        """Return all records with the decisions in force as `given`, for `write_ris` and `write_csv`.

        Records that were merged are among them: `duplicate_of` is the id of the record that is kept.
        """
        with self._live.reading() as connection:
            return [*decided_records(connection, self._live.state)]

    def summary(self, name: str | None = None) -> ReviewSummary:
        """Return all that the report of the review shows.

        Parameters
        ----------
        name : str, optional
            The title of the report (default: the name of the database).
        """
        with self._live.reading() as connection:
            ranker = self._live.ranker(connection) if self._live.state.size else None
            title = name or Path(self.database.url.database or "").stem
            pairs = {found: tuple(self.agreement(found)) for found in LISTS}
            return summary_of(connection, self._live.state, ranker, title, pairs)

    def export(self, path: str | Path) -> dict[str, int]:
        """Write the whole review to a file of JSON lines, atomically, and return how many records and events it has.

        The name may end in .gz or .zst. Accounts of the service are not part of it.
        """
        with self._live.reading() as connection:
            return write_export(connection, path)
