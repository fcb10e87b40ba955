"""Measures of decided labels: precision, recall, F and Hamming loss (chai2002 2.4; van Rijsbergen 1979).

P = TP/(TP+FP), R = TP/(TP+FN), F_beta = (1+beta^2) TP / ((1+beta^2) TP + beta^2 FN + FP)
Averages:  micro    of all decisions pooled: common labels weigh most
           macro    mean over all labels, with equal weights
           example  mean over documents
A quotient 0/0 is `empty`, by default 0, as scikit-learn's `zero_division=0`: a label that is never true and never
predicted has F = `empty` and still counts in the macro average.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from bayesift.arrays import FloatArray, LabelMatrix
from bayesift.errors import BadInput
from bayesift.evaluate.counts import Counts, counts

Average: TypeAlias = Literal["micro", "macro", "example"]


def precisions(c: Counts, empty: float = 0.0) -> FloatArray:
    """Return the precision of each entry; `empty` if nothing was predicted.

    >>> precisions(counts([[1, 0], [1, 0]], [[1, 0], [1, 0]]))
    array([1., 0.])
    """
    return _quotient(c.tp, c.predicted, empty)


def recalls(c: Counts, empty: float = 0.0) -> FloatArray:
    """Return the recall of each entry; `empty` if nothing is true.

    >>> recalls(counts([[1, 1], [1, 0]], [[1, 1], [0, 1]]))
    array([0.5, 1. ])
    """
    return _quotient(c.tp, c.support, empty)


def f_measures(c: Counts, beta: float = 1.0, empty: float = 0.0) -> FloatArray:
    """Return F_beta of each entry; `empty` if nothing is true and nothing predicted. T11F is beta = 0.5.

    >>> f_measures(counts([[1, 0], [1, 0]], [[1, 0], [0, 0]]))  # 2 * 1 / (2 * 1 + 1)
    array([0.66666667, 0.        ])
    >>> f_measures(counts([1, 1], [1, 0]), beta=0.5)  # 1.25 / (1.25 + 0.25)
    array([0.83333333])
    """
    if not 0 < beta < np.inf:
        raise BadInput(
            f"beta must be above 0, but is {beta}", remedy="1 weighs recall as precision, 0.5 half as much"
        )
    weight = beta**2
    hits = (1 + weight) * c.tp
    return _quotient(hits, hits + weight * c.fn + c.fp, empty)


def precision(
    truth: LabelMatrix, predicted: LabelMatrix, average: Average = "micro", empty: float = 0.0
) -> float:
    """Return the averaged precision: the share of predictions that are true.

    >>> precision([[1, 0], [1, 1]], [[1, 1], [1, 1]])  # 3 of 4
    0.75
    """
    return float(precisions(_entries(truth, predicted, average), empty).mean())


def recall(
    truth: LabelMatrix, predicted: LabelMatrix, average: Average = "micro", empty: float = 0.0
) -> float:
    """Return the averaged recall: the share of true labels that are predicted.

    >>> recall([[1, 0], [1, 1]], [[1, 1], [0, 1]], average="macro")  # (1/2 + 1) / 2
    0.75
    """
    return float(recalls(_entries(truth, predicted, average), empty).mean())


def f_measure(
    truth: LabelMatrix,
    predicted: LabelMatrix,
    average: Average = "micro",
    beta: float = 1.0,
    empty: float = 0.0,
) -> float:
    """Return the averaged F_beta, by default F_1.

    >>> truth, predicted = [[1, 0], [1, 1], [0, 0]], [[1, 1], [0, 1], [0, 0]]
    >>> [round(f_measure(truth, predicted, a), 3) for a in ("micro", "macro", "example")]
    [0.667, 0.667, 0.444]
    >>> round(f_measure(truth, predicted, "example", empty=1), 3)  # the third document counts as 1
    0.778
    """
    return float(f_measures(_entries(truth, predicted, average), beta, empty).mean())


def hamming_loss(truth: LabelMatrix, predicted: LabelMatrix) -> float:
    """Return the share of wrong decisions among all documents and labels.

    >>> hamming_loss([[1, 0], [1, 1]], [[1, 1], [1, 1]])
    0.25
    """
    c = counts(truth, predicted).pooled()
    return float((c.fp + c.fn)[0] / (c.support + c.fp + c.tn)[0])


def exact_match(truth: LabelMatrix, predicted: LabelMatrix) -> float:
    """Return the subset accuracy: the share of documents whose predicted labels are exactly the true ones.

    >>> exact_match([[1, 0], [1, 1]], [[1, 1], [1, 1]])
    0.5
    """
    c = counts(truth, predicted, per="document")
    return float((c.fp + c.fn == 0).mean())


def _entries(truth: LabelMatrix, predicted: LabelMatrix, average: Average) -> Counts:
    if average not in ("micro", "macro", "example"):
        raise BadInput(f"no such average {average!r}", remedy="averages are: micro, macro, example")
    if average == "example":
        return counts(truth, predicted, per="document")
    c = counts(truth, predicted)
    return c.pooled() if average == "micro" else c


def _quotient(above: FloatArray | np.ndarray, below: FloatArray | np.ndarray, empty: float) -> FloatArray:
    out = np.full(below.shape, empty, np.float64)
    return np.divide(above, below, out=out, where=below != 0)
