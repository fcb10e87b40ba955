"""The vocabulary of a stream as a new topic would find it, for previews: nothing is learned.

Terms that have not occurred yet get columns after those of the stream. They are those of a second, small vocabulary,
by the rules of the first one, which learns the words and the texts that the topic would start from. Document
frequencies are those of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bayesift.filtering.rows import Columns, Floats, Row
from bayesift.filtering.stream_terms import StreamTerms


class ImaginedTerms(StreamTerms):
    """The terms of a stream, and others that are learned here alone.

    >>> terms = StreamTerms()
    >>> row = terms.learn("wheat and corn")
    >>> imagined = ImaginedTerms(terms)
    >>> imagined.columns(["frost"]), imagined.learn("wheat and hail").columns, terms.n_columns
    ((2,), array([0, 3], dtype=int32), 2)
    """

    def __init__(self, terms: StreamTerms) -> None:
        self.vectorizer, self._encoder, self.encoded = terms.vectorizer, terms._encoder, terms.encoded
        self._more = terms.without_terms()
        self._end = self.vectorizer.vocabulary_.n_columns  # the stream may have more when `names` is asked
        self._follow()

    @property
    def n_documents(self) -> int:
        """The number of documents of both vocabularies."""
        return super().n_documents + self._more.vocabulary_.n_documents

    def learn(self, document: Any, meaning: Floats | None = None) -> Row:
        """Count a document here alone, and return its vector; `meaning` is that by the encoder, if it was asked."""
        if meaning is None:
            (meaning,) = self.meanings([document])
        self._more.partial_fit([document])
        self._follow()
        return self._row(document, meaning)

    def row(self, document: Any) -> Row:
        """Return the vector of a text, without learning it: words that are in neither vocabulary are left out."""
        (meaning,) = self.meanings([document])
        return self._row(document, meaning)

    def columns(self, words: Iterable[str]) -> tuple[int, ...]:
        """Return the column of each word; a new word gets one, with no document."""
        places = [self._more.column_of(word) for word in words]
        self._follow()
        return tuple(self.encoded + int(self._column[place]) for place in places)

    def names(self, columns: Columns | Sequence[int]) -> list[str]:
        """Return the terms of columns, those of words."""
        places = np.asarray(columns, np.intp) - self.encoded - self._end
        old = iter(super().names(np.asarray(columns)[places < 0]))
        return [self._new[place] if place >= 0 else next(old) for place in places.tolist()]

    def _row(self, document: Any, meaning: Floats | None) -> Row:
        columns, tf, df = self.vectorizer.count_row(document)
        more, more_tf, _ = self._more.count_row(document)
        is_new = self._is_new[more]
        new, old = more[is_new], more[~is_new]
        df[np.searchsorted(columns, self._column[old])] += self._df[old]
        df = np.append(df, np.maximum(self._df[new], 1.0))  # a term that has not occurred counts as one document
        return self._weighted(np.append(columns, self._column[new]), np.append(tf, more_tf[is_new]), df, meaning)

    def _follow(self) -> None:
        """Find the terms of the second vocabulary among those of the stream."""
        v, more = self.vectorizer.vocabulary_, self._more.vocabulary_
        names = more.names(more.columns)
        known = np.array([v.column[v.words[name]] if name in v.words else -1 for name in names], np.int32)
        self._is_new = (known < 0) | (known >= self._end)
        self._new = [name for name, new in zip(names, self._is_new) if new]
        self._column = np.where(self._is_new, self._end + np.cumsum(self._is_new) - 1, known).astype(np.int32)
        self._df = more.document_frequency[more.columns].astype(np.float64)
