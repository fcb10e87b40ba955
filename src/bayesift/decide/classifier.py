"""The default classifier of vectors: a learner whose settings, probabilities and thresholds come from the data.

BOMC goes over the documents once in a random order and once backwards. Of each pass the margins of the later half,
each predicted before the document was learned, are kept: every document has a prediction by a model that had seen at
least half of the others, and none costs anything. These margins choose among `CANDIDATES` for noise and prior (most
evidence after calibration), calibrate the probabilities and fit the decision rule. The two posteriors are averaged.
Other learners are judged by cross-validation instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from bayesift.decide.arrays import BoolArray
from bayesift.decide.confidence import document_confidence
from bayesift.decide.folds import cross_validated_scores
from bayesift.decide.joint import ExpectedJointF, JointCut
from bayesift.decide.margins import MarginCalibration
from bayesift.decide.rule import Rule, rule_from_dict
from bayesift.errors import BadInput
from bayesift.evaluate.arrays import FloatArray
from bayesift.learn.multilabel import MultiLabel
from bayesift.learn.targets import indicator, many_labels

CANDIDATES = [  # noise and prior variance of BOMC
    {"noise": 0.25, "prior_variance": 0.1},
    {"noise": 0.1, "prior_variance": 0.1},
]
FOLDS = 5
TINY = 1e-6


class LabelClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Labels, probabilities and confidence for vectors.

    learner: None for BOMC with noise and prior chosen from the data; any learner of `bayesift.learn` otherwise.
    rule: how `predict` decides; None for `JointCut`. rounds: how often BOMC goes forwards and backwards, each time in
    another order, before posteriors are averaged. seed: of the orders.

    >>> X, Y = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 10, [[1, 0], [1, 0], [0, 1], [0, 1]] * 10
    >>> model = LabelClassifier().fit(X, Y)
    >>> model.predict([[1, 0, 0], [0, 1, 0]])
    array([[1, 0],
           [0, 1]])
    """

    rule_: Rule
    calibration_: MarginCalibration

    def __init__(self, learner: Any = None, rule: Rule | None = None, rounds: int = 2, seed: int = 0) -> None:
        self.learner = learner
        self.rule = rule
        self.rounds = rounds
        self.seed = seed

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn anew. Y is (documents, labels) of 0 and 1, dense or sparse."""
        self.fit_ahead(X, Y)
        return self

    def fit_ahead(self, X: Any, Y: Any) -> FloatArray:
        """Learn anew, and give each document's probabilities by models that had not learned it."""
        given: Any = X if sparse.issparse(X) else np.asarray(X, np.float64)
        rows = sparse.csr_matrix(given)
        Y = indicator(Y, rows.shape[0]).tocsr()
        learner = MultiLabel() if self.learner is None else self.learner
        if isinstance(learner, MultiLabel) and learner.variant in ("independent", "coupled"):
            settings = CANDIDATES if self.learner is None else [{}]
            tried = [_Ahead(clone(learner).set_params(**some), self.seed) for some in settings]
            _run([task for ahead in tried for task in ahead.round(rows, Y)], learner.threads)
            best = max(tried, key=lambda ahead: ahead.calibration(Y).log_evidence())
            _run([task for _ in range(self.rounds - 1) for task in best.round(rows, Y)], learner.threads)
            self.learner_, margins = best.learner(), best.margins()
        else:
            self.learner_, margins = self._folds(clone(learner), rows, Y)
        self.calibration_ = MarginCalibration().add(margins, Y).fit()
        self.always_one_ = bool((np.diff(Y.indptr) > 0).all())
        self._fit_rule(margins, Y)
        self.n_features_in_ = rows.shape[1]
        return self.calibration_.probabilities(margins)

    def partial_fit(self, X: Any, Y: Any) -> Self:
        """Learn more documents; their margins before that are counted for the curves, which `calibrate` renews."""
        if not hasattr(self, "learner_"):
            return self.fit(X, Y)
        given: Any = X if sparse.issparse(X) else np.asarray(X, np.float64)
        before = self._margins(sparse.csr_matrix(given)[:, : self.n_features_in_])
        Y = indicator(Y, before.shape[0]).tocsr()
        self.calibration_.add(_widened(before, Y.shape[1]), Y)
        self.learner_.partial_fit(X, Y)
        self.n_features_in_ = self.learner_.n_features_in_
        return self.calibrate() if len(self.calibration_.logits) < Y.shape[1] else self

    def calibrate(self) -> Self:
        """Renew the curves, and the thresholds of a `JointCut`, by all margins counted so far."""
        self.calibration_.fit()
        if isinstance(self.rule_, JointCut):
            self.rule_ = self._cut(self.rule_)
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """The calibrated log-odds of each label: (documents, labels)."""
        check_is_fitted(self, "learner_")
        return self.calibration_.log_odds(self._margins(X))

    def predict_proba(self, X: Any) -> FloatArray:
        """The calibrated probability of each label: (documents, labels)."""
        return np.asarray(expit(self.decision_function(X)))

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The labels by the rule that was fitted; one document gets the same as among many."""
        return self.labels_of(self.predict_proba(X)).astype(np.int64)

    def decide(self, X: Any, rule: Rule | None = None) -> NDArray[np.int64]:
        """The labels of all these documents together, best in expectation (`ExpectedJointF`, or another rule)."""
        return self.labels_of(self.predict_proba(X), rule or ExpectedJointF()).astype(np.int64)

    def confidence(self, X: Any) -> FloatArray:
        """Return the confidence in the labels that `predict` gives to each document: (documents,)."""
        p = self.predict_proba(X)
        return document_confidence(self.labels_of(p), p)

    @property
    def thresholds_(self) -> FloatArray:
        """The probability above which each label is given, where the rule has such."""
        return np.asarray(getattr(self.rule_, "thresholds_", ()), np.float64)

    def state(self) -> dict[str, Any]:
        """All that was learned, as arrays and numbers, for `restore` of a classifier with equal settings."""
        check_is_fitted(self, "learner_")
        chosen = {name: getattr(self.learner_, name) for name in CANDIDATES[0]} if self.learner is None else {}
        return {
            "learner": self.learner_.state(),
            "chosen": chosen,
            "documents": self.calibration_.documents.copy(),
            "positives": self.calibration_.positives.copy(),
            "logits": self.calibration_.logits.copy(),
            "rule": self.rule_.to_dict(),
            "always_one": self.always_one_,
            "n_features": int(self.n_features_in_),
        }

    def restore(self, state: dict[str, Any]) -> Self:
        """Take over a state that `state` gave."""
        learner = MultiLabel(**state["chosen"]) if self.learner is None else clone(self.learner)
        self.learner_ = learner.restore(state["learner"])
        self.calibration_ = MarginCalibration(
            state["documents"].copy(), state["positives"].copy(), state["logits"].copy()
        )
        self.rule_, self.always_one_ = rule_from_dict(state["rule"]), bool(state["always_one"])
        self.n_features_in_ = int(state["n_features"])
        return self

    def _folds(self, learner: Any, X: Any, Y: Any) -> tuple[Any, FloatArray]:
        """The learner of all documents, and the margins of each by a learner of the others."""
        folds = min(FOLDS, Y.shape[0])
        if folds < 2:
            raise BadInput("one document is not enough to calibrate", remedy="give some documents of each label")

        def fit_predict(X_train: Any, Y_train: Any, X_test: Any) -> FloatArray:
            return _scores(clone(learner).fit(X_train, Y_train), X_test)

        margins = cross_validated_scores(fit_predict, X, Y, folds, self.seed).scores
        return learner.fit(X, Y), margins

    def _fit_rule(self, margins: Any, Y: Any) -> None:
        rule = self.rule or JointCut()
        if isinstance(rule, JointCut):
            self.rule_ = self._cut(rule)
        else:
            self.rule_ = rule.fit(self.calibration_.probabilities(margins), Y)

    def _cut(self, rule: JointCut) -> JointCut:
        return rule.fit_counts(expit(self.calibration_.logits), self.calibration_.documents.astype(float))

    def _margins(self, X: Any) -> FloatArray:
        return _scores(self.learner_, X)

    def labels_of(self, p: FloatArray, rule: Rule | None = None) -> BoolArray:
        """The labels for these probabilities, by the fitted rule or another.

        Where all documents learned had a label, one that would have none gets the label that came closest.
        """
        labels = (rule or self.rule_).decide(p)
        none = ~labels.any(axis=1)
        if self.always_one_ and labels.shape[1] and none.any():
            cut = self.thresholds_ if self.thresholds_.size == p.shape[1] else np.full(p.shape[1], 0.5)
            closest = _log_odds(p[none]) - _log_odds(cut)
            labels[np.flatnonzero(none), closest.argmax(axis=1)] = True
        return labels

    def __sklearn_tags__(self) -> Any:
        return many_labels(super().__sklearn_tags__())


class _Ahead:
    """BOMC forwards and backwards, round after round, with the margins that each document had before it was learned."""

    def __init__(self, learner: MultiLabel, seed: int) -> None:
        self.template, self.rng = learner, np.random.default_rng(seed)
        self.learners: list[MultiLabel] = []
        self.ahead: list[Any] = []  # margins by each learner, in the order of learners

    def round(self, X: Any, Y: Any) -> list[Callable[[], None]]:
        """What is to be run, in any order or at once: one task a way."""
        n = Y.shape[0]
        order = self.rng.permutation(n)
        return [self._task(X, Y, way, skip) for way, skip in ((order, n // 2), (order[::-1].copy(), n - n // 2))]

    def _task(self, X: Any, Y: Any, way: NDArray[np.int64], skip: int) -> Callable[[], None]:
        learner, place = clone(self.template).set_params(threads=1), len(self.learners)
        self.learners.append(learner)
        self.ahead.append(None)

        def task() -> None:
            self.ahead[place] = learner.learn_ahead(X, Y, way, skip)

        return task

    def margins(self) -> FloatArray:
        return np.asarray(sum(self.ahead) / (len(self.learners) / 2))

    def calibration(self, Y: Any) -> MarginCalibration:
        return MarginCalibration().add(self.margins(), Y).fit()

    def learner(self) -> MultiLabel:
        last: MultiLabel = self.learners[-1].set_params(threads=self.template.threads)
        last.belief_.average([learner.belief_ for learner in self.learners])
        return last


def _run(tasks: list[Callable[[], None]], threads: int | None) -> None:
    """Run tasks on so many threads (None: one a core); each has results of its own, so that order does not matter."""
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        for done in [pool.submit(task) for task in tasks]:
            done.result()


def _scores(learner: Any, X: Any) -> FloatArray:
    """Margins, or the log-odds of probabilities."""
    if hasattr(learner, "decision_function"):
        return np.asarray(learner.decision_function(X), np.float64)
    return _log_odds(learner.predict_proba(X))


def _log_odds(p: Any) -> FloatArray:
    return np.asarray(logit(np.clip(p, TINY, 1.0 - TINY)))


def _widened(margins: FloatArray, labels: int) -> FloatArray:
    """Labels that were not known had no margin: they count as far below 0."""
    return np.pad(margins, ((0, 0), (0, max(0, labels - margins.shape[1]))), constant_values=-1e9)
