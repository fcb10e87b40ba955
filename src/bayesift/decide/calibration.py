"""Calibrated probabilities from margins: one curve for each label, its shape shared by all labels.

    logit p_c(z) = a_c + b_c z + d_c ln(1 + e^z),   (a, b, d)_c ~ N(A l_c, V),   l_c = (1, log-odds of the label)

z is the margin of a document that the learner had not seen. The slope is b far below 0 and b + d far above, since far
below 0 there are only negatives and far above often some too. A label with few documents keeps the curve that
labels of its frequency have; one with many has its own. A and V are fitted to all labels (empirical Bayes), each curve
by Newton's method; p is its mean over what is left open of (a, b, d).

All that is kept is how many documents, and how many positives, of each label fell into each of `BINS` steps of z: more
documents can be added at any time, and the size does not grow with them. Where a decision rule asks for folds, the
documents of each fold are counted on their own. Margins along a stream are those of models that get better: `fade`
halves the weight of all that was counted so far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from bayesift.arrays import FloatArray, LabelMatrix, as_labels, as_scores, same_shape
from bayesift.beliefs.curves import interpolate
from bayesift.errors import BadInput
from bayesift.numba_kernel import kernel

REACH, PER_UNIT = 8.0, 16
BINS = int(2 * REACH * PER_UNIT)
CENTRES = (np.arange(BINS) + 0.5) / PER_UNIT - REACH
CURVE = np.stack([np.ones(BINS), CENTRES, np.logaddexp(0.0, CENTRES)])  # (3, bins)
ROUNDS, STEPS = 6, 50
SOME = 4096  # documents whose margins are made double precision at a time
USUAL = np.array([[-0.2, 1.5, 0.0], [-0.25, 0.0, 0.3]])  # (A): the curve that is usual, and how it goes with rarity
SPREAD = np.diag([0.8, 0.4, 0.6]) ** 2  # (V): how far labels usually are from it
WORTH = 50.0  # positives that this experience is worth
FEW = 5  # documents that the base rates are worth
MASS, NOTHING = 0.95, 1e-6  # a share of documents, and what a bin without documents counts as
ENOUGH = 50.0  # positives from which a label speaks for the shape with full weight


@dataclass(eq=False)
class MarginCalibration:
    """Counts of margins, and the curves that they give.

    >>> rng = np.random.default_rng(0)
    >>> z = rng.normal(size=(2000, 1)) * 2
    >>> calibration = MarginCalibration().add(z, rng.random((2000, 1)) < expit(2 * z - 1)).fit()
    >>> calibration.probabilities([[-1.0], [0.5], [2.0]]).round(1).ravel()
    array([0. , 0.5, 1. ])
    """

    # (folds, labels, bins)
    documents: NDArray[np.int64] = field(default_factory=lambda: np.zeros((1, 0, BINS), np.int64))
    positives: NDArray[np.int64] = field(default_factory=lambda: np.zeros((1, 0, BINS), np.int64))
    logits: FloatArray = field(default_factory=lambda: np.zeros((0, BINS)))  # of p at the middle of each bin
    weight: int = 1  # what a document adds to the counts; a power of two

    @classmethod
    def in_folds(cls, folds: int) -> MarginCalibration:
        """Return empty counts in so many folds."""
        empty = np.zeros((folds, 0, BINS), np.int64)
        return cls(empty, empty.copy())

    def add(self, margins: Any, truth: LabelMatrix, folds: Any = None) -> Self:
        """Count documents that were not learned before: margins (documents, labels); labels may be new.

        `folds` is the fold of each document; by default documents take turns.
        """
        z, t = np.asarray(margins), as_labels(truth, "truth")
        same_shape(t.shape, z.shape, "margins")
        kept, known = self.documents.shape[:2]
        if z.shape[1] > known:
            wide = ((0, 0), (0, z.shape[1] - known), (0, 0))
            self.documents, self.positives = np.pad(self.documents, wide), np.pad(self.positives, wide)
        if folds is None:
            counted = int(self.documents[:, -1].sum()) if known else 0
            folds = (counted + np.arange(len(z))) % kept
        fold = np.asarray(folds, np.int64)
        for begin in range(0, len(z), SOME):
            some = slice(begin, begin + SOME)
            block = as_scores(z[some], "margins")
            ends = t.indptr[begin : begin + len(block) + 1].astype(np.int64)
            _count(block, ends, t.indices, fold[some], self.weight, self.documents, self.positives)
        return self

    def merge(self, other: MarginCalibration) -> None:
        """Add what another one counted, of the same labels, folds and weight."""
        if self.documents.shape[1] != other.documents.shape[1]:  # one of them has counted nothing
            one = max((self, other), key=lambda counts: counts.documents.shape[1])
            self.documents, self.positives = one.documents, one.positives
            return
        self.documents, self.positives = self.documents + other.documents, self.positives + other.positives

    def fade(self) -> None:
        """Halve the weight of all documents counted so far against those to come."""
        self.weight *= 2

    def whole_counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return documents and positives (folds, labels, bins) as whole numbers, of weight 1 for the latest ones.

        Fractions are added up along the bins: a label that had positives keeps at least one.
        """
        if self.weight == 1:
            return self.documents, self.positives
        parts = (self.positives, self.documents - self.positives)
        y, others = (np.diff(-(-np.cumsum(part, axis=2) // self.weight), axis=2, prepend=0) for part in parts)
        return y + others, y

    def insert(self, labels: int) -> None:
        """Insert so many copies of the last label before it: documents that had none of the new labels either."""
        place = [*range(self.documents.shape[1]), *[self.documents.shape[1] - 1] * labels]
        self.documents, self.positives = self.documents[:, place], self.positives[:, place]

    def renew_negatives(self, margins: Any, truth: LabelMatrix, labels: Any) -> None:
        """Count the negatives of some labels again, with the margins of a sample of documents by the present model.

        Each of these labels keeps its number of negatives; they fall into bins as those of the sample do.
        """
        sample = MarginCalibration().add(margins, truth)
        for label, n, y in zip(labels, sample.documents[0], sample.positives[0]):
            negatives = self.documents[:, label] - self.positives[:, label]
            if (n - y).sum():
                share = (n - y) / (n - y).sum()
                counts = np.floor(np.cumsum(share) * negatives.sum(axis=1, keepdims=True) + 0.5).astype(np.int64)
                self.documents[:, label] = self.positives[:, label] + np.diff(counts, axis=1, prepend=0)

    def base_rates(self) -> FloatArray:
        """Return the share of documents that have each label: (k + 1/2) / (n + 1)."""
        n, k = (counts.sum(axis=(0, 2)) / self.weight for counts in (self.documents, self.positives))
        return np.asarray((k + 0.5) / (n + 1.0))

    def fit(self) -> Self:
        """Fit the curves to what was counted."""
        n, y = (counts.sum(axis=0) / self.weight for counts in (self.documents, self.positives))
        if not n.any():
            raise BadInput("no margins were counted", remedy="call add(margins, truth) first")
        have = y.sum(axis=1)
        rarity = np.log((have + 0.5) / (n.sum(axis=1) - have + 0.5))
        known = np.column_stack([np.ones(len(n)), rarity])
        speaks = np.minimum(have, ENOUGH)
        root = np.sqrt(np.append(speaks, [WORTH / 2, WORTH / 2]))[:, None]
        rows = np.vstack([known, [[1.0, 0.0], [1.0, -5.0]]])  # two labels that stand for what is usual
        w = centre = known @ USUAL
        spread = np.tile(SPREAD, (len(n), 1, 1))
        for _ in range(ROUNDS):
            seen = np.vstack([w, rows[-2:] @ USUAL])
            centre = known @ np.linalg.lstsq(rows * root, seen * root, rcond=None)[0]
            off = w - centre
            V = (off.T * speaks) @ off + np.einsum("cij,c->ij", spread, speaks) + WORTH * SPREAD
            w, spread = _newton(n, y, w, centre, V / (speaks.sum() + WORTH))
        open_ = np.einsum("ib,cij,jb->cb", CURVE, spread, CURVE)
        found = rising((w @ CURVE) / np.sqrt(1.0 + np.pi / 8.0 * open_), n)
        base, trust = logit(self.base_rates())[:, None], n.sum() / (n.sum() + FEW * len(n))
        self.logits = base + trust * (found - base)
        return self

    def probabilities(self, margins: Any) -> FloatArray:
        """p (documents, labels)."""
        return np.asarray(expit(self.log_odds(margins)))

    def log_odds(self, margins: Any) -> FloatArray:
        """logit p (documents, labels), a straight line between the middles of bins and beyond the last ones."""
        z = as_scores(margins, "margins")
        if len(self.logits) != z.shape[1]:
            raise BadInput(
                f"margins of {z.shape[1]} labels, but curves of {len(self.logits)}", remedy="fit to the same labels"
            )
        return np.asarray(interpolate(z, self.logits, REACH, PER_UNIT))

    def log_evidence(self) -> float:
        """Of all that was counted: the mean over documents of the sum over labels of ln p(y)."""
        n, y = self.documents.sum(axis=0), self.positives.sum(axis=0)
        log_p, log_not = -np.logaddexp(0.0, -self.logits), -np.logaddexp(0.0, self.logits)
        return float((y * log_p + (n - y) * log_not).sum() / max(n.sum(axis=1).max(), 1))


def rising(curves: FloatArray, documents: FloatArray) -> FloatArray:
    """Return curves that never fall, near to these where the documents are: (labels, bins).

    Where margins of a label are all about the same, the slope may be below 0. Up to the bin that holds `MASS` of the
    documents a fall is levelled by isotonic regression, weighted by documents: it must not raise the curve for the many
    documents behind it. Beyond, where few are, the highest value so far is carried on, which keeps more of the order.

    >>> rising(np.array([[0.0, 3.0, 1.0, 2.0, 5.0, 4.0]]), np.array([[9.0, 1.0, 3.0, 9.0, 1.0, 0.0]])).round(2)
    array([[0. , 1.5, 1.5, 2. , 5. , 5. ]])
    """
    falls = np.flatnonzero((np.diff(curves, axis=1) < 0.0).any(axis=1))
    if not falls.size:
        return curves
    from scipy.optimize import isotonic_regression  # seldom needed, and slow to import

    found = curves.copy()
    for c in falls:
        counted = np.cumsum(documents[c])
        mass = int(np.searchsorted(counted, MASS * counted[-1])) + 1
        found[c, :mass] = isotonic_regression(curves[c, :mass], weights=documents[c, :mass] + NOTHING).x
        found[c, mass - 1 :] = np.maximum.accumulate(found[c, mass - 1 :])
    return found


@kernel
def _count(z: Any, indptr: Any, indices: Any, folds: Any, weight: int, documents: Any, positives: Any) -> None:
    for t in range(z.shape[0]):
        k = folds[t]
        for c in range(z.shape[1]):
            documents[k, c, _bin(z[t, c])] += weight
        for i in range(indptr[t], indptr[t + 1]):
            positives[k, indices[i], _bin(z[t, indices[i]])] += weight


@kernel(inline="always")
def _bin(z: float) -> int:
    return int(min(max((z + REACH) * PER_UNIT, 0.0), BINS - 1.0))


def _newton(
    n: FloatArray, y: FloatArray, w: FloatArray, centre: FloatArray, V: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the posterior mode (labels, 3) of every curve under N(centre, V), and the covariance around it."""
    w, spread = w.copy(), np.empty((len(w), 3, 3))
    _modes(n, y, w, centre, np.linalg.inv(V), CURVE, spread)
    return w, spread


@kernel
def _modes(n: Any, y: Any, w: Any, centre: Any, inverse: Any, curve: Any, spread: Any) -> None:
    """Newton's method for each label; steps are halved until the cost falls.

    Written out for three numbers per curve: numba takes 8 s to compile array expressions and `inv`, and these 1 s.
    """
    hessian, gradient, step, trial = np.empty((3, 3)), np.empty(3), np.empty(3), np.empty(3)
    for c in range(w.shape[0]):
        now = _cost(n, y, c, w[c], centre, inverse, curve)
        for _ in range(STEPS):
            for i in range(3):
                gradient[i] = 0.0
                for j in range(3):
                    hessian[i, j] = inverse[i, j]
                    gradient[i] -= inverse[i, j] * (w[c, j] - centre[c, j])
            for b in range(BINS):
                if n[c, b] > 0.0:
                    eta = w[c, 0] * curve[0, b] + w[c, 1] * curve[1, b] + w[c, 2] * curve[2, b]
                    p = 1.0 / (1.0 + math.exp(-eta))
                    slope, bend = y[c, b] - n[c, b] * p, n[c, b] * p * (1.0 - p)
                    for i in range(3):
                        gradient[i] += slope * curve[i, b]
                        for j in range(3):
                            hessian[i, j] += bend * curve[i, b] * curve[j, b]
            _invert(hessian, spread[c])
            gain = 0.0
            for i in range(3):
                step[i] = 0.0
                for j in range(3):
                    step[i] += spread[c, i, j] * gradient[j]
                gain += step[i] * gradient[i]
            if gain < 1e-6:
                break
            length = 1.0
            for _ in range(20):
                for i in range(3):
                    trial[i] = w[c, i] + length * step[i]
                then = _cost(n, y, c, trial, centre, inverse, curve)
                if then <= now - 1e-4 * length * gain + 1e-9:
                    for i in range(3):
                        w[c, i] = trial[i]
                    now = then
                    break
                length *= 0.5


@kernel
def _invert(a: Any, out: Any) -> None:
    """Return the inverse of a symmetric positive definite matrix, by Gauss and Jordan; `a` is used up."""
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            out[i, j] = 1.0 if i == j else 0.0
    for k in range(n):
        pivot = 1.0 / a[k, k]
        for j in range(n):
            a[k, j] *= pivot
            out[k, j] *= pivot
        for i in range(n):
            if i != k:
                factor = a[i, k]
                for j in range(n):
                    a[i, j] -= factor * a[k, j]
                    out[i, j] -= factor * out[k, j]


@kernel
def _cost(n: Any, y: Any, c: int, w: Any, centre: Any, inverse: Any, curve: Any) -> float:
    total = 0.0
    for i in range(3):
        for j in range(3):
            total += 0.5 * inverse[i, j] * (w[i] - centre[c, i]) * (w[j] - centre[c, j])
    for b in range(BINS):
        if n[c, b] > 0.0:
            eta = w[0] * curve[0, b] + w[1] * curve[1, b] + w[2] * curve[2, b]
            total += n[c, b] * (max(eta, 0.0) + math.log1p(math.exp(-abs(eta)))) - y[c, b] * eta
    return total
