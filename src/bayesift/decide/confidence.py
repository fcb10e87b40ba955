"""Labels with a confidence in each decision, measured by Q (goutte2007 2.3, 2.4, 3.2).

p   probability of a label for a document;  a  the label is given where p reaches it;  b  confidence at p = a
q   confidence in the decision, given or withheld: b at p = a, rising linearly to 1 at p = 1 and at p = 0
r   (q - b) / (1 - b): how far p is from a, 0 to 1;  t, y in {-1, +1}  true and decided label

Q = mean over labels of (2 A - 1) + mean q t y. A, the ROC area of q y, depends on the order of p alone, whatever b < 1:

    Q(a, b) = A'(a) + b S0(a) + (1 - b) S1(a),   S0 = mean t y,   S1 = mean r t y.

So Q is linear in b, and the best b is as near to 1 as the order survives wherever decisions near a are more often right
than wrong. What is left to gain is in the order (the learner) and in S0, twice the errors that are not made.
A layer is fitted on scores of documents that the learner did not see: `cross_validated_scores`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from bayesift.arrays import (
    BoolArray,
    FloatArray,
    LabelMatrix,
    above,
    as_folds,
    as_labelled,
    as_labels,
    as_probabilities,
)
from bayesift.decide.rule import Rule, fitted
from bayesift.decide.threshold_counts import cuts
from bayesift.errors import BadInput
from bayesift.evaluate import q_score, roc_areas

MOST = 0.999  # the highest b: nearer to 1 gains less than 0.001 in Q
GRID = tuple(np.linspace(0.02, 0.98, 25).tolist())  # a, before it is refined

Parts = Callable[[float], tuple[float, float, float]]


class ConfidenceLayer(Protocol):
    """A rule that also says how sure it is."""

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the layer fitted to out-of-fold scores."""

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return True where the document gets the label."""

    def confidence(self, scores: npt.ArrayLike) -> FloatArray:
        """Return the confidence in each decision, 0 to 1: (documents, labels)."""


@dataclass(frozen=True)
class Confidence(Rule):
    """The published layer: one threshold a, one confidence b, and the top label always given (if `top`).

    A top label below a has confidence b. `fit` finds a and b by maximising Q along each in turn.

    >>> layer = Confidence(a=0.2, b=0.9)
    >>> p = [[0.6, 0.4, 0.0], [0.1, 0.1, 0.15]]
    >>> layer.decide(p)
    array([[ True,  True, False],
           [False, False,  True]])
    >>> layer.confidence(p)
    array([[0.95 , 0.925, 1.   ],
           [0.95 , 0.95 , 0.9  ]])
    """

    a: float = 0.24
    b: float = 0.93
    top: bool = True

    def __post_init__(self) -> None:
        for name, value in (("a", self.a), ("b", self.b)):
            if not 0 <= value <= 1:
                raise BadInput(
                    f"{name} must lie between 0 and 1, but is {value}", remedy="the paper has a=0.24, b=0.93"
                )

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the layer with the a and b of highest Q on these out-of-fold probabilities."""
        s, t = as_labelled(as_probabilities(scores), truth)
        of = functools.cache(lambda a: _parts(s, t, a, self.top))
        a, b, step = self.a, self.b, GRID[1] - GRID[0]
        places = GRID
        while step > 5e-4:
            a, b = _alternate(of, a, b, places)
            step /= 4
            places = tuple(round(a + k * step, 6) for k in range(-4, 5) if 0 < a + k * step < 1)
        return replace(self, a=a, b=b)

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return the labels whose probability is at least a, and the top one."""
        p = as_probabilities(scores)
        given = p >= self.a
        return np.asarray(given | top_labels(p) if self.top else given)

    def confidence(self, scores: npt.ArrayLike) -> FloatArray:
        """Return the confidence in each decision, 0 to 1."""
        p = as_probabilities(scores)
        forced = self.decide(p) & (p < self.a)
        return rising(np.where(forced, self.a, p), np.array(self.a), self.b)


@dataclass(frozen=True)
class ThresholdConfidence(Rule):
    """A threshold a_c for each label, the best for the label's own part of Q, and one b for all.

    >>> layer = ThresholdConfidence(b=0.9).fit([[0.1], [0.3], [0.4], [0.6]], [[0], [0], [1], [1]])
    >>> [round(a, 6) for a in layer.thresholds_]
    [0.35]
    >>> layer.confidence([[0.35], [1.0], [0.0]]).ravel()
    array([0.9, 1. , 1. ])
    """

    b: float = MOST
    top: bool = False
    thresholds_: tuple[float, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        below_one(self.b)

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the layer with each label's threshold of highest Q on these out-of-fold probabilities."""
        s, t = as_labelled(as_probabilities(scores), truth)
        found = (_best_threshold(s[:, c], t[:, c], self.b) for c in range(s.shape[1]))
        return replace(self, thresholds_=tuple(found))

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return the labels whose probability is above their threshold (and the top one, if `top`)."""
        p = as_probabilities(scores)
        given = above(p, fitted(self.thresholds_, self))
        return np.asarray(given | top_labels(p) if self.top else given)

    def confidence(self, scores: npt.ArrayLike) -> FloatArray:
        """Return the confidence in each decision, 0 to 1."""
        p, a = as_probabilities(scores), fitted(self.thresholds_, self)
        forced = self.decide(p) & (p <= a)
        a = np.clip(a, 0.0, 1.0)  # a label never given has the threshold infinity
        return rising(np.where(forced, a, p), a, self.b)


def cross_validated_q(layer: ConfidenceLayer, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike) -> float:
    """Q where each fold is decided by the layer fitted to the other folds' out-of-fold scores."""
    s, t = as_labelled(scores, truth)
    fold = as_folds(folds, len(s))
    if fold.max() == 0:
        raise BadInput("all documents are in one fold", remedy="give the folds of cross_validated_scores")
    given, sure = np.empty(s.shape, bool), np.empty(s.shape)
    for k in range(fold.max() + 1):
        rows = fold == k
        fit = layer.fit(s[~rows], t[~rows], fold[~rows])
        given[rows], sure[rows] = fit.decide(s[rows]), fit.confidence(s[rows])
    return q_score(t, given, sure)


def confidence_in(labels: LabelMatrix, probabilities: npt.ArrayLike, b: float = MOST) -> FloatArray:
    """Return the confidence in labels that any rule gave, by calibrated probabilities.

    It is b or more where the decision is more likely right than wrong, and at most 2 (1 - b) r where it is not, r < 1/2
    being the probability that it is right: a label given for the sake of recall is given with hardly any confidence.
    With b = 1/2 it is r itself; near 1 it is the best for Q that these labels can have.

    >>> confidence_in([[1, 1, 0, 0]], [[0.9, 0.4, 0.4, 0.9]], b=0.5)
    array([[0.9, 0.4, 0.6, 0.1]])
    """
    p = as_probabilities(probabilities)
    below_one(b)
    y = as_labels(labels, "labels").toarray()
    if y.shape != p.shape:
        raise BadInput(f"labels have the shape {y.shape}, but probabilities {p.shape}", remedy="give one label each")
    right = np.where(y, p, 1 - p)
    return np.where(right < 0.5, 2 * (1 - b) * right, rising(right, np.array(0.5), b))


def rising(p: FloatArray, a: FloatArray, b: float) -> FloatArray:
    """Return b at p = a, rising linearly to 1 at p = 1 and at p = 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.where(p >= a, (p - a) / (1 - a), (a - p) / a)
    r = np.where(np.isnan(r), 0.0, r)  # 0/0 at p = a = 1
    return np.asarray(b + (1 - b) * r)


def top_labels(p: FloatArray) -> BoolArray:
    """Return True at each document's highest p, the first of equals."""
    found = np.zeros(p.shape, bool)
    if p.size:
        found[np.arange(len(p)), p.argmax(axis=1)] = True
    return found


def below_one(b: float) -> None:
    """Raise on a confidence at the threshold that leaves no room for an order."""
    if not 0 <= b < 1:
        raise BadInput(f"b must be at least 0 and below 1, but is {b}", remedy=f"give e.g. b={MOST}")


def _parts(p: FloatArray, truth: BoolArray, a: float, top: bool) -> tuple[float, float, float]:
    """Return the mean of 2 A - 1, S0 and S1 at a."""
    given = p >= a
    if top:
        given |= top_labels(p)
        p = np.where(given & (p < a), a, p)
    areas = roc_areas(truth, p)  # the order of q y is that of p, with top labels below a lifted to a
    right = np.where(given == truth, 1.0, -1.0)
    r = rising(p, np.array(a), 0.0)
    return float((2 * np.where(np.isnan(areas), 0.5, areas) - 1).mean()), float(right.mean()), float((r * right).mean())


def _alternate(of: Parts, a: float, b: float, places: tuple[float, ...]) -> tuple[float, float]:
    """Maximise Q along a, one of PLACES, then along b, until it rises no more."""

    def q(a: float, b: float) -> float:
        area, s0, s1 = of(a)
        return area + b * s0 + (1 - b) * s1

    before = -np.inf
    while True:
        best = max(places, key=lambda x: q(x, b))
        b_best = max((MOST, 0.0), key=lambda x: q(best, x))  # linear in b: one end or the other
        if q(best, b_best) <= before:
            return a, b
        a, b, before = best, b_best, q(best, b_best)


def _best_threshold(p: FloatArray, truth: BoolArray, b: float) -> float:
    """Return the cut of highest b S0 + (1 - b) S1; infinity for a label that no document has."""
    table = cuts(p, truth)
    if not table.positives:
        return float("inf")
    order = np.argsort(-p)
    sign = np.where(truth[order], 1.0, -1.0)
    t, tp = (np.append(0.0, np.cumsum(x)) for x in (sign, sign * p[order]))
    given, all_t, all_tp, a = table.given, t[-1], tp[-1], np.clip(table.thresholds, 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        yes = np.nan_to_num((tp[given] - a * t[given]) / (1 - a))  # sum of r t over documents given the label
        no = np.nan_to_num((a * (all_t - t[given]) - (all_tp - tp[given])) / a)  # and over the others
    worth = b * (2 * t[given] - all_t) + (1 - b) * (yes - no)
    return float(table.thresholds[np.argmax(worth)])
