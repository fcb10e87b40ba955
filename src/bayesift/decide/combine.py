"""One probability from several learners: a logistic regression for each label over their outputs (goutte2007 4).

x   the logits of the learners' probabilities of the label, scaled to mean 0 and deviation 1; with `across` those of all
    labels, so that one label's belief can speak for or against another
p   1 / (1 + exp(-w.x - w0)), w at the mode under w ~ N(0, variance)

It is fitted to probabilities of documents that the learners did not see. That makes it a calibration too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from bayesift.arrays import FloatArray, LabelMatrix, as_folds, as_labels, as_probabilities, same_shape
from bayesift.decide.rule import positive
from bayesift.errors import BadInput

TINY = 1e-4  # probabilities are kept this far from 0 and 1 before logits, so that no single one decides

Weights = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Combiner:
    """Several learners' probabilities into one.

    >>> good, noise = [[0.8], [0.7], [0.3], [0.2]] * 5, [[0.4], [0.6], [0.4], [0.6]] * 5
    >>> combiner = Combiner().fit([good, noise], [[1], [1], [0], [0]] * 5)
    >>> combiner.combine([[[0.8], [0.2]], [[0.5], [0.5]]]).round(2).ravel()
    array([0.93, 0.07])
    >>> Combiner.from_dict(combiner.to_dict()) == combiner
    True
    """

    variance: float = 1.0
    across: bool = False
    learners_: int = 0
    weights_: Weights = field(default=(), repr=False)  # of each label: w0, w

    def __post_init__(self) -> None:
        positive(self.variance, "variance")

    def fit(self, scores: Sequence[npt.ArrayLike], truth: LabelMatrix) -> Self:
        """Return the combiner fitted to out-of-fold probabilities, (documents, labels) of each learner."""
        x = _logits(scores)
        t = as_labels(truth, "truth")
        same_shape(t.shape, x.shape[1:], "scores")
        dense = t.toarray()
        weights = tuple(self._weights(self._features(x, c), dense[:, c]) for c in range(dense.shape[1]))
        return replace(self, learners_=len(x), weights_=weights)

    def combine(self, scores: Sequence[npt.ArrayLike]) -> FloatArray:
        """Return the combined probabilities (documents, labels)."""
        if not self.weights_:
            raise BadInput("this Combiner is not fitted", remedy="combine with what fit(scores, truth) gives")
        x = _logits(scores)
        learners, labels = self.learners_, len(self.weights_)
        if (x.shape[0], x.shape[2]) != (learners, labels):
            raise BadInput(
                f"it was fitted to {learners} learners and {labels} labels, but {x.shape[0]} and {x.shape[2]} came",
                remedy="give the same learners and labels in the same order",
            )
        fields = [self._features(x, c) @ np.array(w[1:]) + w[0] for c, w in enumerate(self.weights_)]
        return np.asarray(expit(np.column_stack(fields)))

    def out_of_fold(self, scores: Sequence[npt.ArrayLike], truth: LabelMatrix, folds: npt.ArrayLike) -> FloatArray:
        """Return out-of-fold probabilities, each fold by the combiner fitted to the others, to fit a rule to."""
        parts = [as_probabilities(s) for s in scores]
        t = as_labels(truth, "truth")
        fold = as_folds(folds, t.shape[0])
        if fold.max() == 0:
            raise BadInput("all documents are in one fold", remedy="give the folds of cross_validated_scores")
        out = np.empty(t.shape)
        for k in range(fold.max() + 1):
            rows = fold == k
            out[rows] = self.fit([s[~rows] for s in parts], t[~rows]).combine([s[rows] for s in parts])
        return out

    def to_dict(self) -> dict[str, Any]:
        """Return the combiner as a dictionary for JSON."""
        return dataclasses.asdict(self) | {"weights_": [list(w) for w in self.weights_]}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Combiner:
        """Return the combiner that `to_dict` saved."""
        expected = {f.name for f in dataclasses.fields(cls)}
        if saved.keys() != expected:
            raise BadInput(f"a Combiner has the fields {sorted(expected)}, but {sorted(saved)} came")
        weights = tuple(tuple(float(x) for x in w) for w in saved["weights_"])
        return cls(float(saved["variance"]), bool(saved["across"]), int(saved["learners_"]), weights)

    def _features(self, x: FloatArray, label: int) -> FloatArray:
        """Return the features of the label's regression: (documents, features)."""
        return np.concatenate(list(x), axis=1) if self.across else x[:, :, label].T

    def _weights(self, x: FloatArray, truth: npt.NDArray[np.bool_]) -> tuple[float, ...]:
        from sklearn.linear_model import LogisticRegression

        if truth.all() or not truth.any():  # nothing to tell apart: the share, smoothed
            return float(logit((truth.sum() + 0.5) / (len(truth) + 1))), *([0.0] * x.shape[1])
        mean, deviation = x.mean(axis=0), x.std(axis=0)
        deviation[deviation == 0] = 1.0
        model = LogisticRegression(C=self.variance, solver="newton-cholesky")  # many documents, few features
        model.fit((x - mean) / deviation, truth)
        w = model.coef_[0] / deviation
        return float(model.intercept_[0] - w @ mean), *w.tolist()


def _logits(scores: Sequence[npt.ArrayLike]) -> FloatArray:
    """Return the probabilities as one array: (learners, documents, labels)."""
    parts = [as_probabilities(s) for s in scores]
    if not parts:
        raise BadInput("there are no scores to combine", remedy="give a list, one array (documents, labels) a learner")
    shapes = {part.shape for part in parts}
    if len(shapes) > 1:
        raise BadInput(
            f"each learner's scores must have one shape, but they have {sorted(shapes)}",
            remedy="give the same documents and labels in the same order",
        )
    return np.asarray(logit(np.clip(np.stack(parts), TINY, 1 - TINY)))
