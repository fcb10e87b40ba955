"""A review: records of a literature in a database, decided by one or more persons, ranked by what they decided so far.

Two lists: what is included by title and abstract ("abstract") comes to the list of full texts ("full-text").

The rules, in one place:

- A record needs the decisions of `reviewers` persons. If they differ, it is in conflict until it is settled.
- "maybe" is no decision yet: the record comes back at the end.
- The ranker learns from the abstract list: the settlement; else the first decision to include or exclude, whatever
  others said later. It orders both lists.
- Records that another person has read come first, in the order in which they were read, so that persons who are blind
  to each other learn nothing from the order. What is counted for them leaves out what they must not know (`so_far`).
- Where one decision per record is enough, nobody is given a record that another person has before him.
- Every change is an event, acknowledged after its commit. What holds follows from the events in force.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa

from bayesift.errors import BadInput
from bayesift.filtering.screening.records import Record
from bayesift.filtering.screening.store import creation, record_table
from bayesift.filtering.screening.store.adding import Addition
from bayesift.filtering.screening.store.checks import check_list, check_who, settings_event
from bayesift.filtering.screening.store.choosing import ORDERS
from bayesift.filtering.screening.store.deciding import Deciding
from bayesift.filtering.screening.store.estimates import Estimates
from bayesift.filtering.screening.store.events import LISTS, Event
from bayesift.filtering.screening.store.export import Import
from bayesift.filtering.screening.store.listing import Listing
from bayesift.filtering.screening.store.live import Live
from bayesift.filtering.screening.store.overview import Overview
from bayesift.filtering.screening.store.reader import Reader
from bayesift.filtering.screening.store.settings import REASONS, ReviewSettings
from bayesift.filtering.screening.store.views import Added, ToRead
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.failures import StoreFailed
from bayesift.filtering.store.opened import Opened
from bayesift.filtering.store.settings import utc_now

WAIT = 30.0  # seconds for another writer
CHUNK = 1_000


class Review(Opened, Deciding, Listing, Overview):
    """A review in a SQLite file or a PostgreSQL database.

    Use `Review.create`, `Review.open` or `Review.import_`. Any number of persons, threads and processes use a review at
    the same time; a change waits for the one before it.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> found = [Record("a", "Statins in HIV"), Record("b", "Statins in stroke"), Record("c", "Asthma in children")]
    >>> with Review.create(f"{folder}/hiv.db", found, question="statins for adults with HIV") as review:
    ...     (first,) = review.next(who="ada")
    ...     review.decide(first.record.id, "include", who="ada")
    ...     print(first.record.title, review.progress().included)
    Statins in HIV 1
    """

    KIND, WAIT = "review", WAIT

    def __init__(self, database: Database, write: bool) -> None:
        super().__init__(database, write)
        self._live = Live(database)
        self._estimates = Estimates(self._live)
        self._reader = Reader(self._live, self._estimates)

    @classmethod
    def create(
        cls, url: str | Path, records: Iterable[Record] = (), *, question: str = "", criteria: str = "",
        reasons: Sequence[str] = REASONS, reviewers: int = 1, blind: bool = True,
        rule: dict[str, Any] | None = None, seed: int = 0, deduplicate: bool = False, who: str | None = None,
        bad: Sequence[str] = (), wait: float = WAIT,
    ) -> Review:  # fmt: skip
        """Create a review and open it for writing.

        Parameters
        ----------
        url : str or Path
            A file name (SQLite), or postgresql://user@host/database.
        records : iterable of Record
            The first records; decisions that their files hold come with them.
        question : str
            What the review asks; the ranker starts from it.
        criteria : str
            The criteria for inclusion, as the reviewers read them (Markdown).
        reasons : sequence of str
            The reasons for exclusion.
        reviewers : int
            How many persons decide about each record.
        blind : bool
            Whether a person sees others' decisions about a record only when it has all of them.
        rule : dict, optional
            Settings of `StoppingRule` (default: 95 % found with 95 % certainty, certified).
        seed : int
            Random seed.
        deduplicate : bool
            Whether duplicates are merged without asking.
        who : str, optional
            Who creates it.
        bad : sequence of str
            What could not be read from the files, for the report.
        wait : float
            Seconds to wait for another writer.

        Raises
        ------
        BadInput
            If the file or the tables exist, or a setting is invalid.
        StoreFailed
            If the database cannot be written.
        """
        given = {
            "question": question, "criteria": criteria, "reasons": list(reasons), "reviewers": reviewers,
            "blind": blind, "rule": rule or {}, "seed": seed,
        }  # fmt: skip
        now = utc_now()
        new = ReviewSettings(created=now).changed(given)
        addition = Addition(list(records), deduplicate, who, now, bad)
        database = Database(url, wait)

        def fill(connection: sa.Connection) -> list[Event]:
            return [settings_event(new, who, now), *addition.events(connection, 0)]

        creation.create(database, fill)
        addition.forget()
        return cls(database, True)._with_vectors()

    @classmethod
    def import_(cls, path: str | Path, url: str | Path, *, wait: float = WAIT) -> Review:
        """Create a review from an export, and open it for writing; it goes on where the exported one was.

        Raises BadInput if the file is not a complete export, or the review exists.
        """
        database = Database(url, wait)
        exported = Import(path)

        def fill(connection: sa.Connection) -> list[Event]:
            size, records = 0, exported.records()
            while part := list(islice(records, CHUNK)):
                record_table.insert(connection, size, part)
                size += len(part)
            return exported.events(size)

        creation.create(database, fill)
        return cls(database, True)._with_vectors()

    def add(
        self, records: Iterable[Record], *, deduplicate: bool = False, who: str | None = None, bad: Sequence[str] = ()
    ) -> Added:
        """Add records; those that are there from the same place of the same file are not added again.

        Parameters
        ----------
        records : iterable of Record
            The records; decisions that their files hold come with them.
        deduplicate : bool
            Whether duplicates are merged without asking; of two, the first that came is kept.
        who : str, optional
            Who adds them.
        bad : sequence of str
            What could not be read from the files, for the report.

        Returns
        -------
        Added
            How many are new, known and duplicates.
        """
        self._check_write()
        addition = Addition(list(records), deduplicate, who, utc_now(), bad)
        with self._live.reading() as connection:
            addition.compare(connection, self._live.state.size)
        self._live.change(lambda connection: addition.events(connection, self._live.state.size))
        addition.forget()
        self._with_vectors()
        return addition.result

    def next(
        self, list: str = LISTS[0], *, who: str, order: str = ORDERS[0], count: int = 1, look: bool = False
    ) -> list[ToRead]:
        """Return the records that a person reads next; none if all are read.

        Parameters
        ----------
        list : str
            "abstract" or "full-text".
        who : str
            The person.
        order : str
            "ranked" (the most promising first, with the random draws that the stopping rule asks for), "random" or
            "date" (the newest first).
        count : int
            How many at most.
        look : bool
            Whether the person only looks and will not decide: nothing is drawn or kept from others.
        """
        check_list(list)
        check_who(who)
        if order not in ORDERS:
            raise BadInput(f"no order {order!r}", remedy=f"choose one of: {', '.join(ORDERS)}")
        return self._reader.next(list, who, order, count, self.write and not look)

    def to_read(self, record: str, list: str = LISTS[0], *, who: str) -> ToRead:
        """Return a record as a person reads it, such as one that was searched for."""
        check_list(list)
        check_who(who)
        with self._live.reading() as connection:
            return self._reader.one(connection, list, who, record_table.existing(connection, record))

    def _with_vectors(self) -> Self:
        """Make the vectors of the records and write them; if this fails now, they are made when they are needed."""
        with contextlib.suppress(StoreFailed):
            with self._live.reading() as connection:
                if self._live.state.size:
                    self._live.ranker(connection)
            self._live.save_vectors()
        return self
