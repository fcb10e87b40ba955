"""A uniform sample of the documents learned so far, kept as they came; all of them as long as they are few.

What a model learns online depends on the order of documents, and settings that few documents chose are poor. The sample
corrects both: while it is complete all documents are learned again at each of `STEPS`, after 9 % more documents each
time (a learner that is slow to fit: whenever their number has doubled), and a label that first appears late is learned
beside documents that do not have it.

Document t, counted from 0, takes slot t while slots are free; later it takes slot h(t) mod (t + 1), if there is one,
where h is a hash of t and the seed (Vitter's algorithm R). So the sample does not depend on how documents were batched.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.learn.side_by_side import SideBySide, dense_of, words_of

MOST = 1 << 14  # documents that are kept at most
FEWER = 1 << 10  # the same for a learner that is slow to fit; and documents that a new label is learned beside
EACH = 32  # up to here all are learned again with each new document
PER_DOUBLING = 8
AT_A_TIME = 1 << 20  # documents whose slots are computed at a time
STEPS = tuple(math.ceil(EACH * 2 ** (k / PER_DOUBLING)) for k in range(1 + PER_DOUBLING * (MOST // EACH).bit_length()))

Longs = NDArray[np.int64]
Singles = NDArray[np.float32]
Part = tuple[NDArray[Any], NDArray[Any]]  # columns and their values


class Sample:
    """Rows of documents and their labels.

    >>> kept = Sample(seed=0)
    >>> for n in (40, 10, 20):
    ...     kept.add(sparse.csr_matrix((n, 3)), sparse.csr_matrix((n, 2)))
    >>> kept.documents, kept.complete, kept.due(before=70), kept.due(before=50)
    (70, True, False, True)
    """

    def __init__(self, seed: int, most: int = MOST) -> None:
        self.seed, self.most = seed, most
        self.documents = 0  # seen so far
        self._slots: list[tuple[Part, Longs]] = []
        self._dense: list[Singles] = []  # vectors of the same documents, empty where there are none
        self._widths: tuple[int, ...] = ()  # of the vectors that each of these is put together from
        self._stacked: tuple[sparse.csr_matrix, sparse.csr_matrix] | None = None

    def add(self, rows: Any, labels: Any) -> None:
        """See more documents, and keep some of them."""
        self._widths = rows.widths if isinstance(rows, SideBySide) else self._widths
        n, dense, rows = rows.shape[0], dense_of(rows), words_of(rows)
        for t, slot in zip(range(n), self._places(n).tolist()):
            if slot < self.most:
                words, tags = (slice(m.indptr[t], m.indptr[t + 1]) for m in (rows, labels))
                kept = (rows.indices[words].copy(), rows.data[words].copy()), labels.indices[tags].astype(np.int64)
                self._slots[slot : slot + 1] = [kept]
                self._dense[slot : slot + 1] = [dense[t].copy()]
                self._stacked = None
        self.documents += n

    @classmethod
    def winners(cls, n: int, seed: int, most: int = MOST) -> Longs:
        """Return the numbers of the documents that are kept of the first n, slot by slot, without seeing them.

        >>> Sample.winners(5, seed=0, most=3).shape
        (3,)
        """
        found = np.zeros(min(n, most), np.int64)
        kept = cls(seed, most)
        while kept.documents < n:
            size = min(AT_A_TIME, n - kept.documents)
            slot = kept._places(size)
            some = np.flatnonzero(slot < most)
            found[slot[some]] = kept.documents + some  # of equal slots the last document counts
            kept.documents += size
        return found

    def fill(self, rows: Any, labels: Any, documents: int) -> None:
        """Keep these rows, the `winners` of so many documents, as if all had been added."""
        self.add(rows, labels)
        self.documents = documents

    def _places(self, n: int) -> Longs:
        """Return the slot of each of the next n documents; a slot from `most` on means that it is not kept."""
        t = np.arange(self.documents, self.documents + n, dtype=np.uint64)
        return np.where(t < self.most, t, _hash(t, self.seed) % (t + np.uint64(1))).astype(np.int64)

    @property
    def complete(self) -> bool:
        """Whether all documents are kept."""
        return self.documents <= self.most

    def due(self, before: int) -> bool:
        """Return whether more documents than `before` are reason to learn all again."""
        steps = STEPS if self.most == MOST else STEPS[::PER_DOUBLING]
        more = self.documents <= EACH or bisect_right(steps, self.documents) > bisect_right(steps, before)
        return self.complete and more

    def doubled(self, before: int) -> bool:
        """Return whether their number has doubled: EACH, 2 EACH, 4 EACH, ...; up to EACH, always."""
        now = self.documents
        return now <= EACH or (now // EACH).bit_length() > (before // EACH).bit_length()

    def all(self, columns: int, labels: int) -> tuple[Any, sparse.csr_matrix]:
        """Return the rows and labels that are kept; words and labels are matrices with so many columns at least."""
        if self._stacked is None:
            self._stacked = _stacked(self._slots)
        return self._beside(_widened(self._stacked, columns, labels), 1)

    def some(self, columns: int, labels: int) -> tuple[Any, sparse.csr_matrix]:
        """Return at most `FEWER` of them, evenly spread."""
        step = max(1, -(-len(self._slots) // FEWER))
        return self._beside(_widened(_stacked(self._slots[::step]), columns, labels), step)

    def _beside(self, found: tuple[Any, Any], step: int) -> tuple[Any, Any]:
        """Return rows, of each `step`-th document, with the vectors beside the words if there are any."""
        vectors = self._vectors(step)
        return SideBySide(found[0], vectors, self._widths) if vectors.shape[1] else found[0], found[1]

    def _vectors(self, step: int = 1) -> Singles:
        """Return the vectors of each `step`-th document; one that came before the first vector has zeros."""
        part = self._dense[::step]
        found = np.zeros((len(part), max((v.size for v in self._dense), default=0)), np.float32)
        for row, vector in zip(found, part):
            row[: vector.size] = vector
        return found

    def state(self) -> dict[str, Any]:
        """Return all of it as arrays and numbers."""
        parts = {"rows": [part for part, _ in self._slots], "labels": [(c, c) for _, c in self._slots]}
        packed = {name: _rows(part) for name, part in parts.items()}
        arrays: dict[str, Any] = {}
        for name, m in packed.items():
            arrays |= {f"{name}_ends": m.indptr.astype(np.int64), f"{name}_columns": m.indices.astype(np.int32)}
        vectors = self._vectors()
        arrays |= {"vectors": vectors, "widths": list(self._widths)} if vectors.shape[1] else {}
        return arrays | {"values": _small(packed["rows"].data), "documents": self.documents, "most": self.most}

    @classmethod
    def restored(cls, state: dict[str, Any], seed: int, most: int = MOST) -> Sample:
        """Return the sample that gave the state; of earlier versions, one that has dropped documents stays small."""
        kept, size = cls(seed, most), len(state["rows_ends"]) - 1
        kept.documents = int(state["documents"])
        if kept.documents > size or "most" in state:
            kept.most = int(state.get("most", FEWER))
        words, tags = state["rows_ends"].tolist(), state["labels_ends"].tolist()
        for i in range(len(words) - 1):
            some, own = slice(words[i], words[i + 1]), slice(tags[i], tags[i + 1])
            part = state["rows_columns"][some].copy(), state["values"][some].copy()
            kept._slots.append((part, state["labels_columns"][own].astype(np.int64)))
        vectors = state.get("vectors", np.empty((len(kept._slots), 0), np.float32))
        kept._dense = [row.copy() for row in vectors]
        kept._widths = tuple(state.get("widths", vectors.shape[1:]))
        return kept


def _stacked(slots: list[tuple[Part, Longs]]) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """Return the rows and labels of documents as matrices."""
    labels = _rows([(c, c) for _, c in slots])
    labels.data = np.ones(labels.nnz, np.int8)
    return _rows([part for part, _ in slots]), labels


def _widened(stacked: Any, columns: int, labels: int) -> tuple[Any, Any]:
    for matrix, width in zip(stacked, (columns, labels)):
        matrix.resize(matrix.shape[0], max(width, matrix.shape[1]))
    rows, tags = stacked
    return rows, tags


def _small(values: NDArray[Any]) -> NDArray[Any]:
    """Return a copy; of counts in the smallest type that holds all of them."""
    if values.dtype.kind not in "iu" or values.min(initial=0) < 0:
        return values.copy()
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def _rows(parts: list[Part]) -> sparse.csr_matrix:
    """Return one matrix of rows that are given by their columns and values."""
    ends = np.concatenate([[0], np.cumsum([columns.size for columns, _ in parts], dtype=np.int64)])
    columns = np.concatenate([np.empty(0, np.int32), *(c for c, _ in parts)]).astype(np.int32)
    values = np.concatenate([np.empty(0, parts[0][1].dtype if parts else float), *(v for _, v in parts)])
    return sparse.csr_matrix((values, columns, ends), shape=(len(parts), int(columns.max(initial=-1)) + 1))


def _hash(t: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """SplitMix64: numbers that look random, one per (t, seed)."""
    with np.errstate(over="ignore"):
        z = (t + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed) * np.uint64(0xD1342543DE82EF95)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
