"""Convert what users have as documents into what the vectoriser takes: texts, or mappings from zone to text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bayesift.corpora import Document
from bayesift.errors import BadInput

NOT_TEXT = frozenset({"id", "labels", "date", "split"})  # fields of a document that hold no words


def as_documents(X: Any, columns: Sequence[str] | None = None) -> list[Any]:
    """Return texts, `Document`s, dictionaries, a column or a data frame as a list of documents.

    The columns of a data frame are zones. `columns` are those of the frame that was learned: a frame must have them,
    in any order, and no other text columns.

    >>> as_documents(({"id": 7, "title": "Rain", "body": None} for _ in range(1)))
    [{'title': 'Rain'}]
    """
    if isinstance(X, str | bytes | Mapping | Document):
        raise BadInput(f"one {type(X).__name__} came, not a list of documents", remedy="put it in a list")
    if is_frame(X):
        X = _records(X, columns)
    elif getattr(X, "ndim", 1) == 2 and X.shape[1] == 1:  # a column of an array
        X = X.ravel()
    if getattr(X, "ndim", 1) != 1 or not isinstance(X, Iterable):
        remedy = "give a list of texts; LabelClassifier takes vectors"
        raise BadInput(f"documents are {type(X).__name__}, not texts", remedy=remedy)
    return [_zones(x, row) if isinstance(x, Mapping) else x for row, x in enumerate(X)]


def is_frame(X: Any) -> bool:
    """Return whether X is a data frame, without importing pandas."""
    return hasattr(X, "columns") and hasattr(X, "to_dict")


def text_columns(frame: Any) -> list[str]:
    """Return the columns of a data frame that are text: all but id, labels, date and split."""
    return [column for column in frame.columns.tolist() if column not in NOT_TEXT]


def with_own_labels(X: Any) -> tuple[Any, list[Any]]:
    """Return the labelled documents, and the labels that they bring themselves."""
    if is_frame(X):
        if "labels" not in X.columns:
            remedy = f"give labels as y, or name a column labels; columns are: {', '.join(map(str, X.columns))}"
            raise BadInput("the data frame brings no labels", remedy=remedy)
        X = X[X["labels"].notna()]
        return X, X["labels"].tolist()
    X = list(X)
    own = [_labels(x, row) for row, x in enumerate(X)]
    return [x for x, labels in zip(X, own) if labels is not None], [labels for labels in own if labels is not None]


def _labels(document: Any, row: int) -> Any:
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
    texts = frame[found]
    records: list[dict[str, Any]] = texts.astype(object).where(texts.notna(), None).to_dict("records")
    return records


def _same_columns(found: list[str], learned: list[str]) -> None:
    unknown = [column for column in found if column not in learned]
    missing = [column for column in learned if column not in found]
    wrong = [f"unknown column {column!r}" for column in unknown] + [f"missing column {column!r}" for column in missing]
    if wrong:
        remedy = f"give the columns that were learned: {', '.join(map(str, learned))}"
        raise BadInput(f"the data frame has other columns: {', '.join(wrong)}", remedy=remedy)


def _zones(document: Mapping[str, Any], row: int) -> dict[str, str]:
    zones = {}
    for zone, text in document.items():
        if zone in NOT_TEXT or text is None or text != text:  # nan is what a data frame has for a missing text
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
    found = []
    for d in documents:
        if len(d.labels or ()) != 1:
            remedy = "a single-label model needs exactly one label per document; fix it, or train without --one-label"
            raise BadInput(f"document {d.id!r} has {len(d.labels or ())} labels", remedy=remedy)
        found.append((d.labels or ("",))[0])
    return found
