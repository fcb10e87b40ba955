"""SCut and SCutFBR.1: thresholds tuned on held-out scores, fold by fold (Yang 2001; Fan & Lin 2007, section 3).

Yang 2001, A study on thresholding strategies for text categorization, SIGIR. Fan & Lin 2007, A study on threshold
selection for multi-label classification. In each fold the threshold of a label is the one of highest F_beta on the
documents held out; the label's threshold is the mean over folds. A rare label's tuned threshold is often too low by
chance, which costs precision on all documents. So where the best F of a fold is below `fbr` (the paper's fbr),
SCutFBR.1 takes the highest score of the fold's documents instead. (SCutFBR.0, infinity, is not here: one such fold
would silence the label.)
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from bayesift.arrays import FloatArray, IntArray, LabelMatrix, as_folds, as_labelled
from bayesift.decide.rule import FittedRule, positive
from bayesift.decide.threshold_counts import Cuts, cuts, cuts_of_counts
from bayesift.errors import BadInput

Tables = list[list[Cuts]]  # [fold][label]


@dataclass(frozen=True)
class _FoldRule(FittedRule):
    """A threshold per label and fold; the label's own is their mean."""

    beta: float = field(default=1.0, kw_only=True)

    needs_folds = True
    aim = "best for the label's F1, averaged over folds"

    def __post_init__(self) -> None:
        positive(self.beta, "beta")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule fitted to out-of-fold scores; `folds` is the fold of each document."""
        s, t = as_labelled(scores, truth)
        fold = as_folds(folds, len(s))
        parts = [(s[fold == k], t[fold == k]) for k in range(fold.max() + 1)]
        return self._fit([[cuts(p[:, c], y[:, c]) for c in range(p.shape[1])] for p, y in parts])

    def fit_counts(self, p: FloatArray, documents: IntArray, positives: IntArray) -> Self:
        """Return the rule fitted to documents counted fold by fold."""
        some = [k for k in range(len(documents)) if documents[k].any()]
        labels = range(len(p))
        return self._fit([[cuts_of_counts(p[c], documents[k, c], positives[k, c]) for c in labels] for k in some], 0.5)

    def _fit(self, tables: Tables, unsure: float = -np.inf) -> Self:
        tuned, best = np.zeros((2, len(tables), len(tables[0])))
        for k, fold in enumerate(tables):
            for label, table in enumerate(fold):
                f = table.f(self.beta)
                cut = f.argmax()  # the first, which is the highest threshold
                tuned[k, label], best[k, label] = table.thresholds[cut], f[cut]
        mean = self._mean(tables, tuned, best, unsure)
        silent = [not any(fold[label].positives for fold in tables) for label in range(len(tables[0]))]
        return replace(self, thresholds_=tuple(np.where(silent, np.inf, mean).tolist()))

    @abstractmethod
    def _mean(self, tables: Tables, tuned: FloatArray, best: FloatArray, unsure: float) -> FloatArray:
        """Return the threshold of each label, from those of each fold and their F: both (folds, labels).

        `unsure` is the least threshold of a label that scores do not tell apart.
        """

    def _over_folds(self, tables: Tables, thresholds: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return F_beta of each label over all folds at its threshold, and how many documents get the label."""
        places = [[table.at(threshold) for table, threshold in zip(fold, thresholds)] for fold in tables]
        cut = [[(t.tp[k], t.given[k], t.positives) for t, k in zip(fold, place)] for fold, place in zip(tables, places)]
        tp, given, positives = np.sum(cut, axis=0).T
        return (1 + self.beta**2) * tp / np.maximum(given + self.beta**2 * positives, 1e-12), given


@dataclass(frozen=True)
class SCut(_FoldRule):
    """The mean over folds of the threshold that maximises F_beta on the fold's held-out documents.

    A fold without a document of the label says nothing about it and is left out of the mean. Without folds all
    scores are those of one validation set. Where F_beta over all folds is below `fbr` at that threshold, the label is
    given above the highest score seen only (of probabilities: above 1/2 at fbr).

    >>> rule = SCut().fit([[0.1], [0.3], [0.5], [0.9]], [[0], [1], [0], [1]], folds=[0, 0, 1, 1])
    >>> [round(t, 6) for t in rule.thresholds_]  # 0.2 in the one fold, 0.7 in the other
    [0.45]
    """

    fbr: float = 0.0

    def _mean(self, tables: Tables, tuned: FloatArray, best: FloatArray, unsure: float) -> FloatArray:
        tells = best > 0
        mean = np.where(tells, tuned, 0).sum(axis=0) / np.maximum(tells.sum(axis=0), 1)
        f, _ = self._over_folds(tables, mean)
        return np.asarray(np.where(f < self.fbr, np.maximum(_highest(tables).max(axis=0), unsure), mean))


@dataclass(frozen=True)
class SCutFBR(_FoldRule):
    """SCutFBR.1: as `SCut`, with the fold's highest score as threshold where the best F_beta is below `fbr`.

    Several values of `fbr` are tried for each label: the thresholds of all folds but one, averaged, decide the
    documents of that one; the value of highest mean F is kept, the largest among equals, the smallest if all are 0.
    (Fan & Lin train again for this; here the scores at hand serve again. They try 0.1, 0.2 ... 0.8.)

    In a fold of few documents, giving the label to all of them may reach `fbr`. Thresholds of probabilities that give
    the label to documents, with F_beta below `fbr` over all folds, are therefore 1/2 at least.

    >>> scores, truth, folds = [0.1, 0.3, 0.2, 0.9, 0.7], [0, 1, 1, 0, 0], [0, 0, 1, 1, 1]
    >>> rule = SCutFBR(fbr=0.6).fit(scores, truth, folds)  # best F: 1 above 0.2, and 1/2 by giving it to all
    >>> [round(t, 6) for t in rule.thresholds_]  # (0.2 + 0.9) / 2
    [0.55]
    """

    fbr: float | tuple[float, ...] = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.fbr, tuple) and not self.fbr:
            raise BadInput("fbr has no values", remedy="give a number, or several, e.g. (0.1, 0.2, 0.4, 0.8)")
        for fbr in self.fbr if isinstance(self.fbr, tuple) else (self.fbr,):
            positive(fbr, "fbr")

    def _mean(self, tables: Tables, tuned: FloatArray, best: FloatArray, unsure: float) -> FloatArray:
        top = _highest(tables)
        values = np.sort(np.atleast_1d(np.asarray(self.fbr, np.float64)))
        choices = np.where(best < values[:, None, None], top, tuned)  # (values, folds, labels)
        chosen = self._choose(choices, tables) if len(values) > 1 else np.zeros(tuned.shape[1], np.int64)
        mean = choices.mean(axis=1)[chosen, np.arange(tuned.shape[1])]
        f, given = self._over_folds(tables, mean)
        return np.asarray(np.where((f < values[0]) & (given > 0), np.maximum(mean, unsure), mean))

    def _choose(self, choices: FloatArray, tables: Tables) -> IntArray:
        """Return the place of each label's best value of `fbr`."""
        if len(tables) < 2:
            raise BadInput("choosing among values of fbr needs folds", remedy="give folds, or one value")
        worth = np.zeros(choices[:, 0].shape)
        for held, fold in enumerate(tables):
            thresholds = np.delete(choices, held, axis=1).mean(axis=1)
            for label, table in enumerate(fold):
                f = table.f(self.beta)
                for value, threshold in enumerate(thresholds[:, label]):
                    worth[value, label] += f[table.at(threshold)]
        last = len(worth) - 1 - worth[::-1].argmax(axis=0)
        return np.where(worth.max(axis=0) > 0, last, 0)


def _highest(tables: Tables) -> FloatArray:
    """Return the highest score of each fold and label, a threshold that gives the label to nobody: (folds, labels)."""
    return np.array([[table.thresholds[0] for table in fold] for fold in tables])
