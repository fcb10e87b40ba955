"""Probabilities that mean what they say, label by label, and the decisions and confidences that follow from them.

p   the learner's probability of a label;  c(p)  the share of documents with such p that have the label

isotonic   c is the rising step function nearest to the labels (Zadrozny & Elkan 2002), linear between its steps
beta       c(p) = 1 / (1 + exp(-u ln p + v ln(1 - p) - w)), u, v >= 0 (Kull, Silva Filho & Flach 2017)

Steps make ties, which cost ROC area, so c is mixed with a little of p itself (`OWN`) and rises strictly.
The label is given where c > 1/2, which makes the fewest errors; its confidence is b at c = 1/2 and rises to 1. With
b = 1/2 the confidence is the probability that the decision is right, max(c, 1 - c); Q wants b near 1 (`confidence`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from bayesift.arrays import BoolArray, FloatArray, LabelMatrix, as_labelled, as_probabilities
from bayesift.decide.confidence import MOST, below_one, rising, top_labels
from bayesift.decide.rule import Rule
from bayesift.errors import BadInput

OWN = 1e-3  # the share of p itself
TINY = 1e-12  # p is kept this far from 0 and 1 before logarithms

Map = tuple[Any, ...]  # isotonic: (knots, values); beta: (u, v, w)


@dataclass(frozen=True)
class CalibratedConfidence(Rule):
    """A calibration for each label; the label is given where its calibrated probability is above 1/2.

    >>> scores, truth = [[0.1], [0.2], [0.3], [0.4]] * 5, [[0], [0], [1], [1]] * 5
    >>> layer = CalibratedConfidence("isotonic").fit(scores, truth)
    >>> layer.calibrate([[0.1], [0.25], [0.4]]).ravel().round(2)
    array([0. , 0.5, 1. ])
    >>> layer.decide([[0.2], [0.3]]).ravel()
    array([False,  True])
    """

    kind: Literal["isotonic", "beta"] = "isotonic"
    b: float = MOST
    top: bool = False
    maps_: tuple[Map, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        below_one(self.b)
        if self.kind not in ("isotonic", "beta"):
            raise BadInput(f"no such calibration {self.kind!r}", remedy="kinds are: isotonic, beta")

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the layer with each label's calibration on these out-of-fold probabilities."""
        s, t = as_labelled(as_probabilities(scores), truth)
        learn = _isotonic if self.kind == "isotonic" else _beta
        return replace(self, maps_=tuple(learn(s[:, c], t[:, c]) for c in range(s.shape[1])))

    def calibrate(self, scores: npt.ArrayLike) -> FloatArray:
        """Return the calibrated probabilities, rising strictly with the learner's own."""
        p = as_probabilities(scores)
        if not self.maps_:
            raise BadInput(
                f"this {type(self).__name__} is not fitted", remedy="use the layer that fit(scores, truth) returns"
            )
        if p.shape[1] != len(self.maps_):
            raise BadInput(
                f"the layer was fitted to {len(self.maps_)} labels, but scores has {p.shape[1]} columns",
                remedy="give the same labels in the same order, or fit the layer again",
            )
        c = np.empty(p.shape)
        for label, found in enumerate(self.maps_):
            c[:, label] = np.interp(p[:, label], *found) if self.kind == "isotonic" else _sigmoid(p[:, label], *found)
        return (1 - OWN) * c + OWN * p

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return the labels whose calibrated probability is above 1/2 (and the top one, if `top`)."""
        return self._decide(self.calibrate(scores))

    def confidence(self, scores: npt.ArrayLike) -> FloatArray:
        """Return the confidence in each decision, 0 to 1."""
        c = self.calibrate(scores)
        forced = self._decide(c) & (c <= 0.5)
        return rising(np.where(forced, 0.5, c), np.array(0.5), self.b)

    def _decide(self, c: FloatArray) -> BoolArray:
        return np.asarray((c > 0.5) | top_labels(c) if self.top else c > 0.5)


def _isotonic(p: FloatArray, truth: BoolArray) -> Map:
    from sklearn.isotonic import IsotonicRegression

    found = IsotonicRegression(y_min=0.0, y_max=1.0).fit(p, truth)
    return tuple(found.X_thresholds_.tolist()), tuple(found.y_thresholds_.tolist())


def _beta(p: FloatArray, truth: BoolArray) -> Map:
    """Fit u, v, w; a slope below 0 would turn the order round, so it is set to 0 and the rest fitted again."""
    from sklearn.linear_model import LogisticRegression

    if truth.all() or not truth.any():  # nothing to tell apart
        return 0.0, 0.0, float(logit((truth.sum() + 0.5) / (len(truth) + 1)))
    logs, used = _logs(p), [0, 1]
    while used:
        model = LogisticRegression(C=1e6, max_iter=1000, tol=1e-6).fit(logs[:, used], truth)
        slopes = model.coef_[0]
        if slopes.min() >= 0:
            u, v = (float(slopes[used.index(i)]) if i in used else 0.0 for i in (0, 1))
            return u, v, float(model.intercept_[0])
        used.pop(int(slopes.argmin()))
    return 0.0, 0.0, float(logit(truth.mean()))


def _sigmoid(p: FloatArray, u: float, v: float, w: float) -> FloatArray:
    return np.asarray(expit(_logs(p) @ np.array([u, v]) + w))


def _logs(p: FloatArray) -> FloatArray:
    kept = np.clip(p, TINY, 1 - TINY)
    return np.column_stack((np.log(kept), -np.log1p(-kept)))
