"""Labels that are best for rare and common labels at once: the greatest expected macro F1 + weight x micro F1.

p_i   honest probabilities, sorted from the highest;  TP_c(k) = sum of the first k, N_c = sum of all
F_c   2 TP_c(k_c) / (k_c + N_c);   macro = mean of F_c;   micro F = 2 sum TP_c / sum (k_c + N_c)

Macro F1 alone lets a rare label be given freely, since it costs the common ones nothing; micro F1 alone gives rare
labels up. Micro F is not a sum over labels, but near its value F it grows as (2 TP_c - F k_c) / sum (k + N): with F
from the step before, each label chooses its cut on its own (Dinkelbach's method), and after a few rounds nothing moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from bayesift.arrays import BoolArray, FloatArray, IntArray, LabelMatrix, as_probabilities
from bayesift.decide.rule import FittedRule, Rule
from bayesift.errors import BadInput

ROUNDS = 10
FEW = 60  # documents that a threshold of 1/2 is worth: the best cuts of fewer documents are mostly chance


@dataclass(frozen=True)
class ExpectedJointF(Rule):
    """The labels of these documents together, best in expectation; it has only their probabilities to go by.

    >>> ExpectedJointF().decide([[0.9, 0.3], [0.4, 0.2], [0.1, 0.0]])
    array([[ True,  True],
           [ True, False],
           [False, False]])
    """

    aim = "best for macro and micro F1"
    weight: float = 1.0

    def __post_init__(self) -> None:
        _check(self.weight)

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Give the rule itself."""
        return self

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Give the labels of all these documents together."""
        p = as_probabilities(scores)
        return p > joint_cuts(p.T, np.ones(p.T.shape), self.weight) if len(p) else np.zeros(p.shape, bool)

    def one_by_one(self) -> JointThresholds:
        """Return the thresholds of the same aim."""
        return JointThresholds(self.weight)


@dataclass(frozen=True)
class JointThresholds(FittedRule):
    """A threshold for each label: the cuts of `ExpectedJointF` on documents that were not learned from.

    It decides one document as it decides many.

    >>> JointThresholds().fit([[0.9], [0.4], [0.1]], [[1], [0], [0]]).decide([[0.5], [0.2]]).ravel()
    array([ True, False])
    """

    weight: float = 1.0

    aim = "best for macro and micro F1"

    def __post_init__(self) -> None:
        _check(self.weight)

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule with the cuts of these documents; `truth` is ignored: probabilities are calibrated."""
        p = as_probabilities(scores)
        ones = np.ones((1, *p.T.shape), np.int64)
        return self.fit_counts(p.T, ones, ones)

    def fit_counts(self, p: FloatArray, documents: IntArray, positives: IntArray) -> Self:
        """Return the rule with the cuts of counted documents; the positives among them are not looked at."""
        n = documents.sum(axis=0).astype(np.float64)
        cut = joint_cuts(p, n, self.weight)
        trust = n.sum() / (n.sum() + FEW * len(p))
        return replace(self, thresholds_=tuple((trust * cut + (1.0 - trust) * 0.5).tolist()))

    def together(self) -> Rule:
        """Return the rule that chooses for all documents at hand."""
        return ExpectedJointF(self.weight)


def joint_cuts(p: FloatArray, documents: FloatArray, weight: float) -> FloatArray:
    """The threshold of each label, for so many documents at each probability, both (labels, levels)."""
    order = np.argsort(-p, axis=1, kind="stable")
    falling, n = np.take_along_axis(p, order, 1), np.take_along_axis(documents, order, 1)
    labels = np.arange(len(p))
    k = np.pad(np.cumsum(n, axis=1), ((0, 0), (1, 0)))
    tp = np.pad(np.cumsum(n * falling, axis=1), ((0, 0), (1, 0)))
    expected = tp[:, -1:]
    with np.errstate(invalid="ignore"):
        own = np.nan_to_num(2.0 * tp / (k + expected)) / len(p)
    levels = np.pad(falling, ((0, 0), (1, 1)), constant_values=((0, 0), (1.0, 0.0)))
    same = np.pad(levels[:, 1:-2] == levels[:, 2:-1], ((0, 0), (1, 1)))  # equal p cannot be told apart
    own[same] = -1.0
    F, size = 1.0, 2.0 * expected.sum()
    cut = np.zeros(len(p), np.intp)
    for _ in range(ROUNDS):
        worth = own + weight * np.where(same, 0.0, 2.0 * tp - F * k) / max(size, 1e-12)
        before, cut = cut, worth.argmax(axis=1)
        size = k[labels, cut].sum() + expected.sum()
        F = 2.0 * tp[labels, cut].sum() / max(size, 1e-12)
        if (before == cut).all():
            break
    return np.asarray((levels[labels, cut] + levels[labels, cut + 1]) / 2.0)


def _check(weight: object) -> None:
    if not isinstance(weight, int | float | np.number) or not 0 <= weight < np.inf:
        raise BadInput(f"weight is {weight!r}", remedy="give a number from 0 (macro F1 alone) on")
