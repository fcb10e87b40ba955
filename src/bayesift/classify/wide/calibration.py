"""Calibrated probabilities of very many labels: one curve per group of labels that are about as frequent.

    a candidate's margin z:      logit p = the curve of the label's group (`decide.calibration`) at z
    a label that was skipped:    p = s (positives + 1/2) / skipped documents, of its group

s is the share of positives that were skipped, shrunk to that of all labels, which counts as `ALIKE` positives.

Margins and candidates are those of held-out documents. All candidates are counted and no negative is left out, so that
these are probabilities among documents as they come, whichever negatives the learner had chosen. There are at most
`GROUPS` groups, of equal size: with fewer labels each has a curve of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from scipy.special import logit

from bayesift.arrays import FloatArray, IntArray
from bayesift.decide.calibration import BINS, PER_UNIT, REACH, MarginCalibration

GROUPS = 2048
ALIKE, TINY = 20.0, 1e-12


@dataclass(eq=False)
class GroupedCalibration:
    """Counts of candidates and of skipped labels by group, and the curves that they give."""

    NAMES: ClassVar = ("group", "label_documents", "skipped", "missed")  # arrays, as they are saved

    group: IntArray  # (labels,)
    label_documents: IntArray  # (labels,): training documents that have each label
    n_documents: int
    counts: MarginCalibration = field(default_factory=MarginCalibration)  # of groups, where others have labels
    skipped: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))  # (groups,): documents times labels
    missed: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))  # (groups,): positives among them

    @classmethod
    def of(cls, Y: sparse.csr_matrix, folds: int) -> Self:
        """Return empty counts for labels that these training documents have."""
        labels = Y.shape[1]
        have = np.bincount(Y.indices, minlength=labels).astype(np.int64)
        groups = min(labels, GROUPS)
        group = np.empty(labels, np.int64)
        group[np.argsort(-have, kind="stable")] = np.arange(labels) * groups // max(labels, 1)
        if groups == labels:
            group = np.arange(labels)
        empty = np.zeros((folds, groups, BINS), np.int64)
        none = np.zeros(groups, np.int64)
        return cls(group, have, Y.shape[0], MarginCalibration(empty, empty.copy()), none, none.copy())

    def add(self, scored: sparse.csr_matrix, truth: sparse.csr_matrix, fold: int) -> None:
        """Count held-out documents: the margins of their candidates, and their labels."""
        group, n = self.group[scored.indices], self.skipped.size
        place = group * BINS + _bins(scored.data)
        right = _present(scored, truth)
        for counts, some in ((self.counts.documents, slice(None)), (self.counts.positives, right)):
            counts[fold] += np.bincount(place[some], minlength=n * BINS).reshape(n, BINS)
        sizes = np.bincount(self.group, minlength=n)
        self.skipped += scored.shape[0] * sizes - np.bincount(group, minlength=n)
        self.missed += np.bincount(self.group[truth.indices], minlength=n) - np.bincount(group[right], minlength=n)

    def fit(self) -> Self:
        """Fit the curves to what was counted."""
        self.counts.fit()
        return self

    def base_rates(self) -> FloatArray:
        """Return the share of documents that have each label, and in the last place one that no document has."""
        return np.asarray((np.append(self.label_documents, 0) + 0.5) / (self.n_documents + 1.0))

    def skipped_rates(self) -> FloatArray:
        """Return the probability of each label where it is not a candidate."""
        positives = self.missed + self.counts.positives.sum(axis=(0, 2))
        usual = (self.missed.sum() + 0.5) / (positives.sum() + 1.0)
        share = (self.missed + ALIKE * usual) / (positives + ALIKE)
        rate = share * (positives + 0.5) / np.maximum(self.skipped, 1.0)
        return np.asarray(np.clip(rate, TINY, 0.5)[self.group])

    def log_odds(self, scored: sparse.csr_matrix) -> FloatArray:
        """Return the calibrated log-odds of each stored margin."""
        place = (np.clip(scored.data.astype(np.float64), -4.0 * REACH, 4.0 * REACH) + REACH) * PER_UNIT - 0.5
        b = np.clip(place, 0.0, BINS - 2.0).astype(np.int64)
        curves, group = self.counts.logits, self.group[scored.indices]
        low, high = curves[group, b], curves[group, b + 1]
        return np.asarray(low + (place - b) * (high - low))

    def filled(self, scored: sparse.csr_matrix) -> FloatArray:
        """Return the log-odds of all labels, those that were skipped too: (documents, labels)."""
        found = np.tile(logit(self.skipped_rates()), (scored.shape[0], 1))
        found[np.repeat(np.arange(scored.shape[0]), np.diff(scored.indptr)), scored.indices] = self.log_odds(scored)
        return found

    def state(self) -> dict[str, Any]:
        """Return all numbers."""
        counts = {name: getattr(self.counts, name).copy() for name in ("documents", "positives", "logits")}
        return {name: getattr(self, name).copy() for name in self.NAMES} | {"n_documents": self.n_documents} | counts

    @classmethod
    def restored(cls, state: dict[str, Any]) -> Self:
        """Return the calibration of a state."""
        counts = MarginCalibration(*(state[name].copy() for name in ("documents", "positives", "logits")))
        group, have, skipped, missed = (state[name].copy() for name in cls.NAMES)
        return cls(group, have, int(state["n_documents"]), counts, skipped, missed)


def _bins(z: Any) -> IntArray:
    return np.asarray(np.clip((z.astype(np.float64) + REACH) * PER_UNIT, 0.0, BINS - 1.0), np.int64)


def _present(scored: sparse.csr_matrix, truth: sparse.csr_matrix) -> Any:
    """Return which of the stored candidates are right; columns of both rise."""
    rows = [np.repeat(np.arange(m.shape[0], dtype=np.int64), np.diff(m.indptr)) for m in (scored, truth)]
    cells, right = (r * scored.shape[1] + m.indices for r, m in zip(rows, (scored, truth)))
    return np.isin(cells, right, assume_unique=True)
