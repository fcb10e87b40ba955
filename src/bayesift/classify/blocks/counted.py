"""Term counts and labels of documents, on disk in blocks: every document is read once.

A block holds the terms, counts and labels of `DOCUMENTS` documents or more, up to `MOST_DOCUMENTS` as long as its terms
and its margins are few: learning a block copies all weights once, so that larger ones are faster. Terms and labels are
numbered as they come; columns are known at the end, when document frequencies are, so a block becomes a matrix when it
is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.classify.blocks.fitting import Counting, MarginCounts, in_blocks, learn_here, put_together
from bayesift.classify.blocks.spill import Spill
from bayesift.classify.input_labels import Label
from bayesift.learn.bomc.bomc import BOMC
from bayesift.text import TextVectorizer

DOCUMENTS, MOST_DOCUMENTS = 1 << 14, 1 << 16
BLOCK_ENTRIES, BLOCK_CELLS = 1 << 22, 1 << 24  # terms, and documents times labels, of a block with more documents
CELLS = 1 << 27  # documents times labels that are held in memory at most: 0.5 GB for the margins of one round
ENTRIES = 1 << 26  # terms of documents that are held in memory at most: 0.8 GB of vectors


class CountedDocuments:
    """Documents in blocks, counted by a vectoriser that was fitted to them."""

    def __init__(self, vectorizer: TextVectorizer, folder: str | Path | None = None) -> None:
        self.vectorizer = vectorizer
        self.sizes: list[int] = []
        self.entries = 0
        self.fewest_labels, self.most_labels = 1 << 62, 0  # of a document
        self._spill = Spill(folder)
        self._codes: dict[Label, int] = {}
        self._column: NDArray[np.int32] = np.empty(0, np.int32)  # of each code
        self._labels = 0

    @classmethod
    def read(
        cls, vectorizer: TextVectorizer, pairs: Iterable[tuple[Any, Sequence[Label]]], folder: str | Path | None = None
    ) -> Self:
        """Return documents with their labels, counted; the vectoriser is fitted to them.

        Raises
        ------
        SpillFailed
            If the disk is full.
        """
        counted = cls(vectorizer, folder)
        try:
            counted._read(pairs)
        except BaseException:
            counted.close()
            raise
        return counted

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return sum(self.sizes)

    @property
    def names(self) -> list[Label]:
        """The labels that occur, in the order in which they first did."""
        return list(self._codes)

    @property
    def are_many(self) -> bool:
        """Whether they are too many to be learned in memory."""
        return self.entries > ENTRIES or are_many(self.n_documents, len(self._codes))

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self._labels

    def use_columns(self, names: Sequence[Label]) -> None:
        """Take the labels as columns in this order; all that occur must be among them."""
        place = {name: column for column, name in enumerate(names)}
        self._column = np.array([place[name] for name in self._codes], np.int32)
        self._labels = len(names)

    def counts(self, block: int) -> sparse.csr_matrix:
        """Return the term counts of a block."""
        terms, counts, ends, *_ = self._spill.block(block)
        return self.vectorizer.count_matrix(terms, counts, ends)

    def rows(self, block: int) -> sparse.csr_matrix:
        """Return the vectors of a block."""
        return self.vectorizer.weigh(self.counts(block))

    def labels(self, block: int) -> sparse.csr_matrix:
        """Return the labels of a block: (documents, labels) of 0 and 1."""
        *_, codes, ends = self._spill.block(block)
        shape = (ends.size - 1, self._labels)
        matrix = sparse.csr_matrix((np.ones(codes.size, np.int8), self._column[codes], ends), shape=shape)
        matrix.sort_indices()
        return matrix

    def take(self, documents: NDArray[np.int64], *, weigh: bool = False) -> tuple[Any, Any]:
        """Return term counts, or with `weigh` vectors, and labels of some documents, in the order given."""
        found = in_blocks(documents, self.sizes)
        rows = put_together([self._some_counts(b, own) for b, own, _ in found], [place for *_, place in found])
        return self.vectorizer.weigh(rows) if weigh else rows, self.labels_of(documents)

    def _some_counts(self, block: int, rows: NDArray[np.int64]) -> sparse.csr_matrix:
        terms, counts, ends, *_ = self._spill.block(block)
        few = sparse.csr_matrix((counts, terms, ends), shape=(ends.size - 1, self.vectorizer.vocabulary_.n))[rows]
        return self.vectorizer.count_matrix(few.indices, few.data, few.indptr.astype(np.int64))

    def labels_of(self, documents: NDArray[np.int64]) -> sparse.csr_matrix:
        """Return the labels of some documents, in the order given."""
        found = in_blocks(documents, self.sizes)
        return put_together([self.labels(b)[own] for b, own, _ in found], [place for *_, place in found])

    def learn(self, learner: BOMC, seed: int, counting: Counting) -> tuple[BOMC, MarginCounts]:
        """Return a learner of all documents, in an order by the seed, and the counts of their margins."""
        return learn_here(self, self.n_labels, learner, seed, counting)

    def in_memory(self) -> tuple[sparse.csr_matrix, list[tuple[Label, ...]]]:
        """Return the counts and the label sets of all documents."""
        names, sets = self.names, []
        for block in range(len(self.sizes)):
            *_, codes, ends = self._spill.block(block)
            found = [names[code] for code in codes.tolist()]
            sets += [tuple(found[begin:end]) for begin, end in pairwise(ends.tolist())]
        matrices = [self.counts(block) for block in range(len(self.sizes))]
        whole = sparse.vstack(matrices, "csr") if matrices else self.vectorizer.count([])
        return sparse.csr_matrix(whole), sets

    def close(self) -> None:
        """Free the disk space."""
        self._spill.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, pairs: Iterable[tuple[Any, Sequence[Label]]]) -> None:
        waiting: list[list[int]] = []  # codes of the labels of documents that the vectoriser has taken
        parts: list[tuple[NDArray[Any], ...]] = []
        size = entries = 0

        def documents() -> Iterator[Any]:
            codes = self._codes
            for document, labels in pairs:
                waiting.append([codes.setdefault(label, len(codes)) for label in dict.fromkeys(labels)])
                yield document

        for terms, counts, ends in self.vectorizer.fit_blocks(documents()):
            own, waiting[:] = waiting[: ends.size], waiting[ends.size :]
            has_terms = np.diff(ends, prepend=0) > 0  # others would move biases alone
            own, ends = [codes for codes, has in zip(own, has_terms) if has], ends[has_terms]
            if not own:
                continue
            label_ends = np.cumsum([len(codes) for codes in own], dtype=np.int64)
            codes = np.fromiter(chain.from_iterable(own), np.int32, int(label_ends[-1]))
            parts.append((terms, counts, ends, codes, label_ends))
            size, entries = size + ends.size, entries + terms.size
            if blocks_for(size, entries, len(self._codes)):
                self._write(parts, size)
                parts, size, entries = [], 0, 0
        if parts:
            self._write(parts, size)

    def _write(self, parts: list[tuple[NDArray[Any], ...]], size: int) -> None:
        terms, counts, ends, codes, label_ends = zip(*parts)
        block, labels = np.concatenate(terms), _one_after_the_other(label_ends)
        rows = _one_after_the_other(ends)
        self._spill.add(block, np.concatenate(counts), rows, np.concatenate(codes), labels)
        self.sizes.append(size)
        self.entries += block.size
        number = np.diff(labels)
        self.fewest_labels = min(self.fewest_labels, int(number.min()))
        self.most_labels = max(self.most_labels, int(number.max()))


def are_many(documents: int, labels: int) -> bool:
    """Return whether the margins of documents are too many to be held in memory."""
    return documents * (labels + 1) > CELLS


def blocks_for(documents: int, entries: int, labels: int) -> int:
    """Return how many full blocks documents make that have so many terms in all."""
    many = max(documents // MOST_DOCUMENTS, entries // BLOCK_ENTRIES, documents * (labels + 1) // BLOCK_CELLS)
    return min(many, documents // DOCUMENTS)


def _one_after_the_other(ends: Iterable[NDArray[Any]]) -> NDArray[np.int64]:
    """Return where rows end, with 0 first, of parts one after the other: ends of each, without a 0 first."""
    found = [np.zeros(1, np.int64)]
    for part in ends:
        found.append(found[-1][-1] + part)
    return np.concatenate(found)
