"""Labels that are best for rare and common labels at once: the greatest expected macro F1 + weight x micro F1.

p_i   calibrated probabilities, sorted from the highest;  TP_c(k) = sum of the first k, N_c = sum of all
F_c   2 TP_c(k_c) / (k_c + N_c);   macro = mean of F_c;   micro F = 2 sum TP_c / sum (k_c + N_c)

Macro F1 alone lets a rare label be given freely, since it costs the common ones nothing; micro F1 alone gives rare
labels up. Micro F is not a sum over labels, but near its value F it grows as (2 TP_c - F k_c) / sum (k + N): with F
from the step before, each label chooses its cut on its own (Dinkelbach's method), and after a few rounds nothing moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray
from scipy.fft import dct, idct
from scipy.special import expit, logit

from bayesift.arrays import BoolArray, FloatArray, IntArray, LabelMatrix, as_labelled, as_probabilities
from bayesift.decide.competition import fit_competition, shift
from bayesift.decide.drawn_per_label import raised_thresholds
from bayesift.decide.rule import BatchRule, FittedRule, Rule
from bayesift.errors import BadInput

ROUNDS = 10
WEIGHT = 0.6  # of micro F1: with 1, a common label that words hardly tell is dropped where documents are few
WIDTH = 16.0  # levels: the standard deviation of the smoothing of a label with one expected positive
PER_UNIT = 16  # levels per unit of log-odds, where the rule is fitted to probabilities
MOVED = 0.5  # of a known shift of the log-odds: F1 falls with the rate of a label, and thresholds follow F1
TINY = 1e-12
EMPTY = 1e-9  # documents; smoothed counts below it are those of a gap


@dataclass(frozen=True)
class ExpectedJointF(BatchRule):
    """The labels of these documents together, best in expectation; it has only their probabilities to go by.

    >>> ExpectedJointF().decide([[0.9, 0.3], [0.4, 0.2], [0.1, 0.0]])
    array([[ True,  True],
           [ True, False],
           [False, False]])
    """

    aim = "best for macro and micro F1"
    weight: float = WEIGHT

    def __post_init__(self) -> None:
        _check(self.weight)

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return the labels of all these documents together."""
        p = as_probabilities(scores)
        return p > joint_cuts(p.T, np.ones(p.T.shape), self.weight) if len(p) else np.zeros(p.shape, bool)

    def one_by_one(self) -> JointThresholds:
        """Return the thresholds of the same aim."""
        return JointThresholds(self.weight)


@dataclass(frozen=True)
class JointThresholds(FittedRule):
    """A threshold for each label: the cuts of `ExpectedJointF` on documents that were not learned from.

    It decides one document as it decides many. The distribution of p is smoothed first, the more the fewer documents of
    a label are expected: the best cut of a handful of documents is mostly chance. The threshold of a label in one
    document moves with the most probable other label of that document, and with labels that it implies or that imply it
    (`competition`). Thresholds of labels rise that are more frequent in the training documents than elsewhere, where
    these were drawn by label (`drawn_per_label`).

    >>> JointThresholds().fit([[0.9], [0.4], [0.1]], [[1], [0], [0]]).decide([[0.5], [0.2]]).ravel()
    array([ True, False])
    """

    weight: float = WEIGHT
    competition_: tuple[float, ...] = field(default=(0.0, 0.0), repr=False, kw_only=True)
    implied_: tuple[tuple[float, ...], ...] = field(default=(), repr=False, kw_only=True)  # labels, and what they imply
    raised_: tuple[float, ...] = field(default=(), repr=False, kw_only=True)  # log-odds; labels that came later have 0

    aim = "best for macro and micro F1"
    needs_documents = True

    def __post_init__(self) -> None:
        _check(self.weight)

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule with the cuts of these documents; `truth` is used as `fit_documents` says."""
        p, t = as_labelled(as_probabilities(scores), truth)
        z = _log_odds(p)
        level = np.floor((z - z.min(initial=0.0)) * PER_UNIT).astype(np.int64)
        n = np.stack([np.bincount(column, minlength=level.max(initial=0) + 1) for column in level.T])
        middle = z.min(initial=0.0) + (np.arange(n.shape[1]) + 0.5) / PER_UNIT
        counted = self.fit_counts(np.tile(expit(middle), (len(n), 1)), n[None], n[None])
        return counted.fit_documents(z, t)

    def fit_counts(self, p: FloatArray, documents: IntArray, positives: IntArray) -> Self:
        """Return the rule with the cuts of counted documents; the positives among them are not looked at.

        The levels of p must be evenly spaced in the margin or in the log-odds.
        """
        expected = documents.sum(axis=0) * p
        width = WIDTH / np.sqrt(np.maximum(expected.sum(axis=1), 1.0))
        smooth = smoothed(expected, width) / np.maximum(p, TINY)
        return replace(self, thresholds_=tuple(joint_cuts(p, smooth, self.weight, in_gaps=True).tolist()))

    def fit_shifted_counts(self, p: FloatArray, documents: IntArray, positives: IntArray, shift: FloatArray) -> Self:
        """Return the rule with the cuts of counted documents, moved half of the way that their log-odds are shifted."""
        return replace(self.fit_counts(p, documents, positives), raised_=tuple((MOVED * shift).tolist()))

    def keeping(self, before: Rule) -> Self:
        """Return the rule with the competition and the rise of labels that another joint rule found."""
        if not isinstance(before, JointThresholds):
            return self
        return replace(self, competition_=before.competition_, implied_=before.implied_, raised_=before.raised_)

    def fit_documents(self, log_odds: FloatArray, truth: BoolArray) -> Self:
        """Return the rule with the competition of labels in these documents, and a rise if they were drawn by label."""
        raised = raised_thresholds(truth)
        rise = tuple(raised.tolist()) if raised.any() else ()
        competition, implied = fit_competition(log_odds, truth)
        pairs = tuple(map(tuple, implied.T.tolist()))
        return replace(self, competition_=competition, implied_=pairs, raised_=rise)

    @cached_property
    def implications(self) -> NDArray[np.int32]:
        """The labels that imply others, and a label that each of them implies: (2, pairs)."""
        return np.array(self.implied_, np.int32).reshape(-1, 2).T.copy()

    def thresholds(self, labels: int) -> FloatArray:
        """Return the threshold of each label."""
        cuts = super().thresholds(labels)
        if not self.raised_:
            return cuts
        raised = np.pad(self.raised_, (0, cuts.size - len(self.raised_)))
        return np.asarray(expit(_log_odds(cuts) + raised))

    def document_thresholds(self, p: FloatArray) -> FloatArray:
        """Return the threshold of each label in each document."""
        base = super().document_thresholds(as_probabilities(p))
        if not any(self.competition_) or not p.size:
            return base
        return np.asarray(expit(_log_odds(base) - shift(p, self.competition_, self.implications)))

    def together(self) -> Rule:
        """Return the rule that chooses for all documents at hand."""
        return ExpectedJointF(self.weight)


def smoothed(counts: FloatArray, width: FloatArray) -> FloatArray:
    """Return counts (labels, levels) smoothed by the discrete normal kernel e^-v I_d(v), mirrored at both ends.

    v = width^2 is its variance in levels, d the distance and I the modified Bessel function; the sum of counts is kept.
    In the space of cosines the kernel is a factor exp(v (cos w - 1)) of each frequency w.
    """
    frequency = np.pi * np.arange(counts.shape[1]) / counts.shape[1]
    kernel = np.exp(width[:, None] ** 2 * (np.cos(frequency) - 1.0))
    return np.maximum(idct(dct(counts, axis=1) * kernel, axis=1), 0.0)


def joint_cuts(p: FloatArray, documents: FloatArray, weight: float, *, in_gaps: bool = False) -> FloatArray:
    """Return the threshold of each label, for so many documents at each probability, both (labels, levels).

    Levels without documents leave a gap in which every threshold decides these documents alike. The threshold is the
    highest one; with `in_gaps`, for documents to come, it is the one nearest to the p at which a label adds nothing.
    """
    order = np.argsort(-p, axis=1, kind="stable")
    falling, n = np.take_along_axis(p, order, 1), np.take_along_axis(documents, order, 1)
    labels = np.arange(len(p))
    k = np.pad(np.cumsum(n, axis=1), ((0, 0), (1, 0)))
    tp = np.pad(np.cumsum(n * falling, axis=1), ((0, 0), (1, 0)))
    expected = tp[:, -1:]
    with np.errstate(invalid="ignore"):
        own = np.nan_to_num(2.0 * tp / (k + expected)) / len(p)
    levels = np.pad(falling, ((0, 0), (1, 1)), constant_values=((0, 0), (1.0, 0.0)))
    same = np.pad(levels[:, 1:-2] == levels[:, 2:-1], ((0, 0), (1, 1)))  # no threshold separates equal p
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
    middle = (levels[:, :-1] + levels[:, 1:]) / 2.0
    if not in_gaps:
        return np.asarray(middle[labels, cut])
    given = k[labels, cut]
    per_own, per_all = 1.0 / (len(p) * np.maximum(given + expected[:, 0], TINY)), weight / max(size, TINY)
    even = (per_own * own[labels, cut] * len(p) + per_all * F) / (per_own + per_all) / 2.0
    gap = (np.abs(k - given[:, None]) < EMPTY) & ~same
    low, high = np.where(gap, middle, np.inf).min(axis=1), np.where(gap, middle, -np.inf).max(axis=1)
    return np.asarray(np.clip(even, low, high))


def _log_odds(p: FloatArray) -> FloatArray:
    return np.asarray(logit(np.clip(p, TINY, 1.0 - TINY)))


def _check(weight: object) -> None:
    if not isinstance(weight, int | float | np.number) or not 0 <= weight < np.inf:
        raise BadInput(f"weight is {weight!r}", remedy="give a number from 0 (macro F1 alone) on")
