"""The first documents of a model, kept so that its settings can be chosen again when there are more of them.

Settings that few documents chose are poor, and documents that were weighed by the frequencies of few others too. So up
to `MOST` documents are kept as they came, and all are learned again whenever their number has doubled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

MOST = 1024  # documents that are kept at most
EACH = 16  # up to here all are learned again with each new document


class Replay:
    """Rows of documents and their labels, as they came.

    >>> kept = Replay()
    >>> for n in (10, 10, 10):
    ...     kept.add(sparse.csr_matrix((n, 3)), sparse.csr_matrix((n, 2)))
    >>> len(kept), kept.due(before=20), kept.due(before=10)
    (30, False, True)
    """

    def __init__(self) -> None:
        self._rows: list[Any] = []
        self._labels: list[Any] = []

    def add(self, rows: Any, labels: Any) -> None:
        """Keep more documents; there may be more columns than before."""
        self._rows.append(sparse.csr_matrix(rows))
        self._labels.append(sparse.csr_matrix(labels))

    def __len__(self) -> int:
        return sum(part.shape[0] for part in self._rows)

    def due(self, before: int) -> bool:
        """Return whether so many new ones since `before` are reason to learn all again: EACH, 2 EACH, 4 EACH, ..."""
        now = len(self)
        return now <= EACH or before <= 0 or (now // EACH).bit_length() > (before // EACH).bit_length()

    def all(self) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
        """Return all rows and all labels, as wide as the widest."""
        self._rows, self._labels = [_stacked(self._rows)], [_stacked(self._labels)]
        return self._rows[0], self._labels[0]

    def state(self) -> list[dict[str, Any]]:
        """Return all of it as arrays and numbers."""
        return [_packed(part) for part in self.all()]

    @classmethod
    def restored(cls, state: list[dict[str, Any]]) -> Replay:
        """Return what gave the state."""
        kept = cls()
        kept.add(*(_unpacked(part) for part in state))
        return kept


def _stacked(parts: list[Any]) -> sparse.csr_matrix:
    columns = max(part.shape[1] for part in parts)
    for part in parts:
        part.resize(part.shape[0], columns)
    return sparse.csr_matrix(sparse.vstack(parts)) if len(parts) > 1 else parts[0]


def _packed(matrix: sparse.csr_matrix) -> dict[str, Any]:
    return {
        "columns": int(matrix.shape[1]),
        "indptr": matrix.indptr.astype(np.int64),
        "indices": matrix.indices.astype(np.int32),
        "data": matrix.data.copy(),
    }


def _unpacked(state: dict[str, Any]) -> sparse.csr_matrix:
    shape = (len(state["indptr"]) - 1, state["columns"])
    return sparse.csr_matrix((state["data"].copy(), state["indices"].copy(), state["indptr"].copy()), shape=shape)
