"""From the texts of a stream to vectors: the vocabulary and the document frequencies grow with every document.

The weight of a term that occurs tf times is (1 + log2 tf) log2((N + 1) / df), divided by the document's length. N
documents were learned so far, this one included, df of them with the term: ltc (`bayesift.text.weighting`) with one
more document, so that the words of the very first document have a weight. A vector is made when its document comes and
stays as it was; later documents are weighed by later frequencies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bayesift.errors import BadInput
from bayesift.filtering.rows import Columns, Floats, Row
from bayesift.text import TextVectorizer
from bayesift.text.spelling import first_words, has_terms


class StreamTerms:
    """A vocabulary that learns every document of a stream.

    Examples
    --------
    >>> terms = StreamTerms()
    >>> terms.learn("wheat and corn").weights.round(3)
    array([0.707, 0.707])
    >>> row = terms.learn("wheat exports")
    >>> terms.names(row.columns), row.weights.round(3)
    (['wheat', 'export'], array([0.346, 0.938]))
    """

    def __init__(self, language: str = "english") -> None:
        self.vectorizer = TextVectorizer(language=language, numbers=False).partial_fit([])

    def learn(self, document: Any) -> Row:
        """Count a document, and return its vector."""
        return self._weighted(*self.vectorizer.count_row(document, learn=True))

    def learn_all(self, documents: Sequence[Any]) -> list[Row]:
        """Count documents one after the other, and return the vector of each as it was then."""
        return [self._weighted(*counted) for counted in self.vectorizer.learn_count_rows(documents)]

    def row(self, document: Any) -> Row:
        """Return the vector of a text, without learning it: words that never occurred are left out."""
        return self._weighted(*self.vectorizer.count_row(document))

    def _weighted(self, columns: Columns, tf: Floats, df: Floats) -> Row:
        n = max(self.vectorizer.vocabulary_.n_documents, 1)  # before the first document, words have a weight too
        weights = (1.0 + np.log2(tf)) * np.log2((n + 1.0) / df)
        return Row(columns, weights / (np.sqrt(weights @ weights) or 1.0))

    def row_of(self, words: Mapping[str, float]) -> Row:
        """Return a vector given by words and their weights; new words get a column, stop words are left out."""
        some = [word for word in words if len(self.stems(word)) == 1]
        entries: dict[int, float] = {}
        for column, word in zip(self.columns(some), some):
            entries[column] = entries.get(column, 0.0) + float(words[word])
        return Row.of(entries)

    def columns(self, words: Iterable[str]) -> tuple[int, ...]:
        """Return the column of each word; a new word gets one, with no document."""
        return tuple(self.vectorizer.column_of(word) for word in words)

    def known(self, words: Iterable[str]) -> dict[str, int]:
        """Return the columns of those words that have one."""
        v, found = self.vectorizer.vocabulary_, {}
        for word in words:
            term = v.words.get("".join(self.stems(word)))
            if term is not None and v.column[term] >= 0:
                found[word] = int(v.column[term])
        return found

    def check_words(self, words: Iterable[str]) -> None:
        """Raise BadInput if a word is a stop word, more than one word, or the same term as another one."""
        stems: dict[str, str] = {}
        for word in words:
            found = self.stems(word)
            if len(found) != 1:
                reason = "it is a stop word or has no letters" if not found else "it is more than one word"
                raise BadInput(f"invalid word {word!r}: {reason}", remedy="give single words that matter")
            if found[0] in stems:
                raise BadInput(f"{stems[found[0]]!r} and {word!r} are the same term", remedy="keep one of the two")
            stems[found[0]] = word

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
        """Return the terms of columns."""
        v = self.vectorizer.vocabulary_
        return v.names(v.columns[np.asarray(columns, np.intp)])

    def written(self, row: Row) -> dict[str, float]:
        """Return a vector as words and weights, each word in the form that is most frequent in the stream."""
        return dict(zip(self.vectorizer.written(self.names(row.columns)), row.weights.tolist()))
