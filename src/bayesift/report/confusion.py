"""Which labels are taken for one another, and which go together: counted over documents.

A true label that was not given is `missed`, a given one that is not true is `wrong`. Where a document misses A and
wrongly has B, A was taken for B.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


@dataclass(frozen=True)
class Pair:
    """Two labels: in how many documents both are true, both are given, and each was taken for the other."""

    first: int
    second: int
    true: int
    given: int
    first_for_second: int
    second_for_first: int


def pairs(truth: NDArray[np.bool_], given: NDArray[np.bool_], most: int = 12) -> list[Pair]:
    """The pairs of labels with the most confusion, and as many of those that go together most.

    >>> truth, given = np.array([[1, 0, 1], [1, 0, 0]], bool), np.array([[0, 1, 1], [1, 0, 0]], bool)
    >>> for pair in pairs(truth, given, most=1):
    ...     print(pair)
    Pair(first=0, second=1, true=0, given=0, first_for_second=1, second_for_first=0)
    Pair(first=0, second=2, true=1, given=0, first_for_second=0, second_for_first=0)
    """
    t, y = sparse.csr_array(truth.astype(np.int64)), sparse.csr_array(given.astype(np.int64))
    missed, wrong = (sparse.csr_array(m.astype(np.int64)) for m in (truth & ~given, given & ~truth))
    taken = (missed.T @ wrong).toarray()
    together, decided = (t.T @ t).toarray(), (y.T @ y).toarray()
    a, b = np.triu_indices(taken.shape[0], 1)
    confused, joined = taken[a, b] + taken[b, a], together[a, b]
    chosen = [k for k in np.argsort(-confused, kind="stable")[:most].tolist() if confused[k]]
    chosen += [k for k in np.argsort(-joined, kind="stable")[:most].tolist() if joined[k] and k not in chosen]
    return [
        Pair(i, j, int(together[i, j]), int(decided[i, j]), int(taken[i, j]), int(taken[j, i]))
        for i, j in zip(a[chosen].tolist(), b[chosen].tolist())
    ]


def matrix(truth: NDArray[np.bool_], given: NDArray[np.bool_], most: int = 12) -> tuple[list[int], NDArray[np.int64]]:
    """The labels with most errors, and how often each (row) was taken for each (column); right ones on the diagonal."""
    missed, wrong = (truth & ~given).astype(np.int64), (given & ~truth).astype(np.int64)
    errors = missed.sum(axis=0) + wrong.sum(axis=0)
    chosen = np.argsort(-errors, kind="stable")[:most]
    chosen = chosen[errors[chosen] > 0]
    table = missed[:, chosen].T @ wrong[:, chosen]
    np.fill_diagonal(table, (truth & given).sum(axis=0)[chosen])
    return chosen.tolist(), table
