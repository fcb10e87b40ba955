"""A vocabulary that can grow: terms, in how many documents each occurs, and the column each has.

A term is a word, an n-gram ("interest rate") or a word of a zone ("title:rate"). Every term met while learning is
numbered in the order in which it first occurs; it gets a column when it has occurred in `min_df` documents. Neither
number ever changes, and learning documents one at a time gives the same vocabulary as learning them all at once.

`key[t]` is the composition of term t: `WORD` for a word, else a pair (a, b) in one number, where b is the number of a
word and a that of the (n-1)-gram before it, or, for zone z, -2 - z.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.numba_kernel import kernel
from bayesift.text.tokens import Ints, Longs, with_room

WORD = -1
UNKNOWN = -1


@dataclass
class Vocabulary:
    """Terms in order of first occurrence."""

    min_df: int = 1
    zones: tuple[str, ...] = ()
    n: int = 0  # terms
    n_columns: int = 0
    n_documents: int = 0
    words: dict[str, int] = field(default_factory=dict)  # term number of each word
    key: Longs = field(default_factory=lambda: np.empty(1 << 10, np.int64))
    document_frequency: Longs = field(default_factory=lambda: np.zeros(1 << 10, np.int64))
    column: Ints = field(default_factory=lambda: np.full(1 << 10, UNKNOWN, np.int32))
    forms: dict[str, int] = field(default_factory=dict)  # words as they are written, not stemmed, and how often
    _spelling: list[str] = field(default_factory=list)  # by term number; "" for a pair
    _term_of_column: Ints = field(default_factory=lambda: np.empty(1 << 10, np.int32))

    @property
    def columns(self) -> Ints:
        """The term of each column."""
        return self._term_of_column[: self.n_columns]

    def add_words(self, words: Iterable[str], terms: Iterable[int]) -> None:
        """Add new words with their term numbers, which are below `n`."""
        self._spelling += [""] * (self.n - len(self._spelling))
        for word, term in zip(words, terms):
            self.words[word] = term
            self._spelling[term] = word

    def names(self, terms: Ints) -> list[str]:
        """Return the names of terms, in time proportional to their number."""
        spelling = self._spelling

        def name(term: int) -> str:
            if self.key[term] == WORD:
                return spelling[term]
            a, b = int(self.key[term]) >> 32, int(self.key[term]) & 0xFFFFFFFF
            return f"{self.zones[-2 - a]}:{spelling[b]}" if a < 0 else f"{name(a)} {spelling[b]}"

        found = zip(terms.tolist(), self.key[terms].tolist())
        return [spelling[term] if key == WORD else name(term) for term, key in found]

    def note_form(self, form: str, count: int) -> None:
        """Count a word as it is written."""
        if form.isalnum():
            self.forms[form] = self.forms.get(form, 0) + count

    def learn(self, terms: Ints, n_documents: int) -> None:
        """Count documents, given by the distinct terms of each, and add columns for terms that reach `min_df`."""
        self._make_room()
        self.n_documents += n_documents
        self.n_columns = _learn(
            terms, self.min_df, self.document_frequency, self.column, self._term_of_column, self.n_columns
        )

    def column_for(self, term: int) -> int:
        """Return the column of a term; add one if it has none, even below `min_df`."""
        self._make_room()
        if self.column[term] == UNKNOWN:
            self.column[term], self._term_of_column[self.n_columns] = self.n_columns, term
            self.n_columns += 1
        return int(self.column[term])

    def _make_room(self) -> None:
        room = self.key.size
        if self.document_frequency.size < room:
            grown = self.document_frequency.size
            self.document_frequency = with_room(self.document_frequency, grown, room)
            self.document_frequency[grown:] = 0
            self.column = with_room(self.column, grown, room)
            self.column[grown:] = UNKNOWN
            self._term_of_column = with_room(self._term_of_column, self.n_columns, room)

    def state(self) -> dict[str, Any]:
        """Return the vocabulary as arrays and numbers; words are joined by newlines, which no word contains."""
        return {
            "min_df": int(self.min_df), "zones": list(self.zones), "n_documents": self.n_documents,
            "words": _encoded(self.words),
            "terms": np.fromiter(self.words.values(), np.int32, len(self.words)),
            "key": self.key[: self.n].copy(), "document_frequency": self.document_frequency[: self.n].copy(),
            "column": self.column[: self.n].copy(), "term_of_column": self.columns.copy(),
            "forms": _encoded(sorted(self.forms)),
            "form_counts": np.array([self.forms[form] for form in sorted(self.forms)], np.int32),
        }  # fmt: skip

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Vocabulary:
        """Return the vocabulary of a state.

        >>> old = Vocabulary(n=1)
        >>> old.add_words(["corn"], [0])
        >>> Vocabulary.restored(old.state()).words
        {'corn': 0}
        """
        n, n_columns = len(state["key"]), len(state["term_of_column"])
        spelling = _decoded(state["words"]) if len(state["terms"]) else []
        room = 1 << max(10, (n - 1).bit_length())  # a power of two, as the hash table needs
        found = cls(int(state["min_df"]), tuple(state["zones"]), n, n_columns, int(state["n_documents"]))
        if len(spelling) != len(state["terms"]):
            raise BadInput("words and their terms differ in number", remedy="the file is damaged; write it again")
        found.add_words(spelling, state["terms"].tolist())
        if len(state.get("form_counts", ())):  # older files have none
            found.forms = dict(zip(_decoded(state["forms"]), state["form_counts"].tolist(), strict=True))
        found.key, found.document_frequency = np.empty(room, np.int64), np.zeros(room, np.int64)
        found.column, found._term_of_column = np.full(room, UNKNOWN, np.int32), np.empty(room, np.int32)
        found.key[:n], found.document_frequency[:n] = state["key"], state["document_frequency"]
        found.column[:n], found._term_of_column[:n_columns] = state["column"], state["term_of_column"]
        return found

    def drop_frequent(self, most: float) -> None:
        """Remove the columns of terms that occur in more than `most` documents."""
        self.keep_columns(np.flatnonzero(self.document_frequency[self.columns] <= most))

    def keep_columns(self, columns: NDArray[Any]) -> None:
        """Remove all columns but these, which are numbered in their order."""
        kept = self.columns[columns]
        self.column[: self.n] = UNKNOWN
        self.column[kept] = np.arange(kept.size)
        self._term_of_column[: kept.size] = kept
        self.n_columns = kept.size


def _encoded(words: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(words).encode("utf-8", "surrogatepass"), np.uint8).copy()


def _decoded(words: NDArray[np.uint8]) -> list[str]:
    return words.tobytes().decode("utf-8", "surrogatepass").split("\n")


@kernel
def _learn(
    terms: Ints, min_df: int, document_frequency: Longs, column: Ints, term_of_column: Ints, n_columns: int
) -> int:
    for term in terms:
        document_frequency[term] += 1
        if document_frequency[term] == min_df and column[term] == UNKNOWN:
            column[term] = n_columns
            term_of_column[n_columns] = term
            n_columns += 1
    return n_columns
