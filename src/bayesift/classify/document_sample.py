"""A uniform sample of the documents learned so far, kept as they came; all of them as long as they are few.

What a model learns online depends on the order of documents, and settings that few documents chose are poor. The sample
corrects both: while it is complete all documents are learned again whenever their number has doubled, and a label that
first appears late is learned beside documents that do not have it.

Document t, counted from 0, takes slot t while slots are free; later it takes slot h(t) mod (t + 1), if there is one,
where h is a hash of t and the seed (Vitter's algorithm R). So the sample does not depend on how documents were batched.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.learn.side_by_side import SideBySide, dense_of, words_of

MOST = 1024  # documents that are kept at most
EACH = 32  # up to here all are learned again with each new document

Longs = NDArray[np.int64]
Singles = NDArray[np.float32]
Part = tuple[NDArray[Any], NDArray[Any]]  # columns and their values


class Sample:
    """Rows of documents and their labels.

    >>> kept = Sample(seed=0)
    >>> for n in (40, 10, 20):
    ...     kept.add(sparse.csr_matrix((n, 3)), sparse.csr_matrix((n, 2)))
    >>> kept.documents, kept.complete, kept.due(before=64), kept.due(before=50)
    (70, True, False, True)
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.documents = 0  # seen so far
        self._slots: list[tuple[Part, Longs]] = []
        self._dense: list[Singles] = []  # vectors of the same documents, empty where there are none
        self._stacked: tuple[sparse.csr_matrix, sparse.csr_matrix] | None = None

    def add(self, rows: Any, labels: Any) -> None:
        """See more documents, and keep some of them."""
        n, dense, rows = rows.shape[0], dense_of(rows), words_of(rows)
        for t, slot in zip(range(n), self._places(n).tolist()):
            if slot < MOST:
                words, tags = (slice(m.indptr[t], m.indptr[t + 1]) for m in (rows, labels))
                kept = (rows.indices[words].copy(), rows.data[words].copy()), labels.indices[tags].astype(np.int64)
                self._slots[slot : slot + 1] = [kept]
                self._dense[slot : slot + 1] = [dense[t].copy()]
                self._stacked = None
        self.documents += n

    def _places(self, n: int) -> Longs:
        """Return the slot of each of the next n documents; a slot from MOST on means that it is not kept."""
        t = np.arange(self.documents, self.documents + n, dtype=np.uint64)
        return np.where(t < MOST, t, _hash(t, self.seed) % (t + np.uint64(1))).astype(np.int64)

    @property
    def complete(self) -> bool:
        """Whether all documents are kept."""
        return self.documents <= MOST

    def due(self, before: int) -> bool:
        """Return whether more documents than `before` are reason to learn all again: at EACH, 2 EACH, 4 EACH, ..."""
        now = self.documents
        more = now <= EACH or (now // EACH).bit_length() > (before // EACH).bit_length()
        return self.complete and more

    def all(self, columns: int, labels: int) -> tuple[Any, sparse.csr_matrix]:
        """Return the rows and labels that are kept; words and labels are matrices with so many columns."""
        if self._stacked is None:
            self._stacked = _rows([part for part, _ in self._slots]), _rows([(c, c) for _, c in self._slots])
            self._stacked[1].data = np.ones(self._stacked[1].nnz, np.int8)
        wide: Any
        for wide, width in zip(self._stacked, (columns, labels)):
            wide.resize(wide.shape[0], max(width, wide.shape[1]))
        vectors = self._vectors()
        return SideBySide(self._stacked[0], vectors) if vectors.shape[1] else self._stacked[0], self._stacked[1]

    def _vectors(self) -> Singles:
        """Return the vectors of all documents; a document that came before the first vector has zeros."""
        found = np.zeros((len(self._dense), max((v.size for v in self._dense), default=0)), np.float32)
        for row, vector in zip(found, self._dense):
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
        arrays |= {"vectors": vectors} if vectors.shape[1] else {}
        return arrays | {"values": packed["rows"].data.copy(), "documents": self.documents}

    @classmethod
    def restored(cls, state: dict[str, Any], seed: int) -> Sample:
        """Return the sample that gave the state."""
        kept = cls(seed)
        kept.documents = int(state["documents"])
        words, tags = state["rows_ends"].tolist(), state["labels_ends"].tolist()
        for i in range(len(words) - 1):
            some, own = slice(words[i], words[i + 1]), slice(tags[i], tags[i + 1])
            part = state["rows_columns"][some].copy(), state["values"][some].copy()
            kept._slots.append((part, state["labels_columns"][own].astype(np.int64)))
        vectors = state.get("vectors", np.empty((len(kept._slots), 0), np.float32))
        kept._dense = [row.copy() for row in vectors]
        return kept


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
