"""One threshold a label: fixed, or the best on judged documents (chai2002 4.1.2; eyheramendy2003 3).

Scores may be probabilities, margins or anything real; the label is given where score > threshold. Among equally
good thresholds the highest is taken, the one that gives the label to the fewest. A label that no judged document has
gets the threshold infinity: it is never given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bayesift.decide.arrays import BoolArray, above, as_judged, as_scores
from bayesift.decide.cuts import Cuts, cuts
from bayesift.decide.rule import Rule, fitted, positive
from bayesift.errors import BadInput
from bayesift.evaluate.arrays import LabelMatrix


@dataclass(frozen=True)
class Fixed(Rule):
    """The same threshold for all labels: 0.5 is the Bayes rule for probabilities, 0 the natural one for margins.

    >>> Fixed().decide([[0.5, 0.51]])
    array([[False,  True]])
    """

    threshold: float = 0.5

    def __post_init__(self) -> None:
        if not np.isfinite(self.threshold):
            raise BadInput(f"threshold must be a number, but is {self.threshold}", remedy="give e.g. 0.5")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Give the rule itself: there is nothing to fit."""
        return self

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Give the labels whose score is above the threshold."""
        return as_scores(scores) > self.threshold


@dataclass(frozen=True)
class MaxF1(Rule):
    """The threshold of each label that maximises its F_beta on the judged documents (chai2002 4.1.2, MaxF1).

    >>> rule = MaxF1().fit([[0.1], [0.2], [0.3], [0.4]], [[0], [1], [0], [1]])  # F1 of the cuts: 2/3, 1/2, 4/5, 2/3
    >>> [round(t, 6) for t in rule.thresholds_]
    [0.15]
    >>> rule.decide([[0.14], [0.16]])
    array([[False],
           [ True]])
    """

    aim = "best for the label's F1"
    beta: float = 1.0
    thresholds_: tuple[float, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        positive(self.beta, "beta")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Give the rule with the best threshold of each label on these documents."""
        return replace(self, thresholds_=_best(scores, truth, lambda c: c.f(self.beta)))

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Give the labels whose score is above their threshold."""
        return above(scores, fitted(self.thresholds_, self))


@dataclass(frozen=True)
class MinError(Rule):
    """The threshold of each label that makes the fewest errors, FP + FN, on the judged documents (eyheramendy2003 3).

    Where giving the label to nobody errs least, the threshold is the highest score seen.

    >>> rule = MinError().fit([[0.1], [0.2], [0.3], [0.4]], [[0], [1], [0], [1]])  # errors: 2, 1, 2, 1, 2
    >>> [round(t, 6) for t in rule.thresholds_]
    [0.35]
    """

    aim = "best for the number of errors"
    thresholds_: tuple[float, ...] = field(default=(), repr=False)

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Give the rule with the best threshold of each label on these documents."""
        return replace(self, thresholds_=_best(scores, truth, lambda c: -c.errors))

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Give the labels whose score is above their threshold."""
        return above(scores, fitted(self.thresholds_, self))


def _best(scores: npt.ArrayLike, truth: LabelMatrix, worth: Callable[[Cuts], npt.NDArray[Any]]) -> tuple[float, ...]:
    """Give each label's threshold of most worth; argmax takes the first, which is the highest threshold."""
    s, t = as_judged(scores, truth)
    tables = [cuts(s[:, label], t[:, label]) for label in range(s.shape[1])]
    return tuple(float(c.thresholds[np.argmax(worth(c))]) if c.positives else np.inf for c in tables)
