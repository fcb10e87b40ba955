"""Partitions of documents, each counted on a worker by a vectoriser of its own, then put together to larger ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone

from bayesift.classify.blocks.stream import LabelledStream
from bayesift.classify.completion import Completion
from bayesift.classify.hierarchy import Hierarchy
from bayesift.classify.input_documents import is_frame, only_label
from bayesift.classify.input_labels import Kind, Label
from bayesift.cluster.vocabularies import Terms
from bayesift.corpora import Skipped
from bayesift.corpora.detect import list_in
from bayesift.corpora.document_file import DocumentFile
from bayesift.corpora.document_files import read_files
from bayesift.corpora.layout import Layout
from bayesift.text import TextVectorizer

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


@dataclass
class CountedPartition:
    """Terms, counts and labels of documents; both are numbered as they first occur."""

    terms: Ints
    counts: NDArray[Any]
    ends: Longs  # of rows, with 0 first
    codes: Ints
    label_ends: Longs
    labels: list[Label]

    def some(self, documents: Longs) -> CountedPartition:
        """Return some of the documents, in the order given."""
        words, tags = (
            sparse.csr_matrix((data, numbers, ends), shape=(ends.size - 1, int(numbers.max(initial=0)) + 1))[documents]
            for data, numbers, ends in (
                (self.counts, self.terms, self.ends),
                (np.ones(self.codes.size, np.int8), self.codes, self.label_ends),
            )
        )
        ends, label_ends = (rows.indptr.astype(np.int64) for rows in (words, tags))
        return CountedPartition(words.indices, words.data, ends, tags.indices, label_ends, self.labels)


@dataclass
class Summary:
    """What the client knows of a partition."""

    documents: int
    entries: int  # terms of its documents
    kind: Kind | None  # of the labels; None if it is empty
    labels: list[Label]  # in the order in which they first occur
    label_documents: list[int]
    fewest: int  # labels of a document
    most: int
    bad: int  # files or lines skipped
    first_bad: str
    completed: Completion  # what was added to label sets


@dataclass(frozen=True)
class Reader:
    """How the files of a cluster are read.

    Documents whose split is not `side` are left out, unless it is empty. With `one_label` each has a single label.
    Label sets are completed by the hierarchy.
    """

    layout: Layout = field(default_factory=Layout)
    skip_bad: bool = False
    side: str = ""
    one_label: bool = False
    hierarchy: Hierarchy = field(default_factory=Hierarchy)

    def documents(self, path: Path, skipped: Skipped | None) -> Iterator[Any]:
        """Yield the documents of a file."""
        for _, document in DocumentFile(path, self.layout, skipped=skipped):
            if document.labels is None or (self.side and (document.split or self.side) != self.side):
                continue
            yield {**document.zones(), "labels": only_label(document)} if self.one_label else document


def count_partition(source: Any, vectorizer: TextVectorizer, reader: Reader) -> tuple[CountedPartition, Terms, Summary]:
    """Count the documents of a list, a data frame or a file."""
    own, skipped = clone(vectorizer), Skipped() if reader.skip_bad else None
    stream = LabelledStream(_documents(source, reader, skipped))
    codes: dict[Label, int] = {}
    waiting: list[list[int]] = []
    completed = Completion(reader.hierarchy)

    def documents() -> Iterable[Any]:
        for document, labels in completed.pairs(stream):
            waiting.append([codes.setdefault(label, len(codes)) for label in dict.fromkeys(labels)])
            yield document

    blocks = list(own.fit_blocks(documents()))
    terms = np.concatenate([np.empty(0, np.int32), *(block[0] for block in blocks)])
    counts = np.concatenate([np.empty(0, np.uint8), *(block[1] for block in blocks)])
    sizes = np.concatenate([np.empty(0, np.int64), *(np.diff(block[2], prepend=0) for block in blocks)])
    learned = [labels for labels, size in zip(waiting, sizes.tolist()) if size]  # others would move biases alone
    ends = np.concatenate([[0], np.cumsum(sizes[sizes > 0])])
    numbers = np.array([len(labels) for labels in learned], np.int64)
    found = np.fromiter(chain.from_iterable(learned), np.int32, int(numbers.sum()))
    partition = CountedPartition(terms, counts, ends, found, np.concatenate([[0], np.cumsum(numbers)]), list(codes))
    have = np.bincount(found, minlength=len(codes)).tolist()
    kind = stream.kind if waiting else None
    bad, first = (skipped.count, str(skipped.first[0])) if skipped is not None and skipped.count else (0, "")
    fewest, most = (int(numbers.min()), int(numbers.max())) if learned else (0, 0)
    summary = Summary(len(learned), terms.size, kind, list(codes), have, fewest, most, bad, first, completed)
    return partition, Terms.of(own), summary


def groups_of(sizes: Sequence[int], many: int) -> list[tuple[int, int]]:
    """Return where so many groups of neighbours with about as many documents begin and end; no part is split.

    >>> groups_of([2, 2, 0, 3, 9, 1], 4), groups_of([5, 5], 3)
    ([(0, 3), (3, 4), (4, 5), (5, 6)], [(0, 1), (1, 2)])
    """
    middle = np.cumsum([0, *sizes])[:-1] + np.asarray(sizes) / 2
    group = np.minimum(middle * many // max(1, sum(sizes)), many - 1)
    return list(pairwise([0, *(np.flatnonzero(np.diff(group)) + 1).tolist(), len(sizes)]))


def together(parts: Sequence[CountedPartition], places: Sequence[Ints]) -> CountedPartition:
    """Return neighbours as one; places are the numbers of each part's terms among the terms of all documents."""
    labels: dict[Label, int] = {}
    codes = []
    for part in parts:
        number = np.array([labels.setdefault(label, len(labels)) for label in part.labels], np.int32)
        codes.append(number[part.codes])
    return CountedPartition(
        np.concatenate([place[part.terms] for part, place in zip(parts, places)]),
        np.concatenate([part.counts for part in parts]),
        _ends([part.ends for part in parts]),
        np.concatenate(codes),
        _ends([part.label_ends for part in parts]),
        list(labels),
    )


def _ends(parts: Sequence[Longs]) -> Longs:
    """Return where the rows of all parts end, one part after the other."""
    return np.concatenate([[0], np.cumsum(np.concatenate([np.diff(ends) for ends in parts]))])


def _documents(source: Any, reader: Reader, skipped: Skipped | None) -> Any:
    if isinstance(source, Path):
        return read_files([source], lambda path: reader.documents(path, skipped), skipped)
    return map(_row, source.to_dict("records")) if is_frame(source) else iter(source)


def _row(document: dict[str, Any]) -> dict[str, Any]:
    """Return a row of a data frame; Dask turns lists of labels into text, which is read as a list again."""
    labels = document.get("labels")
    found = list_in(labels) if isinstance(labels, str) else None
    missing = labels is None or (isinstance(labels, float) and labels != labels)
    return document | {"labels": None if missing else labels if found is None else found}
