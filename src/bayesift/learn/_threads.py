"""Many documents, learned a slab of labels at a time, by threads; the result is the same for any number of them.

Labels of the independent variant do not touch each other. So a thread takes `BLOCK` labels, copies their weights of the
terms at hand into its slab [term][means, variances], learns all documents, writes the slab back and takes more.
A slab is small enough to stay in the cache, and threads never write to the same cache line.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.beliefs.diagonal import BLOCK, DiagonalBelief, aligned
from bayesift.compile import kernel

Singles = NDArray[np.float32]
Task = Callable[[Any, Singles, NDArray[np.float64], NDArray[np.int64], int, int], None]


def in_slabs(belief: DiagonalBelief, indices: Any, threads: int, task: Task) -> None:
    """Run task(indices in the slab, slab, bias, positives, first label, labels) over all labels and the unseen one."""
    terms, local = _present(indices, belief.n_features)
    labels = belief.n_labels + 1
    todo = iter(range(0, labels, BLOCK))  # shared by all threads

    def work(_: int) -> None:
        slab: Singles = aligned((terms.size, 2 * BLOCK), np.float32)
        for first in todo:
            some = slice(first, first + BLOCK)
            bias, positives = belief.bias[:, some].copy(), belief.positives[some].copy()
            _take(belief.mean, belief.variance, terms, first, slab)
            task(local, slab, bias, positives, first, min(BLOCK, labels - first))
            _put(belief.mean, belief.variance, terms, first, slab)
            belief.bias[:, some], belief.positives[some] = bias, positives

    threads = min(threads, -(-labels // BLOCK))
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))


def _present(indices: Any, features: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the features that occur, and each index as its place among them; of many documents, all features."""
    if indices.size >= features:
        return np.arange(features), indices.astype(np.int32, copy=False)
    present = np.zeros(features, bool)
    present[indices] = True
    place = np.cumsum(present, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(present), place[indices]


@kernel
def _take(mean: Singles, variance: Singles, terms: Any, first: int, slab: Singles) -> None:
    for k in range(terms.size):
        for c in range(BLOCK):
            slab[k, c] = mean[terms[k], first + c]
        for c in range(BLOCK):
            slab[k, BLOCK + c] = variance[terms[k], first + c]


@kernel
def _put(mean: Singles, variance: Singles, terms: Any, first: int, slab: Singles) -> None:
    for k in range(terms.size):
        for c in range(BLOCK):
            mean[terms[k], first + c] = slab[k, c]
        for c in range(BLOCK):
            variance[terms[k], first + c] = slab[k, BLOCK + c]
