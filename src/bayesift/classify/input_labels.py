"""Labels as users write them, and as a matrix (documents, labels) of 0 and 1.

    sets     [("grain", "wheat"), ()]              any number of labels per document
    one      ["spam", "ham"]                       exactly one label per document
    matrix   [[1, 0], [1, 1]], np.eye(2)           one column per label; labels are the numbers of columns
    sparse   a SciPy sparse matrix                 as a matrix
    frame    DataFrame({"grain": [1], "ship": [0]}) as a matrix; labels are the names of columns

A list or array of numbers inside y is always a row of a matrix: all rows have one length and hold 0 and 1 only.
Label sets whose labels are numbers are written as tuples or sets. `predict` returns the kind that was learned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from numbers import Number
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.arrays import zeros_and_ones
from bayesift.classify.input_documents import check_order, column_names
from bayesift.corpora.names import flaw_of
from bayesift.errors import BadInput
from bayesift.text.documents import is_missing

Kind = Literal["sets", "one", "matrix", "sparse", "frame"]
KINDS: tuple[Kind, ...] = ("sets", "one", "matrix", "sparse", "frame")
WORDS_OF_KINDS: dict[Kind, str] = {
    "sets": "label sets", "one": "single labels", "matrix": "a matrix", "sparse": "a sparse matrix",
    "frame": "a data frame",
}  # fmt: skip
Label = str | int
EXACT = 1 << 53  # floats are whole numbers exactly up to this one
NOT_SETS = "give one column per label; single labels as a flat list; label sets of numbers as tuples or sets"


class LabelSets(list[tuple[Label, ...]]):
    """A list of label sets that NumPy takes as an array of one dimension, so that scikit-learn can join several.

    >>> np.concatenate([LabelSets([("a", "b")]), LabelSets([(), ("c",)])]).tolist()
    [('a', 'b'), (), ('c',)]
    """

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.fromiter(self, object, len(self))


def read_targets(y: Any) -> tuple[Any, Kind]:
    """Return targets as a list, an array, a sparse matrix or a data frame, and their kind.

    >>> [read_targets(y)[1] for y in ([{"a"}, set()], ["a", "b"], [[1, 0], [1, 1]], [(1, 0), (1, 1)], np.eye(2))]
    ['sets', 'one', 'matrix', 'sets', 'matrix']
    """
    check_order(y, "y is")
    if hasattr(y, "columns"):
        return y, "frame"
    if isinstance(y, str | Mapping) or not isinstance(y, Iterable):
        found = "one string" if isinstance(y, str) else type(y).__name__
        raise BadInput(f"y is {found}", remedy="give a list, one label or one set of labels per document")
    if sparse.issparse(y):
        return y, "sparse"
    if getattr(y, "ndim", 1) == 2:
        return np.asarray(y), "matrix"
    y = _values(y)
    if any(_is_row(labels) for labels in y):
        return _stacked(y), "matrix"
    return y, single_or_sets(next(iter(y), ()))


def _values(y: Any) -> list[Any]:
    """Return targets as a list; Arrow and Polars have their own values inside."""
    for name in ("to_pylist", "to_list"):
        if type(y).__module__.partition(".")[0] in ("pyarrow", "polars") and hasattr(y, name):
            return list(getattr(y, name)())
    return list(y)


def single_or_sets(first: Any) -> Kind:
    """Return the kind of targets that are no matrix, by the first of them.

    >>> single_or_sets("rain"), single_or_sets(("rain",))
    ('one', 'sets')
    """
    if _is_row(first):
        raise BadInput("targets from an iterator are rows of a matrix", remedy="give label sets, or a whole matrix")
    return "one" if isinstance(first, str | bool | int | float | np.generic) else "sets"


def labels_as_set(labels: Any, row: int, kind: Kind) -> tuple[Label, ...]:
    """Return the labels of one document; `kind` is sets or one."""
    if kind == "one":
        if is_missing(labels):
            raise BadInput(f"document {row} has no label", remedy="leave it out")
        return (as_label(labels, row),)
    return tuple(as_label(label, row) for label in _members(labels, row))


def check_spelling(labels: Collection[Label], where: str) -> None:
    """Raise if a label has no name, or one that tables cannot show; `where` says whose labels these are."""
    for label in labels:
        if not isinstance(label, str):
            continue
        if not label.strip():
            raise BadInput(f"{where} an empty label", remedy="name it, or leave it out")
        if flaw := flaw_of(label):
            raise BadInput(f"{where} the label {label!r} with {flaw}", remedy="leave it out")


def labels_to_come(classes: Any) -> tuple[Label, ...]:
    """Return labels that no document has yet, as `partial_fit` takes them.

    >>> labels_to_come(["rain", "snow"]), labels_to_come(None)
    (('rain', 'snow'), ())
    """
    if classes is None:
        return ()
    if isinstance(classes, str | bytes) or not isinstance(classes, Iterable):
        raise BadInput(f"classes are {classes!r}", remedy="give a list of labels")
    found = tuple(as_label(label, "classes") for label in classes)
    check_spelling(found, "classes have")
    return found


def as_sets(y: Any, kind: Kind) -> list[tuple[Label, ...]]:
    """Return targets of any kind as one tuple of labels per document."""
    if kind in ("one", "sets"):
        return [labels_as_set(labels, row, kind) for row, labels in enumerate(y)]
    names = _columns(y) if kind == "frame" else range(y.shape[1])
    given: Any = y if sparse.issparse(y) else np.asarray(y)
    matrix = zeros_and_ones(given, "a matrix of labels", NOT_SETS)
    ends = matrix.indptr.tolist()
    columns = [names[c] for c in matrix.indices.tolist()]
    return [tuple(columns[begin:end]) for begin, end in pairwise(ends)]


def new_labels(sets: Iterable[Collection[Label]], known: Collection[Label], kind: Kind, y: Any) -> list[Label]:
    """Return the labels that are not known yet, sorted; all columns of a matrix or a frame are labels, in order."""
    if kind == "frame":
        return [name for name in _columns(y) if name not in set(known)]
    if kind in ("matrix", "sparse"):
        return list(range(len(known), y.shape[1]))
    found = {label for labels in sets for label in labels} - set(known)
    texts = {isinstance(label, str) for label in found}
    if len(texts) > 1:
        raise BadInput("labels are texts and numbers mixed", remedy="make all of them texts")
    if found and known and {isinstance(label, str) for label in known} != texts:
        now, before = ("texts", "numbers") if texts == {True} else ("numbers", "texts")
        what = f"labels are {now}, such as {min(found)!r}; those learned are {before}"
        raise BadInput(what, remedy="keep to one kind")
    return sorted(found)


def as_given(decisions: NDArray[Any], p: NDArray[np.float64], names: Sequence[Label], kind: Kind) -> Any:
    """Return decisions (documents, labels) in the kind of the targets that were learned."""
    if kind == "one":
        return label_array(names)[p.argmax(axis=1)]
    if kind == "sets":
        return LabelSets(tuple(names[c] for c in np.flatnonzero(row).tolist()) for row in decisions)
    matrix = decisions.astype(np.int64)
    if kind == "sparse":
        return sparse.csr_matrix(matrix)
    if kind == "frame":
        from pandas import DataFrame

        return DataFrame(matrix, columns=list(names))
    return matrix


def label_array(names: Sequence[Label]) -> NDArray[Any]:
    """Return labels as an array: of objects where whole numbers do not fit into 64 bits.

    >>> label_array([7, 8]).dtype.kind, label_array([7, 1 << 63]).dtype.kind
    ('i', 'O')
    """
    small = all(isinstance(name, str) or -(1 << 63) <= name < 1 << 63 for name in names)
    return np.array(names, None if small else object)


def _is_row(labels: Any) -> bool:
    """Return whether this is a row of a matrix: a list or an array of numbers."""
    if isinstance(labels, np.ndarray):
        return labels.dtype.kind in "biuf"
    return isinstance(labels, list) and len(labels) > 0 and all(isinstance(x, Number | np.bool_) for x in labels)


def _stacked(rows: list[Any]) -> NDArray[Any]:
    for number, row in enumerate(rows):
        if not _is_row(row) or len(row) != len(rows[0]):
            raise BadInput(
                f"row {number} of the targets is {row!r}, the first is {rows[0]!r}",
                remedy="give all rows of a matrix the same length; write label sets of numbers as tuples or sets",
            )
    return np.array(rows)


def _columns(frame: Any) -> list[Label]:
    names = [as_label(name, "the columns") for name in column_names(frame)]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"duplicate column {twice!r} in the targets", remedy="give one column per label")
    check_spelling(names, "the columns of the targets have")
    return names


def _members(labels: Any, row: int) -> Iterable[Any]:
    if labels is None:
        raise BadInput(f"document {row} has no labels", remedy="leave it out, or give () where no label applies")
    if isinstance(labels, Mapping):
        remedy = "give the labels that apply, e.g. {k for k, v in d.items() if v}"
        raise BadInput(f"labels of document {row} are a mapping", remedy=remedy)
    if row == 0 and not isinstance(labels, str | bytes | Iterable):
        as_label(labels, row)  # raises where this is not a label at all: no document before it has a set
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise BadInput(f"labels of document {row} are {labels!r}, those of the first a set", remedy="give sets for all")
    return labels


def as_label(label: Any, where: int | str) -> Label:
    """Return a label as a text or a whole number; `where` is the number of its document, or what it is part of.

    Data frames make floats of whole numbers where one of them is missing: 7.0 is 7.
    """
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, float) and label.is_integer() and abs(label) <= EXACT:
        return int(label)
    if isinstance(label, str | int):
        return label
    place = where if isinstance(where, str) else f"document {where}"
    remedy = "labels are texts or whole numbers; turn others, such as dates, into text"
    raise BadInput(f"a label of {place} is {label!r}", remedy=remedy)
