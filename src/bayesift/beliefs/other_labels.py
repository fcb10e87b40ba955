"""What the other labels of a document say of each label, by their probabilities p alone.

    room_c  = ln(1 - min(q_c, SURE)),   q_c = the highest p among the other labels
    total_c = ln(1 + the sum of p of the other labels)
    above_c = min(0, the least z_d - z_c of the labels d that c implies),          z = log-odds
    below_c = max(0, the greatest z_d - z_c of the labels d that imply c)

A label is less probable where another one is already sure and labels rarely come together, and more probable where
documents have several. Label c implies d if all of its documents have d too, as in a hierarchy: then p_c > p_d is a
contradiction, and the truth is between them. All numbers come from one document, so it has the same ones alone and
among many.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Pairs = NDArray[np.int32]  # (2, pairs): labels, and a label that each of them implies
SURE = 0.95  # above this, a more probable other label makes no difference
ENOUGH = 10  # documents of a label from which it may imply others
FARTHEST = 4.0  # log-odds of a contradiction that count at most
NONE: Pairs = np.empty((2, 0), np.int32)


def strongest_other(p: Floats) -> Floats:
    """Return the highest probability among the other labels of the document: (documents, labels).

    >>> strongest_other(np.array([[0.1, 0.7, 0.4]]))
    array([[0.7, 0.4, 0.7]])
    """
    if p.shape[1] < 2:
        return np.zeros(p.shape)
    top = p.argmax(axis=1)[:, None]
    found = np.repeat(np.take_along_axis(p, top, 1), p.shape[1], axis=1)
    np.put_along_axis(found, top, np.partition(p, -2, axis=1)[:, -2:-1], 1)
    return found


def room(p: Floats) -> Floats:
    """Return the logarithm of the room that the strongest other label leaves: (documents, labels).

    >>> room(np.array([[0.5, 0.2]])).round(2)
    array([[-0.22, -0.69]])
    """
    return np.asarray(np.log1p(-np.minimum(strongest_other(p), SURE)))


def company(z: Floats, pairs: Pairs = NONE) -> Any:
    """Return 1, the room, the total and both contradictions of each label with log-odds z: (5, documents, labels).

    >>> company(np.array([[0.0, -1.4]])).round(2)[:3, 0]
    array([[ 1.  ,  1.  ],
           [-0.22, -0.69],
           [ 0.18,  0.41]])
    """
    p = np.asarray(expit(z))
    total = np.log1p(np.maximum(p.sum(axis=1, keepdims=True) - p, 0.0))
    return np.concatenate([[np.ones(p.shape), room(p), total], contradictions(z, pairs)])


def implications(Y: Any, least: int = ENOUGH) -> Pairs:
    """Return which labels imply more frequent ones in these documents; Y is (documents, labels) of 0 and 1, sparse.

    A label with fewer documents than `least` implies none.

    >>> implications(sparse.csr_matrix([[1, 1], [0, 1]] * 10)).tolist()
    [[0], [1]]
    """
    labels = sparse.csr_matrix((np.ones(Y.nnz, np.int64), Y.indices, Y.indptr), Y.shape)
    have = np.bincount(Y.indices, minlength=Y.shape[1])
    both = sparse.coo_matrix(labels.T @ labels)
    first, second = both.row, both.col
    implied = (both.data == have[first]) & (have[first] >= least) & (have[second] > have[first])
    found = np.stack([first[implied], second[implied]]).astype(np.int32)
    return found[:, np.lexsort(found[::-1])]


def contradictions(z: Floats, pairs: Pairs) -> Floats:
    """Return how far each label is above the labels that it implies, and below those that imply it: (2, ...).

    >>> contradictions(np.array([[2.0, -1.0, 0.5]]), np.array([[0], [1]], np.int32)).tolist()
    [[[-3.0, 0.0, 0.0]], [[0.0, 3.0, 0.0]]]
    """
    found = np.zeros((2, *z.shape))
    _contradictions(z, pairs[0], pairs[1], found[0], found[1])
    return found


@kernel
def _contradictions(z: Any, first: Any, second: Any, above: Any, below: Any) -> None:
    for t in range(z.shape[0]):
        for k in range(first.size):
            c, d = first[k], second[k]
            gap = max(z[t, d] - z[t, c], -FARTHEST)
            above[t, c] = min(above[t, c], gap)
            below[t, d] = max(below[t, d], -gap)
