"""The vocabulary of a stream as a new topic would find it, for previews: nothing is learned.

Terms that have not occurred yet get columns after those of the stream. They are those of a second, small vocabulary,
by the rules of the first one, which learns the words and the texts that the topic would start from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bayesift.filtering.rows import Columns, Row
from bayesift.filtering.stream_terms import StreamTerms


class ImaginedTerms(StreamTerms):
    """The terms of a stream, and new ones of some words and texts.

    >>> terms = StreamTerms()
    >>> row = terms.learn("wheat and corn")
    >>> imagined = ImaginedTerms(terms, ["frost"])
    >>> imagined.row("wheat and frost").columns, imagined.columns(["frost"]), terms.n_columns
    (array([0, 2], dtype=int32), (2,), 2)
    """

    def __init__(self, terms: StreamTerms, words: Iterable[str], texts: Sequence[Any] = ()) -> None:
        self.vectorizer, self._encoder, self.encoded = terms.vectorizer, terms._encoder, terms.encoded
        v, self._more = self.vectorizer.vocabulary_, terms.without_terms()
        for word in words:
            self._more.column_of(word)
        self._more.partial_fit(texts)
        names = self._more.get_feature_names_out().tolist()
        known = np.array([v.column[v.words[name]] if name in v.words else -1 for name in names], np.int32)
        self._is_new, self._end = known < 0, v.n_columns  # the stream may have more when `names` is asked
        self._new = [name for name, new in zip(names, self._is_new) if new]
        self._column = np.where(self._is_new, self._end + np.cumsum(self._is_new) - 1, known).astype(np.int32)

    def row(self, document: Any) -> Row:
        """Return the vector of a text, without learning it: words that are in neither vocabulary are left out."""
        (meaning,) = self.meanings([document])
        columns, tf, df = self.vectorizer.count_row(document)
        more, more_tf, _ = self._more.count_row(document)
        new = self._is_new[more]
        df = np.append(df, np.ones(new.sum()))  # a term that has not occurred counts as one document
        return self._weighted(np.append(columns, self._column[more[new]]), np.append(tf, more_tf[new]), df, meaning)

    def columns(self, words: Iterable[str]) -> tuple[int, ...]:
        """Return the column of each word; it is one of those that this was made with."""
        return tuple(self.encoded + int(self._column[self._more.column_of(word)]) for word in words)

    def names(self, columns: Columns | Sequence[int]) -> list[str]:
        """Return the terms of columns, those of words."""
        places = np.asarray(columns, np.intp) - self.encoded - self._end
        old = iter(super().names(np.asarray(columns)[places < 0]))
        return [self._new[place] if place >= 0 else next(old) for place in places.tolist()]
