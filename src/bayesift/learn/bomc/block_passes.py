"""BOMC forwards and backwards over blocks of documents that are read one at a time.

As in `passes`, each document has its margin by the model that had learned at least half of the others, and posteriors
of both ways are averaged. There is one round, and margins are handed on block by block, so that no array of documents
and labels is held. Blocks come in a random order, and the documents of a block too; the same order over all documents
at once gives the same numbers, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from bayesift.learn.bomc.bomc import BOMC
from bayesift.threads import in_threads, n_threads

Longs = NDArray[np.int64]
Singles = NDArray[np.float32]
# count(way: 0 or 1, block, rows of the block, the margins of these rows)
Count = Callable[[int, int, Longs, Singles], None]


class Blocks(Protocol):
    """Documents in blocks."""

    @property
    def sizes(self) -> Sequence[int]:
        """Documents of each block."""

    def rows(self, block: int) -> Any:
        """Return the vectors of a block: (documents, features), with the same features in each block."""

    def labels(self, block: int) -> Any:
        """Return its labels: (documents, labels) of 0 and 1, with the same labels in each block."""


class BlockOrder:
    """A random order of blocks, and of the rows in each.

    >>> order = BlockOrder([2, 3], seed=0)
    >>> order.blocks.tolist(), order.rows(1).tolist(), order.of_all().tolist()
    ([0, 1], [2, 0, 1], [0, 1, 4, 2, 3])
    """

    def __init__(self, sizes: Sequence[int], seed: int) -> None:
        self.sizes, self.seed = sizes, seed
        self.blocks: Longs = np.random.default_rng(seed).permutation(len(sizes))

    def rows(self, block: int) -> Longs:
        """Return the order of the rows of a block."""
        return rows_in_order(self.seed, block, self.sizes[block])

    def of_all(self) -> Longs:
        """Return the order of all documents, numbered from the first of the first block on."""
        begins = np.cumsum([0, *self.sizes])
        return np.concatenate([np.empty(0, np.int64), *(begins[b] + self.rows(int(b)) for b in self.blocks)])


def rows_in_order(seed: int, block: int, size: int) -> Longs:
    """Return the order of the rows of a block of this size."""
    return np.random.default_rng([seed, block]).permutation(size)


def learn_blocks(template: BOMC, blocks: Blocks, seed: int, count: Count) -> BOMC:
    """Return a learner of all documents.

    Parameters
    ----------
    template : BOMC
        The settings: the independent variant without drift.
    blocks : Blocks
        The documents.
    seed : int
        Random seed of the order.
    count : callable
        Gets the margins of each document once; two threads call it, one for each way.
    """
    order, n = BlockOrder(blocks.sizes, seed), sum(blocks.sizes)
    threads = n_threads(template.threads)
    learners = [clone(template).set_params(threads=max(1, threads // 2)) for _ in range(2)]

    def go(way: int) -> None:
        sequence = order.blocks[::-1] if way else order.blocks
        skip = n - n // 2 if way else n // 2
        for block in sequence.tolist():
            rows = order.rows(block)
            rows = rows[::-1].copy() if way else rows
            first = min(max(skip, 0), rows.size)
            margins = learners[way].learn_prequential(blocks.rows(block), blocks.labels(block), rows, first)
            if first < rows.size:
                count(way, block, rows[first:], margins[rows[first:]])
            skip -= rows.size

    in_threads(go, range(2), threads)
    whole: BOMC = learners[0]
    whole.belief_.add(learners[1].belief_)
    whole.belief_.divide(2)
    whole.set_params(threads=template.threads)
    return whole
