"""A block of labels on a worker: it learns all documents, batch by batch, forwards and backwards.

Labels do not touch each other, so the blocks together are, bit for bit, what one process would learn.
"""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from bayesift.beliefs.diagonal import BLOCK
from bayesift.classify.blocks.fitting import Counting, MarginCounts
from bayesift.learn.bomc.belief import LabelsBelief
from bayesift.learn.bomc.bomc import BOMC

Longs = NDArray[np.int64]
State = dict[str, Any]
Batch = tuple[Any, Any]  # vectors and labels of a block of documents


class LabelBlock:
    """The actor: two learners of labels `first` to `last`, one for each way, and the counts of margins."""

    def __init__(
        self, template: BOMC, first: int, last: int, counting: Counting, steps: int = 0, state: State | None = None
    ) -> None:
        self.labels, self.steps = slice(first, last), steps
        self._waiting: dict[int, tuple[Any, ...]] = {}
        self._lock = threading.Lock()
        self.learners = [clone(template).set_params(threads=1) for _ in range(2)]
        self.counts = [MarginCounts(counting, last - first) for _ in range(2)]
        if state is not None:
            self._restore(state)

    def take(self, number: int, step: tuple[Any, ...]) -> int:
        """Learn the step with this number when all before it are learned; return how many are.

        `step` is what `learn` takes. Steps come in any order; those that come too early wait here.
        """
        with self._lock:
            self._waiting[number] = step
            while self.steps in self._waiting:
                self.learn(*self._waiting.pop(self.steps))
                self.steps += 1
            return self.steps

    def learn(self, way: int, batch: Batch, order: Longs, begin: int, skip: int) -> int:
        """Learn a batch in this order; margins count from place `skip` on. Return the number of documents."""
        rows, all_labels = batch
        labels = all_labels[:, self.labels]
        margins = self.learners[way].learn_prequential(rows, labels, order, skip)
        own = order[skip:]
        if own.size:
            self.counts[way].add(begin + own, margins[own], labels[own])
        return int(order.size)

    def state(self) -> State:
        """Return all that was learned and counted so far."""
        return {
            "learners": [learner.state() if hasattr(learner, "belief_") else None for learner in self.learners],
            "counts": [(c.calibration.documents, c.calibration.positives, c.margins) for c in self.counts],
        }

    def _restore(self, state: State) -> None:
        for learner, known in zip(self.learners, state["learners"]):
            if known is not None:
                learner.restore(known)
        for counts, (documents, positives, margins) in zip(self.counts, state["counts"]):
            counts.calibration.documents, counts.calibration.positives = documents.copy(), positives.copy()
            counts.margins = margins.copy()

    def result(self) -> tuple[dict[str, Any], MarginCounts]:
        """Return the average of both ways, and the counts of both; nothing is learned after it."""
        whole = self.learners[0].belief_
        whole.add(self.learners[1].belief_)
        whole.divide(2)
        self.counts[0].merge(self.counts[1])
        return parts_of(whole), self.counts[0]


def parts_of(belief: LabelsBelief) -> dict[str, Any]:
    """Return what `joined` needs of a block of labels and its unseen label."""
    some, c = slice(belief.n_features), belief.n_labels + 1
    return {
        "mean": belief.mean[some, :c],
        "variance": belief.variance[some, :c],
        "bias": belief.bias[:, :c],
        "positives": belief.positives[: c - 1],
        "own": belief.own[some],
        "seen": belief.seen,
    }


def blocks_of_labels(labels: int, workers: int, *, whole: bool = False) -> list[tuple[int, int]]:
    """Return the first label of each block and the one after its last.

    The kernels learn `BLOCK` labels at a time. Each block of labels has its unseen label too, and fills whole blocks of
    the kernels with it. With `whole` they are filled without it, as a compact belief needs, which learns it apart.

    >>> blocks_of_labels(90, 2), blocks_of_labels(90, 2, whole=True), blocks_of_labels(10, 4)
    ([(0, 47), (47, 90)], [(0, 48), (48, 90)], [(0, 10)])
    """
    own = 0 if whole else 1
    blocks = max(1, min(workers, -(-(labels + own) // BLOCK)))
    groups = max(1, -(-(labels + own * blocks) // BLOCK))
    sizes = np.diff(np.linspace(0, groups, blocks + 1).round().astype(int)) * BLOCK - own
    cuts = np.minimum(np.cumsum([0, *sizes]), labels)
    return [(int(a), int(b)) for a, b in pairwise(cuts) if b > a or b == 0]


def joined(
    template: BOMC, parts: list[tuple[dict[str, Any], MarginCounts]], counting: Counting
) -> tuple[BOMC, MarginCounts]:
    """Return one learner of all labels, and the counts of all margins; the unseen label is that of the last block."""
    states = [state for state, _ in parts]
    features, labels = states[0]["mean"].shape[0], sum(state["positives"].size for state in states)
    learner: BOMC = clone(template)
    learner.begin(features, labels)
    belief, at = learner.belief_, 0
    for state in states:
        c = state["positives"].size
        some = slice(at, at + c + 1)  # the unseen label is overwritten by the next block
        belief.mean[:features, some], belief.variance[:features, some] = state["mean"], state["variance"]
        belief.bias[:, some] = state["bias"]
        belief.positives[at : at + c] = state["positives"]
        if belief.compact:
            belief.own[:features, at // 8 : at // 8 + -(-c // 8)] = state["own"][:, : -(-c // 8)]
        at += c
    belief.seen = int(states[0]["seen"])
    whole = MarginCounts(counting, labels)
    columns = [counts for _, counts in parts]
    last = columns[-1]
    for name in ("documents", "positives"):
        each = [getattr(counts.calibration, name)[:, :-1] for counts in columns]
        setattr(whole.calibration, name, np.concatenate([*each, getattr(last.calibration, name)[:, -1:]], axis=1))
    whole.margins = np.hstack([*(counts.margins[:, :-1] for counts in columns), last.margins[:, -1:]])
    return learner, whole
