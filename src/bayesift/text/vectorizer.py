"""From texts to sparse vectors: a scikit-learn transformer whose vocabulary can grow.

A document is a string, or a mapping from zone to text ({"title": ..., "body": ...}), or an object with a `zones()`
method that returns such a mapping. Documents are a list of these, or a data frame whose columns are the zones.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import get_config
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from bayesift.errors import BadInput
from bayesift.text import languages
from bayesift.text.counting import TermCounter
from bayesift.text.documents import Block, block_of, blocks, plain_texts, sample
from bayesift.text.parameters import (
    AUTO,
    check_parameters,
    chosen_stop_words,
    expected_language,
    is_auto,
    stemmer_language,
)
from bayesift.text.row import OneRow, sorted_row, weighted_row
from bayesift.text.tokens import Ints, Longs, PieceTable
from bayesift.text.vocabulary import Vocabulary
from bayesift.text.weighting import Floats, weigh
from bayesift.text.word_forms import WordForms
from bayesift.text.words import WordRules

DERIVED = ("rules_", "_counter", "_zone_number", "_one_row", "_forms", "_lock")  # by `_open`
SMALL = np.iinfo(np.int32).max


class TextVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Vectorizer of words, n-grams and zones.

    Parameters
    ----------
    language : a Snowball language or its ISO code ("german", "de"), for the stemmer and the stop words.
    stem : language of the stemmer, or None for no stemming; by default `language`.
    stop_words : language of the stop words, a collection of words, or None; by default `language`.
    html : "strip" removes tags and comments and decodes entities, "keep" keeps them as text.
    ngrams : maximum n-gram length.
    zones : zones whose words are also counted as `zone:word`.
    min_df : minimum document frequency of a term.
    max_df : maximum document frequency, an integer or (a float) a fraction of the documents; applied by `fit` only,
        because a growing vocabulary never removes a column.
    weight : raw, log, ltc, tfidf, log-tfidf or binary (see `bayesift.text.weighting`).
    min_length : minimum word length in characters.
    numbers : whether words of digits are kept.

    >>> vectorizer = TextVectorizer(weight="raw")
    >>> vectorizer.fit_transform(["Corn and wheat exports rose.", "Wheat, wheat!"]).toarray()
    array([[1., 1., 1., 1.],
           [0., 2., 0., 0.]])
    >>> list(vectorizer.get_feature_names_out())
    ['corn', 'wheat', 'export', 'rose']
    >>> vectorizer.partial_fit(["Barley exports"]).transform(["barley"]).toarray()
    array([[0., 0., 0., 0., 1.]])
    """

    _lock: threading.Lock
    _forms: WordForms

    def __init__(
        self,
        *,
        language: str = "english",
        stem: str | None = AUTO,
        stop_words: str | Collection[str] | None = AUTO,
        html: str = "strip",
        ngrams: int = 1,
        zones: Collection[str] = (),
        min_df: int = 1,
        max_df: float = 1.0,
        weight: str = "ltc",
        min_length: int = 2,
        numbers: bool = True,
    ) -> None:
        self.language = language
        self.stem = stem
        self.stop_words = stop_words
        self.html = html
        self.ngrams = ngrams
        self.zones = zones
        self.min_df = min_df
        self.max_df = max_df
        self.weight = weight
        self.min_length = min_length
        self.numbers = numbers

    def fit(self, documents: Iterable[Any], y: Any = None) -> Self:
        """Learn the vocabulary and the document frequencies."""
        self._fit(documents, keep=False)
        return self

    def fit_transform(self, documents: Iterable[Any], y: Any = None) -> sparse.csr_matrix:
        """Fit, and return the weights of the same documents, reading them once."""
        found: sparse.csr_matrix = self._contained(self._weigh(self._fit(documents, keep=True)))
        return found

    def partial_fit(self, documents: Iterable[Any], y: Any = None) -> Self:
        """Learn more documents; new terms get new columns, and earlier columns do not change."""
        if not hasattr(self, "vocabulary_"):
            self._start()
        self._count(documents, learn=True, keep=False)
        return self

    def transform(self, documents: Iterable[Any]) -> sparse.csr_matrix:
        """Return the weights of documents, one row per document; unknown terms are ignored."""
        if isinstance(documents, list) and len(documents) == 1:
            columns, weights = self.row(documents[0])
            found: sparse.csr_matrix = self._contained(self._one_row(columns, weights, self.vocabulary_.n_columns))
        else:
            found = self._contained(self._weigh(self._counts(documents)))
        return found

    def _contained(self, rows: sparse.csr_matrix) -> Any:
        """Return rows as `set_output` asks for: scikit-learn makes data frames of dense arrays only."""
        asked = getattr(self, "_sklearn_output_config", {}).get("transform", get_config()["transform_output"])
        if asked == "pandas":
            from pandas import DataFrame

            return DataFrame.sparse.from_spmatrix(rows, columns=self.get_feature_names_out())
        return rows if asked == "default" else rows.toarray()

    def row(self, document: Any) -> tuple[Ints, Floats]:
        """Return the columns, ascending, and the weights of one document: a row of `transform`, for streams.

        >>> TextVectorizer(weight="raw").fit(["Corn exports", "Wheat"]).row("Wheat, corn, wheat")
        (array([0, 2], dtype=int32), array([1., 2.]))
        """
        return weighted_row(*self.count_row(document), self.vocabulary_.n_documents, self.weight)

    def learn_row(self, document: Any) -> tuple[Ints, Floats]:
        """Learn one document and return its row: `partial_fit` and `row`, reading the document once.

        >>> vectorizer = TextVectorizer(weight="raw")
        >>> vectorizer.learn_row("Corn exports"), vectorizer.learn_row("Wheat exports")[0]
        ((array([0, 1], dtype=int32), array([1., 1.])), array([1, 2], dtype=int32))
        """
        return weighted_row(*self.count_row(document, learn=True), self.vocabulary_.n_documents, self.weight)

    def count_row(self, document: Any, *, learn: bool = False) -> tuple[Ints, Floats, Floats]:
        """Return the columns, ascending, the counts and the document frequencies of one document's terms.

        With `learn` the document is learned first. A term that has not occurred yet has a document frequency of 1.

        >>> TextVectorizer().fit(["Corn exports", "Corn"]).count_row("corn, corn, exports")
        (array([0, 1], dtype=int32), array([2., 1.]), array([2., 1.]))
        """
        if not hasattr(self, "vocabulary_"):
            self._start() if learn else check_is_fitted(self, "vocabulary_")  # this check is slow
        v = self.vocabulary_
        block = block_of(document, self._zone_number, strip=self.html == "strip")
        terms, counts, _ = self._count_block(block, learn)
        return sorted_row(terms, counts, v.column, v.document_frequency)

    def learn_count_rows(self, documents: Iterable[Any]) -> Iterator[tuple[Ints, Floats, Floats]]:
        """Learn documents, and yield what `count_row` returns for each with `learn`; for many it is faster.

        >>> vectorizer = TextVectorizer().fit(["Corn"])
        >>> [df for _, _, df in vectorizer.learn_count_rows(["corn exports", "corn"])]
        [array([2., 1.]), array([3.])]
        """
        if not hasattr(self, "vocabulary_"):
            self._start()
        v = self.vocabulary_
        for block in blocks(documents, self._zone_number, strip=self.html == "strip"):
            with self._lock:
                terms, counts, ends = self._counter.count(*block, True)
                self._forms.forget()
            for begin, end in pairwise([0, *ends.tolist()]):
                with self._lock:
                    v.learn(terms[begin:end], 1)
                yield sorted_row(terms[begin:end], counts[begin:end], v.column, v.document_frequency)

    def count(self, documents: Iterable[Any]) -> sparse.csr_matrix:
        """Return the term counts of documents, without weighting."""
        counts = self._counts(documents)
        counts.data = counts.data.astype(np.int64)
        return counts

    def fit_count(self, documents: Iterable[Any]) -> sparse.csr_matrix:
        """Fit, and return the term counts of the same documents, reading them once."""
        return self._fit(documents, keep=True)

    def fit_blocks(self, documents: Iterable[Any]) -> Iterator[tuple[Ints, NDArray[Any], Longs]]:
        """Fit, and yield the terms, counts and row ends of a block of documents at a time.

        Terms have columns when all blocks were taken: `count_matrix` makes matrices then.

        >>> vectorizer = TextVectorizer()
        >>> (block,) = vectorizer.fit_blocks(["Corn exports", "Wheat, wheat"])
        >>> vectorizer.count_matrix(block[0], block[1], np.append(0, block[2])).toarray()
        array([[1, 1, 0],
               [0, 0, 2]], dtype=uint8)
        """
        yield from self._counted(self._begin(documents), learn=True)
        self._drop_frequent()

    def count_matrix(self, terms: Ints, counts: NDArray[Any], indptr: Longs) -> sparse.csr_matrix:
        """Return the counts of a block as a matrix; `indptr` is 0 and the row ends."""
        return self._csr(terms.copy(), counts.copy(), indptr)

    def column_of(self, name: str) -> int:
        """Return the column of a term before stemming: `prices`, `crude oil` or `title:prices`.

        A new term gets a column, with a document frequency of 1.

        >>> vectorizer = TextVectorizer().fit(["Corn prices", "Wheat"])
        >>> vectorizer.column_of("Price"), vectorizer.column_of("barley")
        (1, 3)
        """
        check_is_fitted(self, "vocabulary_")
        zone, colon, words = name.partition(":")
        zone, words = (zone, words) if colon and zone in self.vocabulary_.zones else ("", name)
        data, ends, zones, last = block_of({zone: words}, self._zone_number, strip=False)
        with self._lock:
            self._forms.forget()
            terms, _, _ = self._counter.count(data, ends, zones, last, True)
            names, prefix = self.vocabulary_.names(terms), f"{zone}:" if zone else " "
            stems = [term for term in names if " " not in term and not term.startswith(prefix)]
            wanted = f"{zone}:{stems[0]}" if zone and len(stems) == 1 else " ".join(stems)
            found = dict(zip(names, terms.tolist()))
            if not stems or wanted not in found:
                reason = f"{len(stems)} words, but terms have at most {self.ngrams}" if stems else "only stop words"
                raise BadInput(f"invalid term {name!r}: {reason}", remedy="leave it out, or set ngrams or stop_words")
            return self.vocabulary_.column_for(found[wanted])

    def texts(self, documents: Iterable[Any]) -> list[str]:
        """Return each document as one text, without HTML unless it is kept."""
        return plain_texts(documents, strip=self.html == "strip")

    def other_language(self, documents: Iterable[Any]) -> str | None:
        """Return the code of the language that documents seem to be in, or None if it may be the expected one."""
        language = expected_language(self.stop_words, self.stem, self.language)
        if not language:
            return None
        texts, _ = sample(documents, languages.SAMPLED, strip=self.html == "strip")
        return languages.likely_language(texts, language)

    def weigh(self, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        """Return the weights of counts, with the present document frequencies.

        The counts may have fewer columns, from an earlier time.
        """
        wide = sparse.csr_matrix(
            (counts.data, counts.indices, counts.indptr), (counts.shape[0], self.vocabulary_.n_columns)
        )
        return self._weigh(wide)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the terms in the order of their columns."""
        check_is_fitted(self, "vocabulary_")
        return np.array(self.vocabulary_.names(self.vocabulary_.columns), dtype=object)

    def written(self, names: Iterable[str]) -> list[str]:
        """Return terms with each stem in the form that is most frequent in the documents learned.

        >>> TextVectorizer().fit(["Companies: a company, the company"]).written(["compani", "oil compani"])
        ['company', 'oil company']
        """
        check_is_fitted(self, "vocabulary_")
        return self._forms.written(names)

    def terms_of(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the terms of each of some words: its stem, none for a stop word, several for some compounds.

        >>> TextVectorizer().fit(["corn"]).terms_of(["Exports", "of"])
        [('export',), ()]
        """
        return self._forms.terms_of(words)

    @property
    def document_frequency_(self) -> NDArray[np.int64]:
        """Document frequency of the term of each column."""
        return self.vocabulary_.document_frequency[self.vocabulary_.columns]

    def state(self) -> dict[str, Any]:
        """Return the fitted state as arrays and numbers, for `restore` of a vectorizer with equal parameters."""
        check_is_fitted(self, "vocabulary_")
        self._counter.note_forms()
        return self.vocabulary_.state() | {"stop_words": np.array(self.stop_words_, str)}

    def restore(self, state: Mapping[str, Any]) -> Self:
        """Set the fitted state from the result of `state`."""
        check_parameters(self)
        self.vocabulary_ = Vocabulary.restored(state)
        if "stop_words" in state:
            self.stop_words_ = tuple(state["stop_words"].tolist())
        else:  # written by a version that took stop words from their list each time, and HTML as text
            self.stop_words_, self.html = chosen_stop_words(self.stop_words, self.language), "keep"
        self._open()
        return self

    def _start(self) -> None:
        check_parameters(self)
        languages.notice_missing(self.language, stem=self.stem == AUTO, stop_words=is_auto(self.stop_words))
        self.vocabulary_ = Vocabulary(min_df=self.min_df, zones=tuple(self.zones))
        # The words themselves: another version of the list changes no model.
        self.stop_words_ = chosen_stop_words(self.stop_words, self.language)
        self._open()

    def _open(self) -> None:
        """Make the objects that are derived from the parameters and the vocabulary; they are not saved."""
        self.rules_ = self._word_rules()
        self._counter = TermCounter(self.vocabulary_, PieceTable(self.rules_), self.ngrams)
        self._zone_number = {zone: z for z, zone in enumerate(self.vocabulary_.zones)}
        self._one_row = OneRow()
        self._lock = threading.Lock()
        self._forms = WordForms(self.rules_, self.vocabulary_, self._counter, self._lock)

    def _word_rules(self) -> WordRules:
        return WordRules(
            stemmer_language(self.stem, self.language), self.stop_words_, self.min_length, self.numbers
        )

    def _fit(self, documents: Iterable[Any], keep: bool) -> sparse.csr_matrix:
        counted = self._count(self._begin(documents), learn=True, keep=keep)
        self._drop_frequent()
        return self._csr(*counted)

    def _begin(self, documents: Iterable[Any]) -> Iterable[Any]:
        """Forget what was learned, look at the language of the first documents, and return all of them."""
        self._start()
        if language := expected_language(self.stop_words, self.stem, self.language):
            texts, documents = sample(documents, languages.SAMPLED, strip=self.html == "strip")
            languages.notice_other_language(texts, language)
        return documents

    def _drop_frequent(self) -> None:
        v = self.vocabulary_
        most = self.max_df * v.n_documents if isinstance(self.max_df, float) else self.max_df
        if most < v.n_documents:
            v.drop_frequent(most)

    def _count(self, documents: Iterable[Any], learn: bool, keep: bool) -> tuple[Ints, NDArray[Any], Longs]:
        """Return terms, counts and row boundaries, counting a block of documents at a time."""
        terms, row_ends = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
        counts: list[NDArray[Any]] = [np.empty(0, np.uint8)]
        for t, c, ends in self._counted(documents, learn):
            if keep:
                terms.append(t)
                counts.append(c)
                row_ends.append(row_ends[-1][-1] + ends)
        return _joined(terms), _joined(counts), _joined(row_ends)

    def _counted(self, documents: Iterable[Any], learn: bool) -> Iterator[tuple[Ints, NDArray[Any], Longs]]:
        for block in blocks(documents, self._zone_number, strip=self.html == "strip"):
            t, c, ends = self._count_block(block, learn)
            # A copy is not a part of a larger buffer that would live on; most counts fit a byte.
            yield t.copy(), c.astype(np.min_scalar_type(c.max(initial=0))), ends

    def _count_block(self, block: Block, learn: bool) -> tuple[Ints, Ints, Longs]:
        with self._lock:
            terms, counts, ends = self._counter.count(*block, learn)
            if learn:
                self._forms.forget()
                self.vocabulary_.learn(terms, ends.size)
        return terms, counts, ends

    def _counts(self, documents: Iterable[Any]) -> sparse.csr_matrix:
        check_is_fitted(self, "vocabulary_")
        return self._csr(*self._count(documents, learn=False, keep=True))

    def _csr(self, terms: Ints, counts: NDArray[Any], indptr: NDArray[Any]) -> sparse.csr_matrix:
        """Return a matrix with sorted columns from rows of terms."""
        v = self.vocabulary_
        columns = v.column.take(terms, out=terms)
        known = columns >= 0
        if not known.all():
            indptr = np.concatenate([[0], np.cumsum(known)])[indptr]
            columns, counts = columns[known], counts[known]
        if indptr[-1] <= SMALL:  # SciPy would convert them after a search of both arrays
            indptr = indptr.astype(np.int32)
        matrix = sparse.csr_matrix((counts, columns, indptr), shape=(indptr.size - 1, v.n_columns))
        matrix.sort_indices()
        return matrix

    def _weigh(self, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        v = self.vocabulary_

        def df(column: NDArray[Any]) -> NDArray[np.int64]:  # at least 1, for a term that has not occurred yet
            return np.asarray(np.maximum(v.document_frequency[v.columns[column]], 1))

        counts.data = weigh(counts, df, v.n_documents, self.weight)
        return counts

    def __getstate__(self) -> dict[str, Any]:
        if hasattr(self, "_counter"):
            self._counter.note_forms()
        return {k: v for k, v in super().__getstate__().items() if k not in DERIVED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, "vocabulary_"):
            self._open()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Return the concatenated parts, and release them."""
    if len(parts) == 2 and not parts[0].size:  # a single block
        return parts[1]
    whole = np.concatenate(parts)
    parts.clear()
    return whole
