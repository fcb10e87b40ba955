"""What all learners of one label share: the shell of scikit-learn's conventions around a belief about a field h.

A learner says how its belief starts, learns and predicts the field; everything else is here. `partial_fit` may bring
more features than before; from then on the learner knows them.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data

from bayesift.beliefs import Likelihood, likelihood_of
from bayesift.beliefs.likelihoods import margins, predictive
from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.learn.weights import Weights

Floats = NDArray[np.float64]


class BinaryLearner(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the learners of one label: two classes, of which the second one sorted is the relevant one."""

    likelihood: str | Likelihood
    passes: int = 1
    online = True  # whether it can learn more documents later
    takes_prior_terms = True  # whether it takes what is known of single features beforehand, as `feature_prior`
    n_features_in_: int
    belief_: Any  # it has `state` and `restore`

    @abstractmethod
    def _start(self, n_features: int) -> None:
        """Set `belief_` to the prior."""

    @abstractmethod
    def _learn(self, rows: sparse.csr_matrix, signs: Floats, passes: int) -> None:
        """Learn documents in their order; signs are +1 or -1."""

    @abstractmethod
    def field(self, rows: sparse.csr_matrix) -> tuple[Floats, Floats]:
        """Return mean and variance of the field h of each checked row."""

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from scratch, going over the documents `passes` times."""
        if not isinstance(self.passes, int | np.integer) or self.passes < 1:
            raise BadInput(f"passes is {self.passes!r}", remedy="give a whole number from 1 on")
        rows = self._rows(X, reset=True)
        y = self._labels(y, rows.shape[0])
        self._set_classes(unique_labels(y))
        self._start(rows.shape[1])
        self._learn(rows, self._signs(y), int(self.passes))
        return self

    def predict_field(self, X: Any) -> tuple[Floats, Floats]:
        """Return mean and variance of the field h of each document."""
        check_is_fitted(self, "belief_")
        return self.field(self._rows(X, reset=False))

    def fit_signs(self, rows: sparse.csr_matrix, signs: Floats) -> Self:
        """Learn checked rows from scratch, with signs of +1 and -1, which may all be equal; the classes are 0 and 1."""
        self._start(rows.shape[1])
        return self.learn_signs(rows, signs, int(self.passes))

    def learn_signs(self, rows: sparse.csr_matrix, signs: Floats, passes: int = 1) -> Self:
        """Learn more checked rows; the first ones of all start the belief."""
        if not hasattr(self, "belief_"):
            self._start(rows.shape[1])
        self.classes_, self.n_features_in_ = np.array([0, 1]), rows.shape[1]
        self._learn(rows, signs, passes)
        return self

    @available_if(lambda self: self.online)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn more documents, each once; `classes` names both classes where the first call has only one."""
        first = not hasattr(self, "belief_")
        rows = self._rows(X, reset=first, may_grow=True)
        y = self._labels(y, rows.shape[0])
        if first:
            self._set_classes(unique_labels(y) if classes is None else unique_labels(classes))
            self._start(rows.shape[1])
        self._learn(rows, self._signs(y), 1)
        self.n_features_in_ = max(self.n_features_in_, rows.shape[1])
        return self

    def probability(self, m: Floats, v: Floats) -> Floats:
        """Return the probability of the relevant class where the field is N(m, v)."""
        return predictive(likelihood_of(self.likelihood).code, m, v)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, averaged over the belief: (documents, 2)."""
        p = self.probability(*self.predict_field(X))
        return np.column_stack([1.0 - p, p])

    def decision_function(self, X: Any) -> Floats:
        """Return m / sigma of the field; above 0 the relevant class is the more probable one."""
        return margins(likelihood_of(self.likelihood).code, *self.predict_field(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the more probable class."""
        relevant = self.predict_proba(X)[:, 1] > 0.5
        return np.asarray(self.classes_[relevant.astype(int)])

    def log_evidence(self, X: Any, y: Any) -> float:
        """Return the sum over documents of ln p(y | x) under the present belief (chai2002 A.1)."""
        m, v = self.predict_field(X)
        signs = self._signs(self._labels(y, m.size))
        return float(np.log(self.probability(signs * m, v)).sum())

    def weights(self) -> Weights | None:
        """Return the weights of the features with their uncertainty, or None if the learner is not linear."""
        return None

    def state(self) -> State:
        """Return all that was learned, as arrays and numbers, for `restore` of a learner with equal settings."""
        check_is_fitted(self, "belief_")
        return {"classes": self.classes_, "n_features": self.n_features_in_, "belief": self.belief_.state()}

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state that `state` returned."""
        self.classes_, self.n_features_in_ = state["classes"], state["n_features"]
        self._start(self.n_features_in_)
        self.belief_.restore(state["belief"])
        return self

    def _rows(self, X: Any, reset: bool, may_grow: bool = False) -> sparse.csr_matrix:
        rows = check_array(X, accept_sparse="csr", dtype=np.float64, estimator=self, input_name="X")
        if reset or not (may_grow and rows.shape[1] > self.n_features_in_):
            validate_data(self, X, reset=reset, skip_check_array=True)
        rows = sparse.csr_matrix(rows)
        rows.sum_duplicates()
        return rows

    def _labels(self, y: Any, n: int) -> NDArray[Any]:
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        if y.shape[0] != n:
            raise BadInput(f"{n} documents and {y.shape[0]} labels", remedy="give one label per document")
        return np.asarray(y)

    def _set_classes(self, classes: NDArray[Any]) -> None:
        if len(classes) == 1:
            raise BadInput(
                f"only one class, {classes[0].item()!r}",
                remedy="give both classes, or partial_fit(X, y, classes=[...])" if self.online else "give both classes",
            )
        if len(classes) > 2:
            found = f"The type of the target is multiclass ({len(classes)} classes)"
            raise BadInput(
                f"Only binary classification is supported. {found}", remedy="use PerLabel, one column per label"
            )
        self.classes_ = classes

    def _signs(self, y: NDArray[Any]) -> Floats:
        unknown = ~np.isin(y, self.classes_)
        if unknown.any():
            first = int(np.flatnonzero(unknown)[0])
            raise BadInput(
                f"label {y[first].item()!r} of document {first} was not declared",
                remedy=f"the classes are {', '.join(map(repr, self.classes_.tolist()))}",
            )
        return np.where(y == self.classes_[1], 1.0, -1.0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

