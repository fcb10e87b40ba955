"""Many documents, learned a slab of labels at a time, by threads; the result is the same for any number of them.

Labels of the independent variant do not touch each other. So a thread takes `BLOCK` labels, copies their weights of the
terms at hand into its slab [term][means, variances], learns all documents, writes the slab back and takes more. A slab
is small enough to stay in the cache, and threads never write to the same cache line.

With drift a row of weights has the step at which its variances were last up to date, the same for all labels. Each slab
starts from what it was before these documents, and all of them leave it the same.

In a compact belief most weights are the unseen label's. It is learned first, and what its weights are after each
document is noted, for the other labels to take over. The weights of a dense vector are the labels' own from the start.

The first `dense` features are the numbers of a dense vector, which every document has: they come first in a slab.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs.diagonal import BLOCK, DiagonalBelief, aligned
from bayesift.numba_kernel import kernel
from bayesift.threads import in_threads

Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
# task(indices in the slab after its dense rows, slab, touched, bias, positives, first label, labels, masks, the unseen
# label's weights of the terms)
Task = Callable[[Any, Singles, Longs, Any, Any, int, int, NDArray[np.uint16], Singles], None]
NO_MASKS, NOT_NOTED = np.empty(0, np.uint16), np.empty((2, 0), np.float32)


def in_slabs(belief: DiagonalBelief, indices: Any, dense: int, threads: int, task: Task) -> None:
    """Run the task over all labels and the unseen one; a compact belief does not drift."""
    terms, local = present(indices, belief.n_features - dense)
    terms += dense
    features = np.concatenate([np.arange(dense), terms])
    labels = belief.n_labels + (not belief.compact)
    unseen = NOT_NOTED
    if belief.compact:
        unseen = np.empty((2, local.size), np.float32)
        _learn_unseen(belief, features, local, unseen, task)
    rows = slice(belief.n_features) if features.size == belief.n_features else features
    todo = iter(range(0, labels, BLOCK))  # shared by all threads
    touched = [belief.touched[rows]]  # before these documents, then also after them by each thread

    def work(_: int) -> None:
        slab: Singles = aligned((features.size, 2 * BLOCK), np.float32)
        for first in todo:
            some, bits = slice(first, first + BLOCK), slice(first // 8, first // 8 + 2)
            bias, positives = belief.bias[:, some].copy(), belief.positives[some].copy()
            masks = belief.own[terms, bits].view("<u2").ravel() if belief.compact else NO_MASKS
            slab[:, :BLOCK], slab[:, BLOCK:] = belief.mean[rows, some], belief.variance[rows, some]
            steps = touched[0].copy()
            task(local, slab, steps, bias, positives, first, min(BLOCK, labels - first), masks, unseen)
            touched[1:] = [steps]
            belief.mean[rows, some], belief.variance[rows, some] = slab[:, :BLOCK], slab[:, BLOCK:]
            belief.bias[:, some], belief.positives[some] = bias, positives
            if belief.compact:
                belief.own[terms, bits] = masks.view(np.uint8).reshape(-1, 2)

    threads = max(1, min(threads, -(-labels // BLOCK)))
    in_threads(work, range(threads), threads)
    belief.touched[rows] = touched[-1]


def in_order(rows: Any, order: NDArray[np.int64], threads: int) -> sparse.csr_matrix:
    """Return rows in this order and in single precision; they are read many times over, faster so."""
    ends = np.concatenate([[0], np.cumsum(np.diff(rows.indptr)[order], dtype=np.int64)])
    indices, data = np.empty(ends[-1], np.int32), np.empty(ends[-1], np.float32)
    cuts = np.linspace(0, order.size, threads + 1).astype(np.int64)

    def copy(k: int) -> None:
        _copy(rows.indptr, rows.indices, rows.data, order, ends, indices, data, cuts[k], cuts[k + 1])

    in_threads(copy, range(threads), threads)
    return sparse.csr_matrix((data, indices, ends), shape=(order.size, rows.shape[1]))


@kernel
def _copy(
    indptr: Any, indices: Any, data: Any, order: Any, ends: Any, to_indices: Any, to_data: Any, begin: int, end: int
) -> None:
    for t in range(begin, end):
        shift = indptr[order[t]] - ends[t]
        for i in range(ends[t], ends[t + 1]):
            to_indices[i], to_data[i] = indices[i + shift], data[i + shift]


def _learn_unseen(belief: DiagonalBelief, rows: Any, local: Any, unseen: Singles, task: Task) -> None:
    c = belief.n_labels
    slab: Singles = aligned((rows.size, 2 * BLOCK), np.float32)
    slab[:] = 0.0
    slab[:, 0], slab[:, BLOCK] = belief.mean[rows, c], belief.variance[rows, c]
    bias, positives = belief.bias[:, [c]].copy(order="C"), belief.positives[[c]]
    task(local, slab, belief.touched[rows], bias, positives, c, 1, NO_MASKS, unseen)
    belief.mean[rows, c], belief.variance[rows, c], belief.bias[:, [c]] = slab[:, 0], slab[:, BLOCK], bias


def present(indices: Any, features: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the features that occur, and each index as its place among them; of many documents, all features."""
    if indices.size >= features:
        return np.arange(features), indices.astype(np.int32, copy=False)
    present = np.zeros(features, bool)
    present[indices] = True
    place = np.cumsum(present, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(present), place[indices]


@kernel
def follow(terms: Any, mean: Singles, variance: Singles, own: NDArray[np.uint8], unseen: int) -> None:
    """Copy the unseen label's weights of these terms to all labels without weights of their own for them."""
    for j in terms:
        a, v, bits = mean[j], variance[j], own[j]
        for c in range(unseen):
            if not (bits[c >> 3] >> np.uint8(c & 7)) & 1:
                a[c], v[c] = a[unseen], v[unseen]
