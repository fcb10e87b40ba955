"""What every learner of many labels can do, and the checks of documents and targets that they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit
from sklearn.utils.validation import check_array, validate_data

from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.learn.side_by_side import SideBySide, words_of
from bayesift.learn.weights import Weights

LARGEST = 1e12  # weight of a document
TINY = 1e-6  # probabilities are kept this far from 0 and 1 before their log-odds are taken


@runtime_checkable
class Learner(Protocol):
    """A learner of many labels. Y is (documents, labels) of 0 and 1; labels are the numbers of its columns."""

    n_features_in_: int

    @property
    def online(self) -> bool:
        """Whether it can learn more documents later, with `partial_fit`."""

    @property
    def takes_prior_terms(self) -> bool:
        """Whether it takes priors of single features, as `feature_priors`."""

    @property
    def prequential(self) -> bool:
        """Whether it has `learn_prequential`: margins of each document before it is learned."""

    @property
    def takes_counts(self) -> bool:
        """Whether documents are counts of terms, not weights."""

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels."""

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn from scratch."""

    def rehearse(self, X: Any, Y: Any, labels: NDArray[np.int64]) -> None:
        """Learn documents again for some labels only."""

    def margins(self, X: Any) -> NDArray[Any]:
        """Return a margin per document and label, and in the last column that of a label not seen so far."""

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each label: (documents, labels)."""

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the predicted labels: (documents, labels) of 0 and 1."""

    def weights(self, labels: Sequence[int]) -> Iterator[Weights | None]:
        """Yield the weights of each of these labels, or None if the learner is not linear."""

    def state(self) -> State:
        """Return all that was learned."""

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state of a learner with equal settings."""


class LearnsAtOnce:
    """What all learners share that learn vectors of all documents at once, and nothing later."""

    online = False
    prequential = False
    takes_counts = False

    def rehearse(self, X: Any, Y: Any, labels: NDArray[np.int64]) -> None:
        """Raise: nothing can be learned later."""
        raise BadInput("this learner learns all documents at once", remedy="call fit with all documents")


def all_rows(estimator: Any, X: Any) -> Any:
    """Return checked rows to learn from scratch."""
    return canonical(sparse.csr_matrix(validate_data(estimator, X, accept_sparse="csr", dtype=np.float64)))


def more_rows(estimator: Any, X: Any, *, first: bool, min_documents: int = 1) -> Any:
    """Return checked rows to learn; after the first ones there may be more features than before, never fewer.

    New features are noted by `note_features`, when the rows have been learned.
    """
    if not first:
        return later_rows(estimator, X, min_documents)
    if isinstance(X, SideBySide):
        estimator.n_features_in_ = X.shape[1]
        return X
    if _is_ours(X) and X.shape[0] >= min_documents and X.shape[1] >= 1:
        estimator.n_features_in_ = X.shape[1]
        estimator.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        return X
    return canonical(validate_data(estimator, X, **_checks(min_documents)))


def later_rows(estimator: Any, X: Any, min_documents: int = 1) -> Any:
    """Return checked rows to learn after the first ones; the estimator does not change.

    Rows that are as we make them are only looked at: scikit-learn's checks take longer than learning a few documents.
    """
    known = estimator.n_features_in_
    if isinstance(X, SideBySide):
        if X.shape[1] < known:
            raise BadInput(f"{X.shape[1]} features, before there were {known}")
        return X
    if _is_ours(X) and X.shape[0] >= min_documents and X.shape[1] >= known:
        return X
    rows = canonical(check_array(X, **_checks(min_documents), estimator=estimator, input_name="X"))
    if rows.shape[1] > known:
        _check_names(estimator, X)
    else:
        validate_data(estimator, X, reset=False, skip_check_array=True)  # the number of features, and their names
    return rows


def note_features(estimator: Any, X: Any, n_features: int) -> None:
    """Note the number of features of rows that were learned, and their names."""
    estimator.n_features_in_ = n_features
    note_names(estimator, X, n_features)


def note_names(estimator: Any, X: Any, n_features: int) -> None:
    """Note the names of new columns of a data frame that was checked; new columns without names end all names."""
    known, names = getattr(estimator, "feature_names_in_", None), getattr(X, "columns", None)
    if known is None:
        return
    if names is not None:
        estimator.feature_names_in_ = np.asarray(names, object)
    elif n_features > len(known):
        del estimator.feature_names_in_


def _check_names(estimator: Any, X: Any) -> None:
    """Raise unless the columns of a data frame begin with those learned, in their order."""
    known, given = getattr(estimator, "feature_names_in_", None), getattr(X, "columns", None)
    if known is None or given is None:
        return
    if not all(isinstance(name, str) for name in given):
        raise BadInput("a name of a column is not a text", remedy="name all columns by texts")
    if list(given)[: len(known)] != known.tolist():
        what = f"columns {', '.join(map(str, given))}, before there were {', '.join(known)}"
        raise BadInput(what, remedy="give the same columns in the same order, and new ones after them")


def _checks(min_documents: int) -> dict[str, Any]:
    return {"accept_sparse": "csr", "dtype": np.float64, "ensure_min_samples": min_documents}


def check_size(rows: Any) -> None:
    """Raise if a weight of a document is too large to learn from."""
    values = words_of(rows).data
    largest = max(values.max(initial=0.0), -values.min(initial=0.0))
    if largest > LARGEST:
        raise BadInput(f"a document has a weight of {largest:.3g}", remedy="scale them to about 1")


def known_rows(estimator: Any, X: Any) -> Any:
    """Return the rows to predict, with the features that the estimator has learned; raise on anything else.

    Rows that are as we make them are only looked at, as in `more_rows`.
    """
    if isinstance(X, SideBySide):
        if X.shape[1] != estimator.n_features_in_:
            raise BadInput(f"{X.shape[1]} features, but {estimator.n_features_in_} were learned")
        return X
    if _is_ours(X) and X.shape[0] and X.shape[1] == estimator.n_features_in_:
        return X
    return canonical(sparse.csr_matrix(validate_data(estimator, X, accept_sparse="csr", dtype=np.float64, reset=False)))


def _is_ours(X: Any) -> bool:
    """Return whether rows are as we make them, so that there is nothing to check."""
    known = isinstance(X, sparse.csr_matrix) and X.dtype == np.float64 and X.has_canonical_format
    return known and bool(np.isfinite(X.data).all())


def canonical(X: Any) -> Any:
    """Return rows with each column once, in ascending order: kernels learn two entries of a column as two terms."""
    if getattr(X, "has_canonical_format", True):  # dense rows have no such format
        return X
    rows: Any = sparse.csr_matrix(X, copy=True)
    rows.sum_duplicates()
    return rows


def log_odds(p: Any) -> NDArray[np.float64]:
    """Return finite log-odds of probabilities.

    >>> log_odds([0.5, 1.0]).round(1)
    array([ 0. , 13.8])
    """
    return np.asarray(logit(np.clip(p, TINY, 1.0 - TINY)))


def many_labels(tags: Any) -> Any:
    """Set the scikit-learn tags shared by all estimators of many labels."""
    tags.input_tags.sparse = True
    tags.target_tags.single_output = False
    tags.target_tags.multi_output = True
    tags.classifier_tags.multi_class = False
    tags.classifier_tags.multi_label = True
    return tags
