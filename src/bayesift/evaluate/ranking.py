"""Measures of the order in which a pool is read: recall@k, work saved, average time to discovery.

`relevant` is a vector of 0 and 1 over the whole pool, in the order of reading; unread documents come last.
N documents, R of them relevant. With R = 0 all measures are nan.
  recall@k   relevant documents among the first k, over R
  WSS@r      work saved over sampling, (N - n_r)/N - (1 - r), the first n_r documents being the fewest that
             hold at least r R relevant ones (Cohen et al. 2006): the share of the pool that need not be read,
             less what reading at random would save
  loss       area between the recall curve and the best possible one, over the area between the best and the worst
             (the loss of ASReview): 0 if all relevant documents come first, 1 if they come last
  ATD        mean place of the relevant documents in the order, from 1, over N (Ferdinands et al. 2023)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bayesift.arrays import FloatArray, as_labels, as_numbers
from bayesift.errors import BadInput

BoolArray = npt.NDArray[np.bool_]


def by_score(truth: npt.ArrayLike, scores: npt.ArrayLike) -> BoolArray:
    """Return the truth in the order of reading, highest score first; ties keep their order.

    >>> by_score([0, 1, 0, 1], [0.1, 0.9, 0.8, 0.8])
    array([ True, False,  True, False])
    """
    relevant = _order(truth)
    column = as_numbers(scores, (len(relevant), 1), "scores")[:, 0]
    return relevant[np.argsort(-column, kind="stable")]


def recall_curve(relevant: npt.ArrayLike) -> FloatArray:
    """Return recall after 1, 2, ... N documents.

    >>> recall_curve([1, 0, 1, 0])
    array([0.5, 0.5, 1. , 1. ])
    """
    found = np.cumsum(_order(relevant))
    return found / found[-1] if found[-1] else np.full(len(found), np.nan)


def recall_at(relevant: npt.ArrayLike, k: int) -> float:
    """Return recall after K documents; a K above the pool's size is the whole pool.

    >>> recall_at([1, 0, 1, 0], 2)
    0.5
    """
    if k < 0:
        raise BadInput(f"k must be at least 0, but is {k}", remedy="use a number of documents")
    curve = recall_curve(relevant)
    return float(curve[min(k, len(curve)) - 1]) if k else float(0 * curve[-1])


def work_saved(relevant: npt.ArrayLike, recall: float = 0.95) -> float:
    """Return WSS@recall: the work saved over reading in random order until that recall.

    >>> round(work_saved([1, 1, 0, 0, 0, 0, 0, 0, 0, 0]), 6)  # 8/10 not read, less 5/100
    0.75
    """
    if not 0 < recall <= 1:
        raise BadInput(f"recall must be above 0 and at most 1, but is {recall}", remedy="0.95 is usual")
    found = np.cumsum(_order(relevant))
    if not found[-1]:
        return float("nan")
    wanted = np.ceil(recall * found[-1] - 1e-9)  # 0.55 * 100 is 55, in spite of rounding
    read = int(np.searchsorted(found, wanted)) + 1
    return float(1 - read / len(found) - (1 - recall))


def recall_loss(relevant: npt.ArrayLike) -> float:
    """Return the normalised area above the recall curve; nan if all documents are relevant, or none.

    >>> recall_loss([1, 1, 0, 0]), recall_loss([1, 0, 1, 0]), recall_loss([0, 0, 1, 1])
    (0.0, 0.25, 1.0)
    """
    order = _order(relevant)
    n, r = len(order), int(order.sum())
    if r in (0, n):
        return float("nan")
    return float((r * (n - (r - 1) / 2) - np.cumsum(order).sum()) / (r * (n - r)))


def average_time_to_discovery(relevant: npt.ArrayLike, absolute: bool = False) -> float:
    """Return ATD: the mean place of the relevant documents, as a fraction of the pool, or `absolute` in documents.

    >>> average_time_to_discovery([1, 0, 1, 0]), average_time_to_discovery([1, 0, 1, 0], absolute=True)
    (0.5, 2.0)
    """
    order = _order(relevant)
    places = np.flatnonzero(order) + 1
    if not len(places):
        return float("nan")
    return float(places.mean() / (1 if absolute else len(order)))


def _order(relevant: npt.ArrayLike) -> BoolArray:
    column = as_labels(relevant, "relevant")
    if column.shape[1] != 1:
        raise BadInput(
            f"expected one column, but relevant has {column.shape[1]}",
            remedy="rank for one label at a time",
        )
    return np.diff(column.indptr).astype(bool)
