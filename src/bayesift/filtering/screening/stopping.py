"""When to stop reading: rules in the reviewer's terms, and random draws so that a rule can be met.

"Stop when, with 95 % certainty, at least 95 % are found" is the rule `StoppingRule(recall=0.95, certainty=0.95)`.

- `certified`: stop when random draws prove the recall (`certified`). It rests on the draws alone.
- `model`: stop when the recall has the wanted probability (`remaining`). It rests on the ranker and how it did so far.
- `in-a-row`: stop when the last n records were not relevant. It states no certainty.
- `share`: stop when a fixed share of the pool is read. It states no certainty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.filtering.screening.certified import allowed, certify
from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.remaining import distribution, estimate_remaining

Method = Literal["certified", "model", "in-a-row", "share"]
METHODS: tuple[Method, ...] = ("certified", "model", "in-a-row", "share")
START = 0.75  # probability that the recall is reached, from which on records are drawn at random
DRAWN = 1.0  # share of the records read from there on that are drawn


@dataclass(frozen=True)
class StoppingState:
    """Whether to stop now: the relevant records found, those that may be unread, and a sentence for the reviewer."""

    stop: bool
    found: int
    low: int
    high: int
    recall_low: float
    sentence: str


@dataclass(frozen=True)
class StoppingRule:
    """A rule that says when enough was read.

    Parameters
    ----------
    recall : float
        The share of the relevant records that should be found.
    certainty : float
        The probability with which this share should be found ("certified" and "model").
    method : str
        "certified", "model", "in-a-row" or "share".
    in_a_row : int
        For "in-a-row": how many records that are not relevant, one after the other.
    share : float
        For "share": the share of the pool to read.

    Raises
    ------
    BadInput
        If a setting is out of range.

    Examples
    --------
    >>> rule = StoppingRule(method="in-a-row", in_a_row=3)
    >>> rule.state(Reading([True, False, False, False], "ranked", 10)).sentence
    'Stop: the last 3 records were not relevant (3 in a row are asked for). This says nothing about what is unread.'
    """

    recall: float = 0.95
    certainty: float = 0.95
    method: Method = "certified"
    in_a_row: int = 50
    share: float = 0.5

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise BadInput(f"stopping method {self.method!r}", remedy=f"choose one of: {', '.join(METHODS)}")
        for name in ("recall", "share"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise BadInput(f"{name} is {getattr(self, name)}", remedy="give a share above 0, at most 1")
        if not 0.5 <= self.certainty < 1.0:
            raise BadInput(f"certainty is {self.certainty}", remedy="give at least 0.5 and less than 1")
        if self.in_a_row < 1:
            raise BadInput(f"in_a_row is {self.in_a_row}", remedy="give a whole number from 1 on")

    def state(self, reading: Reading) -> StoppingState:
        """Return whether to stop, and why, in plain words."""
        if reading.unread == 0:
            done = f"Stop: all {reading.pool:,} records are read." if reading.pool else "There are no records yet."
            return StoppingState(True, reading.found, 0, 0, 1.0, done)
        if self.method == "certified":
            return self._certified(reading)
        if self.method == "model":
            return self._model(reading)
        return self._plain(reading)

    def _certified(self, reading: Reading) -> StoppingState:
        proof = certify(reading, self.recall, self.certainty)
        bound = f"at most {proof.high:,} relevant records are unread, so at least {_percent(proof.recall)} are found"
        drawn = f"{proof.draws:,} records drawn at random ({proof.hits:,} relevant)"
        if proof.holds:
            sentence = f"Stop: with {_percent(self.certainty)} certainty {bound}; proved by {drawn}."
        else:
            sentence = f"Read on: with {_percent(self.certainty)} certainty {bound}, by {drawn}."
            if not proof.draws:
                sentence = "Read on: nothing is proved yet, since no record is drawn at random."
            need = f"{proof.needed:,} more random records, if none of them is relevant"
            sentence += f" To prove {_percent(self.recall)} takes {need}."
        return StoppingState(proof.holds, proof.found, 0, proof.high, proof.recall, sentence)

    def _model(self, reading: Reading) -> StoppingState:
        estimate = estimate_remaining(reading)
        high = _quantile(distribution(reading), self.certainty)
        found = reading.found
        recall = found / (found + high) if found + high else 1.0
        stop = high <= allowed(found, self.recall)
        verb = "Stop" if stop else "Read on"
        sentence = (
            f"{verb}: an estimated {estimate.mean:.1f} relevant records are unread; with"
            f" {_percent(self.certainty)} certainty at most {high:,}, so at least {_percent(recall)} are found."
            f" The estimate rests on {estimate.basis}."
        )
        return StoppingState(stop, found, estimate.low, high, recall, sentence)

    def _plain(self, reading: Reading) -> StoppingState:
        unread, found = reading.unread, reading.found
        if self.method == "share":
            stop = reading.read >= math.ceil(self.share * reading.pool - 1e-9)
            asked = f"{reading.read:,} of {reading.pool:,} records are read ({_percent(self.share)} are asked for)"
        else:
            run = _run(reading)
            stop = run >= self.in_a_row
            asked = f"the last {run:,} records were not relevant ({self.in_a_row:,} in a row are asked for)"
        sentence = f"{'Stop' if stop else 'Read on'}: {asked}. This says nothing about what is unread."
        return StoppingState(stop, found, 0, unread, found / (found + unread), sentence)


def random_share(reading: Reading, rule: StoppingRule) -> float:
    """Return the share of the next records to draw at random from the unread ones: 0 before the point to stop.

    Parameters
    ----------
    reading : Reading
        What was read.
    rule : StoppingRule
        Only a certified rule needs draws.

    Returns
    -------
    float
        0: read by rank. 1: draw the next record at random.
    """
    if rule.method != "certified" or reading.unread == 0:
        return 0.0
    enough = distribution(reading)[: allowed(reading.found, rule.recall) + 1].sum()
    return DRAWN if enough >= START else 0.0


def draw(unread: NDArray[np.intp], number: int, seed: int = 0) -> int:
    """Draw one of the unread records at random, each with the same probability.

    Parameters
    ----------
    unread : array of int
        The unread records, in any order.
    number : int
        How many were drawn before. The same records, number and seed give the same draw.
    seed : int
        Random seed of the draws.

    Raises
    ------
    BadInput
        If no record is unread.

    Examples
    --------
    >>> draw(np.array([3, 5, 8]), 0) in (3, 5, 8)
    True
    """
    if not len(unread):
        raise BadInput("no record is unread", remedy="stop")
    return int(np.sort(unread)[np.random.default_rng([seed, number]).integers(len(unread))])


def _quantile(p: NDArray[np.float64], level: float) -> int:
    return min(int(np.searchsorted(np.cumsum(p), level)), p.size - 1)


def _run(reading: Reading) -> int:
    """Return how many records read by rank have not been relevant since the last relevant one."""
    hits = np.flatnonzero(reading.relevant)
    after = int(hits[-1]) + 1 if hits.size else 0
    return int(np.isin(reading.source[after:], ("ranked", "other")).sum())


def _percent(share: float) -> str:
    """Return a share in per cent, rounded down so that it never promises too much."""
    return f"{math.floor(1000 * share + 1e-9) / 10:g} %"
