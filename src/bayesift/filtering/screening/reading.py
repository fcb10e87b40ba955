"""What was read of a pool so far: the only thing that estimates and stopping rules look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from bayesift.errors import BadInput

Floats = NDArray[np.float64]
SOURCES = ("ranked", "random", "known", "other")


class Draws(NamedTuple):
    """Whether each record drawn is relevant, the relevant records found before it, and the unread ones it is of."""

    relevant: NDArray[np.bool_]
    found_before: NDArray[np.intp]
    unread_before: NDArray[np.intp]


@dataclass(frozen=True, eq=False, init=False)
class Reading:
    """The records read, in their order, and the records that are unread.

    Parameters
    ----------
    relevant : array of bool
        Whether each record read is relevant. A record decided as "maybe" counts as relevant.
    source : array of str, or str
        Why each record was read: "ranked" (first of the unread), "random" (drawn uniformly from all unread records),
        "known" (judged before the reading began) or "other" (a search, the date). One word holds for all.
    pool : int
        Number of records in the pool, read and unread.
    probabilities : array of float, optional
        P(relevant) of each unread record now, as the ranker has it.
    since : int
        Number of records that had been read when the pool last changed. Random draws before that say nothing about
        records added later, so they do not count.
    until : int, optional
        Random draws from this place on do not count yet, since one that was made before them is not decided.

    Raises
    ------
    BadInput
        If the arrays do not fit each other or the pool.

    Examples
    --------
    >>> reading = Reading([True, False, True], ["known", "ranked", "random"], 10)
    >>> reading.read, reading.found, reading.unread
    (3, 2, 7)
    """

    relevant: NDArray[np.bool_]
    source: NDArray[np.str_]
    pool: int
    probabilities: Floats | None
    since: int
    until: int

    def __init__(
        self, relevant: npt.ArrayLike, source: npt.ArrayLike, pool: int, probabilities: npt.ArrayLike | None = None,
        since: int = 0, until: int | None = None,
    ) -> None:  # fmt: skip
        hits = _booleans(relevant)
        if hits.size > pool:
            raise BadInput(f"{hits.size} records read of {pool}", remedy=f"read at most {pool}")
        if not 0 <= since <= hits.size:
            raise BadInput(f"since is {since} of {hits.size} records read", remedy=f"give 0 to {hits.size}")
        p = None if probabilities is None else _probabilities(probabilities, pool - hits.size)
        values = {"relevant": hits, "source": _sources(source, hits.size), "pool": pool, "probabilities": p}
        for name, value in (values | {"since": since, "until": hits.size if until is None else until}).items():
            object.__setattr__(self, name, value)

    @property
    def read(self) -> int:
        """Number of records read."""
        return self.relevant.size

    @property
    def found(self) -> int:
        """Number of relevant records read."""
        return int(self.relevant.sum())

    @property
    def unread(self) -> int:
        """Number of records that are unread."""
        return self.pool - self.read

    def draws(self) -> Draws:
        """Return the random draws that count."""
        places = np.flatnonzero(self.source == "random")
        places = places[(places >= self.since) & (places < self.until)]
        found: NDArray[np.intp] = np.cumsum(self.relevant, dtype=np.intp) - self.relevant
        return Draws(self.relevant[places], found[places], self.pool - places)


def _booleans(relevant: npt.ArrayLike) -> NDArray[np.bool_]:
    array = np.asarray(relevant)
    if array.ndim != 1 or (array.size and not np.isin(array, (0, 1)).all()):
        raise BadInput("relevant is not a list of booleans", remedy="give True or False per record read")
    return array.astype(np.bool_)


def _sources(source: npt.ArrayLike, read: int) -> NDArray[np.str_]:
    given = np.asarray(source, np.str_)
    given = np.full(read, given) if given.ndim == 0 else given.ravel()
    if given.size != read:
        raise BadInput(f"{given.size} sources of {read} records read", remedy="give one source per record")
    if unknown := sorted(set(given.tolist()) - set(SOURCES)):
        raise BadInput(f"source {unknown[0]!r}", remedy=f"choose one of: {', '.join(SOURCES)}")
    return given


def _probabilities(probabilities: npt.ArrayLike, unread: int) -> Floats:
    p = np.asarray(probabilities, np.float64).ravel()
    if p.size != unread:
        raise BadInput(f"{p.size} probabilities of {unread} unread records", remedy="give one per unread record")
    if not np.all((p >= 0.0) & (p <= 1.0)):
        raise BadInput("a probability is not within [0, 1]", remedy="give calibrated probabilities")
    return p
