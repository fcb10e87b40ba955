"""Multi-label targets as every learner of many labels takes them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import validate_data

from bayesift.errors import BadInput

TINY = 1e-6  # probabilities are kept this far from 0 and 1 before their log-odds are taken


def indicator(Y: Any, n: int) -> sparse.csc_matrix:
    """Return targets as (documents, labels) of 0 and 1 by columns; raise on anything else.

    >>> indicator([[1, 0], [1, 1]], 2).toarray()
    array([[1, 0],
           [1, 1]])
    """
    if Y is None:
        raise BadInput("a classifier requires y to be passed, but the target y is None", remedy="give labels")
    given: Any = Y if sparse.issparse(Y) else _array(Y)
    if given.ndim != 2 or given.dtype.kind not in "biuf":
        raise _not_columns(f"{'one-dimensional ' if given.ndim == 1 else ''}{type_of_target(given)}")
    labels = sparse.csc_matrix(given)
    if labels.shape[0] != n:
        raise BadInput(f"{n} documents and {labels.shape[0]} rows of labels", remedy="give one row per document")
    if not np.isin(labels.data, (0, 1)).all():
        wrong = labels.data[~np.isin(labels.data, (0, 1))][0]
        raise BadInput(f"a label is {wrong}", remedy="give one column per label, of 0 and 1")
    labels.eliminate_zeros()
    return labels


def known_rows(estimator: Any, X: Any) -> sparse.csr_matrix:
    """Return the rows to predict, with the features that the estimator has learned; raise on anything else.

    Rows that are as we make them are only looked at: scikit-learn's checks take longer than predicting one document.
    """
    if isinstance(X, sparse.csr_matrix) and X.dtype == np.float64:
        rows, features = X.shape
        if rows and features == estimator.n_features_in_ and np.isfinite(X.data).all():
            return X
    return sparse.csr_matrix(validate_data(estimator, X, accept_sparse="csr", dtype=np.float64, reset=False))


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


def _array(Y: Any) -> Any:
    try:
        return np.asarray(Y)
    except ValueError:  # rows of different lengths
        raise _not_columns("label sets") from None


def _not_columns(kind: str) -> BadInput:
    """Name the kind of targets in scikit-learn's words."""
    return BadInput(
        f"Unknown label type: {kind}. Only binary classification is supported, with one column of 0 and 1 per label",
        remedy="MultiLabelBinarizer and LabelBinarizer make such columns; TextClassifier takes labels as they are",
    )
