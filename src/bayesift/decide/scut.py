"""SCut and SCutFBR.1: thresholds tuned on held-out scores, fold by fold (Yang 2001; Fan & Lin 2007, section 3).

Yang 2001, A study on thresholding strategies for text categorization, SIGIR. Fan & Lin 2007, A study on threshold
selection for multi-label classification. In each fold the threshold of a label is the one of highest F_beta on the
documents held out; the label's threshold is the mean over folds. A rare label's tuned threshold is often too low by
chance, which costs precision on all documents. So where the best F of a fold is below `least` (the paper's fbr),
SCutFBR.1 takes the highest score of the fold's documents instead. (SCutFBR.0, infinity, is not here: one such fold
would silence the label.)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from bayesift.decide.arrays import BoolArray, IntArray, above, as_folds, as_judged
from bayesift.decide.cuts import cuts
from bayesift.decide.rule import Rule, fitted, positive
from bayesift.errors import BadInput
from bayesift.evaluate import counts, f_measures
from bayesift.evaluate.arrays import FloatArray, LabelMatrix


@dataclass(frozen=True)
class SCut(Rule):
    """The mean over folds of the threshold that maximises F_beta on the fold's held-out documents.

    A fold without a document of the label says nothing about it and is left out of the mean. Without folds all
    scores are those of one validation set.

    >>> rule = SCut().fit([[0.1], [0.3], [0.5], [0.9]], [[0], [1], [0], [1]], folds=[0, 0, 1, 1])
    >>> [round(t, 6) for t in rule.thresholds_]  # 0.2 in the one fold, 0.7 in the other
    [0.45]
    """

    aim = "best for the label's F1, averaged over folds"
    beta: float = 1.0
    thresholds_: tuple[float, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        positive(self.beta, "beta")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Give the rule fitted to out-of-fold scores; FOLDS is the fold of each document."""
        s, t = as_judged(scores, truth)
        tuned, best, _ = _per_fold(s, t, as_folds(folds, len(s)), self.beta)
        tells = best > 0
        mean = np.where(tells, tuned, 0).sum(axis=0) / np.maximum(tells.sum(axis=0), 1)
        return replace(self, thresholds_=_silent_without_examples(mean, t))

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Give the labels whose score is above their threshold."""
        return above(scores, fitted(self.thresholds_, self))


@dataclass(frozen=True)
class SCutFBR(Rule):
    """SCutFBR.1: as `SCut`, with the fold's highest score as threshold where the best F_beta is below `least`.

    Several values of `least` are tried for each label: the thresholds of all folds but one, averaged, decide the
    documents of that one; the value of highest mean F is kept, the largest among equals, the smallest if all are 0.
    (Fan & Lin train anew for this; here the scores at hand serve again. They try 0.1, 0.2 ... 0.8.)

    >>> scores, truth, folds = [0.1, 0.3, 0.2, 0.9, 0.7], [0, 1, 1, 0, 0], [0, 0, 1, 1, 1]
    >>> rule = SCutFBR(least=0.6).fit(scores, truth, folds)  # best F: 1 above 0.2, and 1/2 by giving it to all
    >>> [round(t, 6) for t in rule.thresholds_]  # (0.2 + 0.9) / 2
    [0.55]
    """

    aim = "best for the label's F1, averaged over folds"
    least: float | tuple[float, ...] = 0.1
    beta: float = 1.0
    thresholds_: tuple[float, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        positive(self.beta, "beta")
        if isinstance(self.least, tuple) and not self.least:
            raise BadInput("least has no values", remedy="give a number, or several, e.g. (0.1, 0.2, 0.4, 0.8)")
        for least in self.least if isinstance(self.least, tuple) else (self.least,):
            positive(least, "least")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Give the rule fitted to out-of-fold scores; FOLDS is the fold of each document."""
        s, t = as_judged(scores, truth)
        fold = as_folds(folds, len(s))
        tuned, best, top = _per_fold(s, t, fold, self.beta)
        values = np.sort(np.atleast_1d(np.asarray(self.least, np.float64)))
        choices = np.where(best < values[:, None, None], top, tuned)  # (values, folds, labels)
        chosen = self._choose(choices, s, t, fold) if len(values) > 1 else np.zeros(s.shape[1], np.int64)
        mean = choices.mean(axis=1)[chosen, np.arange(s.shape[1])]
        return replace(self, thresholds_=_silent_without_examples(mean, t))

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Give the labels whose score is above their threshold."""
        return above(scores, fitted(self.thresholds_, self))

    def _choose(self, choices: FloatArray, scores: FloatArray, truth: BoolArray, fold: IntArray) -> IntArray:
        """Give the place of each label's best value of `least`."""
        folds = choices.shape[1]
        if folds < 2:
            raise BadInput("choosing among values of least needs folds", remedy="give folds, or one value")
        worth = np.zeros(choices[:, 0].shape)
        for held in range(folds):
            thresholds, rows = np.delete(choices, held, axis=1).mean(axis=1), fold == held
            for value, row in enumerate(thresholds):
                worth[value] += f_measures(counts(truth[rows], scores[rows] > row), self.beta)
        last = len(worth) - 1 - worth[::-1].argmax(axis=0)
        return np.where(worth.max(axis=0) > 0, last, 0)


def _per_fold(
    scores: FloatArray, truth: BoolArray, fold: IntArray, beta: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give (folds, labels) arrays: the best threshold, its F_beta, and the highest score."""
    tuned, best, top = np.zeros((3, fold.max() + 1, scores.shape[1]))
    for k in range(len(tuned)):
        s, t = scores[fold == k], truth[fold == k]
        top[k] = s.max(axis=0)
        for label in range(s.shape[1]):
            table = cuts(s[:, label], t[:, label])
            f = table.f(beta)
            cut = f.argmax()  # the first, which is the highest threshold
            tuned[k, label], best[k, label] = table.thresholds[cut], f[cut]
    return tuned, best, top


def _silent_without_examples(thresholds: FloatArray, truth: BoolArray) -> tuple[float, ...]:
    return tuple(np.where(truth.any(axis=0), thresholds, np.inf).tolist())
