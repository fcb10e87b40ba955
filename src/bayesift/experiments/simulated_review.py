"""Simulated reviews: pools of SYNERGY and made ones, read by rank from one relevant and one other record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bayesift.corpora import load_corpus
from bayesift.experiments.made_pools import MadePool
from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.reading import Reading

Truth = NDArray[np.bool_]


def synergy_pools(reviews: Sequence[str], seeds: int, data: Path | None = None) -> Iterator[MadePool]:
    """Yield each review as often as it is simulated."""
    for review in reviews:
        documents = list(load_corpus("synergy", part=review, data=data).documents())
        pool = MadePool(review, [(d.title, d.body) for d in documents], np.array([bool(d.labels) for d in documents]))
        for _ in range(seeds):
            yield pool


def read_by_rank(ranker: PoolRanker, truth: Truth, seed: int, shares: Sequence[float]) -> Iterator[list[int]]:
    """Yield the records read so far, the two known ones first: after every learning step and at each share."""
    rng = np.random.default_rng(seed)
    order = [int(rng.choice(np.flatnonzero(truth))), int(rng.choice(np.flatnonzero(~truth)))]
    ranker.learn(order, truth[order])
    places = [place(share, truth.size) for share in shares]
    while len(order) < truth.size:
        step = min([learn_after(order, truth)] + [p - len(order) for p in places if p > len(order)])
        new = ranker.order(step)
        ranker.learn(new, truth[new])
        order += new.tolist()
        yield order


def learn_after(order: list[int], truth: Truth) -> int:
    """Return how many records are read before the ranker learns again: one at first, then a twentieth of those read."""
    return min(max(1, len(order) // 20), truth.size - len(order))


def place(share: float, size: int) -> int:
    """Return the number of records read at this share."""
    return max(3, int(share * size))


def reading_of(p: NDArray[np.float64], truth: Truth, order: list[int], sources: Sequence[str] | None = None) -> Reading:
    """Return the reading of records, of which the first two were known; by default the others were read by rank."""
    unread = np.ones(truth.size, bool)
    unread[order] = False
    others = ["ranked"] * (len(order) - 2) if sources is None else sources
    return Reading(truth[order], ["known", "known", *others], truth.size, p[unread])
