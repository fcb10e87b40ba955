"""What both classifiers do with labelled rows: check their labels, and recognise a row by a hash of its entries."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]


def checked_labels(y: npt.ArrayLike, n: int, sample_weight: npt.ArrayLike | None) -> tuple[NDArray[np.bool_], Floats]:
    """Return which of n rows are relevant, and their weights, 1 by default; raise `BadInput` if they are not valid."""
    truth = np.asarray(y)
    weights = np.ones(n) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if truth.shape != (n,) or not np.isin(truth, (0, 1)).all():
        raise BadInput(f"labels of shape {truth.shape} for {n} rows", remedy="give one 0 or 1 per row")
    if weights.shape != (n,) or not (weights > 0.0).all():
        raise BadInput("a weight is not positive, or weights are too few", remedy="give one positive number per row")
    return truth.astype(bool), weights


def row_keys(rows: sparse.csr_matrix) -> Keys:
    """Return a hash of the entries of each row, in whatever order they are stored."""
    keys: Keys = _hash_rows(rows.indptr, rows.indices, rows.data.astype(np.float32, copy=False).view(np.uint32))
    return keys


@kernel
def _hash_rows(ends: NDArray[np.int32], columns: NDArray[np.int32], bits: NDArray[np.uint32]) -> Keys:
    """Sum a mixed word (splitmix64) of column and value over the entries of each row."""
    keys = np.zeros(ends.size - 1, np.uint64)
    for i in range(keys.size):
        for e in range(ends[i], ends[i + 1]):
            z = (np.uint64(columns[e]) << np.uint64(32)) + np.uint64(bits[e]) + np.uint64(0x9E3779B97F4A7C15)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            keys[i] += z ^ (z >> np.uint64(31))
    return keys
