"""Labels that maximise the expected F_beta of the documents at hand, given independent probabilities.

p_i   probability that document i has the label, sorted from the highest
k     the label is given to the first k
F     (1 + beta^2) TP / (k + beta^2 T), T the number of documents that have the label; F = 1 where k = T = 0

For every k the best set is that of the k highest p (Lewis 1995). Both rules look at all given documents of a label
together, so they decide in batch and need no fitting. Of equally good cuts they take the one that gives fewest labels.
`ExpectedFThresholds` keeps the same cuts as thresholds, for documents that come one by one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from bayesift.arrays import BoolArray, FloatArray, IntArray, LabelMatrix, as_probabilities
from bayesift.decide.rule import BatchRule, FittedRule, Rule, positive
from bayesift.decide.threshold_counts import between
from bayesift.errors import BadInput


@dataclass(frozen=True)
class ExpectedF1(BatchRule):
    """Lewis' approximation, the ratio of expectations (chai2002 4.1.2, ExpectedF1).

    E[F] = prod_D (1 - p_i) if nothing is given, else (1 + beta^2) sum_D+ p_i / (|D+| + beta^2 sum_D p_i).
    It is a threshold, as in the paper: documents of equal p get equal decisions.

    >>> ExpectedF1().decide([[0.9], [0.4], [0.1]]).ravel()  # 0.054; 1.8/2.4 = 0.75; 2.6/3.4 = 0.76; 2.8/4.4 = 0.64
    array([ True,  True, False])
    """

    aim = "best for the label's expected F1"
    beta: float = 1.0

    def __post_init__(self) -> None:
        positive(self.beta, "beta")

    def one_by_one(self) -> ExpectedFThresholds:
        """Return the thresholds of the same aim."""
        return ExpectedFThresholds(self.beta)

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return the labels of all these documents together; they must be probabilities."""
        found = as_probabilities(scores)
        out = np.zeros(found.shape, bool)
        for label, p in enumerate(found.T if len(found) else ()):
            out[:, label] = p > self._threshold(p)
        return out

    def _threshold(self, p: FloatArray) -> float:
        """Return the highest p that does not get the label; -1 if all get it."""
        falling = np.append(np.sort(p)[::-1], -1.0)
        last = np.flatnonzero(falling[1:] != falling[:-1])  # cuts where p changes
        sums = np.cumsum(falling[:-1])
        values = (1 + self.beta**2) * sums[last] / (last + 1 + self.beta**2 * sums[-1])
        best = values.argmax()
        return float(falling[last[best] + 1] if values[best] > _none(p) else falling[0])


@dataclass(frozen=True)
class ExpectedF(BatchRule):
    """The exact maximiser of expected F_beta: see `maximise_expected_f`.

    It gives the label to exactly k documents; where documents of equal p stand on both sides of the cut, those given
    first come first.

    >>> ExpectedF().decide([[0.9], [0.4], [0.1]]).ravel()  # E[F] = 0.054, 0.756, 0.730, 0.689; `ExpectedF1` gives two
    array([ True, False, False])
    """

    aim = "best for the label's expected F1"
    beta: float = 1.0

    def __post_init__(self) -> None:
        positive(self.beta, "beta")

    def one_by_one(self) -> ExpectedFThresholds:
        """Return the thresholds of the same aim."""
        return ExpectedFThresholds(self.beta, exact=True)

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return the labels of all these documents together; they must be probabilities."""
        found = as_probabilities(scores)
        out = np.zeros(found.shape, bool)
        for label, p in enumerate(found.T if len(found) else ()):
            order = np.argsort(-p, kind="stable")
            out[order[: _best_cut(p[order], self.beta).k], label] = True
        return out


@dataclass(frozen=True)
class ExpectedFThresholds(FittedRule):
    """A threshold for each label: the cut of `ExpectedF1` (or `exact`: of `ExpectedF`) on documents not learned from.

    >>> ExpectedFThresholds().fit([[0.9], [0.4], [0.1]], [[1], [0], [0]]).decide([[0.5], [0.2]]).ravel()
    array([ True, False])
    """

    beta: float = 1.0
    exact: bool = False

    aim = "best for the label's expected F1"

    def __post_init__(self) -> None:
        positive(self.beta, "beta")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule with the cuts of these documents; `truth` is ignored: probabilities are calibrated."""
        p = np.sort(as_probabilities(scores), axis=0).T
        ones = np.ones((1, *p.shape), np.int64)
        return self.fit_counts(p, ones, ones)

    def fit_counts(self, p: FloatArray, documents: IntArray, positives: IntArray) -> Self:
        """Return the rule with the cuts of counted documents; the positives among them are not looked at."""
        n = documents.sum(axis=0)
        return replace(self, thresholds_=tuple(self._threshold(np.repeat(row, k)) for row, k in zip(p, n)))

    def together(self) -> Rule:
        """Return the rule that chooses for all documents at hand."""
        return ExpectedF(self.beta) if self.exact else ExpectedF1(self.beta)

    def _threshold(self, rising: FloatArray) -> float:
        falling = rising[::-1]
        if not falling.size:
            return math.inf
        if self.exact:
            k = _best_cut(falling, self.beta).k
        else:
            k = int((falling > ExpectedF1(self.beta)._threshold(falling)).sum())
        levels = np.concatenate((falling[:1], falling, [0.0]))
        return float(between(levels[k], levels[k + 1])) if k else float(falling[0])


class BestCut(NamedTuple):
    """The best cut: the label is given to the k documents of highest probability, and E[F_beta] is `value`."""

    k: int
    value: float


def maximise_expected_f(probabilities: npt.ArrayLike, beta: float = 1.0) -> BestCut:
    """Return the best cut of one label's documents, whose labels are independent with these probabilities.

    Exact in O(n w), w <= n, with an error of the value below 1e-12 (up to 10^6 documents) for any n: w is the number
    of values that T takes but for a chance of 1e-18, about 19 standard deviations of T.

    >>> maximise_expected_f([0.5, 0.5])  # k = 0: 1/4, k = 1: 1/4 * 1 + 1/4 * 2/3, k = 2: 1/2 * 2/3 + 1/4 * 1
    BestCut(k=2, value=0.583...)
    >>> maximise_expected_f([0.2, 0.1])  # nobody: 0.8 * 0.9
    BestCut(k=0, value=0.72...)
    """
    positive(beta, "beta")
    found = as_probabilities(probabilities)
    if found.shape[1] != 1:
        raise BadInput(f"one label was expected, but {found.shape[1]} came", remedy="give one column at a time")
    return _best_cut(np.sort(found[:, 0])[::-1], beta)


def _best_cut(falling: FloatArray, beta: float) -> BestCut:
    from bayesift.decide._expected_f import best_cut  # numba is loaded when it is needed

    k, value = best_cut(np.ascontiguousarray(falling[falling > 0]), float(beta) ** 2, _none(falling))
    return BestCut(int(k), float(value))


def _none(p: FloatArray) -> float:
    """P(T = 0), in logs."""
    with np.errstate(divide="ignore"):  # p = 1
        return float(np.exp(np.log1p(-p).sum()))
