"""Scores of documents that the learner did not see: cross-validation in folds that share out rare labels.

Sechidis, Tsoumakas & Vlahavas 2011, On the stratification of multi-label data, ECML PKDD: iterative stratification.
The label with the fewest documents left is shared out first; each of its documents goes to the fold that wants the
label most, then to the fold that wants documents most, then to a fold at random.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bayesift.arrays import FloatArray, IntArray, LabelMatrix, as_labels, as_scores
from bayesift.errors import BadInput


class OutOfFold(NamedTuple):
    """Scores (documents, labels) and, for each document, the fold it was held out in."""

    scores: FloatArray
    folds: IntArray


def cross_validated_scores(
    fit_predict: Callable[[Any, Any, Any], Any], X: Any, Y: LabelMatrix, folds: int = 3, seed: int = 0
) -> OutOfFold:
    """Score every document by a learner trained on the other folds.

    `fit_predict(X_train, Y_train, X_test)` returns scores (documents, labels). X is a matrix or a list; both X and Y
    reach it as they are, in fewer rows. A label with fewer documents than folds is missing from some held-out folds,
    and a label with one document from one training set: the learner must accept that.

    >>> def share(X_train, Y_train, X_test):  # scores a label by its share of the training documents
    ...     return np.tile(Y_train.mean(axis=0), (len(X_test), 1))
    >>> cross_validated_scores(share, list("abcd"), [[1], [1], [0], [0]], folds=2).scores.ravel()
    array([0.5, 0.5, 0.5, 0.5])
    """
    truth: Any = sparse.csr_array(Y) if sparse.issparse(Y) else np.asarray(Y)
    fold = stratified_folds(truth, folds, seed)
    if _rows(X) != len(fold):
        raise BadInput(f"X has {_rows(X)} documents, but Y has {len(fold)}", remedy="give one row per document in both")
    shape = (truth.shape[0], 1) if truth.ndim == 1 else truth.shape
    scores = np.empty(shape)
    for k in range(folds):
        train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        found = as_scores(fit_predict(_take(X, train), truth[train], _take(X, test)))
        if found.shape != (len(test), shape[1]):
            raise BadInput(
                f"fit_predict returned scores of shape {found.shape} for {len(test)} documents and {shape[1]} labels",
                remedy="give one row per document and one column per label",
            )
        scores[test] = found
    return OutOfFold(scores, fold)


def stratified_folds(truth: LabelMatrix, folds: int = 3, seed: int = 0) -> IntArray:
    """Return the fold of each document, such that each label's documents are spread evenly.

    >>> fold = stratified_folds([[1], [0], [1], [0], [1], [0]], folds=3)
    >>> sorted(fold[::2].tolist()), sorted(fold[1::2].tolist())
    ([0, 1, 2], [0, 1, 2])
    """
    labels = as_labels(truth, "truth")
    documents = labels.shape[0]
    if not 2 <= folds <= documents:
        raise BadInput(f"folds must be from 2 to {documents}, the number of documents, but are {folds}")
    rng = np.random.default_rng(seed)
    fold = np.full(documents, -1, np.int64)
    chance = rng.random((documents, folds)).tolist()
    room = [documents / folds] * folds  # how many documents each fold still wants
    left = np.bincount(labels.indices, minlength=labels.shape[1])
    wanted = [[count / folds] * folds for count in left.tolist()]  # the same for each label
    by_label = labels.tocsc()
    while left.any():
        label = int(np.argmin(np.where(left > 0, left, documents + 1)))
        holders = by_label.indices[by_label.indptr[label] : by_label.indptr[label + 1]]
        for document in rng.permutation(holders[fold[holders] < 0]).tolist():
            want, draw = wanted[label], chance[document]
            k = max(range(folds), key=lambda j: (want[j], room[j], draw[j]))
            fold[document] = k
            room[k] -= 1
            own = labels.indices[labels.indptr[document] : labels.indptr[document + 1]]
            left[own] -= 1
            for other in own.tolist():
                wanted[other][k] -= 1
    for document in rng.permutation(np.flatnonzero(fold < 0)).tolist():  # documents without a label
        k = max(range(folds), key=lambda j: (room[j], chance[document][j]))
        fold[document] = k
        room[k] -= 1
    return fold


def _rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _take(X: Any, rows: IntArray) -> Any:
    return X[rows] if hasattr(X, "shape") else [X[i] for i in rows.tolist()]
