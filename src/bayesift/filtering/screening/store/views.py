"""What a review returns to those who show it: records to read, opinions, conflicts, duplicates, progress."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayesift.filtering.screening.certified import Certificate
from bayesift.filtering.screening.records import Record
from bayesift.filtering.screening.remaining import Remaining
from bayesift.filtering.screening.stopping import StoppingState
from bayesift.filtering.screening.store.events import Decided, Event, Settled


class Opinion(msgspec.Struct, frozen=True):
    """A decision that holds: of a person, or the settlement (`settled`)."""

    who: str | None
    decision: str
    reason: str | None
    note: str | None
    tags: tuple[str, ...]
    time: str
    settled: bool

    @classmethod
    def of(cls, event: Decided | Settled) -> Opinion:
        """Return what an event says."""
        is_settled = isinstance(event, Settled)
        return cls(event.who, event.decision, event.reason, event.note, event.tags, event.time, is_settled)


class ToRead(msgspec.Struct, frozen=True):
    """A record to read next.

    Attributes
    ----------
    record : Record
        The record.
    list : str
        "abstract" or "full-text".
    probability : float or None
        P(relevant) by the ranker; None before anything is known.
    source : str
        Why it comes: "ranked", "random" (a random draw that the stopping rule counts) or "other".
    words_for, words_against : tuple of str
        Words of the record that count most.
    mine : Opinion or None
        What the person said of it before (maybe).
    """

    record: Record
    list: str
    probability: float | None
    source: str
    words_for: tuple[str, ...] = ()
    words_against: tuple[str, ...] = ()
    mine: Opinion | None = None


class Seen(msgspec.Struct, frozen=True):
    """A record and what is known about it in each list, as one person may see it.

    Attributes
    ----------
    record : Record
        The record.
    status : dict
        What the record is in each list; see `bayesift.filtering.screening.store.list_state`.
    opinions : dict
        The decisions that hold in each list, those that the person must not see left out.
    hidden : dict
        The number of decisions in each list that the person must not see yet.
    merged : tuple of str
        The ids of records that were merged into it.
    kept : str or None
        The id of the record that is kept for it, if it was merged.
    """

    record: Record
    status: dict[str, str]
    opinions: dict[str, tuple[Opinion, ...]]
    hidden: dict[str, int]
    merged: tuple[str, ...] = ()
    kept: str | None = None


class Conflict(msgspec.Struct, frozen=True):
    """A record about which reviewers differ."""

    record: Record
    list: str
    opinions: tuple[Opinion, ...]


class Duplicate(msgspec.Struct, frozen=True):
    """Two records that seem to be the same: why, how similar they are, and what was said: "merged", "apart" or None.

    `caution` is why they may be two works, "" if nothing says so.
    """

    first: Record
    second: Record
    why: str
    similarity: float
    caution: str = ""
    state: str | None = None


class Happened(msgspec.Struct, frozen=True):
    """An event and its number."""

    number: int
    event: Event


class Added(msgspec.Struct, frozen=True):
    """What came of adding records: new ones, known ones that are not added again, and pairs of duplicates."""

    records: int
    known: int
    duplicates: int
    merged: int
    given: int


@dataclass(frozen=True)
class Progress:
    """How far a list has come.

    Attributes
    ----------
    records : int
        Records in the list, without merged ones.
    read : int
        Records with at least one decision.
    included, excluded, maybe, waiting, conflicts, unread : int
        Records by what they are; they sum to `records`.
    mine : int
        Records that the person asked for has decided.
    left : int
        Records that this person has to read, if all are read.
    remaining, certificate, stopping
        Of the abstract list: the estimate of the relevant records that are unread, what the random draws prove, and
        the state of the stopping rule.
    """

    list: str
    records: int
    read: int
    included: int
    excluded: int
    maybe: int
    waiting: int
    conflicts: int
    unread: int
    mine: int = 0
    left: int = 0
    remaining: Remaining | None = None
    certificate: Certificate | None = None
    stopping: StoppingState | None = None
