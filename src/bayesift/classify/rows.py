"""Rows of documents for a classifier of vectors: weighted words, and beside them the vectors of their meaning.

A learner that reads the characters of words too (`character_vectorizer_of`) has them as a second view, in columns after
those of the words.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.classify.input_documents import as_documents
from bayesift.classify.label_rates import check_values
from bayesift.decide.label_rates import UNLABELLED
from bayesift.errors import BadInput, Notice
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.side_by_side import SideBySide, dense_of, words_of
from bayesift.learn.views import joined, parted
from bayesift.text import TextVectorizer
from bayesift.text.characters import CharacterVectorizer
from bayesift.text.languages import NAMES
from bayesift.text.meaning.meaning import FEWEST_LEARNED, Meaning
from bayesift.text.meaning.sources import AUTO, CORPUS, listed, meaning_of


class RowMaker:
    """From documents, or counts of their terms, to rows: what `LabelClassifier` takes as `weigh`.

    Counts have beside them what encoders say of the text. `fixed` says that the meaning was fitted to more text than
    the classifier keeps, and stays as it is. Rows have no meaning where they have characters. `labels` are the names of
    the labels, which some learners read.
    """

    def __init__(
        self,
        vectorizer: TextVectorizer,
        meaning: Meaning | None = None,
        fixed: bool = False,
        characters: CharacterVectorizer | None = None,
        labels: Sequence[Any] = (),
    ) -> None:
        self.vectorizer, self.meaning, self.fixed, self.characters = vectorizer, meaning, fixed, characters
        self.labels = labels

    @property
    def views(self) -> tuple[int, int] | None:
        """The numbers of columns of words and of characters; None if there are words alone."""
        if self.characters is None:
            return None
        return self.vectorizer.vocabulary_.n_columns, self.characters.vocabulary_.n_columns

    def views_of(self, rows: Any) -> list[Any]:
        """Return the words of rows, and their characters if they have them: one or two matrices."""
        return parted(words_of(rows), self.views)

    def known_words(self, rows: Any) -> NDArray[np.int64]:
        """Return the number of distinct known terms of each document."""
        return np.asarray(np.diff(self.views_of(rows)[0].indptr), np.int64)

    def fit(self, counts: Any, raw: Any) -> None:
        """Fit meaning to counts, of labelled documents and then of others, and to what encoders say of the former.

        If the others are at least as many, the projection is made from them alone: labelled documents then have the
        vectors that they would have if they came later.
        """
        if self.meaning is not None:
            learned = raw.shape[0]
            apart = counts.shape[0] - learned >= max(learned, 1)
            self.meaning.fit(self.vectorizer.weigh(counts[learned:] if apart else counts), dense_of(raw), apart)

    def notice_none(self) -> None:
        """Warn if there are too few documents for a projection."""
        if self.meaning is not None and not all(self.meaning.widths):
            message = f"fewer than {FEWEST_LEARNED:,} documents and little unlabelled text: no meaning from the corpus"
            warnings.warn(message, Notice, stacklevel=5)

    def __call__(self, raw: Any) -> Any:
        """Return rows, with the present document frequencies and projection."""
        if self.characters is not None:
            words, characters = self.views_of(raw)
            return joined(self.vectorizer.weigh(words), self.characters.weigh(characters))
        return self._beside(self.vectorizer.weigh(words_of(raw)), dense_of(raw))

    def from_scratch(self, raw: Any) -> Any:
        """Return rows of all documents learned so far, for a fit from scratch: meaning is fitted to them first."""
        if not self.fixed:
            self.fit(words_of(raw), raw)
        return self(raw)

    def beside(
        self, counts: Any, documents: Sequence[Any], used: Sequence[int] | None = None, *, wait: bool = True
    ) -> Any:
        """Return counts with what encoders say of the documents; parts of meaning that are not used say nothing."""
        said = self.encoded(documents, used, wait=wait)
        return counts if said is None else SideBySide(counts, said)

    def encoded(self, documents: Sequence[Any], used: Sequence[int] | None = None, *, wait: bool = True) -> Any:
        """Return what encoders say of the documents; None if there are none."""
        if self.meaning is None or not self.meaning.encodes:
            return None
        return self.meaning.encode(self.vectorizer.texts(documents), used, wait=wait)

    def with_characters(self, counts: Any, characters: Any) -> Any:
        """Return counts of words with those of characters after them."""
        counts.resize(counts.shape[0], self.vectorizer.vocabulary_.n_columns)  # a prior may have added words
        return joined(counts, characters)

    def of_documents(self, documents: Sequence[Any], used: Sequence[int]) -> Any:
        """Return the rows of documents, with the vectors of the parts of meaning that are used."""
        words = self.vectorizer.transform(documents)
        if self.characters is not None:
            return joined(words, self.characters.transform(documents))
        return self._beside(words, dense_of(self.beside(words, documents, used, wait=False))) if used else words

    def names(self) -> Any:
        """Return the names of the labels as rows, each read as the title of a document; numbers say nothing."""
        return self.of_documents([{"title": name if isinstance(name, str) else ""} for name in self.labels], ())

    def state(self) -> dict[str, Any]:
        """Return what was fitted to text; nothing if there are words alone."""
        if self.characters is not None:
            return {"characters": self.characters.state()}
        return {} if self.meaning is None else {"meaning": {"parts": self.meaning.state(), "fixed": self.fixed}}

    def _beside(self, words: Any, raw: Any) -> Any:
        if self.meaning is None or not sum(self.meaning.widths):
            return words
        return SideBySide(words, self.meaning.vectors(words, raw), self.meaning.widths)


def check_meaning(meaning: Any, unlabelled: Any, learner: Any, name: Any, label_rates: Any = None) -> None:
    """Raise if the sources of meaning, unlabelled text and a learner do not go together, before anything is read."""
    sources = listed(meaning, unlabelled)
    check_values(label_rates, unlabelled)
    if unlabelled is not None and CORPUS not in sources and label_rates != UNLABELLED:
        what = 'unlabelled text is for the meaning "corpus" and for label rates'
        raise BadInput(what, remedy='leave it out, or add meaning="corpus" or label_rates="unlabelled"')
    if meaning_of(sources) is None:
        return
    if learner is not None and not isinstance(learner, BOMC):
        what = f"the learner {name!r} takes words alone"
        leave = "leave meaning out"
        if meaning == AUTO:
            what = f"unlabelled text brings meaning, but {what}"
            rates = "add meaning=None (--meaning none)"
            leave = rates if label_rates == UNLABELLED else "leave the unlabelled text out"
        raise BadInput(what, remedy=f"{leave}, or use the learner multilabel or bomc")
    if learner is not None and not learner.prequential:
        raise BadInput(
            f"variant {learner.variant!r} has no prequential predictions, which choose the weight of meaning",
            remedy="leave meaning out, or use the variant independent or coupled",
        )


def more_text(vectorizer: TextVectorizer, documents: Sequence[Any], unlabelled: Any) -> list[Any]:
    """Return unlabelled documents; raise if they are in another language than the labelled ones."""
    more = [] if unlabelled is None else list(as_documents(unlabelled))
    code = vectorizer.other_language(more) if more else None
    if code is not None and code != vectorizer.other_language(documents):
        raise BadInput(
            f"the unlabelled text seems to be {NAMES[code]}, the labelled documents do not",
            remedy="give unlabelled text in the language of the labelled documents",
        )
    return more
