"""Multi-label targets as every learner of many labels takes them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit

from bayesift.errors import BadInput

TINY = 1e-6  # probabilities are kept this far from 0 and 1 before their log-odds are taken


def indicator(Y: Any, n: int) -> sparse.csc_matrix:
    """(documents, labels) of 0 and 1 by columns; anything else is refused.

    >>> indicator([[1, 0], [1, 1]], 2).toarray()
    array([[1, 0],
           [1, 1]])
    """
    try:
        given: Any = Y if sparse.issparse(Y) else np.asarray(Y)
    except ValueError:  # rows of several lengths
        given = np.empty(0, object)
    if given.dtype.kind not in "biuf":
        raise BadInput(
            "targets are not a matrix of 0 and 1",
            remedy="give one row per document and one column per label, as scikit-learn's MultiLabelBinarizer does;"
            " TextClassifier takes names of labels",
        )
    labels = sparse.csc_matrix(given)
    if labels.shape[0] != n:
        raise BadInput(f"{n} documents and {labels.shape[0]} rows of labels", remedy="give one row a document")
    if not np.isin(labels.data, (0, 1)).all():
        wrong = labels.data[~np.isin(labels.data, (0, 1))][0]
        raise BadInput(f"a label is {wrong}", remedy="give a column a label, of 0 and 1")
    labels.eliminate_zeros()
    return labels


def log_odds(p: Any) -> NDArray[np.float64]:
    """Return finite log-odds of probabilities.

    >>> log_odds([0.5, 1.0]).round(1)
    array([ 0. , 13.8])
    """
    return np.asarray(logit(np.clip(p, TINY, 1.0 - TINY)))


def many_labels(tags: Any) -> Any:
    """What scikit-learn is told of every learner of many labels."""
    tags.input_tags.sparse = True
    tags.target_tags.single_output = False
    tags.target_tags.multi_output = True
    tags.classifier_tags.multi_class = False
    tags.classifier_tags.multi_label = True
    return tags
