"""What the other labels of a document say of each label, by their probabilities p alone.

    room_c  = ln(1 - min(q_c, SURE)),   q_c = the highest p among the other labels
    total_c = ln(1 + the sum of p of the other labels)

A label is less probable where another one is already sure and labels rarely come together, and more probable where
documents have several. Both numbers come from one document, so it has the same ones alone and among many.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SURE = 0.95  # above this, a more probable other label makes no difference


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


def company(p: Floats) -> Any:
    """Return 1, the room and the total of each label: (3, documents, labels).

    >>> company(np.array([[0.5, 0.2]])).round(2)[:, 0]
    array([[ 1.  ,  1.  ],
           [-0.22, -0.69],
           [ 0.18,  0.41]])
    """
    total = np.log1p(np.maximum(p.sum(axis=1, keepdims=True) - p, 0.0))
    return np.stack([np.ones(p.shape), room(p), total])
