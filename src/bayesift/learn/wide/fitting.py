"""Learning a sparse belief: the background over all documents, then the labels, a block at a time, by threads.

A block is `BLOCK` labels. Their weights of the terms at hand are a slab, as in `bomc._threads`, learned by BOMC's own
kernel; what is a label's own is kept and the slab thrown away, so that nothing is as large as labels times terms. The
result is the same for any number of threads.

A block learns all documents, or where these are many a `sample` that all blocks share, the positives of its labels, and
the documents most like them. The ratio that sets the margin of positives is then that of all documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs.diagonal import BLOCK, aligned
from bayesift.learn.bomc._threads import in_order, present
from bayesift.learn.bomc._updates import Code, independent
from bayesift.learn.bomc.belief import NOT_WANTED
from bayesift.learn.wide._background import learn_background
from bayesift.learn.wide.negatives import Similar
from bayesift.numba_kernel import kernel
from bayesift.threads import in_threads

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Ints = NDArray[np.int32]
Own = tuple[Ints, Singles, Singles]  # terms, means and variances of one label


@dataclass(frozen=True)
class Prior:
    """What is believed before any document, and the numbers that kernels take."""

    variance: float
    bias_variance: float
    code: Code


@dataclass(frozen=True)
class Order:
    """The background after all documents in one order, and its weights after each of them."""

    documents: Longs
    rank: Longs  # the place of each document
    mean: Singles  # (terms,)
    variance: Singles
    bias: Floats  # mean and variance
    after: Singles  # (2, terms of all documents)

    @classmethod
    def learned(cls, rows: sparse.csr_matrix, documents: Longs, prior: Prior) -> Order:
        """Learn all documents in this order."""
        n, d = rows.shape
        rank = np.empty(n, np.int64)
        rank[documents] = np.arange(n)
        mean, variance = np.zeros(d, np.float32), np.full(d, prior.variance, np.float32)
        bias, after = np.array([0.0, prior.bias_variance]), np.empty((2, rows.nnz), np.float32)
        learn_background(rows.indptr, rows.indices, rows.data, documents, prior.code, mean, variance, bias, after)
        return cls(documents, rank, mean, variance, bias, after)


@dataclass(frozen=True)
class Lesson:
    """Documents in the order in which a block learns them."""

    rows: sparse.csr_matrix
    labels: sparse.csr_matrix
    terms: Longs  # that occur in them, in any order
    local: Ints  # the place of each term of the rows among these
    after: Singles  # the background's weights

    @classmethod
    def of(
        cls, rows: sparse.csr_matrix, Y: sparse.csr_matrix, order: Order, documents: Longs, place: Ints | None = None
    ) -> Lesson:
        """Return these documents, which are in the order; `place`, for few terms, is -1 for each, and again so."""
        some = in_order(rows, documents, 1)
        after = np.empty((2, some.nnz), np.float32)
        _copy(rows.indptr, order.after, documents, some.indptr, after)
        found = present(some.indices, rows.shape[1]) if place is None else _placed(some.indices, place)
        return cls(some, Y[documents], *found, after)


def learn_labels(
    rows: sparse.csr_matrix, Y: sparse.csr_matrix, orders: list[Order], prior: Prior, sample: Ints | None, similar: int,
    threads: int,
) -> tuple[list[Own], Floats]:  # fmt: skip
    """Return what each label learned in all orders on average, and the biases (2, labels)."""
    labels, columns = Y.shape[1], Y.tocsc()
    bias = np.zeros((2, labels))
    whole = [Lesson.of(rows, Y, order, order.documents) for order in orders] if sample is None else []
    ratios, like = np.empty(0), None
    if sample is not None:
        have = np.maximum(np.diff(columns.indptr), 1)
        ratios, like = have / np.maximum(rows.shape[0] - have, 1), Similar(rows, similar)

    def work(first: int) -> list[Own]:
        end, lessons = min(first + BLOCK, labels), whole
        if sample is not None and like is not None:
            positives = [columns.indices[columns.indptr[c] : columns.indptr[c + 1]] for c in range(first, end)]
            chosen = np.unique(np.concatenate([sample, *positives, *like.documents(positives)]))
            place = np.full(rows.shape[1], -1, np.int32)
            lessons = [
                Lesson.of(rows, Y, o, chosen[np.argsort(o.rank[chosen])].astype(np.int64), place) for o in orders
            ]
        slab: Singles = aligned((lessons[0].terms.size, 2 * BLOCK), np.float32)  # all lessons have the same terms
        found = [_learn_block(lesson, slab, prior, ratios, first, end) for lesson in lessons]
        bias[:, first:end] = np.mean([b for _, b in found], axis=0)
        return [_average([own[c] for own, _ in found]) for c in range(end - first)]

    return [own for block in in_threads(work, range(0, labels, BLOCK), threads) for own in block], bias


def _learn_block(
    lesson: Lesson, slab: Singles, prior: Prior, ratios: Floats, first: int, end: int
) -> tuple[list[Own], Floats]:
    """Learn a block of labels in one order; whatever the slab holds is overwritten."""
    n, size = lesson.rows.shape[0], lesson.terms.size
    slab[:, :BLOCK], slab[:, BLOCK:] = 0.0, prior.variance
    bias = np.zeros((2, BLOCK))
    bias[1] = prior.bias_variance
    masks = np.zeros(size, np.uint16)
    independent(
        lesson.rows.indptr, lesson.local, lesson.rows.data, lesson.labels.indptr, lesson.labels.indices, np.arange(n),
        prior.code, ratios, slab, slab, BLOCK, np.zeros(size, np.int64), bias, np.zeros(BLOCK, np.int64), 0,
        NOT_WANTED, 0, first, end - first, masks, lesson.after, np.empty((n, 0), np.float32), slab[:0], slab[:0],
    )  # fmt: skip
    found: list[Own] = []
    some = np.flatnonzero(masks)  # terms that are some label's own: few of all
    of_labels = masks[some]
    for c in range(end - first):
        own = some[(of_labels >> c & 1).astype(bool)]
        own = own[np.argsort(lesson.terms[own])]
        found.append((lesson.terms[own].astype(np.int32), slab[own, c], slab[own, BLOCK + c]))
    return found, bias[:, : end - first]


def _average(found: list[Own]) -> Own:
    """Return the mean of what one label learned in several orders: its own terms are the same."""
    if len(found) == 1:
        return found[0]
    mean, variance = (np.asarray(np.mean([own[k] for own in found], axis=0, dtype=np.float32)) for k in (1, 2))
    return found[0][0], mean, variance


@kernel
def _copy(indptr: Any, after: Singles, documents: Longs, ends: Any, out: Singles) -> None:
    for t in range(documents.size):
        begin = indptr[documents[t]]
        for i in range(ends[t], ends[t + 1]):
            out[0, i], out[1, i] = after[0, begin + i - ends[t]], after[1, begin + i - ends[t]]


@kernel
def _placed(indices: Ints, place: Ints) -> tuple[Longs, Ints]:
    """Return the terms that occur, as they first do, and each index as its place among them."""
    terms, local, n = np.empty(indices.size, np.int64), np.empty(indices.size, np.int32), 0
    for i in range(indices.size):
        j = indices[i]
        if place[j] < 0:
            place[j] = n
            terms[n] = j
            n += 1
        local[i] = place[j]
    for k in range(n):
        place[terms[k]] = -1
    return terms[:n].copy(), local
