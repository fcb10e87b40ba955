"""One threshold per label: fixed, or the best on labelled documents (chai2002 4.1.2; eyheramendy2003 3).

Scores may be probabilities, margins or anything real; the label is given where score > threshold. Among equally
good thresholds the highest is taken, the one that gives the label to the fewest. A label that no document has
gets the threshold infinity: it is never given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bayesift.arrays import FloatArray, IntArray, LabelMatrix, as_labelled
from bayesift.decide.rule import FittedRule, ThresholdRule, positive
from bayesift.decide.threshold_counts import Cuts, cuts, cuts_of_counts
from bayesift.errors import BadInput

Worth = Callable[[Cuts], npt.NDArray[Any]]


@dataclass(frozen=True)
class Threshold(ThresholdRule):
    """The same threshold for all labels: 0.5 is the Bayes rule for probabilities, 0 the natural one for margins.

    >>> Threshold().decide([[0.5, 0.51]])
    array([[False,  True]])
    """

    threshold: float = 0.5

    aim = "the fixed threshold"

    def __post_init__(self) -> None:
        if not np.isfinite(self.threshold):
            raise BadInput(f"threshold must be a number, but is {self.threshold}", remedy="give e.g. 0.5")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule itself: there is nothing to fit."""
        return self

    def fit_counts(self, p: FloatArray, documents: IntArray, positives: IntArray) -> Self:
        """Return the rule itself: there is nothing to fit."""
        return self

    def thresholds(self, labels: int) -> FloatArray:
        """Return the threshold once per label."""
        return np.full(labels, self.threshold)


@dataclass(frozen=True)
class MaxF1(FittedRule):
    """The threshold of each label that maximises its F_beta on the labelled documents (chai2002 4.1.2, MaxF1).

    Where the best F_beta is below `fbr`, the label is given above the highest score seen only (of probabilities:
    above 1/2 at fbr): a threshold fitted to scores that do not separate a label would give it to every document.

    >>> rule = MaxF1().fit([[0.1], [0.2], [0.3], [0.4]], [[0], [1], [0], [1]])  # F1 of the cuts: 2/3, 1/2, 4/5, 2/3
    >>> [round(t, 6) for t in rule.thresholds_]
    [0.15]
    >>> rule.decide([[0.14], [0.16]])
    array([[False],
           [ True]])
    """

    beta: float = 1.0
    fbr: float = 0.0

    aim = "best for the label's F1"

    def __post_init__(self) -> None:
        positive(self.beta, "beta")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule with the best threshold of each label on these documents."""
        return replace(self, thresholds_=_best(_tables(scores, truth), self._worth, self.fbr))

    def fit_counts(self, p: FloatArray, documents: IntArray, positives: IntArray) -> Self:
        """Return the rule with the best threshold of each label on counted documents."""
        return replace(self, thresholds_=_best(_counted(p, documents, positives), self._worth, self.fbr, 0.5))

    def _worth(self, table: Cuts) -> FloatArray:
        return table.f(self.beta)


@dataclass(frozen=True)
class MinError(FittedRule):
    """The threshold of each label that makes the fewest errors, FP + FN, on the labelled documents (eyheramendy2003 3).

    Where giving the label to nobody errs least, the threshold is the highest score seen.

    >>> rule = MinError().fit([[0.1], [0.2], [0.3], [0.4]], [[0], [1], [0], [1]])  # errors: 2, 1, 2, 1, 2
    >>> [round(t, 6) for t in rule.thresholds_]
    [0.35]
    """

    aim = "best for the number of errors"

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule with the best threshold of each label on these documents."""
        return replace(self, thresholds_=_best(_tables(scores, truth), lambda table: -table.errors))

    def fit_counts(self, p: FloatArray, documents: IntArray, positives: IntArray) -> Self:
        """Return the rule with the best threshold of each label on counted documents."""
        return replace(self, thresholds_=_best(_counted(p, documents, positives), lambda table: -table.errors))


def _tables(scores: npt.ArrayLike, truth: LabelMatrix) -> Iterable[Cuts]:
    s, t = as_labelled(scores, truth)
    return (cuts(s[:, label], t[:, label]) for label in range(s.shape[1]))


def _counted(p: FloatArray, documents: IntArray, positives: IntArray) -> Iterable[Cuts]:
    n, y = documents.sum(axis=0), positives.sum(axis=0)
    return (cuts_of_counts(p[label], n[label], y[label]) for label in range(len(p)))


def _best(
    tables: Iterable[Cuts], worth: Worth, fbr: float = -np.inf, unsure: float = -np.inf
) -> tuple[float, ...]:
    """Return each label's threshold of most worth; argmax takes the first, which is the highest threshold.

    Where even that is worth less than `fbr`, it is the highest score seen, or `unsure` if that is higher.
    """
    found = []
    for table in tables:
        value = worth(table)
        best = int(np.argmax(value))
        threshold = table.thresholds[best] if value[best] >= fbr else max(table.thresholds[0], unsure)
        found.append(float(threshold) if table.positives else np.inf)
    return tuple(found)
