"""Calibration of probabilities: reliability curves and calibration errors (Naeini et al. 2015).

All decisions (document, label) are put into bins by p; in bin b are n_b of n decisions, with mean probability
p_b, of which the fraction o_b is true.
Expected error ECE = sum_b n_b/n |o_b - p_b|;  maximal error = max_b |o_b - p_b|.
Bins are open at their lower end and closed at their upper one, as in scikit-learn; empty bins are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bayesift.arrays import FloatArray, IntArray, LabelMatrix, as_labels, as_probabilities
from bayesift.errors import BadInput

BINS = 10
CELLS = 1 << 22  # probabilities per block


@dataclass(frozen=True, eq=False)
class Reliability:
    """Reliability curve, with one entry per non-empty bin."""

    lower: FloatArray
    upper: FloatArray
    count: IntArray  # n_b
    mean_probability: FloatArray  # p_b
    fraction_true: FloatArray  # o_b

    @property
    def expected_error(self) -> float:
        """Expected calibration error (ECE): mean over decisions of |fraction true - mean probability|."""
        return float(np.average(np.abs(self.fraction_true - self.mean_probability), weights=self.count))

    @property
    def maximal_error(self) -> float:
        """Maximum calibration error: the largest |fraction true - mean probability| of a bin."""
        return float(np.abs(self.fraction_true - self.mean_probability).max())


def reliability(
    truth: LabelMatrix,
    probabilities: npt.ArrayLike,
    bins: int = BINS,
    by: Literal["width", "count"] = "width",
) -> Reliability:
    """Return the reliability curve over all decisions, in bins of equal width or of about equal count.

    >>> curve = reliability([0, 1, 1, 1], [0.25, 0.25, 0.75, 1.0], bins=2)
    >>> curve.count, curve.mean_probability, curve.fraction_true
    (array([2, 2]), array([0.25 , 0.875]), array([0.5, 1. ]))
    >>> curve.expected_error, curve.maximal_error  # (1/4 + 1/8) / 2 and 1/4
    (0.1875, 0.25)
    """
    t = as_labels(truth, "truth")
    p = as_probabilities(probabilities, t.shape, "probabilities").ravel()
    if bins < 1:
        raise BadInput(f"bins must be at least 1, but is {bins}", remedy="10 is usual")
    if by not in ("width", "count"):
        raise BadInput(f"no such kind of bins {by!r}", remedy="bins are of equal: width, count")
    shares = np.linspace(0, 1, bins + 1)
    edges = shares if by == "width" else np.percentile(p.astype(np.float64), shares * 100)
    which = np.searchsorted(edges[1:-1], p)
    rows = np.repeat(np.arange(t.shape[0]), np.diff(t.indptr))
    n = np.bincount(which, minlength=bins)
    some = n > 0
    true = np.bincount(which[rows * t.shape[1] + t.indices], minlength=bins)[some]
    total = np.bincount(which, weights=p, minlength=bins)[some]
    return Reliability(edges[:-1][some], edges[1:][some], n[some], total / n[some], true / n[some])


def label_errors(truth: LabelMatrix, probabilities: npt.ArrayLike, bins: int = BINS) -> FloatArray:
    """Return the expected calibration error of each label, in bins of equal width.

    >>> label_errors([[0, 1], [1, 1]], [[0.25, 0.75], [0.25, 1.0]], bins=2)  # |1 - 2/4| / 2 and |2 - 7/4| / 2
    array([0.25 , 0.125])
    """
    t = as_labels(truth, "truth")
    p = as_probabilities(probabilities, t.shape, "probabilities")
    documents, labels = t.shape
    columns = t.tocsc()
    step = max(1, CELLS // documents)
    blocks = [_block_errors(columns[:, c : c + step], p[:, c : c + step], bins) for c in range(0, labels, step)]
    return np.concatenate(blocks) / documents


def _block_errors(truth: Any, p: npt.NDArray[Any], bins: int) -> FloatArray:
    """Sum over bins of |true documents - their expected number| of each label, by one count over all cells."""
    labels = p.shape[1]
    cell = np.searchsorted(np.linspace(0, 1, bins + 1)[1:-1], p) + bins * np.arange(labels)
    rows, which = truth.nonzero()
    true = np.bincount(cell[rows, which], minlength=bins * labels)
    expected = np.bincount(cell.ravel(), weights=p.ravel(), minlength=bins * labels)
    return np.asarray(np.abs(true - expected).reshape(labels, bins).sum(axis=1))
