"""From the texts of a stream to vectors: the vocabulary and the document frequencies grow with every document.

The weight of a term that occurs tf times is (1 + log2 tf) log2((N + 1) / df), divided by the document's length. N
documents were learned so far, this one included, df of them with the term: ltc (`bayesift.text.weighting`) with one
more document, so that the words of the very first document have a weight. A vector is made when its document comes and
stays as it was; later documents are weighed by later frequencies.

With an encoder, the first columns are its vector e of the text, scaled to the length `MEANING`^1/2 where words have
length 1, so that it adds `MEANING` cos(e, e') to the product of two documents. Columns of words come after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone

from bayesift.errors import BadInput
from bayesift.filtering.rows import Columns, Floats, Row
from bayesift.text import TextVectorizer
from bayesift.text.meaning.encoder import Encoder, encoded, width_of
from bayesift.text.spelling import first_words, has_terms
from bayesift.text.vocabulary import Vocabulary

MEANING = 0.5  # weight of an encoder's vector where that of the words is 1
DIGITS = 4  # decimals of an encoder's vector, of some 0.04 in size: events contain the vectors of judged documents


def beside(words: Row, meaning: Floats) -> Row:
    """Return the vector of a document with an encoder's vector before its words; that of a blank text is 0.

    >>> beside(Row.of({0: 1.0}), np.array([3.0, 4.0])).weights.tolist()
    [0.4243, 0.5657, 1.0]
    """
    length, n = np.sqrt(meaning @ meaning), meaning.size
    if not length:
        return Row(words.columns + np.int32(n), words.weights)
    scaled = np.sqrt(MEANING) * meaning / length
    columns = np.concatenate([np.arange(n, dtype=np.int32), words.columns + np.int32(n)])
    return Row(columns, np.concatenate([scaled.round(DIGITS), words.weights]))


class StreamTerms:
    """A vocabulary that learns every document of a stream, and an encoder, if there is one, beside it.

    Attributes
    ----------
    encoded : int
        How many of the first columns are the encoder's vector.

    Examples
    --------
    >>> terms = StreamTerms()
    >>> terms.learn("wheat and corn").weights.round(3)
    array([0.707, 0.707])
    >>> row = terms.learn("wheat exports")
    >>> terms.names(row.columns), row.weights.round(3)
    (['wheat', 'export'], array([0.346, 0.938]))
    """

    def __init__(self, language: str = "english", encoder: Encoder | None = None) -> None:
        self.vectorizer = TextVectorizer(language=language, numbers=False).partial_fit([])
        self._encoder = encoder
        self.encoded = 0 if encoder is None else width_of(encoder)

    @property
    def n_columns(self) -> int:
        """The number of columns: those of the encoder's vector, and of words."""
        return self.encoded + self.vectorizer.vocabulary_.n_columns

    @property
    def n_documents(self) -> int:
        """The number of documents learned."""
        return int(self.vectorizer.vocabulary_.n_documents)

    def learn(self, document: Any, meaning: Floats | None = None) -> Row:
        """Count a document, and return its vector; `meaning` is its vector by the encoder, if it was asked."""
        if meaning is None:
            (meaning,) = self.meanings([document])  # before anything is learned: an encoder may fail
        return self._weighted(*self.vectorizer.count_row(document, learn=True), meaning)

    def learn_all(self, documents: Sequence[Any]) -> list[Row]:
        """Count documents one after the other, and return the vector of each as it was then."""
        meanings = self.meanings(documents)
        counted = self.vectorizer.learn_count_rows(documents)
        return [self._weighted(*counts, meaning) for counts, meaning in zip(counted, meanings, strict=True)]

    def row(self, document: Any) -> Row:
        """Return the vector of a text, without learning it: words that never occurred are left out."""
        (meaning,) = self.meanings([document])
        return self._weighted(*self.vectorizer.count_row(document), meaning)

    def meanings(self, documents: Sequence[Any]) -> Sequence[Floats | None]:
        """Return the vectors of documents by the encoder; None if there is no encoder."""
        if self._encoder is None:
            return [None] * len(documents)
        return list(encoded(self._encoder, self.vectorizer.texts(documents), self.encoded).astype(np.float64))

    def _weighted(self, columns: Columns, tf: Floats, df: Floats, meaning: Floats | None) -> Row:
        n = max(self.n_documents, 1)  # before the first document, words have a weight too
        weights = (1.0 + np.log2(tf)) * np.log2((n + 1.0) / df)
        weights /= np.sqrt(weights @ weights) or 1.0
        row = Row(columns, weights)
        return row if meaning is None else beside(row, meaning)

    def row_of(self, words: Mapping[str, float]) -> Row:
        """Return a vector given by words and their weights; new words get a column, stop words are left out."""
        some = [word for word in words if len(self.stems(word)) == 1]
        entries: dict[int, float] = {}
        for column, word in zip(self.columns(some), some):
            entries[column] = entries.get(column, 0.0) + float(words[word])
        return Row.of(entries)

    def columns(self, words: Iterable[str]) -> tuple[int, ...]:
        """Return the column of each word; a new word gets one, with no document."""
        return tuple(self.encoded + self.vectorizer.column_of(word) for word in words)

    def check_word(self, word: str, others: dict[str, str]) -> None:
        """Raise BadInput if a word has no term, or several, or that of another word; `others` are those, by term."""
        found = self.stems(word)
        if len(found) != 1:
            none = "stop words, single letters and words without letters do not count"
            reason = "it is more than one word" if found else none
            raise BadInput(f"invalid word {word!r}: {reason}", remedy="give single words that matter")
        other = others.setdefault(found[0], word)
        if other != word:
            raise BadInput(f"{other!r} and {word!r} are the same term", remedy="keep one of the two")
        self.check_columns(word)

    def check_columns(self, word: str) -> None:
        """Raise what `columns` would raise of a word, and learn nothing; stop words and the like have no column."""
        if len(self.stems(word)) == 1:
            self._apart.column_of(word)

    @cached_property
    def _apart(self) -> TextVectorizer:
        """What words are tried with, so that nothing is learned of those that are invalid."""
        return self.without_terms()

    def without_terms(self) -> TextVectorizer:
        """Return a vectorizer with the same rules and an empty vocabulary."""
        empty = Vocabulary().state() | {"stop_words": np.array(self.vectorizer.stop_words_, str)}
        other: TextVectorizer = clone(self.vectorizer)
        return other.restore(empty)

    def stems(self, document: Any) -> list[str]:
        """Return the words of a text as the vocabulary has them, stop words left out."""
        return list(self.spelling(document))

    def has_words(self, document: Any) -> bool:
        """Return whether a text has a word that is not a stop word."""
        return has_terms(document, self.vectorizer)

    def spelling(self, document: Any) -> dict[str, str]:
        """Return the terms of a text, each with the first word that makes it."""
        return first_words(document, self.vectorizer)

    def names(self, columns: Columns | Sequence[int]) -> list[str]:
        """Return the terms of columns, those of words."""
        v = self.vectorizer.vocabulary_
        return v.names(v.columns[np.asarray(columns, np.intp) - self.encoded])

    def written(self, row: Row) -> dict[str, float]:
        """Return the words of a vector and their weights, each in the form that is most frequent in the stream."""
        words = row.after(self.encoded)
        return dict(zip(self.vectorizer.written(self.names(words.columns)), words.weights.tolist()))
