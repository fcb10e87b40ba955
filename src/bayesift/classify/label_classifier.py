"""The default classifier of vectors: a learner whose settings, probabilities and thresholds come from the data.

Margins of documents by models that had not learned them (`out_of_sample`) choose settings, calibrate probabilities and
fit the decision rule. Documents that come later are counted with the margin they had before they were learned, so that
`calibrate` can renew probabilities and thresholds at any time.

Beside the labels there is everywhere one more, the last: the *unseen label*, which no document has had so far. A label
that first appears after n documents starts from it, as one that these n documents did not have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import BoolArray, FloatArray, as_targets
from bayesift.classify.blocks.fitting import LabelledBlocks
from bayesift.classify.document_sample import FEWER, MOST, Sample
from bayesift.classify.drift import check_drift
from bayesift.classify.label_fitting import fit_from_blocks, fit_rows
from bayesift.classify.label_settings import check_settings
from bayesift.classify.label_state import restore_state, state_of
from bayesift.classify.online import learn_more
from bayesift.classify.out_of_sample import quick_to_fit
from bayesift.classify.registry import rule_of
from bayesift.decide.calibration import MarginCalibration
from bayesift.decide.document_confidence import INDEPENDENT, Curve, document_confidence
from bayesift.decide.joint import JointThresholds
from bayesift.decide.label_rates import as_rates, estimated_rates, rate_shift, with_rest
from bayesift.decide.rule import Rule, ThresholdRule, threshold_rule
from bayesift.decide.single_label import SHARES, Powers, single_shares
from bayesift.errors import BadInput
from bayesift.learn.base import all_rows, canonical, known_rows, later_rows, log_odds, many_labels, note_names
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.defaults import chosen_from_data, explicit
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.registry import learner_of
from bayesift.learn.side_by_side import SideBySide, are_empty, words_of

FAR = 1e3  # in log-odds, farther than any threshold
Weigh = Callable[[Any], Any]  # from counts to rows; it may have `from_scratch`, where all is chosen again, and `names`


class LabelClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Labels, probabilities and confidence for vectors.

    Parameters
    ----------
    learner : str, a learner of `bayesift.learn`, or None
        A name, as in `TextClassifier`. None is BOMC with noise and prior variances chosen from the data.
    rule : str, a rule of `bayesift.decide`, or None
        How `predict` decides; names are those of `TextClassifier`. None is `JointThresholds`.
    feature_priors : sequence with one prior of the weights per label, or None
        For learners that take priors.
    label_rates : sequence of one rate per label, "unlabelled", or None
        The share of documents with each label where the classifier is used, nan if it is as in training; "unlabelled"
        estimates the shares from the vectors `unlabelled`. None: all are as in training.
    unlabelled : matrix of vectors, or None
        Documents without labels.
    names : sparse matrix of (labels, features), or None
        The name of each label, read as a document, for learners that read them: BOMC with learned variances, which
        None as a learner is, and the ensemble.
    rounds : int
        How often BOMC goes forwards and backwards, each time in another order, before posteriors are averaged.
    seed : int
        Random seed.

    Examples
    --------
    >>> X, Y = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 10, [[1, 0], [1, 0], [0, 1], [0, 1]] * 10
    >>> model = LabelClassifier().fit(X, Y)
    >>> model.predict([[1, 0, 0], [0, 1, 0]])
    array([[1, 0],
           [0, 1]])
    """

    learner_: Any
    rule_: ThresholdRule
    calibration_: MarginCalibration
    vectors_: tuple[int, ...]  # which of the vectors beside the words are used
    rates_: FloatArray | None
    powers_: Powers = SHARES  # of `single_proba`
    curve_: Curve = INDEPENDENT  # of `confidence_in`

    def __init__(
        self,
        learner: Any = None,
        rule: str | Rule | None = None,
        feature_priors: Sequence[FeaturePrior | None] | None = None,
        rounds: int = 2,
        seed: int = 0,
        *,
        label_rates: Sequence[float] | str | None = None,
        unlabelled: Any = None,
        names: Any = None,
    ) -> None:
        self.learner = learner
        self.rule = rule
        self.feature_priors = feature_priors
        self.rounds = rounds
        self.seed = seed
        self.label_rates = label_rates
        self.unlabelled = unlabelled
        self.names = names

    def set_params(self, **params: Any) -> Self:
        """Set parameters, those of a given learner too: `learner__noise=0.1`."""
        learner = params.get("learner", self.learner)
        super().set_params(**explicit(self, params, "learner", lambda: learner_of(learner) or chosen_from_data()))
        return self

    def fit(self, X: Any, Y: Any, weigh: Weigh | None = None) -> Self:
        """Learn from scratch. Y is (documents, labels) of 0 and 1, dense or sparse.

        With `weigh`, X are counts and `weigh(X)` the vectors to learn: a small model keeps counts, to weigh them again.
        """
        self._fit_from_scratch(X, Y, weigh)
        return self

    def fit_prequential(self, X: Any, Y: Any) -> FloatArray:
        """Learn from scratch, and return each document's probabilities by models that had not learned it."""
        margins, learned = self._fit_from_scratch(X, Y, None)
        found = np.tile(self.calibration_.base_rates()[:-1], (learned.size, 1))
        found[learned] = self.calibration_.probabilities(margins)[:, :-1]
        return found

    def _fit_from_scratch(self, X: Any, Y: Any, weigh: Weigh | None) -> tuple[NDArray[Any], BoolArray]:
        """Learn the documents with a word, and return their margins and which they are: others would move biases."""
        check_settings(self)
        rule, raw = self._rule(), _rows(X) if weigh else self._checked(X)
        Y, learned = as_targets(Y, raw.shape[0]), ~are_empty(raw)
        if not learned.any():
            learned[:] = True
        raw, Y = (raw, Y) if learned.all() else (raw[learned], Y[learned])
        self.rates_ = as_rates(self.label_rates, Y.shape[1], self.unlabelled)
        self.kept_ = Sample(self.seed, self.most_kept())
        self.kept_.add(raw, Y)
        margins = fit_rows(self, weigh(raw) if weigh else raw, Y, rule, weigh)
        if self.label_rates is not None and self.rates_ is None:
            self.use_rates(self.estimated_rates(self.unlabelled))
        return margins, learned

    def fit_blocks(self, blocks: LabelledBlocks) -> Self:
        """Learn from scratch documents that memory does not hold: BOMC without drift, in one round of passes."""
        check_settings(self)
        fit_from_blocks(self, blocks)
        return self

    def use_rates(self, rates: FloatArray) -> Self:
        """Use the classifier where labels have these rates, nan for those as in training; labels later have none."""
        check_is_fitted(self, "learner_")
        self.rates_ = rates
        self.renew()
        return self

    def estimated_rates(self, X: Any) -> FloatArray:
        """Return the rate of each label among unlabelled documents, by EM on the priors (`decide.label_rates`)."""
        check_is_fitted(self, "learner_")
        shift, base = self._shift(), self.calibration_.base_rates()[:-1]
        found = self.decision_function(X)
        positives = self.calibration_.positives[:, :-1].sum(axis=(0, 2)) / self.calibration_.weight
        return estimated_rates(found if shift is None else found - shift, base, positives)

    def partial_fit(self, X: Any, Y: Any, weigh: Weigh | None = None) -> Self:
        """Learn more documents, each once; features and labels may be new.

        Their margins before that are counted for the curves, which `calibrate` renews. While all documents are kept
        (`document_sample`), they are learned again from time to time.
        """
        if not hasattr(self, "learner_"):
            return self.fit(X, Y, weigh)
        check_settings(self)
        raw = _rows(X) if weigh else self._checked_more(X)
        Y = as_targets(Y, raw.shape[0])
        if not raw.shape[0]:
            return self
        if not weigh:
            self._check_documents(self.used(raw), Y)
            note_names(self, X, raw.shape[1])
        labels, empty = self.born_.size, are_empty(raw)
        Y.resize(Y.shape[0], max(Y.shape[1], labels))
        if empty.any() and not (empty.all() and Y.shape[1] > labels):  # alone they may bring new labels
            raw, Y = raw[~empty], Y[~empty]
            if not raw.shape[0]:
                return self
        before = self.kept_.documents
        self.kept_.add(raw, Y)
        if self.kept_.due(before):
            self._fit_kept(words_of(raw).shape[1], Y.shape[1], weigh, choose=self.kept_.doubled(before))
            return self
        learn_more(self, self.used(weigh(raw) if weigh else raw), Y, before, weigh)
        return self

    def _fit_kept(self, columns: int, labels: int, weigh: Weigh | None, choose: bool = True) -> None:
        """Learn all documents again, which are kept; settings and vectors are chosen again, or stay."""
        kept, Y = self.kept_.all(columns, labels)
        if weigh:
            kept = (getattr(weigh, "from_scratch", weigh) if choose else weigh)(kept)
        fit_rows(self, kept, Y, self._rule(), weigh, choose)

    def calibrate(self, weigh: Weigh | None = None, *, again: bool = True) -> Self:
        """Renew the probabilities and the thresholds of the rule by all margins counted so far.

        Where all documents are kept and some of them came after the last fit that chose settings, all are learned
        again, as `fit` does, unless `again` is False. `weigh` is that of `fit`.
        """
        check_is_fitted(self, "learner_")
        if again and self.kept_.complete and self.kept_.documents > self.fitted_:
            words = self.n_features_in_ - (self.learner_.belief_.n_dense if self.vectors_ else 0)
            self._fit_kept(words, self.born_.size, weigh)
        else:
            self.renew()
        return self

    def renew(self) -> None:
        """Renew the curves and the thresholds of the rule by all margins counted so far."""
        check_is_fitted(self, "learner_")
        self.calibration_.fit()
        documents, positives = self.calibration_.whole_counts()
        counts = documents[:, :-1], positives[:, :-1]
        rule, p, shift = self._rule().keeping(self.rule_), expit(self.calibration_.logits[:-1]), self._shift()
        if len(p):
            rule = rule.fit_counts(p, *counts) if shift is None else rule.fit_shifted_counts(p, *counts, shift)
        self.rule_ = rule

    def _shift(self) -> FloatArray | None:
        """Return the shift of the log-odds of each label from its rate in training; None if all are as in training."""
        if self.rates_ is None:
            return None
        base = self.calibration_.base_rates()[:-1]
        rates = np.pad(self.rates_, (0, base.size - self.rates_.size), constant_values=np.nan)
        return rate_shift(with_rest(rates, base) if self.always_one_ and self.at_most_one_ else rates, base)

    def label_shift(self) -> FloatArray:
        """Return the shift of the log-odds of each label from its rate in training, 0 where it is the same."""
        check_is_fitted(self, "learner_")
        found = self._shift()
        return np.zeros(len(self.classes_)) if found is None else found

    def decision_function(self, X: Any) -> FloatArray:
        """Return the calibrated log-odds of each label: (documents, labels).

        A document without any known feature has the log-odds of the base rates.
        """
        return self._log_odds_of(X)[0]

    def _log_odds_of(self, X: Any) -> tuple[FloatArray, BoolArray]:
        """Return the calibrated log-odds of each label, and which documents have no known feature."""
        check_is_fitted(self, "learner_")
        rows = known_rows(self, self.used(X))
        found = self.calibration_.log_odds(self.learner_.margins(rows))[:, :-1]
        empty = are_empty(rows)
        if empty.any():
            found[empty] = logit(self.calibration_.base_rates()[:-1])
        shift = self._shift()
        return found if shift is None else found + shift, empty

    def single_proba(self, X: Any) -> FloatArray:
        """Return the probability of each label where each document has exactly one: rows add up to 1."""
        log_odds, empty = self._log_odds_of(X)
        return single_shares(log_odds, self.powers_, empty)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the calibrated probability of each label: (documents, labels)."""
        return np.asarray(expit(self.decision_function(X)))

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the labels by the rule that was fitted; one document gets the same as among many."""
        return self.labels_of(self.predict_proba(X)).astype(np.int64)

    def decide(self, X: Any, rule: Rule | None = None) -> NDArray[np.int64]:
        """Return the labels of all these documents together, best in expectation, or by another rule."""
        return self.labels_of(self.predict_proba(X), rule or self.rule_together()).astype(np.int64)

    def rule_together(self) -> Rule:
        """Return the rule that decides many documents together with the aim of this classifier's rule."""
        rule = self._rule().together()
        if rule is None:
            raise BadInput(
                f"the rule {type(self._rule()).__name__} decides each document on its own",
                remedy="leave `together` out, or learn with the rule joint, expected-f1 or expected-f",
            )
        return rule

    def confidence(self, X: Any) -> FloatArray:
        """Return the confidence in the labels that `predict` gives to each document: (documents,)."""
        p = self.predict_proba(X)
        return self.confidence_in(self.labels_of(p), p)

    def confidence_in(self, labels: BoolArray, p: FloatArray) -> FloatArray:
        """Return how probable it is that these labels of each document are right, by their probabilities."""
        return document_confidence(labels, p, self.curve_)

    def sample(self, weigh: Weigh) -> tuple[Any, sparse.csr_matrix]:
        """Return the rows and labels of the documents that are kept."""
        check_is_fitted(self, "learner_")
        kept, labels = self.kept_.all(0, len(self.classes_))
        return self.used(weigh(kept)), labels

    @property
    def may_fit_again(self) -> bool:
        """Whether so few documents have been seen that all of them may be learned again."""
        return self.kept_.complete

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels, which are the numbers of the columns of Y."""
        return np.asarray(self.learner_.classes_)

    @property
    def thresholds_(self) -> FloatArray:
        """The probability above which each label is given."""
        labels = len(self.calibration_.logits) - 1
        return self.rule_.thresholds(labels) if labels else np.empty(0)

    def state(self) -> dict[str, Any]:
        """Return all that was learned, as arrays and numbers, for `restore` of a classifier with equal settings."""
        check_is_fitted(self, "learner_")
        return state_of(self)

    def restore(self, state: dict[str, Any]) -> Self:
        """Take over a state that `state` gave."""
        restore_state(self, state)
        return self

    def labels_of(self, p: FloatArray, rule: Rule | None = None) -> BoolArray:
        """Return the labels for these probabilities, by the fitted rule or another.

        Where all documents learned had a label, one that would have none gets the label that came closest, among those
        more probable than their base rate if there are any; where none had more than one, one that would have several
        keeps the one that is farthest above its threshold. A rule that looks at each label alone is left as it is.
        """
        check_is_fitted(self, "learner_")
        if not p.size:
            return np.zeros(p.shape, bool)
        labels = (rule or self.rule_).decide(p)
        if self.rule_.each_label_alone:
            return labels
        number = labels.sum(axis=1)
        other = (self.always_one_ & (number == 0)) | (self.at_most_one_ & (number > 1))
        if other.any():
            closest = log_odds(p[other]) - log_odds(self.rule_.document_thresholds(p[other]))
            usual = logit(self.calibration_.base_rates()[:-1])
            if (shift := self._shift()) is not None:
                usual = usual + shift
            closest[p[other] <= expit(usual)] -= FAR  # the words do not point to these labels
            labels[other] = False
            labels[np.flatnonzero(other), closest.argmax(axis=1)] = True
        return labels

    def look_at_numbers(self, Y: Any) -> None:
        """Note whether all documents have a label, and whether none has two."""
        number = np.diff(Y.indptr)
        self.always_one_ &= bool((number > 0).all())
        self.at_most_one_ &= bool((number < 2).all())

    def _rule(self) -> ThresholdRule:
        return threshold_rule(rule_of(self.rule) or JointThresholds())

    def most_kept(self) -> int:
        """Return how many documents are kept at most."""
        return MOST if quick_to_fit(self.unfitted()) else FEWER

    def given_learner(self) -> Any:
        """Return the learner given, by its name or as it is; None is the default."""
        return learner_of(self.learner)

    def unfitted(self) -> Any:
        """Return the learner with its settings, which has learned nothing."""
        given = self.given_learner()
        learner = BOMC(learned_variances=True) if given is None else clone(given)
        check_drift(learner)
        return learner if self.feature_priors is None else learner.set_params(feature_priors=self.feature_priors)

    def name_labels(self, learner: Any, rows: Any, weigh: Weigh | None) -> Any:
        """Set the names of labels of a learner that reads them, and return it; `weigh` makes them of text."""
        if getattr(learner, "reads_names", False):
            made = getattr(weigh, "names", None)
            names = self.names if made is None else made()[:, : words_of(rows).shape[1]]
            learner.set_params(**({} if names is None else {"names": names}))
        return learner

    def used(self, rows: Any) -> Any:
        """Return rows with those of their vectors that were chosen."""
        return rows.select(self.vectors_) if isinstance(rows, SideBySide) else rows

    def _checked(self, X: Any) -> Any:
        if isinstance(X, SideBySide):
            return X
        return all_rows(self, X)

    def _checked_more(self, X: Any) -> Any:
        """Return checked rows to learn after others; there may be more features than before."""
        if isinstance(X, SideBySide):
            later_rows(self, self.used(X))
            return X
        return canonical(sparse.csr_matrix(later_rows(self, X, min_documents=0)))

    def _check_documents(self, rows: Any, Y: Any) -> None:
        """Raise if the learner cannot learn these documents too, before anything changes."""
        if not self.learner_.online:
            what = f"the learner {type(self.learner_).__name__} learns all documents at once"
            raise BadInput(what, remedy="call fit with all documents")
        if hasattr(self.learner_, "check_documents"):
            self.learner_.check_documents(rows, Y)

    def __sklearn_tags__(self) -> Any:
        return many_labels(super().__sklearn_tags__())


def _rows(X: Any) -> Any:
    if isinstance(X, SideBySide):
        return X
    given: Any = X if sparse.issparse(X) else np.asarray(X, np.float64)
    return canonical(sparse.csr_matrix(given))
