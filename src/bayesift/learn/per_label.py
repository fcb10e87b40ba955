"""One learner per label, each on its own selected terms, over one shared vocabulary (chai2002 2.3, 4.1.1).

Terms are selected from counts of documents alone, so they can be selected again as documents come: a term that passes
the minimum later is added to its label's learner then, with its prior, and none is ever taken away (chai2002 4.2.1).
With few documents no term may pass the minimum, and a learner without terms gives all documents the same probability;
`fit` then takes the best terms instead. That never happens with as many documents as the paper has.

Beside the labels there is the *unseen label*, a learner without terms that learns every document as a negative. A label
that first appears after n documents starts from a copy of it: these n documents did not have the label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import as_targets
from bayesift.beliefs.protocol import State
from bayesift.learn.base import all_rows, known_rows, log_odds, many_labels, more_rows, note_features
from bayesift.learn.binary import BinaryLearner
from bayesift.learn.defaults import explicit
from bayesift.learn.perceptron import BayesianPerceptron
from bayesift.learn.priors import NOTHING_KNOWN, FeaturePrior
from bayesift.learn.restrict import restrict
from bayesift.learn.term_selection import MIN_STATISTIC, Method, TermCounts
from bayesift.learn.weights import Weights
from bayesift.threads import in_threads, n_threads

Floats = NDArray[np.float64]
T = TypeVar("T")
SOME = 1e-9  # a statistic above rounding errors


class PerLabel(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Many labels by one `learner` each (default: BayesianPerceptron), with multi-label targets in and out.

    Parameters
    ----------
    learner : BinaryLearner, optional
        The learner of one label; None is BayesianPerceptron.
    method, min_statistic, max_terms
        How a label's terms are selected (see `TermCounts.select`), once in each call of `fit` or `partial_fit`;
        min_statistic=None takes all terms. Where a term of one document cannot pass it, since there are so few
        documents (158 by default), `fit` gives a label without any such term the best `max_terms`.
    feature_priors : sequence of FeaturePrior, optional
        One prior of the weights per label (see `PriorTerms.to_features`); features with a prior are always selected.
    threads : int, optional
        How many labels are learned at a time; None is one per core. The result is the same for any number.

    Examples
    --------
    >>> X = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 5
    >>> Y = [[1, 0], [1, 0], [0, 1], [0, 1]] * 5
    >>> model = PerLabel().fit(X, Y)
    >>> [terms.tolist() for terms in model.terms_]
    [[0, 1], [0, 1]]
    >>> model.predict([[1, 0, 0], [0, 1, 1]])
    array([[1, 0],
           [0, 1]])
    """

    n_features_in_: int
    unseen_: BinaryLearner | None

    def __init__(
        self,
        learner: BinaryLearner | None = None,
        *,
        method: Method = "likelihood_ratio",
        min_statistic: float | None = MIN_STATISTIC,
        max_terms: int | None = 300,
        feature_priors: Sequence[FeaturePrior | None] | None = None,
        threads: int | None = None,
    ) -> None:
        self.learner = learner
        self.method = method
        self.min_statistic = min_statistic
        self.max_terms = max_terms
        self.feature_priors = feature_priors
        self.threads = threads

    def set_params(self, **params: Any) -> Self:
        """Set parameters, those of the default learner too: `learner__passes=2`."""
        super().set_params(**explicit(self, params, "learner", BayesianPerceptron))
        return self

    def fit(self, X: Any, Y: Any) -> Self:
        """Select terms and learn all labels from scratch. Y is (documents, labels) of 0 and 1, dense or sparse."""
        rows = all_rows(self, X)
        labels = as_targets(Y, rows.shape[0]).tocsc()
        self.counts_ = TermCounts().add(rows, labels)
        self.terms_ = self._all(self._selected_at_once, self.counts_.relevant)

        def learn(c: int) -> BinaryLearner:
            return self._new_learner(c).fit_signs(restrict(rows, self.terms_[c]), _signs(labels, c))

        self.learners_ = self._all(learn, [terms.size for terms in self.terms_])
        self.unseen_ = self._new_unseen().fit_signs(*_negatives(rows.shape[0])) if self.online else None
        return self

    @available_if(lambda self: self.online)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, Y: Any) -> Self:
        """Learn more documents: add the terms that now pass the minimum, then learn each document once per label."""
        first = not hasattr(self, "learners_")
        rows = sparse.csr_matrix(more_rows(self, X, first=first))
        if first:
            self.counts_, self.terms_, self.learners_ = TermCounts(), [], []
            self.unseen_ = self._new_unseen()
        labels, unseen = as_targets(Y, rows.shape[0]).tocsc(), self.unseen_
        assert unseen is not None  # it is there for learners that learn online
        note_features(self, X, rows.shape[1])
        self.counts_.add(rows, labels)
        while len(self.learners_) < labels.shape[1]:
            self.terms_.append(np.empty(0, np.intp))
            self.learners_.append(deepcopy(unseen))

        def learn(c: int) -> None:
            new = np.setdiff1d(self._selected(c), self.terms_[c])
            self.terms_[c] = np.concatenate([self.terms_[c], new])
            self._set_prior(self.learners_[c], c)
            self.learners_[c].learn_signs(restrict(rows, self.terms_[c]), _signs(labels, c))

        self._all(learn, [terms.size for terms in self.terms_])
        unseen.learn_signs(*_negatives(rows.shape[0]))
        return self

    def rehearse(self, X: Any, Y: Any, labels: NDArray[np.int64]) -> None:
        """Learn documents again for some labels only; what these labels learned before is then less the last word."""
        rows, truth = sparse.csr_matrix(X), as_targets(Y, X.shape[0]).tocsc()
        for c in labels.tolist():
            self.learners_[c].learn_signs(restrict(rows, self.terms_[c]), _signs(truth, c))

    prequential = False  # its terms are selected from all documents at once
    takes_counts = False

    @property
    def online(self) -> bool:
        """Whether it can learn more documents later."""
        return self.learner is None or bool(self.learner.online)

    @property
    def takes_prior_terms(self) -> bool:
        """Whether it takes what is known of single features beforehand."""
        return self.learner is None or bool(self.learner.takes_prior_terms)

    def weights(self, labels: Sequence[int]) -> Iterator[Weights | None]:
        """Yield the weights of each of these labels, or None if its learner is not linear."""
        for c in labels:
            own = self.learners_[c].weights()
            yield None if own is None else own.spread(self.terms_[c], self.n_features_in_)

    def margins(self, X: Any) -> Floats:
        """Return the log-odds of each label and, in the last column, of a label that no document has had so far."""
        p = self.predict_proba(X)
        if self.unseen_ is None:  # nothing can be learned later; half a document of all that were learned
            unseen = np.full(1, 0.5 / (self.counts_.n_documents + 1.0))
        else:
            unseen = self.unseen_.probability(*self.unseen_.field(_negatives(1)[0]))
        return log_odds(np.column_stack([p, np.broadcast_to(unseen, len(p))]))

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels, which are the numbers of the columns of Y."""
        return np.arange(len(self.learners_))

    def predict_field(self, X: Any) -> tuple[Floats, Floats]:
        """Return mean and variance of the field of each label: two arrays (documents, labels)."""
        check_is_fitted(self, "learners_")
        rows = known_rows(self, X)
        sizes = [terms.size for terms in self.terms_]
        fields = self._all(lambda c: self.learners_[c].field(restrict(rows, self.terms_[c])), sizes)
        return np.column_stack([m for m, _ in fields]), np.column_stack([v for _, v in fields])

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each label: (documents, labels)."""
        m, v = self.predict_field(X)
        return np.column_stack([self.learners_[c].probability(m[:, c], v[:, c]) for c in range(m.shape[1])])

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the labels more probable than not: (documents, labels). `bayesift.decide` has better rules."""
        return (self.predict_proba(X) > 0.5).astype(np.int64)

    def log_evidence(self, X: Any, Y: Any) -> Floats:
        """Return for each label the sum over documents of ln p(y | x) under the present belief."""
        p = self.predict_proba(X)
        labels = as_targets(Y, p.shape[0]).toarray() > 0
        return np.asarray(np.log(np.where(labels, p, 1.0 - p)).sum(axis=0))

    def state(self) -> State:
        """Return all that was learned, as arrays and numbers, for `restore` of a learner with equal settings."""
        check_is_fitted(self, "learners_")
        learners = [learner.state() for learner in self.learners_]
        terms = [terms.copy() for terms in self.terms_]
        found = {"n_features": self.n_features_in_, "terms": terms, "counts": self.counts_.state()}
        unseen = None if self.unseen_ is None else self.unseen_.state()
        return found | {"learners": learners, "unseen": unseen}

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state that `state` returned."""
        self.n_features_in_, self.terms_ = state["n_features"], [terms.copy() for terms in state["terms"]]
        self.counts_ = TermCounts.restored(state["counts"])
        self.learners_ = [self._new_learner(c).restore(learner) for c, learner in enumerate(state["learners"])]
        self.unseen_ = None
        if state.get("unseen") is not None:
            self.unseen_ = self._new_unseen().restore(state["unseen"])
        elif self.online:  # a file of version 1
            self.unseen_ = self._new_unseen().learn_signs(*_negatives(self.counts_.n_documents))
        return self

    def _selected_at_once(self, c: int) -> NDArray[np.intp]:
        """Return the terms of a label; the best ones where no term passes because there are few documents."""
        selected = self._selected(c)
        if selected.size or self.counts_.rarest(self.method) > (self.min_statistic or 0.0):
            return selected
        return self.counts_.select(c, self.method, SOME, self.max_terms)

    def _selected(self, c: int) -> NDArray[np.intp]:
        if self.min_statistic is None:
            return np.arange(self.n_features_in_)
        selected = self.counts_.select(c, self.method, self.min_statistic, self.max_terms)
        known = self._known(c).columns
        return np.union1d(selected, known[known < self.n_features_in_]) if known.size else selected

    def _new_learner(self, c: int) -> BinaryLearner:
        learner: BinaryLearner = clone(BayesianPerceptron() if self.learner is None else self.learner)
        if len(self.terms_) > c:
            self._set_prior(learner, c)
        return learner

    def _new_unseen(self) -> BinaryLearner:
        unseen: BinaryLearner = clone(BayesianPerceptron() if self.learner is None else self.learner)
        return unseen.set_params(feature_prior=None) if self.takes_prior_terms else unseen

    def _set_prior(self, learner: BinaryLearner, c: int) -> None:
        """Set the prior of this label's terms, in the order in which its learner has them."""
        if self._known(c).columns.size:
            learner.set_params(feature_prior=self._known(c).take(self.terms_[c]))

    def _known(self, c: int) -> FeaturePrior:
        priors = self.feature_priors or ()
        return (priors[c] if c < len(priors) else None) or NOTHING_KNOWN

    def _all(self, task: Callable[[int], T], sizes: Iterable[int]) -> list[T]:
        """Run the task for every label, the largest labels first so that threads end together."""
        sizes = list(sizes)
        order = np.argsort(np.negative(sizes), kind="stable").tolist()
        done = dict(zip(order, in_threads(task, order, n_threads(self.threads))))
        return [done[c] for c in range(len(sizes))]

    def __sklearn_tags__(self) -> Any:
        return many_labels(super().__sklearn_tags__())


def _negatives(n: int) -> tuple[sparse.csr_matrix, Floats]:
    """Return rows of n documents without any term, and the signs of n negatives."""
    return sparse.csr_matrix((n, 0)), np.full(n, -1.0)


def _signs(labels: sparse.csc_matrix, c: int) -> Floats:
    signs = np.full(labels.shape[0], -1.0)
    signs[labels.indices[labels.indptr[c] : labels.indptr[c + 1]]] = 1.0
    return signs
