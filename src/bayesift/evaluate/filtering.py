"""Measures of a filter per topic, from TREC-9 and TREC-11 (chai2002 2.4 and 4.2).

Robertson & Hull 2000, TREC-9 filtering track final report; Robertson & Soboroff 2002, TREC 2002 filtering
track report.

R+ (`r_plus`)   relevant documents delivered;  N+ (`n_plus`)  irrelevant documents delivered
relevant        all relevant documents of the topic, delivered or not
All measures take and return one number per topic; the caller takes the mean over topics.
From `Counts`: R+ = tp, N+ = fp, relevant = support. TREC's F_0.5 (T11F) is `f_measures(counts, beta=0.5)`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bayesift.arrays import FloatArray
from bayesift.errors import BadInput

TARGET = 50  # documents to deliver for T9P
MIN_U = -100.0  # lowest T9U of a topic (OHSU topics)
MIN_NU = -0.5  # the same for the normalised utility of TREC-11


def t9p(r_plus: npt.ArrayLike, n_plus: npt.ArrayLike, target: int = TARGET) -> FloatArray:
    """Return T9P = R+ / max(50, R+ + N+): precision, with a penalty for delivering fewer than 50.

    >>> t9p([10, 30, 0], [10, 70, 0])  # 10/50, 30/100, and nothing delivered
    array([0.2, 0.3, 0. ])
    """
    if target < 1:
        raise BadInput(f"target must be at least 1, but is {target}", remedy="TREC-9 takes 50")
    r, n = _topics(r_plus, n_plus)
    return r / np.maximum(target, r + n)


def t9u(r_plus: npt.ArrayLike, n_plus: npt.ArrayLike, floor: float = MIN_U) -> FloatArray:
    """Return T9U = max(2 R+ - N+, -100): a relevant document is worth 2 and an irrelevant one costs 1.

    >>> t9u([10, 0, 0], [5, 500, 0])
    array([  15., -100.,    0.])
    """
    r, n = _topics(r_plus, n_plus)
    return np.maximum(2 * r - n, floor)


def scaled_utility(
    r_plus: npt.ArrayLike, n_plus: npt.ArrayLike, relevant: npt.ArrayLike, floor: float = MIN_U
) -> FloatArray:
    """Return T9U / MaxU with MaxU = 2 relevant: 1 is perfect, 0 is the value of delivering nothing.

    The value is nan for a topic with no relevant document.

    >>> scaled_utility([10, 0, 0], [5, 30, 0], [10, 10, 0])  # 15/20, -30/20
    array([ 0.75, -1.5 ,   nan])
    """
    r, n = _topics(r_plus, n_plus)
    return np.maximum(2 * r - n, floor) / _max_utility(r, relevant)


def t11su(
    r_plus: npt.ArrayLike, n_plus: npt.ArrayLike, relevant: npt.ArrayLike, floor: float = MIN_NU
) -> FloatArray:
    """Return T11SU = (max(U / MaxU, -0.5) + 0.5) / 1.5, U = 2 R+ - N+: in [0, 1], 1/3 for delivering nothing.

    The value is nan for a topic with no relevant document.

    >>> t11su([10, 0, 0, 0], [0, 0, 99, 0], [10, 10, 10, 0])
    array([1.        , 0.33333333, 0.        ,        nan])
    """
    if floor >= 1:
        raise BadInput(f"floor must be below 1, but is {floor}", remedy="TREC-11 takes -0.5")
    r, n = _topics(r_plus, n_plus)
    normalised = (2 * r - n) / _max_utility(r, relevant)
    return (np.maximum(normalised, floor) - floor) / (1 - floor)


def _topics(r_plus: npt.ArrayLike, n_plus: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    r, n = np.atleast_1d(np.asarray(r_plus, np.float64)), np.atleast_1d(np.asarray(n_plus, np.float64))
    if r.shape != n.shape or r.ndim != 1:
        raise BadInput(
            f"expected one number per topic, but R+ has shape {r.shape} and N+ has {n.shape}",
            remedy="pass both for the same topics in the same order",
        )
    if not ((r >= 0) & (n >= 0)).all():
        raise BadInput(
            "R+ and N+ are counts, but some are negative or nan", remedy="pass numbers of documents"
        )
    return r, n


def _max_utility(r: FloatArray, relevant: npt.ArrayLike) -> FloatArray:
    total = np.atleast_1d(np.asarray(relevant, np.float64))
    if total.shape != r.shape:
        raise BadInput(
            f"expected one number of relevant documents per topic, shape {r.shape}, but the shape is {total.shape}",
            remedy="pass it for the same topics in the same order",
        )
    if not (r <= total).all():
        raise BadInput(
            "R+ is above the number of relevant documents", remedy="count all relevant ones, delivered or not"
        )
    return np.where(total > 0, 2 * total, np.nan)
