"""A learner of documents in blocks, with the counts of their margins: `out_of_sample` for more than memory holds.

Settings are chosen by a sample of the documents; then one round of passes goes over all blocks. Margins are counted
into the steps of the calibration as they come, and those of a few documents are kept whole for the decision rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.classify.out_of_sample import chosen_settings, compact_is_smaller, with_unseen
from bayesift.decide.calibration import MarginCalibration
from bayesift.learn.bomc.block_passes import Blocks, learn_blocks
from bayesift.learn.bomc.bomc import BOMC

Longs = NDArray[np.int64]
Singles = NDArray[np.float32]
SAMPLE = 1 << 15  # documents that choose the settings


@dataclass(frozen=True)
class Counting:
    """What is counted and kept of the margins of n documents, numbered through all blocks."""

    n: int
    folds: int  # documents take turns
    kept: int  # documents whose margins are kept, at most

    @property
    def step(self) -> int:
        """Every so many documents, margins are kept."""
        return max(1, -(-self.n // self.kept))

    def numbers(self) -> Longs:
        """Return the documents whose margins are kept."""
        return np.arange(0, self.n, self.step)


class MarginCounts:
    """Margins of documents, counted and kept as they come."""

    def __init__(self, counting: Counting, labels: int) -> None:
        self.counting = counting
        self.calibration = MarginCalibration.in_folds(counting.folds)
        self.margins = np.zeros((counting.numbers().size, labels + 1), np.float32)

    def add(self, numbers: Longs, margins: Singles, labels: Any) -> None:
        """Count documents with these numbers: margins (documents, labels + 1) and labels (documents, labels)."""
        self.calibration.add(margins, with_unseen(labels), numbers % self.counting.folds)
        keep = numbers % self.counting.step == 0
        self.margins[numbers[keep] // self.counting.step] = margins[keep]

    def merge(self, other: MarginCounts) -> None:
        """Add what another one counted of other documents."""
        self.calibration.merge(other.calibration)
        self.margins += other.margins  # each document is kept by one of the two, and 0 in the other


class LabelledBlocks(Protocol):
    """Documents in blocks, on disk or on other machines."""

    @property
    def sizes(self) -> Sequence[int]:
        """Documents of each block."""

    @property
    def n_labels(self) -> int:
        """Number of labels."""

    @property
    def fewest_labels(self) -> int:
        """Fewest labels of a document."""

    @property
    def most_labels(self) -> int:
        """Most labels of a document."""

    def take(self, documents: Longs, *, weigh: bool = False) -> tuple[Any, Any]:
        """Return term counts, or with `weigh` vectors, and labels of some documents, in the order given."""

    def labels_of(self, documents: Longs) -> sparse.csr_matrix:
        """Return the labels of some documents, in the order given."""

    def learn(self, learner: BOMC, seed: int, counting: Counting) -> tuple[BOMC, MarginCounts]:
        """Return a learner of all documents, in an order by the seed, and the counts of their margins."""


@dataclass
class FittedBlocks:
    """A learner of blocks, its calibration, and `margins` and `labels` of a few documents."""

    learner: BOMC
    calibration: MarginCalibration
    margins: Singles
    labels: sparse.csr_matrix


def fit_blocks(learner: BOMC, choose: bool, blocks: LabelledBlocks, seed: int, folds: int, kept: int) -> FittedBlocks:
    """Return the learner of all documents, and what is counted and kept of their margins.

    Parameters
    ----------
    learner : BOMC
        The independent variant without drift; with `choose` its noise and prior are chosen.
    blocks : LabelledBlocks
        The documents.
    seed : int
        Random seed of the order.
    folds : int
        Folds in which margins are counted.
    kept : int
        Documents whose margins are kept, at most.
    """
    n = sum(blocks.sizes)
    learner.set_params(learned_variances=False)  # they take weights of all labels, which no worker has
    rows, labels = blocks.take(Counting(n, 1, SAMPLE).numbers(), weigh=True)
    if choose:
        learner.set_params(**chosen_settings(learner, rows, labels, seed))
    if compact_is_smaller(learner, rows, labels):
        learner.set_params(compact=True)
    counting = Counting(n, folds, kept)
    found, counts = blocks.learn(learner, seed, counting)
    return FittedBlocks(found, counts.calibration, counts.margins, blocks.labels_of(counting.numbers()))


def learn_here(blocks: Blocks, labels: int, learner: BOMC, seed: int, counting: Counting) -> tuple[BOMC, MarginCounts]:
    """Learn blocks in this process, both ways at the same time."""
    begins = np.cumsum([0, *blocks.sizes])
    counts = [MarginCounts(counting, labels) for _ in range(2)]

    def count(way: int, block: int, own: Longs, margins: Singles) -> None:
        counts[way].add(begins[block] + own, margins, blocks.labels(block)[own])

    found = learn_blocks(learner, blocks, seed, count)
    counts[0].merge(counts[1])
    return found, counts[0]


def in_blocks(documents: Longs, sizes: Sequence[int]) -> list[tuple[int, Longs, Longs]]:
    """Return, for each block that has some of the documents, its number, their rows in it, and their places."""
    begins = np.cumsum([0, *sizes])
    block = np.searchsorted(begins, documents, side="right") - 1
    found = []
    for b in np.unique(block).tolist():
        places = np.flatnonzero(block == b)
        found.append((b, documents[places] - begins[b], places))
    return found


def put_together(parts: Sequence[Any], places: Sequence[Longs]) -> sparse.csr_matrix:
    """Return rows of several matrices as one, each at its place."""
    stacked = sparse.csr_matrix(sparse.vstack(parts))
    return sparse.csr_matrix(stacked[np.argsort(np.concatenate(places), kind="stable")])
