"""Labelled documents that come one at a time from an iterator, so that they need not be in memory together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from bayesift.classify.input_documents import own_labels, without_other_fields
from bayesift.classify.input_labels import Kind, Label, check_spelling, labels_as_set, single_or_sets
from bayesift.errors import BadInput
from bayesift.text.documents import is_missing

_END = object()


class LabelledStream:
    """Pairs of a document and its labels; unlabelled documents that bring their own labels are left out.

    >>> stream = LabelledStream(iter([{"title": "Rain", "labels": ["weather"]}, {"title": "?", "labels": None}]))
    >>> stream.kind, list(stream)
    ('sets', [({'title': 'Rain'}, ('weather',))])
    """

    def __init__(self, X: Any, y: Any = None) -> None:
        self._pairs = self._own(X) if y is None else self._given(X, y)
        first = next(self._pairs, None)
        self.kind: Kind = "sets" if first is None else single_or_sets(first[1])
        self._first = [] if first is None else [first]

    def __iter__(self) -> Iterator[tuple[Any, tuple[Label, ...]]]:
        for row, (document, labels) in enumerate(chain(self._first, self._pairs)):
            found = labels_as_set(labels, row, self.kind)
            check_spelling(found, f"document {row} has")
            yield without_other_fields(document, row), found

    def _own(self, X: Any) -> Iterator[tuple[Any, Any]]:
        for row, document in enumerate(X):
            labels = own_labels(document, row)
            if not is_missing(labels):
                yield document, labels

    def _given(self, X: Any, y: Any) -> Iterator[tuple[Any, Any]]:
        documents, targets = iter(X), iter(y)
        for row, document in enumerate(documents):
            labels = next(targets, _END)
            if labels is _END:
                raise BadInput(f"more than {row} documents and {row} targets", remedy="give one target per document")
            yield document, labels
        if next(targets, _END) is not _END:
            raise BadInput("more targets than documents", remedy="give one target per document")


def is_stream(X: Any, y: Any) -> bool:
    """Return whether documents, and targets if they are given, come from iterators.

    >>> is_stream(iter([]), None), is_stream([], None), is_stream(iter([]), [])
    (True, False, False)
    """
    return isinstance(X, Iterator) and (y is None or isinstance(y, Iterator))
