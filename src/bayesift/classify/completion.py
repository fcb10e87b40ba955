"""Label sets of training documents, completed by a hierarchy as they come, with a count for the note."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from bayesift.classify.hierarchy import Hierarchy
from bayesift.classify.input_labels import Label
from bayesift.errors import Notice


class Completion:
    """Completes label sets one by one, and counts those that lacked an ancestor of theirs."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy, self.documents, self.example = hierarchy, 0, ""

    @classmethod
    def total(cls, hierarchy: Hierarchy, parts: Sequence[Completion]) -> Completion:
        """Return the counts of several parts of the documents."""
        found = cls(hierarchy)
        found.documents = sum(part.documents for part in parts)
        found.example = next((part.example for part in parts if part.example), "")
        return found

    def __call__(self, labels: Collection[Label]) -> tuple[Label, ...]:
        """Return the labels of a document, with all that they imply."""
        found = self.hierarchy.complete(labels)
        if added := set(found) - set(labels):
            self.documents += 1
            self.example = self.example or str(next(label for label in found if label in added))
        return found

    def pairs(self, documents: Iterable[tuple[Any, tuple[Label, ...]]]) -> Iterable[tuple[Any, tuple[Label, ...]]]:
        """Return documents with their labels completed, as they come."""
        return ((document, self(labels)) for document, labels in documents) if self.hierarchy else documents

    def notice(self, stacklevel: int = 5) -> None:
        """Warn about the documents that lacked a label, if there are any."""
        if self.documents:
            many = "1 document gets" if self.documents == 1 else f"{self.documents:,} documents get"
            message = f"{many} labels that the hierarchy implies and that they lacked, as {self.example!r}"
            warnings.warn(message, Notice, stacklevel=stacklevel)
