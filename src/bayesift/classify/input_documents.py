"""Convert what users have as documents into what the vectoriser takes: texts, or mappings from zone to text."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bayesift.corpora import Document
from bayesift.corpora.detect import LISTS, parts_of, separator_of
from bayesift.errors import BadInput, Notice
from bayesift.text.arrow_texts import ArrowTexts, arrow_column
from bayesift.text.documents import is_missing

NOT_TEXT = frozenset({"id", "labels", "date", "split"})  # fields of a document that hold no words


def as_documents(X: Any, columns: Sequence[str] | None = None) -> Sequence[Any]:
    """Return texts, `Document`s, dictionaries, a column or a data frame as a list of documents.

    A column of strings in Arrow's memory stays where it is.

    The columns of a data frame are zones. `columns` are those of the frame that was learned: a frame must have them,
    in any order, and no other text columns.

    >>> as_documents(({"id": 7, "title": "Rain", "body": None} for _ in range(1)))
    [{'title': 'Rain'}]
    """
    if isinstance(X, str | bytes | Mapping | Document):
        raise BadInput(f"one {type(X).__name__} came, not a list of documents", remedy="put it in a list")
    check_order(X, "documents are")
    if isinstance(X, ArrowTexts):
        return X
    if (column := arrow_column(X)) is not None:
        return ArrowTexts(column)
    if is_frame(X):
        X = _records(X, columns)
    elif getattr(X, "ndim", 1) == 2 and X.shape[1] == 1:  # a column of an array
        X = X.ravel()
    if getattr(X, "ndim", 1) != 1 or not isinstance(X, Iterable):
        remedy = "give a list of texts; LabelClassifier takes vectors"
        raise BadInput(f"documents are {type(X).__name__}, not texts", remedy=remedy)
    return [without_other_fields(x, row) for row, x in enumerate(X)]


def check_order(given: Any, what: str) -> None:
    """Raise if this is a set: which of its documents, or of its labels, is the first changes from run to run."""
    if isinstance(given, set | frozenset):
        raise BadInput(f"{what} a {type(given).__name__}, which has no order", remedy="give a list")


def is_frame(X: Any) -> bool:
    """Return whether X is a data frame of pandas or Polars, or a table of Arrow, without importing these."""
    return hasattr(X, "columns") and (hasattr(X, "to_dict") or hasattr(X, "to_pydict"))


def column_names(frame: Any) -> list[Any]:
    """Return the names of the columns of a data frame."""
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def column_values(frame: Any, name: Any) -> list[Any]:
    """Return the values of a column, None where one is missing."""
    column = frame[name]
    if hasattr(column, "to_pylist"):  # Arrow
        return list(column.to_pylist())
    if hasattr(column, "notna"):  # pandas
        return list(column.astype(object).where(column.notna(), None))
    return list(column.to_list())


def text_columns(frame: Any) -> list[str]:
    """Return the columns of a data frame that are text: all but id, labels, date and split."""
    return [column for column in column_names(frame) if column not in NOT_TEXT]


def with_own_labels(X: Any) -> tuple[Any, list[Any]]:
    """Return the labelled documents, and the labels that they bring themselves."""
    if is_frame(X):
        names = column_names(X)
        if "labels" not in names:
            remedy = f"give labels as y, or name a column labels; columns are: {', '.join(map(str, names))}"
            raise BadInput("the data frame brings no labels", remedy=remedy)
        own = column_values(X, "labels")
        rows = [row for row, labels in enumerate(own) if labels is not None]
        if len(rows) < len(own):
            X = X.iloc[rows] if hasattr(X, "iloc") else X.take(rows) if hasattr(X, "take") else X[rows]
        return X, _split([own[row] for row in rows])
    check_order(X, "documents are")
    X = list(X)
    own = [own_labels(x, row) for row, x in enumerate(X)]
    rows = [row for row, labels in enumerate(own) if not is_missing(labels)]
    return [X[row] for row in rows], _split([own[row] for row in rows])


def _split(own: list[Any]) -> list[Any]:
    """Return label sets where the labels of documents are texts with a separator, as the command line reads them."""
    if not all(isinstance(labels, str) for labels in own) or (separator := separator_of(own)) is None:
        return own
    found = "lists of labels" if separator == LISTS else f"label separator {separator!r}"
    message = f"detected {found} in the labels of documents (labels that are given as y are not split)"
    warnings.warn(message, Notice, stacklevel=2)
    return [parts_of(labels, separator) for labels in own]


def own_labels(document: Any, row: int) -> Any:
    """Return the labels that a document brings itself; None if it is unlabelled."""
    if isinstance(document, Document):
        return document.labels
    if isinstance(document, Mapping) and "labels" in document:
        return document["labels"]
    raise BadInput(f"document {row} brings no labels", remedy="give labels as y, one set per document")


def _records(frame: Any, columns: Sequence[str] | None) -> list[dict[str, Any]]:
    found = text_columns(frame)
    if len(set(found)) < len(found):
        twice = next(column for column in found if found.count(column) > 1)
        raise BadInput(f"duplicate column {twice!r} in the data frame", remedy="rename or drop one of them")
    if not found:
        raise BadInput("the data frame has no text column", remedy=f"{', '.join(sorted(NOT_TEXT))} are not text")
    if columns is not None:
        _same_columns(found, list(columns))
        found = list(columns)
    rows = zip(*(column_values(frame, name) for name in found))
    return [dict(zip(found, row)) for row in rows]


def _same_columns(found: list[str], learned: list[str]) -> None:
    unknown = [column for column in found if column not in learned]
    missing = [column for column in learned if column not in found]
    wrong = [f"unknown column {column!r}" for column in unknown] + [f"missing column {column!r}" for column in missing]
    if wrong:
        remedy = f"give the columns that were learned: {', '.join(map(str, learned))}"
        raise BadInput(f"the data frame has other columns: {', '.join(wrong)}", remedy=remedy)


def without_other_fields(document: Any, row: int) -> Any:
    """Return a document; of a dictionary, its texts only."""
    return _zones(document, row) if isinstance(document, Mapping) else document


def _zones(document: Mapping[str, Any], row: int) -> dict[str, str]:
    zones = {}
    for zone, text in document.items():
        if zone in NOT_TEXT or is_missing(text):
            continue
        if not isinstance(text, str):
            remedy = f"drop {zone!r}, or turn it into text"
            raise BadInput(f"{zone!r} of document {row} is {text!r}, not text", remedy=remedy)
        zones[zone] = text
    return zones


def labels_of(documents: Iterable[Document], one_label: bool) -> list[Any]:
    """Return the label sets of documents, or with `one_label` the only label of each.

    >>> labels_of([Document("7", labels=("rain",))], one_label=True)
    ['rain']
    """
    if not one_label:
        return [d.labels for d in documents]
    return [only_label(d) for d in documents]


def only_label(document: Document) -> str:
    """Return the one label of a document, or raise `BadInput` if it has another number of labels."""
    labels = document.labels or ()
    if len(labels) != 1:
        remedy = "a single-label model needs exactly one label per document; fix it, or train without --one-label"
        raise BadInput(f"document {document.id!r} has {len(labels)} labels", remedy=remedy)
    return labels[0]
