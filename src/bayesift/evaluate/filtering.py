"""Measures of a filter, topic by topic, of TREC-9 and TREC-11 (chai2002 2.4 and 4.2).

Robertson & Hull 2000, TREC-9 filtering track final report; Robertson & Soboroff 2002, TREC 2002 filtering
track report.

R+ (`r_plus`)   relevant documents delivered;  N+ (`n_plus`)  irrelevant documents delivered
relevant        all relevant documents of the topic, delivered or not
All take one number a topic and give one number a topic; the mean over topics is for the caller to take.
From `Counts`: R+ = tp, N+ = fp, relevant = support. TREC's F_0.5 (T11F) is `f_measures(counts, beta=0.5)`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bayesift.arrays import FloatArray
from bayesift.errors import BadInput

TARGET = 50  # documents that T9P asks for
MIN_U = -100.0  # T9U of a topic is never below (OHSU topics)
MIN_NU = -0.5  # the same for the normalised utility of TREC-11


def t9p(r_plus: npt.ArrayLike, n_plus: npt.ArrayLike, target: int = TARGET) -> FloatArray:
    """T9P = R+ / max(50, R+ + N+): precision, with a penalty for delivering fewer than 50.

    >>> t9p([10, 30, 0], [10, 70, 0])  # 10/50, 30/100, and nothing delivered
    array([0.2, 0.3, 0. ])
    """
    if target < 1:
        raise BadInput(f"target must be at least 1, but is {target}", remedy="TREC-9 takes 50")
    r, n = _topics(r_plus, n_plus)
    return r / np.maximum(target, r + n)


def t9u(r_plus: npt.ArrayLike, n_plus: npt.ArrayLike, floor: float = MIN_U) -> FloatArray:
    """T9U = max(2 R+ - N+, -100): what was delivered is worth 2 if relevant and costs 1 if not.

    >>> t9u([10, 0, 0], [5, 500, 0])
    array([  15., -100.,    0.])
    """
    r, n = _topics(r_plus, n_plus)
    return np.maximum(2 * r - n, floor)


def scaled_utility(
    r_plus: npt.ArrayLike, n_plus: npt.ArrayLike, relevant: npt.ArrayLike, floor: float = MIN_U
) -> FloatArray:
    """T9U / MaxU with MaxU = 2 relevant: 1 is perfect, 0 is silence, below 0 is worse than silence.

    A topic with no relevant document has no scale: nan.

    >>> scaled_utility([10, 0, 0], [5, 30, 0], [10, 10, 0])  # 15/20, -30/20
    array([ 0.75, -1.5 ,   nan])
    """
    r, n = _topics(r_plus, n_plus)
    return np.maximum(2 * r - n, floor) / _max_utility(r, relevant)


def t11su(
    r_plus: npt.ArrayLike, n_plus: npt.ArrayLike, relevant: npt.ArrayLike, floor: float = MIN_NU
) -> FloatArray:
    """T11SU = (max(U / MaxU, -0.5) + 0.5) / 1.5 with U = 2 R+ - N+: in [0, 1], and 1/3 for silence.

    A topic with no relevant document has no scale: nan.

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
            f"one number a topic was expected, but R+ has shape {r.shape} and N+ {n.shape}",
            remedy="give both for the same topics in the same order",
        )
    if not ((r >= 0) & (n >= 0)).all():
        raise BadInput(
            "R+ and N+ are counts, but some are below 0 or nan", remedy="give numbers of documents"
        )
    return r, n


def _max_utility(r: FloatArray, relevant: npt.ArrayLike) -> FloatArray:
    total = np.atleast_1d(np.asarray(relevant, np.float64))
    if total.shape != r.shape:
        raise BadInput(
            f"one number of relevant documents a topic was expected, {r.shape}, but came {total.shape}",
            remedy="give it for the same topics in the same order",
        )
    if not (r <= total).all():
        raise BadInput(
            "R+ is above the number of relevant documents", remedy="count all relevant ones, delivered or not"
        )
    return np.where(total > 0, 2 * total, np.nan)
