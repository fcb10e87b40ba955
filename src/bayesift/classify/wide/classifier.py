"""`WideClassifier`: what `LabelClassifier` is, for `WideLabels`; nothing that is kept is documents times labels.

Documents are held out in `FOLDS` folds, or in `SOME` of them where that is enough: a model of fewer documents than all
has smaller margins. Their candidates, by models of the other folds, calibrate the probabilities and fit the rule, one
threshold per group of labels (`calibration`). The powers of single labels are fitted to some of the same documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.special import expit, logit
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import BoolArray, FloatArray, as_targets, check_room
from bayesift.classify.label_classifier import LabelClassifier, Weigh
from bayesift.classify.wide.calibration import GROUPS, GroupedCalibration
from bayesift.classify.wide.candidates import Candidates
from bayesift.decide.calibration import BINS
from bayesift.decide.precision_recall import Precision, Recall
from bayesift.decide.rule import FittedRule, Rule, ThresholdRule, rule_from_dict
from bayesift.decide.single_label import SHARES, fit_powers, powers_of
from bayesift.errors import BadInput
from bayesift.learn.base import known_rows
from bayesift.learn.side_by_side import are_empty
from bayesift.learn.wide.wide import WideLabels

FOLDS, SOME = 10, 2  # folds, and how many of them are held out in turn if there are many documents and labels
MANY = 1 << 22  # documents times labels
CELLS = 1 << 21  # documents times labels that are filled in at a time
ALL_AT_ONCE = "the learner 'wide' learns all documents at once"


class WideClassifier(LabelClassifier):
    """Labels, probabilities and confidence for vectors, with very many labels.

    Parameters
    ----------
    learner : WideLabels, or None
        None is `WideLabels()`.
    rule : a rule of `bayesift.decide`, or None
        How `predict` decides. None is `JointThresholds`.
    seed : int
        Random seed.

    Examples
    --------
    >>> X, Y = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 10, [[1, 0], [1, 0], [0, 1], [0, 1]] * 10
    >>> model = WideClassifier().fit(X, Y)
    >>> model.predict([[1, 0, 0], [0, 1, 0]])
    array([[1, 0],
           [0, 1]])
    >>> model.candidates([[1, 0, 0]]).skipped
    array([0])
    """

    calibration_: Any  # GroupedCalibration

    def __init__(self, learner: Any = None, rule: Rule | None = None, seed: int = 0) -> None:
        self.learner = learner
        self.rule = rule
        self.seed = seed

    def fit(self, X: Any, Y: Any, weigh: Weigh | None = None) -> Self:
        """Learn from scratch. Y is (documents, labels) of 0 and 1, dense or sparse; `weigh` is as in the base class."""
        rule = self._rule()
        rows = sparse.csr_matrix(weigh(sparse.csr_matrix(X))) if weigh else self._checked(X)
        Y = as_targets(Y, rows.shape[0])
        learned = ~are_empty(rows)
        rows, Y = (rows[learned], Y[learned]) if learned.any() else (rows, Y)
        Y.sort_indices()
        _check_rule(rule, Y.shape[1])
        learner: WideLabels = WideLabels(seed=self.seed) if self.learner is None else clone(self.learner)
        n = rows.shape[0]
        folds = min(FOLDS, n)
        self.vectors_, self.rates_ = (), None
        held_out = folds if n * Y.shape[1] <= MANY else min(folds, SOME)
        self.calibration_ = GroupedCalibration.of(Y, max(held_out, 1))
        every = max(1, -(-n * held_out // (max(folds, 1) * max(1, CELLS // max(Y.shape[1], 1)))))
        sampled: list[tuple[Any, Any]] = []
        fold = np.random.default_rng(self.seed).permutation(n) % max(folds, 1)
        for k in range(held_out if folds > 1 else 0):
            held = np.flatnonzero(fold == k)
            scored = clone(learner).fit(rows[fold != k], Y[fold != k]).scored(rows[held])
            self.calibration_.add(scored, Y[held], k)
            some = np.arange(0, held.size, every)
            sampled.append((scored[some], Y[held[some]]))
        if folds < 2:
            self.calibration_.add(sparse.csr_matrix(Y.shape, dtype=np.float32), Y, 0)
        self.learner_ = learner.fit(rows, Y)
        self.n_features_in_ = self.learner_.n_features_in_
        self.always_one_, self.at_most_one_ = True, True
        self.look_at_numbers(Y)
        self.rule_ = rule
        self.calibrate()
        self.powers_ = SHARES
        if Y.shape[1] and sampled:
            self._fit_documents(*(sparse.vstack(parts, "csr") for parts in zip(*sampled)))
        return self

    def _fit_documents(self, scored: sparse.csr_matrix, truth: sparse.csr_matrix) -> None:
        """Fit what is fitted to whole documents that were held out: powers of single labels, and rules that need it."""
        is_single = self.always_one_ and self.at_most_one_
        if not (is_single or self.rule_.needs_documents):
            return
        z = self.calibration_.filled(scored)
        if is_single:
            self.powers_ = fit_powers(z, truth.indices.astype(np.int64))
        if self.rule_.needs_documents:
            self.rule_ = self.rule_.fit_documents(z, truth.toarray() > 0)

    def calibrate(self, weigh: Weigh | None = None, *, again: bool = True) -> Self:
        """Fit curves and thresholds to what was counted; all documents have been learned."""
        check_is_fitted(self, "learner_")
        if not self.calibration_.group.size or not self.calibration_.counts.documents.any():
            self.calibration_.counts.logits = np.tile(logit(self.calibration_.base_rates()[:-1]), (BINS, 1)).T
            return self
        counts = self.calibration_.fit().counts
        rule = self._rule().keeping(self.rule_).fit_counts(expit(counts.logits), counts.documents, counts.positives)
        if isinstance(rule, FittedRule):
            of_group = np.asarray(rule.thresholds_)
            rule = replace(rule, thresholds_=tuple(of_group[self.calibration_.group].tolist()))
        self.rule_ = rule
        return self

    def candidates(self, X: Any) -> Candidates:
        """Return the probabilities of the labels worth scoring, how many labels were skipped, and what they hold."""
        check_is_fitted(self, "learner_")
        rows = known_rows(self, X)
        scored, rates = self.learner_.scored(rows), self.calibration_.skipped_rates()
        p = sparse.csr_matrix((self._log_odds(rows, scored), scored.indices, scored.indptr), shape=scored.shape)
        p.data = np.asarray(expit(p.data))
        row = np.repeat(np.arange(rows.shape[0]), np.diff(scored.indptr))
        missed = rates.sum() - np.bincount(row, rates[scored.indices], minlength=rows.shape[0])
        missed[np.diff(rows.indptr) == 0] = self.calibration_.base_rates()[:-1].sum()
        skipped = scored.shape[1] - np.diff(scored.indptr)
        return Candidates(p, skipped.astype(np.int64), np.where(skipped > 0, np.maximum(missed, 0.0), 0.0))

    def decision_function(self, X: Any) -> FloatArray:
        """Return the calibrated log-odds of every label, also of those that were skipped: (documents, labels)."""
        return self._log_odds_of(X)[0]

    def _log_odds_of(self, X: Any) -> tuple[FloatArray, BoolArray]:
        check_is_fitted(self, "learner_")
        rows = known_rows(self, X)
        check_room(rows.shape[0], self.calibration_.group.size)
        found: FloatArray = self.calibration_.filled(self.learner_.scored(rows))
        empty = are_empty(rows)
        found[empty] = logit(self.calibration_.base_rates()[:-1])
        return found, empty

    def blocks(self, n: int) -> Iterator[slice]:
        """Yield slices of so many documents, such that documents times labels of each are few."""
        check_is_fitted(self, "learner_")
        step = max(1, CELLS // max(self.calibration_.group.size, 1))
        return (slice(begin, begin + step) for begin in range(0, n, step))

    def _log_odds(self, rows: Any, scored: sparse.csr_matrix) -> FloatArray:
        found: FloatArray = self.calibration_.log_odds(scored)
        empty = np.repeat(are_empty(rows), np.diff(scored.indptr))
        found[empty] = logit(self.calibration_.base_rates()[scored.indices[empty]])
        return found

    @property
    def thresholds_(self) -> FloatArray:
        """The probability above which each label is given."""
        labels = self.calibration_.group.size
        return self.rule_.thresholds(labels) if labels else np.empty(0)

    def partial_fit(self, X: Any, Y: Any, weigh: Weigh | None = None) -> Self:
        """Raise: nothing can be learned later."""
        raise BadInput(ALL_AT_ONCE, remedy="call fit with all documents")

    def fit_prequential(self, X: Any, Y: Any) -> FloatArray:
        """Raise: there are no probabilities of all labels that were held out."""
        raise BadInput("candidates of held-out documents are counted, not kept", remedy="use cross_val_predict")

    def fit_blocks(self, blocks: Any) -> Self:
        """Raise: documents are learned in memory."""
        raise BadInput(ALL_AT_ONCE, remedy="call fit")

    def use_rates(self, rates: FloatArray) -> Self:
        """Raise: probabilities are those of the training documents' rates."""
        raise BadInput("the learner 'wide' takes no label rates", remedy="leave label_rates out")

    def estimated_rates(self, X: Any) -> FloatArray:
        """Raise: see `use_rates`."""
        raise BadInput("the learner 'wide' takes no label rates", remedy="leave label_rates out")

    def state(self) -> dict[str, Any]:
        """Return all that was learned, as arrays and numbers, for `restore` of a classifier with equal settings."""
        check_is_fitted(self, "learner_")
        return {
            "learner": self.learner_.state(),
            "calibration": self.calibration_.state(),
            "rule": self.rule_.to_dict(),
            "always_one": self.always_one_,
            "at_most_one": self.at_most_one_,
            **({} if self.powers_ == SHARES else {"powers": list(self.powers_)}),
        }

    def restore(self, state: dict[str, Any]) -> Self:
        """Take over a state that `state` gave."""
        learner: WideLabels = WideLabels(seed=self.seed) if self.learner is None else clone(self.learner)
        self.learner_ = learner.restore(state["learner"])
        self.n_features_in_, self.vectors_, self.rates_ = self.learner_.n_features_in_, (), None
        self.calibration_ = GroupedCalibration.restored(state["calibration"])
        rule = rule_from_dict(state["rule"])
        if not isinstance(rule, ThresholdRule) or self.calibration_.group.size != len(self.learner_.classes_):
            raise BadInput("labels, rule and calibration differ")
        self.rule_, self.always_one_, self.at_most_one_ = rule, bool(state["always_one"]), bool(state["at_most_one"])
        self.powers_ = powers_of(state)
        return self


def _check_rule(rule: ThresholdRule, labels: int) -> None:
    if isinstance(rule, Precision | Recall) and isinstance(rule.target, tuple) and labels > GROUPS:
        raise BadInput(
            f"a target per label for {labels:,} labels, whose thresholds are found in {GROUPS:,} groups",
            remedy="give one target for all labels",
        )
