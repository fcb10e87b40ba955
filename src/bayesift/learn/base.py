"""What learners of many labels share: the check of rows to predict, log-odds and scikit-learn's tags."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit
from sklearn.utils.validation import validate_data

TINY = 1e-6  # probabilities are kept this far from 0 and 1 before their log-odds are taken


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
