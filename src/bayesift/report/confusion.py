"""Which labels are confused with one another, and which occur together: counted over documents.

A true label that was not predicted is `missed`, a predicted one that is not true is `wrong`. Where a document misses A
and wrongly has B, A was confused with B. Counts of pairs are sparse: of thousands of labels few pairs ever meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


@dataclass(frozen=True)
class Pair:
    """Two labels: in how many documents both are true, both are predicted, and each was confused with the other."""

    first: int
    second: int
    true: int
    predicted: int
    first_for_second: int
    second_for_first: int


def pairs(truth: NDArray[np.bool_], predicted: NDArray[np.bool_], most: int = 12) -> list[Pair]:
    """Return the pairs of labels with the most confusion, and as many of those that occur together most.

    >>> truth, predicted = np.array([[1, 0, 1], [1, 0, 0]], bool), np.array([[0, 1, 1], [1, 0, 0]], bool)
    >>> for pair in pairs(truth, predicted, most=1):
    ...     print(pair)
    Pair(first=0, second=1, true=0, predicted=0, first_for_second=1, second_for_first=0)
    Pair(first=0, second=2, true=1, predicted=0, first_for_second=0, second_for_first=0)
    """
    t, y, missed, wrong = (
        sparse.csr_array(m, dtype=np.int64) for m in (truth, predicted, truth & ~predicted, predicted & ~truth)
    )
    products: list[Any] = [missed.T @ wrong, t.T @ t, y.T @ y]
    taken, together, decided = (product.tocsr() for product in products)
    chosen = dict.fromkeys(_largest(taken + taken.T, most) + _largest(together, most))
    return [
        Pair(i, j, int(together[i, j]), int(decided[i, j]), int(taken[i, j]), int(taken[j, i])) for i, j in chosen
    ]


def _largest(counts: Any, most: int) -> list[tuple[int, int]]:
    """Return the pairs above the diagonal with the largest counts; of equal ones the first."""
    upper = sparse.triu(counts, 1, format="coo")
    order = np.lexsort((upper.col, upper.row, -upper.data))[:most]
    return [(int(upper.row[k]), int(upper.col[k])) for k in order if upper.data[k]]


def matrix(
    truth: NDArray[np.bool_], predicted: NDArray[np.bool_], most: int = 12
) -> tuple[list[int], NDArray[np.int64]]:
    """Return the labels with most errors, and how often each (row) was confused with each (column).

    The diagonal counts the documents in which the label is right.
    """
    missed, wrong = truth & ~predicted, predicted & ~truth
    errors = missed.sum(axis=0) + wrong.sum(axis=0)
    chosen = np.argsort(-errors, kind="stable")[:most]
    chosen = chosen[errors[chosen] > 0]
    table = missed[:, chosen].T.astype(np.int64) @ wrong[:, chosen].astype(np.int64)
    np.fill_diagonal(table, (truth & predicted)[:, chosen].sum(axis=0))
    return chosen.tolist(), table
