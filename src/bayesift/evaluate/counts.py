"""Counts of right and wrong decisions: TP, FP, FN and TN of each label, or of each document.

tp  predicted and true;  fp  predicted and not true;  fn  not predicted and true;  tn  not predicted and not true.
All measures of decisions (`labels`, `filtering`, `sign_tests`) are functions of these four.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from bayesift.arrays import BoolCSR, IntArray, LabelMatrix, as_labels, same_shape


@dataclass(frozen=True, eq=False)
class Counts:
    """Four arrays of one length: one entry for each label (or document)."""

    tp: IntArray
    fp: IntArray
    fn: IntArray
    tn: IntArray

    @property
    def support(self) -> IntArray:
        """Number of true decisions per entry."""
        return self.tp + self.fn

    @property
    def predicted(self) -> IntArray:
        """Number of predictions per entry."""
        return self.tp + self.fp

    def pooled(self) -> Counts:
        """Return the sums over all entries, as arrays of one entry, for micro averages."""
        return Counts(*(x.sum(keepdims=True) for x in (self.tp, self.fp, self.fn, self.tn)))


def counts(truth: LabelMatrix, predicted: LabelMatrix, per: Literal["label", "document"] = "label") -> Counts:
    """Count the decisions of each label, or of each document.

    >>> c = counts([[1, 0], [1, 1], [0, 0]], [[1, 1], [0, 1], [0, 0]])
    >>> c.tp, c.fp, c.fn, c.tn
    (array([1, 1]), array([0, 1]), array([1, 0]), array([1, 1]))
    >>> counts([[1, 0], [1, 1], [0, 0]], [[1, 1], [0, 1], [0, 0]], per="document").tp
    array([1, 1, 0])
    """
    t, p = as_label_pair(truth, predicted)
    true, given, both = (_sums(m, per) for m in (t, p, t.multiply(p)))
    every = t.shape[0] if per == "label" else t.shape[1]
    return Counts(tp=both, fp=given - both, fn=true - both, tn=every - true - given + both)


def as_label_pair(
    truth: LabelMatrix, predicted: LabelMatrix, what: str = "predicted"
) -> tuple[BoolCSR, BoolCSR]:
    """Convert two label matrices and raise `BadInput` if their shapes differ."""
    t, p = as_labels(truth, "truth"), as_labels(predicted, what)
    same_shape(t.shape, p.shape, what)
    return t, p


def _sums(matrix: BoolCSR, per: Literal["label", "document"]) -> IntArray:
    if per == "label":
        return np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.int64)
    return np.diff(matrix.indptr).astype(np.int64)
