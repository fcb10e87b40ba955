"""What the rules take: dense scores (documents, labels), and a truth of the same shape; a vector is one label."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.evaluate.arrays import FloatArray, LabelMatrix, as_labels, as_numbers

BoolArray: TypeAlias = npt.NDArray[np.bool_]
IntArray: TypeAlias = npt.NDArray[np.int64]


def as_scores(scores: npt.ArrayLike, what: str = "scores") -> FloatArray:
    """Give the scores as float64 (documents, labels); there may be no documents, but no nan.

    >>> as_scores([0.5, 0.25]).shape
    (2, 1)
    """
    try:
        found: Any = scores if sparse.issparse(scores) else np.asarray(scores)
    except ValueError as error:
        raise BadInput(f"{what} is not an array: {error}", remedy="give rows of one length") from error
    shape = (found.shape[0], 1) if found.ndim == 1 else found.shape
    return as_numbers(found, shape, what).astype(np.float64, copy=False)


def as_probabilities(numbers: npt.ArrayLike) -> FloatArray:
    """Give probabilities as float64 (documents, labels)."""
    found = as_scores(numbers, "probabilities")
    if found.size and (found.min() < 0 or found.max() > 1):
        raise BadInput(
            f"probabilities must lie between 0 and 1, but go from {found.min():g} to {found.max():g}",
            remedy="this rule needs probabilities; MaxF1, MinError, SCut and Fixed take any scores",
        )
    return found


def as_judged(scores: npt.ArrayLike, truth: LabelMatrix) -> tuple[FloatArray, BoolArray]:
    """Give finite scores and the dense truth, of one shape."""
    t = as_labels(truth, "truth")
    s = as_numbers(scores, t.shape, "scores").astype(np.float64, copy=False)
    if not np.isfinite(s).all():
        raise BadInput("scores must be finite to fit thresholds, but some are infinite", remedy="clip them")
    return s, t.toarray()


def as_folds(folds: npt.ArrayLike | None, documents: int) -> IntArray:
    """Give the fold of each document, numbered from 0; None is one fold that holds all."""
    if folds is None:
        return np.zeros(documents, np.int64)
    found = np.asarray(folds)
    if found.shape != (documents,) or found.dtype.kind not in "iu":
        raise BadInput(
            f"folds must be {documents} whole numbers, one a document, but are {found.dtype} of shape {found.shape}",
            remedy="give the folds of cross_validated_scores",
        )
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


def above(scores: npt.ArrayLike, thresholds: FloatArray) -> BoolArray:
    """Give score > threshold, one threshold a label.

    >>> above([[0.2, 0.9], [0.3, 0.1]], np.array([0.2, 0.5]))
    array([[False,  True],
           [ True, False]])
    """
    found = as_scores(scores)
    if found.shape[1] != thresholds.size:
        raise BadInput(
            f"the rule was fitted to {thresholds.size} labels, but scores has {found.shape[1]} columns",
            remedy="give the same labels in the same order, or fit the rule again",
        )
    return found > thresholds
