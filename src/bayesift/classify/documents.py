"""What people have as documents, made into what the vectoriser takes: texts, or mappings from zone to text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bayesift.corpora import Document
from bayesift.errors import BadInput

NOT_TEXT = frozenset({"id", "labels", "date", "split"})  # fields of a document that hold no words


def as_documents(X: Any) -> list[Any]:
    """Texts, `Document`s, dictionaries, a column of a data frame, or a data frame whose columns are zones.

    >>> as_documents(({"id": 7, "title": "Rain", "body": None} for _ in range(1)))
    [{'title': 'Rain'}]
    """
    if isinstance(X, str | bytes | Mapping | Document):
        raise BadInput(f"one {type(X).__name__} came, not a list of documents", remedy="put it in a list")
    if hasattr(X, "columns") and hasattr(X, "to_dict"):  # a data frame
        X = X.to_dict("records")
    elif getattr(X, "ndim", 1) == 2 and X.shape[1] == 1:  # a column of an array
        X = X.ravel()
    if getattr(X, "ndim", 1) != 1 or not isinstance(X, Iterable):
        remedy = "give a list of texts; LabelClassifier takes vectors"
        raise BadInput(f"documents are {type(X).__name__}, not texts", remedy=remedy)
    return [_zones(x) if isinstance(x, Mapping) else x for x in X]


def own_labels(X: Iterable[Any]) -> list[Any]:
    """The labels that documents bring themselves; None for one that nobody judged."""
    found = []
    for row, x in enumerate(X):
        if isinstance(x, Document):
            found.append(x.labels)
        elif isinstance(x, Mapping) and "labels" in x:
            found.append(x["labels"])
        else:
            raise BadInput(f"document {row} brings no labels", remedy="give labels as y, one set a document")
    return found


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


def _zones(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        zone: text
        for zone, text in document.items()
        if zone not in NOT_TEXT and text is not None and text == text  # nan is what a data frame has for nothing
    }
