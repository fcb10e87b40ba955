"""A labelled stream for a filter: its first part is for training, the rest comes one document after another.

The vocabulary and the document frequencies are those of the training part, as in chai2002. Or they grow, as on a live
stream, and are those of the training part and of the stream up to and including the document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.corpora import Document
from bayesift.errors import BadInput
from bayesift.filtering.profile import Profile
from bayesift.filtering.profile_settings import ProfileSettings
from bayesift.filtering.rows import Row, rows_of
from bayesift.filtering.topic_counts import Background, background_of
from bayesift.progress import track
from bayesift.text import TextVectorizer


@dataclass(frozen=True)
class Task:
    """Training documents as a matrix, stream documents as rows, and the labels of both."""

    name: str
    training_documents: list[Document]
    training: sparse.csr_matrix
    training_labels: list[tuple[str, ...]]
    documents: list[Document]  # of the stream
    rows: list[Row]
    vectorizer: TextVectorizer
    background: Background

    def relevant(self, topic: str) -> list[int]:
        """Return the rows of the training documents that are relevant to a topic."""
        return [i for i, labels in enumerate(self.training_labels) if topic in labels]

    def truth(self, topic: str) -> NDArray[np.bool_]:
        """Return which documents of the stream are relevant to a topic."""
        return np.array([topic in (d.labels or ()) for d in self.documents], bool)

    def topics(self, training: tuple[int, int], after: tuple[int, int]) -> list[str]:
        """Return the labels whose numbers of training documents and of stream documents are within these ranges."""
        before = Counter(label for labels in self.training_labels for label in labels)
        later = Counter(label for d in self.documents for label in d.labels or ())
        wanted = {t for t in before if training[0] <= before[t] <= training[1] and after[0] <= later[t] <= after[1]}
        return sorted(wanted)

    def profile(self, topic: str, settings: ProfileSettings, statement: str | None = None) -> Profile:
        """Return a topic's profile after its batch phase, with its statement, if any, as one more relevant document.

        The training documents count as judged for a topic only if one of them is relevant to it.
        """
        row = None if statement is None else next(rows_of(self.vectorizer.transform([statement])))
        relevant = self.relevant(topic)
        return Profile.start(
            topic, settings, background=self.background, training=self.training if relevant else None,
            relevant=relevant, statement=row,
        )  # fmt: skip


def prepare(
    name: str, documents: Iterable[Document], share: float = 0.2, grow: bool = False, **vectorizer: object
) -> Task:
    """Return a task made of documents in their order; the first `share` of them is for training."""
    everything = list(documents)
    if not 0.0 <= share < 1.0:
        raise BadInput(f"the share for training is {share}", remedy="give at least 0 and less than 1")
    n = int(len(everything) * share)
    if n < 1 or n == len(everything):
        reason = f"{len(everything)} documents are too few to split into training and stream"
        raise BadInput(reason, remedy="give more documents, or another share for training")
    terms = TextVectorizer(**({"weight": "ltc", "numbers": False} | vectorizer))  # type: ignore[arg-type]
    training = terms.fit_transform(everything[:n])
    rows = list(_growing(terms, everything[n:]) if grow else rows_of(terms.transform(everything[n:])))
    labels = [d.labels or () for d in everything[:n]]
    return Task(name, everything[:n], training, labels, everything[n:], rows, terms, background_of(training))


def _growing(terms: TextVectorizer, documents: Sequence[Document]) -> Iterator[Row]:
    for document in track(documents, "words"):
        yield Row(*terms.learn_row(document))


def in_order_of_date(documents: Sequence[Document]) -> list[Document]:
    """Return documents sorted by date; ties keep their order, and documents without a date come first."""
    return sorted(documents, key=lambda d: d.date or "")
