"""Vectors of the records of a pool: stems and pairs of stems, the title three times, weighted by log-tfidf.

The counts are kept, so records that come later change the weights of all: a pool that grew has the same vectors as
one that had all records from the beginning. Terms of more than 95 % of the records have no weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.text import TextVectorizer
from bayesift.text.markup import strip_markup
from bayesift.text.spelling import PIECE
from bayesift.text.vocabulary import WORD

MAX_DF = 0.95
PAIR = 0.4  # weight of a pair beside a word: a sixth of the variance, since both words count already
BLOCK = 4096  # records weighed at a time: double precision of all of them would be the largest part of the memory
SAVED = ("indptr", "indices", "counts", "made_of", "key")
TERMS = f"stems, pairs {PAIR}"  # stored directions are of these weights


def _vectorizer() -> TextVectorizer:
    return TextVectorizer(stem="english", stop_words=None, ngrams=2, weight="log-tfidf")


class PoolVectors:
    """Term counts of records (title, abstract), and the weights that follow from them.

    >>> vectors = PoolVectors([("Statins", "Statins for adults"), ("Asthma", "")])
    >>> vectors.weights().toarray().round(2)[:, :3]
    array([[0.84, 0.35, 0.14],
           [0.  , 0.  , 0.  ]], dtype=float32)
    """

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self.vectorizer = _vectorizer()
        self.counts: sparse.csr_matrix = self.vectorizer.fit_count(_documents(texts, 0))

    @property
    def size(self) -> int:
        """Number of records."""
        return int(self.counts.shape[0])

    def add(self, texts: Sequence[tuple[str, str]]) -> None:
        """Add records; terms that are new get columns."""
        documents = _documents(texts, self.size)
        self.vectorizer.partial_fit(documents)
        new = self.vectorizer.count(documents)
        new.data = new.data.astype(self.counts.data.dtype if new.data.max(initial=0) < 256 else np.int32)
        old = self.counts
        wide = sparse.csr_matrix((old.data, old.indices, old.indptr), shape=(self.size, new.shape[1]))
        self.counts = sparse.csr_matrix(sparse.vstack([wide, new], "csr"))

    def weights(self) -> sparse.csr_matrix:
        """Return the weights, in single precision, each row of length 1 (or 0 without a term that counts).

        Terms that are too frequent are stored with a weight of 0: the places of all weights are those of the counts.
        """
        counts, factor = self.counts, self._factors()
        data = np.empty(counts.nnz, np.float32)
        for first in range(0, self.size, BLOCK):
            block = counts[first : first + BLOCK]
            data[counts.indptr[first] : counts.indptr[first] + block.nnz] = self._weigh(block, factor).data
        return sparse.csr_matrix((data, counts.indices, counts.indptr), shape=counts.shape)

    def weights_of(self, text: str) -> sparse.csr_matrix:
        """Return the weights of another text, with the document frequencies of the pool."""
        found = self._weigh(self.vectorizer.count([text]), self._factors())
        found.eliminate_zeros()
        return found

    def names(self, columns: NDArray[Any]) -> list[str]:
        """Return the terms of columns: stems, and pairs of stems."""
        v = self.vectorizer.vocabulary_
        return v.names(v.columns[columns])

    def as_written(self, names: Sequence[str], texts: Sequence[str] = ()) -> list[list[str]]:
        """Return the forms of each term in some texts, or else its most frequent form in the pool.

        >>> vectors = PoolVectors([("Statin", ""), ("Statins", "Statins for adults")])
        >>> vectors.as_written(["statin"], ["Statin, or statins"]), vectors.as_written(["statin"])
        ([['statin', 'statins']], [['statins']])
        """
        forms: dict[str, dict[str, None]] = {}
        for text in texts:
            written = PIECE.findall(strip_markup(text).casefold())
            words = [(stem, word) for word, stems in zip(written, self.vectorizer.terms_of(written)) for stem in stems]
            pairs = [(f"{a[0]} {b[0]}", f"{a[1]} {b[1]}") for a, b in pairwise(words)]
            for stem, form in words + pairs:
                forms.setdefault(stem, {})[form] = None
        others = [name for name in names if name not in forms]
        frequent = dict(zip(others, self.vectorizer.written(others))) if others else {}
        return [list(forms[name]) if name in forms else [frequent[name]] for name in names]

    def state(self) -> dict[str, Any]:
        """Return counts and vocabulary as arrays, numbers and lists, for `restored`."""
        rows = {"indptr": self.counts.indptr, "indices": self.counts.indices, "counts": self.counts.data}
        return self.vectorizer.state() | rows | {"made_of": TERMS}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Self:
        """Return the vectors of a state."""
        missing = [name for name in SAVED if name not in state]
        if missing:
            raise BadInput(f"the stored vectors lack {missing[0]!r}", remedy="make them again from the texts")
        if state["made_of"] != TERMS:
            raise BadInput("the stored vectors have other terms", remedy="make them again from the texts")
        found = cls.__new__(cls)
        found.vectorizer = _vectorizer().restore(state)
        shape = len(state["indptr"]) - 1, found.vectorizer.vocabulary_.n_columns
        found.counts = sparse.csr_matrix((state["counts"], state["indices"], state["indptr"]), shape=shape)
        return found

    def _factors(self) -> NDArray[np.float64]:
        v = self.vectorizer.vocabulary_
        factor = np.where(v.key[v.columns] == WORD, 1.0, PAIR)
        factor[v.document_frequency[v.columns] > MAX_DF * self.size] = 0.0
        return factor

    def _weigh(self, counts: sparse.csr_matrix, factor: NDArray[np.float64]) -> sparse.csr_matrix:
        X = self.vectorizer.weigh(counts)
        X.data *= factor[X.indices]
        length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
        X.data /= np.repeat(np.where(length > 0.0, length, 1.0), np.diff(X.indptr))
        X.data = X.data.astype(np.float32)
        return X


def _documents(texts: Sequence[tuple[str, str]], first: int) -> list[dict[str, str]]:
    for row, text in enumerate(texts, first):
        if not (isinstance(text, tuple | list) and len(text) == 2 and all(isinstance(part, str) for part in text)):
            raise BadInput(
                f"record {row} is not a title and an abstract", remedy="give two strings, '' if one is missing"
            )
    return [{"title": title, "again": title, "thrice": title, "abstract": abstract} for title, abstract in texts]
