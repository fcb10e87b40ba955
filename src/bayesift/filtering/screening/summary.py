"""What a report says about a review, as plain data: counts, the reading, estimates, agreement, words, settings.

Counts that follow from others are computed, so that the flow diagram always adds up:
identified = duplicates + unreadable + screened + not screened; screened = included + excluded + undecided.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

NO_REASON = "no reason given"


class ListCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of records of one list by the decision in force.

    Parameters
    ----------
    excluded : by reason; "" where no reason was given.
    maybe : records whose decision is "maybe".
    conflicts : records about which reviewers differ, not yet settled.

    >>> ListCounts(included=2, excluded={"wrong population": 3, "": 1}, maybe=1).read
    7
    """

    included: int = 0
    excluded: Mapping[str, int] = {}
    maybe: int = 0
    conflicts: int = 0

    @property
    def excluded_in_all(self) -> int:
        """Return the number of excluded records."""
        return sum(self.excluded.values())

    @property
    def undecided(self) -> int:
        """Return the number of records that were read and are neither included nor excluded."""
        return self.maybe + self.conflicts

    @property
    def read(self) -> int:
        """Return the number of records with a decision."""
        return self.included + self.excluded_in_all + self.undecided


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of a PRISMA 2020 flow diagram.

    Parameters
    ----------
    identified : records by source (file or database), before duplicates were removed.
    duplicates : records merged into another one.
    unreadable : entries of the files that could not be read.
    abstract : the list of titles and abstracts.
    full_text : the list of full texts; None if the review has none.
    not_retrieved : records included by abstract whose full text could not be obtained.

    >>> flow = Flow(identified={"a.ris": 10}, duplicates=2, abstract=ListCounts(included=1, excluded={"": 4}))
    >>> flow.screened, flow.not_screened, flow.included
    (5, 3, 1)
    """

    identified: Mapping[str, int] = {}
    duplicates: int = 0
    unreadable: int = 0
    abstract: ListCounts = ListCounts()
    full_text: ListCounts | None = None
    not_retrieved: int = 0

    @property
    def identified_in_all(self) -> int:
        """Return the number of records of all sources."""
        return sum(self.identified.values())

    @property
    def records(self) -> int:
        """Return the number of records to screen."""
        return self.identified_in_all - self.duplicates - self.unreadable

    @property
    def screened(self) -> int:
        """Return the number of records read by title and abstract."""
        return self.abstract.read

    @property
    def not_screened(self) -> int:
        """Return the number of records not read by title and abstract."""
        return self.records - self.screened

    @property
    def assessed(self) -> int:
        """Return the number of records read in full text."""
        return 0 if self.full_text is None else self.full_text.read

    @property
    def not_assessed(self) -> int:
        """Return the number of records that await a decision about their full text."""
        return 0 if self.full_text is None else self.abstract.included - self.not_retrieved - self.assessed

    @property
    def included(self) -> int:
        """Return the number of records included in the review."""
        return self.abstract.included if self.full_text is None else self.full_text.included


class EstimatePoint(msgspec.Struct, frozen=True):
    """Estimate of the relevant records still unread, made when `read` records had been read."""

    read: int
    mean: float
    low: float
    high: float


class AgreementSummary(msgspec.Struct, frozen=True):
    """Agreement of two reviewers on one list; `counts[d][e]`: the first decided d, the second e."""

    list: str
    first: str
    second: str
    kappa: float
    low: float
    high: float
    counts: Mapping[str, Mapping[str, int]]


class ReviewSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All that the report of a review shows.

    Parameters
    ----------
    name : title of the review.
    relevant : of each record read by title and abstract, in the order of reading, whether it was included.
    sources : of each of them, how it came to be read: "ranked", "random", "known" or "other".
    estimates : along the reading; `level` is that of their intervals.
    stopping : the sentence of the stopping rule's state; `rule` is the rule in the reviewer's terms.
    terms : the words that counted, with their weights; positive ones speak for relevance.
    versions, settings : names and values, as they are to be reported; `seed` is the random seed.
    """

    name: str = ""
    question: str = ""
    criteria: str = ""
    reviewers: tuple[str, ...] = ()
    blind: bool = False
    began: str = ""
    ended: str = ""
    flow: Flow = Flow()
    relevant: tuple[bool, ...] = ()
    sources: tuple[str, ...] = ()
    estimates: tuple[EstimatePoint, ...] = ()
    level: float = 0.95
    rule: str = ""
    stopping: str = ""
    stopped: bool = False
    certified: str = ""
    agreement: tuple[AgreementSummary, ...] = ()
    terms: tuple[tuple[str, float], ...] = ()
    ranker: str = ""
    seed: int | None = None
    versions: Mapping[str, str] = {}
    settings: Mapping[str, str] = {}
