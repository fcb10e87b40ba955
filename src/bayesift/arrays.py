"""Label matrices, scores and probabilities: checked and converted in this one place.

A label matrix is (documents, labels) of 0 and 1, dense or sparse. `label_matrix` builds one from label sets, and
`zeros_and_ones` checks one: measures and rules call `as_labels`, learners `as_targets`. All return canonical CSR,
so that a sparse matrix is never made dense. The arrays that were given are never changed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bayesift.errors import BadInput

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
LabelMatrix: TypeAlias = "npt.ArrayLike | sparse.sparray | sparse.spmatrix"
BoolCSR: TypeAlias = "sparse.csr_array[np.bool_, tuple[int, int]]"
AT_ONCE = 32  # bytes per document and label while all probabilities are computed and measured: four copies


def label_matrix(sets: Sequence[Collection[Hashable]], labels: Iterable[Hashable]) -> sparse.csr_matrix:
    """Return label sets as (documents, labels) of 0 and 1, one column per label; other labels are left out.

    >>> label_matrix([("b",), ("a", "c")], ["a", "b"]).toarray()
    array([[0, 1],
           [1, 0]], dtype=int8)
    """
    column = {label: c for c, label in enumerate(labels)}
    rows = [sorted({column[label] for label in own if label in column}) for own in sets]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    indices = np.fromiter((c for row in rows for c in row), np.int32, int(indptr[-1]))
    return sparse.csr_matrix((np.ones(indices.size, np.int8), indices, indptr), shape=(len(rows), len(column)))


def check_room(documents: int, labels: int) -> None:
    """Raise if memory cannot hold a probability for each of so many documents and labels.

    >>> check_room(10**9, 10**5)
    Traceback (most recent call last):
    bayesift.errors.BadInput: probabilities of 1,000,000,000 documents x 100,000 labels take 3,200,000 GB of memory, ...
    """
    size, memory = AT_ONCE * documents * labels, _memory()
    if size > memory:
        raise BadInput(
            f"probabilities of {documents:,} documents x {labels:,} labels take {size / 1e9:,.0f} GB of memory,"
            f" and there are {memory / 1e9:,.0f} GB",
            remedy="give fewer documents at a time; with the learner wide use predict, or candidates, whose result is"
            " sparse",
        )


def _memory() -> int:
    """Return the bytes of memory of this machine; where it does not say, more than any has."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 1 << 62


def as_labels(matrix: LabelMatrix, what: str) -> BoolCSR:
    """Return the label matrix as canonical CSR of bool; a vector is one label. `what` names it in errors.

    >>> as_labels([[1, 0], [0, 0]], "truth").nnz
    1
    >>> as_labels([[2, 0]], "truth")
    Traceback (most recent call last):
    bayesift.errors.BadInput: truth must hold only 0 and 1, but holds 2; give one column per label, 1 ...
    """
    found: Any = matrix if sparse.issparse(matrix) else _two_dimensional(matrix, what)
    if found.ndim != 2:
        raise _not_a_matrix(what, found.ndim)
    if 0 in found.shape:
        raise BadInput(
            f"{what} must have documents and labels, but its shape is {found.shape}",
            remedy="there is nothing to measure yet",
        )
    csr = zeros_and_ones(found, what)
    return sparse.csr_array((np.ones(csr.nnz, bool), csr.indices, csr.indptr), shape=csr.shape)


def as_targets(Y: Any, documents: int) -> sparse.csr_matrix:
    """Return the targets of so many documents as canonical CSR of int8; raise on anything but a label matrix.

    Errors are in scikit-learn's words, which its checks of estimators look for.

    >>> as_targets([[1, 0], [1, 1]], 2).toarray()
    array([[1, 0],
           [1, 1]], dtype=int8)
    """
    if Y is None:
        raise BadInput("a classifier requires y to be passed, but the target y is None", remedy="give labels")
    try:
        found: Any = Y if sparse.issparse(Y) else np.asarray(Y)
    except ValueError:  # rows of different lengths
        raise _not_columns("label sets") from None
    if found.ndim != 2 or found.dtype.kind not in "biuf":
        from sklearn.utils.multiclass import type_of_target

        raise _not_columns(f"{'one-dimensional ' if found.ndim == 1 else ''}{type_of_target(found)}")
    if found.shape[0] != documents:
        raise BadInput(f"{documents} documents and {found.shape[0]} rows of labels", remedy="give one row per document")
    csr = zeros_and_ones(found, "Y")
    return sparse.csr_matrix((np.ones(csr.nnz, np.int8), csr.indices, csr.indptr), shape=csr.shape)


def zeros_and_ones(
    matrix: Any, what: str, remedy: str = "give one column per label, 1 where the document has it"
) -> sparse.csr_array:
    """Return an array or a sparse matrix of two dimensions as canonical CSR; raise unless it holds only 0 and 1."""
    if matrix.dtype.kind not in "biuf":
        raise BadInput(f"{what} must hold only 0 and 1, but its type is {matrix.dtype}", remedy=remedy)
    csr = sparse.csr_array(matrix)
    if not csr.has_canonical_format:
        csr = csr.copy()  # it may share memory with what was given
        csr.sum_duplicates()
    if csr.data.dtype.kind != "b":
        wrong = csr.data[(csr.data != 0) & (csr.data != 1)]
        if wrong.size:
            raise BadInput(f"{what} must hold only 0 and 1, but holds {wrong[0]:g}", remedy=remedy)
    if not csr.data.all():
        csr = csr.copy()
        csr.eliminate_zeros()
    return csr


def as_numbers(numbers: npt.ArrayLike, shape: tuple[int, int], what: str) -> npt.NDArray[np.floating[Any]]:
    """Return dense numbers of the shape of the truth, float32 or float64; raise if one is missing."""
    if sparse.issparse(numbers):
        raise BadInput(f"{what} must be dense, but is sparse", remedy="give its .toarray()")
    found = _two_dimensional(numbers, what)
    if found.dtype.kind not in "biuf":
        raise BadInput(f"{what} must be numbers, but their type is {found.dtype}", remedy="give floats")
    same_shape(shape, found.shape, what)
    if found.dtype not in (np.float32, np.float64):
        found = found.astype(np.float64)
    if np.isnan(found).any():
        raise BadInput(
            f"{what} must have no missing numbers, but some are nan", remedy="find where they come from"
        )
    return found


def as_probabilities(
    numbers: npt.ArrayLike, shape: tuple[int, int] | None = None, what: str = "probabilities"
) -> npt.NDArray[Any]:
    """Return dense numbers between 0 and 1, of the shape of the truth where it is given, else (documents, labels)."""
    found = as_scores(numbers, what) if shape is None else as_numbers(numbers, shape, what)
    if found.size and (found.min() < 0 or found.max() > 1):
        raise BadInput(
            f"{what} must lie between 0 and 1, but go from {found.min():g} to {found.max():g}",
            remedy="give probabilities, not scores (np.clip corrects rounding errors)",
        )
    return found


def as_scores(scores: npt.ArrayLike, what: str = "scores") -> FloatArray:
    """Return the scores as float64 (documents, labels); there may be no documents, but no nan.

    >>> as_scores([0.5, 0.25]).shape
    (2, 1)
    """
    try:
        found: Any = scores if sparse.issparse(scores) else np.asarray(scores)
    except ValueError as error:
        raise BadInput(f"{what} is not an array: {error}", remedy="give rows of one length") from error
    shape = (found.shape[0], 1) if found.ndim == 1 else found.shape
    return as_numbers(found, shape, what).astype(np.float64, copy=False)


def as_labelled(scores: npt.ArrayLike, truth: LabelMatrix) -> tuple[FloatArray, BoolArray]:
    """Return finite scores and the dense truth, of one shape."""
    t = as_labels(truth, "truth")
    s = as_numbers(scores, t.shape, "scores").astype(np.float64, copy=False)
    if not np.isfinite(s).all():
        raise BadInput("scores must be finite to fit thresholds, but some are infinite", remedy="clip them")
    return s, t.toarray()


def as_folds(folds: npt.ArrayLike | None, documents: int) -> IntArray:
    """Return the fold of each document, numbered from 0; None is one fold that holds all."""
    if folds is None:
        return np.zeros(documents, np.int64)
    found = np.asarray(folds)
    if found.shape != (documents,) or found.dtype.kind not in "iu":
        raise BadInput(
            f"folds must be {documents} whole numbers, one per document, but are {found.dtype} of shape {found.shape}",
            remedy="give the folds of cross_validated_scores",
        )
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


def above(scores: npt.ArrayLike, thresholds: FloatArray) -> BoolArray:
    """Return score > threshold, one threshold per label.

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


def same_shape(expected: tuple[int, ...], came: tuple[int, ...], what: str) -> None:
    """Raise unless the shape is that of the truth; `what` names the array in errors."""
    if expected != came:
        raise BadInput(
            f"{what} must have the shape of truth, {expected}, but has {came}",
            remedy="rows are documents, columns are labels, in the same order in both",
        )


def _two_dimensional(numbers: Any, what: str) -> npt.NDArray[Any]:
    try:
        found = np.asarray(numbers)
    except ValueError as error:
        raise BadInput(f"{what} is not an array: {error}", remedy="give rows of one length") from error
    if found.ndim == 1:
        found = found[:, None]
    if found.ndim != 2:
        raise _not_a_matrix(what, found.ndim)
    return found


def _not_columns(kind: str) -> BadInput:
    return BadInput(
        f"Unknown label type: {kind}. Only binary classification is supported, with one column of 0 and 1 per label",
        remedy="MultiLabelBinarizer and LabelBinarizer make such columns; TextClassifier takes labels as they are",
    )


def _not_a_matrix(what: str, dimensions: int) -> BadInput:
    return BadInput(
        f"{what} must be a matrix (documents, labels), but has {dimensions} dimensions",
        remedy="give one row per document and one column per label",
    )
