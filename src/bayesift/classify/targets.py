"""Labels as people write them, and as a matrix (documents, labels) of 0 and 1: three kinds, told apart by what comes.

    sets     [("grain", "wheat"), ()]      many labels a document, or none
    one      ["spam", "ham"]               exactly one label a document
    matrix   [[1, 0], [1, 1]]              as scikit-learn has it; labels are the numbers of columns

What comes out of `predict` is of the kind that went in.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput, Notice

Kind = Literal["sets", "one", "matrix"]
Label = str | int


def kind_of(y: Any) -> Kind:
    """Tell the kind of targets.

    >>> kind_of([{"a"}, set()]), kind_of(["a", "b"]), kind_of(np.eye(2))
    ('sets', 'one', 'matrix')
    """
    if isinstance(y, str):
        raise BadInput("y is one string", remedy="give a list, one label or one set of labels a document")
    if getattr(y, "ndim", 1) == 2:
        return "matrix"
    first = next(iter(y), ())
    return "one" if isinstance(first, str | bool | int | np.generic) else "sets"


def as_sets(y: Any, kind: Kind) -> list[tuple[Label, ...]]:
    """Targets of any kind as one tuple of labels a document."""
    if kind == "matrix":
        matrix: Any = sparse.csr_matrix(y)
        if not np.isin(matrix.data, (0, 1)).all():
            raise BadInput("a matrix of labels must hold 0 and 1 only", remedy="give a column a label")
        matrix.eliminate_zeros()
        return [tuple(row.indices.tolist()) for row in matrix]
    if kind == "one":
        return [(_label(label, row),) for row, label in enumerate(y)]
    return [tuple(_label(label, row) for label in _members(labels, row)) for row, labels in enumerate(y)]


def label_matrix(sets: Sequence[Collection[Label]], number: dict[Label, int]) -> sparse.csr_matrix:
    """(documents, labels) of 0 and 1; labels without a number are left out.

    >>> label_matrix([("b",), ("a", "c")], {"a": 0, "b": 1}).toarray()
    array([[0, 1],
           [1, 0]], dtype=int8)
    """
    rows = [sorted({number[label] for label in labels if label in number}) for labels in sets]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    indices = np.fromiter((c for row in rows for c in row), np.int32, int(indptr[-1]))
    return sparse.csr_matrix((np.ones(indices.size, np.int8), indices, indptr), shape=(len(rows), len(number)))


def new_labels(sets: Iterable[Collection[Label]], known: Collection[Label], kind: Kind, y: Any) -> list[Label]:
    """The labels that are not known yet, sorted; of a matrix all its columns are labels."""
    if kind == "matrix":
        return list(range(len(known), y.shape[1]))
    found = {label for labels in sets for label in labels} - set(known)
    try:
        return sorted(found)
    except TypeError:
        raise BadInput("labels are texts and numbers mixed", remedy="make all of them texts") from None


def as_given(decisions: NDArray[Any], p: NDArray[np.float64], names: Sequence[Label], kind: Kind) -> Any:
    """Decisions (documents, labels) in the kind of the targets that were learned; one label is the most probable."""
    if kind == "matrix":
        return decisions.astype(np.int64)
    if kind == "one":
        return np.array(names)[p.argmax(axis=1)]
    return [tuple(names[c] for c in np.flatnonzero(row).tolist()) for row in decisions]


def notice_case(names: Iterable[Label]) -> None:
    """Say which labels differ only in case or in spaces around them: mostly one label, written in two ways."""
    alike = defaultdict(list)
    for name in names:
        if isinstance(name, str):
            alike[" ".join(name.split()).casefold()].append(name)
    for group in alike.values():
        if len(group) > 1:
            told = ", ".join(map(repr, group))
            message = f"labels that differ only in case or spaces are taken as different: {told}"
            warnings.warn(message, Notice, stacklevel=3)


def _members(labels: Any, row: int) -> Iterable[Any]:
    if labels is None:
        raise BadInput(f"document {row} has no judgement", remedy="leave it out, or give () where no label applies")
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise BadInput(f"labels of document {row} are {labels!r}, those of the first a set", remedy="give sets for all")
    return labels


def _label(label: Any, row: int) -> Label:
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, str | int):
        return label
    raise BadInput(f"a label of document {row} is {label!r}", remedy="labels are texts or whole numbers")
