"""Simulated screening of a finite pool: read the most promising record, learn from the judgement, and repeat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.evaluate import average_time_to_discovery, recall_at, recall_curve, recall_loss, work_saved
from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.remaining import Remaining, estimate_remaining
from bayesift.progress import track

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class Screening:
    """The order of reading, without the documents judged beforehand, and whether each is relevant."""

    order: Numbers
    relevant: NDArray[np.bool_]

    @property
    def recall(self) -> Floats:
        """Recall after 1, 2, .. documents."""
        return recall_curve(self.relevant)

    @property
    def atd(self) -> float:
        """Average time to discovery, as a share of the pool."""
        return average_time_to_discovery(self.relevant)

    @property
    def wss(self) -> float:
        """Work saved over sampling at a recall of 95 %."""
        return work_saved(self.relevant)

    def measures(self) -> dict[str, float]:
        """Return loss, ATD, WSS at 95 and 100 %, and recall when a tenth is read."""
        order = self.relevant
        return {
            "loss": recall_loss(order), "ATD": self.atd, "WSS@95": self.wss, "WSS@100": work_saved(order, 1.0),
            "recall@10%": recall_at(order, max(1, order.size // 10)),
        }  # fmt: skip

    def remaining(self, read: int) -> Remaining:
        """Estimate how many relevant documents are unread after the first `read` documents."""
        return estimate_remaining(Reading(self.relevant[:read], "ranked", self.relevant.size))


def screen(
    ranker: PoolRanker, truth: NDArray[np.bool_], *, known: Sequence[int] | None = None, seed: int = 0,
    label: str = "pool",
) -> Screening:  # fmt: skip
    """Simulate the reading of a whole pool, the most promising record first.

    When all relevant records are found the others follow in their last order.

    Parameters
    ----------
    ranker : PoolRanker
        The records of the pool; what it has learned is not used, and it learns nothing.
    truth : array of bool
        Whether each record is relevant.
    known : sequence of int, optional
        Records judged beforehand (default: one relevant and one irrelevant record, chosen at random).
    seed : int
        Random seed of that choice.
    label : str
        Name of the progress bar.

    Returns
    -------
    Screening
        The order of reading and what was found.

    Raises
    ------
    BadInput
        If the pool does not have both relevant and irrelevant records, or an argument is out of range.

    Examples
    --------
    >>> ranker = PoolRanker([("Red apples", ""), ("Green apples", ""), ("Fast cars", ""), ("Slow cars", "")])
    >>> screen(ranker, np.array([True, True, False, False]), known=[0, 2]).order
    array([1, 3])
    """
    truth = np.asarray(truth)
    if truth.dtype != np.bool_ or truth.shape != (ranker.size,):
        remedy = f"give {ranker.size} booleans, one per record"
        raise BadInput(f"truth has type {truth.dtype} and shape {truth.shape}", remedy=remedy)
    if not truth.any() or truth.all():
        raise BadInput(
            f"{int(truth.sum())} of {truth.size} records are relevant", remedy="a pool needs both relevant and others"
        )
    known = list(draw_known(truth, seed) if known is None else known)
    if len(set(known)) < len(known) or not all(0 <= record < truth.size for record in known):
        raise BadInput(f"known records {known[:5]}", remedy=f"give row numbers below {truth.size}, each once")
    ranker = ranker.unjudged()
    ranker.learn(known, truth[known])
    missing, order = int(truth.sum() - truth[known].sum()), list[int]()
    for _ in track(range(truth.size - len(known)), label, truth.size - len(known)):
        if missing:
            best = int(ranker.order(1)[0])
            ranker.judge(best, bool(truth[best]))
            order.append(best)
            missing -= int(truth[best])
    numbers = np.concatenate([np.array(order, np.intp), ranker.order()])
    return Screening(numbers, truth[numbers])


def draw_known(truth: NDArray[np.bool_], seed: int) -> list[int]:
    """Return a relevant and an irrelevant record, drawn at random."""
    if seed < 0:
        raise BadInput(f"the random seed is {seed}", remedy="give a whole number from 0 on")
    rng = np.random.default_rng(seed)
    return [int(rng.choice(np.flatnonzero(truth))), int(rng.choice(np.flatnonzero(~truth)))]
