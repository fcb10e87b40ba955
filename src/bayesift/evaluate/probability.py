"""Measures of probabilities and confidences: ROC area, Q, log-evidence, Brier score.

p   probability of a label for a document;  A_c  area under the ROC curve of label c
t, y in {-1, +1}   true and predicted label;  q in [0, 1]  confidence in y  (goutte2007, eq. 6)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bayesift.arrays import BoolCSR, FloatArray, LabelMatrix, as_labels, as_numbers, as_probabilities
from bayesift.errors import BadInput
from bayesift.evaluate.counts import as_label_pair


def roc_areas(truth: LabelMatrix, scores: npt.ArrayLike, folds: npt.ArrayLike | None = None) -> FloatArray:
    """Return the area under the ROC curve of each label.

    It is the probability that a document with the label has a higher score than one without; ties count half. It is nan
    for a label that all documents have, or none. With `folds`, the fold of each document in cross-validation, only
    documents of the same fold are compared: those of other folds were scored by other models.

    >>> roc_areas([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])  # 3 of 4 pairs right, one a tie
    array([0.875])
    >>> roc_areas([0, 0], [0.2, 0.1])
    array([nan])
    >>> roc_areas([1, 0, 1, 0], [0.2, 0.1, 0.9, 0.8], folds=[0, 0, 1, 1])
    array([1.])
    """
    t = as_labels(truth, "truth")
    s = as_numbers(scores, t.shape, "scores")
    if folds is None:
        return _areas(t, s)
    fold = np.asarray(folds)
    right, pairs = np.zeros((2, t.shape[1]))
    for rows in (np.flatnonzero(fold == k) for k in np.unique(fold)):
        part = t[rows]
        have = np.bincount(part.indices, minlength=t.shape[1])
        own = (have * (len(rows) - have)).astype(np.float64)
        right += np.where(own > 0, np.nan_to_num(_areas(part, s[rows])) * own, 0.0)
        pairs += own
    return np.asarray(np.divide(right, pairs, out=np.full(t.shape[1], np.nan), where=pairs > 0))


def q_score(
    truth: LabelMatrix, predicted: LabelMatrix, confidences: npt.ArrayLike, single: float = 0.5
) -> float:
    """Return Q = mean over labels of (2 A_c - 1) + mean_i q_ic t_ic y_ic, A_c being the ROC area of q y.

    2 is perfect with full confidence, about 0 is chance. A label that all documents have, or none, has no ROC
    curve: its area is `single`, by default 0.5, which adds nothing to the first term.

    >>> q_score([1, 0], [1, 0], [1.0, 1.0])
    2.0
    >>> q_score([1, 0], [1, 1], [0.75, 0.5])  # area 1; then (0.75 - 0.5) / 2
    1.125
    """
    t, y = as_label_pair(truth, predicted)
    q = as_probabilities(confidences, t.shape, "confidences").astype(np.float64)
    signed = -q
    signed[_positions(y)] *= -1
    areas = _areas(t, signed)
    areas[np.isnan(areas)] = single
    agreement = 2 * signed[_positions(t)].sum() - signed.sum()  # the sum of t q y
    return float((2 * areas - 1).mean() + agreement / signed.size)


def log_evidence(truth: LabelMatrix, probabilities: npt.ArrayLike, floor: float = 0.0) -> FloatArray:
    """Return the log-evidence of each label: the sum over documents of ln p if it is true, else of ln(1 - p).

    Divide by the number of documents for the mean; its negative is the log loss. A true label with p = 0 gives -inf,
    unless probabilities are bounded below by `floor`.

    >>> log_evidence([[1], [0]], [[0.5], [0.5]])  # 2 ln 1/2
    array([-1.38629436])
    >>> log_evidence([1, 0], [0.0, 0.0])
    array([-inf])
    >>> log_evidence([1, 0], [0.0, 0.0], floor=0.01)  # ln 0.01
    array([-4.60517019])
    """
    if not 0 <= floor < 0.5:
        raise BadInput(
            f"floor must be a small probability, but is {floor}",
            remedy="use e.g. 1e-12, or 0 for no floor",
        )
    t = as_labels(truth, "truth")
    p = as_probabilities(probabilities, t.shape, "probabilities").astype(np.float64)
    with np.errstate(divide="ignore"):
        logs = np.log1p(-p)
        logs[_positions(t)] = np.log(p[_positions(t)])
        lifted: FloatArray = np.maximum(logs, np.log(floor))
    return np.asarray(lifted.sum(axis=0))


def brier_score(truth: LabelMatrix, probabilities: npt.ArrayLike) -> float:
    """Return the mean over all decisions of (p - [label is true])^2.

    >>> brier_score([1, 0], [0.5, 0.0])  # (1/4 + 0) / 2
    0.125
    """
    t = as_labels(truth, "truth")
    errors = as_probabilities(probabilities, t.shape, "probabilities").astype(np.float64)
    errors[_positions(t)] -= 1
    return float(np.vdot(errors, errors) / errors.size)


def _areas(t: BoolCSR, scores: npt.NDArray[np.floating[Any]]) -> FloatArray:
    documents, labels = t.shape
    areas = np.full(labels, np.nan)
    columns = t.tocsc()
    for c in range(labels):
        have = columns.indices[columns.indptr[c] : columns.indptr[c + 1]]
        if 0 < len(have) < documents:
            column = np.sort(scores[:, c])
            mine = np.sort(scores[have, c])
            # Mann-Whitney: mean rank of those that have the label, each tie at the middle of its ranks
            below, upto = np.searchsorted(column, mine, "left"), np.searchsorted(column, mine, "right")
            ranks = (below + upto + 1).sum() / 2
            pairs = len(have) * (documents - len(have))
            areas[c] = (ranks - len(have) * (len(have) + 1) / 2) / pairs
    return areas


def _positions(matrix: BoolCSR) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)), matrix.indices
