"""What the user wants to trade: a precision or a recall that each label should reach.

Both go by expectations under calibrated probabilities, which rare labels have too, not by counts of rare events:

    precision above t = mean of p over documents with p > t,   recall = their sum of p / the sum of all p

`Precision` takes the lowest threshold that reaches its target, which gives the most recall; `Recall` the highest one,
which gives the most precision.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from bayesift.arrays import FloatArray, IntArray, LabelMatrix, as_labelled, as_probabilities
from bayesift.decide.rule import FittedRule
from bayesift.decide.threshold_counts import between
from bayesift.errors import BadInput

Targets = float | tuple[float, ...]


@dataclass(frozen=True)
class _Target(FittedRule):
    """A share between 0 and 1 that each label should reach: one for all labels, or one per label."""

    target: Targets = 0.9

    each_label_alone = True

    def __post_init__(self) -> None:
        for value in np.atleast_1d(self.target).tolist():
            if not isinstance(value, int | float) or not 0.0 < value < 1.0:
                raise BadInput(f"target is {value!r}", remedy="give a share between 0 and 1, e.g. 0.9")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule fitted to calibrated probabilities of labelled documents."""
        s, t = as_labelled(as_probabilities(scores), truth)
        order = np.argsort(s, axis=0)
        p, y = np.take_along_axis(s, order, 0).T, np.take_along_axis(t, order, 0).T
        return self.fit_counts(p, np.ones((1, *p.shape), np.int64), y[None].astype(np.int64))

    def fit_counts(self, p: FloatArray, documents: IntArray, positives: IntArray) -> Self:
        """Return the rule fitted to counted documents."""
        targets = np.atleast_1d(np.asarray(self.target, np.float64))
        if targets.size not in (1, len(p)):
            raise BadInput(f"{targets.size} targets, but {len(p)} labels", remedy="give one target, or one per label")
        n = documents.sum(axis=0).astype(np.float64)
        both = zip(np.broadcast_to(targets, len(p)).tolist(), p, n)
        return replace(self, thresholds_=tuple(self._threshold(target, row, k) for target, row, k in both))

    @abstractmethod
    def _threshold(self, target: float, p: FloatArray, n: FloatArray) -> float:
        """Return the threshold of one label, from so many documents at each probability."""


@dataclass(frozen=True)
class Precision(_Target):
    """The lowest threshold of each label above which the expected precision is at least `target`.

    Where no threshold reaches it, the threshold is the target itself: a document that is more probable than that may
    still come.

    >>> rule = Precision(0.8).fit([[0.95], [0.8], [0.6], [0.1]], [[1], [1], [0], [0]])  # means: 0.95, 0.875, 0.78
    >>> rule.decide([[0.71], [0.69]]).ravel()
    array([ True, False])
    """

    aim = "best recall at the target precision"
    may_add = False

    def _threshold(self, target: float, p: FloatArray, n: FloatArray) -> float:
        falling, count = _levels(p, n)
        enough = np.flatnonzero(np.cumsum(count * falling) >= target * np.cumsum(count))
        if not enough.size:
            return target
        last = int(enough[-1])
        return float(between(falling[last], falling[last + 1]) if last + 1 < falling.size else 0.0)


@dataclass(frozen=True)
class Recall(_Target):
    """The highest threshold of each label above which the expected recall is at least `target`.

    >>> rule = Recall(0.8).fit([[0.95], [0.8], [0.2], [0.05]], [[1], [1], [0], [0]])  # sums: 0.95, 1.75 of 2
    >>> rule.decide([[0.51], [0.49]]).ravel()
    array([ True, False])
    """

    aim = "best precision at the target recall"
    may_drop = False

    def _threshold(self, target: float, p: FloatArray, n: FloatArray) -> float:
        falling, count = _levels(p, n)
        if not falling.size:
            return 0.0
        found = np.cumsum(count * falling)
        last = int(np.searchsorted(found, target * found[-1]))
        return float(between(falling[last], falling[last + 1]) if last + 1 < falling.size else 0.0)


def _levels(p: FloatArray, n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities that occur, falling, and how many documents have each."""
    levels, place = np.unique(p[n > 0], return_inverse=True)
    return levels[::-1], np.bincount(place, n[n > 0], minlength=levels.size)[::-1].astype(np.float64)
