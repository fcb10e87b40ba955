"""Counting the terms of documents: pieces (`tokens`) become terms (`vocabulary`), with n-grams and zones.

An n-gram is found from the (n-1)-gram before it and its last word, a zone's term from the zone and the word: both
are pairs of numbers, looked up in one hash table, so no string is built until a term's name is needed.
A row lists its terms in the order of first occurrence.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel
from bayesift.text.tokens import Bytes, Ints, Longs, PieceTable, with_room
from bayesift.text.vocabulary import UNKNOWN, WORD, Vocabulary

NO_WORD, ASK_WORDS = -1, -2


class TermCounter:
    """Counter of the terms of `vocabulary` in texts split by `table`."""

    def __init__(self, vocabulary: Vocabulary, table: PieceTable, ngrams: int) -> None:
        self.vocabulary = vocabulary
        self.table = table
        self.ngrams = ngrams
        self._n_words = 0  # words of the table that have been looked up
        self._term_of_word = np.empty(0, np.int32)  # for each of these
        self._n_pieces = 0
        self._term_of_piece = np.empty(0, np.int32)  # a short cut past words; see _count
        self._written = np.zeros(0, np.int64)  # how often each of the table's pieces was learned; see note_forms
        self._seen = np.zeros(vocabulary.key.size, np.int32)  # see _count
        self._origin = np.empty(vocabulary.key.size, np.int32)  # the table's word of each new term
        self._slots = _rehashed_pairs(vocabulary.key, vocabulary.n, 4 * vocabulary.key.size)

    def count(
        self, data: Bytes, text_ends: Longs, text_zones: Ints, document_ends: Longs, learn: bool
    ) -> tuple[Ints, Ints, Longs]:
        """Return (terms, counts, row ends) of documents of one or more texts; new terms are numbered if `learn`."""
        if self.table.full:
            self.note_forms()
            self.table.clear()
            self._n_words = self._n_pieces = 0
        pieces, piece_ends = self.table.scan(data, text_ends)
        if self.table.n > self._n_pieces:
            self._look_up_new_words()
        v = self.vocabulary
        old = v.n
        most = (self.ngrams + len(v.zones)) * pieces.size
        terms, counts = np.empty(most, np.int32), np.empty(most, np.int32)
        row_ends = np.empty(document_ends.size, np.int64)
        document, entry = 0, 0
        has_zones = bool(v.zones) and bool((text_zones >= 0).any())
        while True:
            document, entry, v.n, entries, terms_wanted = _count(
                pieces, piece_ends, text_zones, document_ends, self.table.first, self.table.words,
                self.table.most_words, self.ngrams, has_zones, learn, self._term_of_word,
                self._term_of_piece, v.key, self._slots, self._seen, self._origin, terms,
                counts, row_ends, document, entry, v.n,
            )  # fmt: skip
            if document == document_ends.size:
                break
            terms = with_room(terms, entry, entries)
            counts = with_room(counts, entry, entries)
            self._make_room(terms_wanted)
        if v.n > old:
            new = old + np.flatnonzero(v.key[old : v.n] == WORD)
            v.add_words(map(self.table.spelling.__getitem__, self._origin[new].tolist()), new.tolist())
        if learn:
            if self._written.size < self.table.n:
                self._written = np.pad(self._written, (0, 2 * self.table.n - self._written.size))
            _tally(pieces, self._written)
        return terms[:entry], counts[:entry], row_ends

    def note_forms(self) -> None:
        """Pass the counts of one-word pieces learned since the last call to the vocabulary."""
        some = np.flatnonzero(self._written)
        single = some[self.table.first[some + 1] - self.table.first[some] == 1]
        for piece, count in zip(single.tolist(), self._written[single].tolist()):
            self.vocabulary.note_form(self.table.text_of(piece), count)
        self._written = np.zeros(0, np.int64)

    def _look_up_new_words(self) -> None:
        """Look up the terms of the words of the pieces that are new in the table."""
        self._term_of_piece = with_room(self._term_of_piece, self._n_pieces, self.table.n)
        self._term_of_piece[self._n_pieces : self.table.n] = ASK_WORDS
        self._n_pieces = self.table.n
        known = self._n_words
        new = self.table.spelling[known:]
        if new:
            get = self.vocabulary.words.get
            terms = np.array([get(word, UNKNOWN) for word in new], np.int32)
            self._term_of_word = with_room(self._term_of_word, known, known + len(new))
            self._term_of_word[known : known + len(new)] = terms
            self._n_words += len(new)

    def _make_room(self, wanted: int) -> None:
        v = self.vocabulary
        size = v.key.size
        if size >= wanted:
            return
        while size < wanted:
            size *= 2  # a power of two, as the hash table needs
        v.key = with_room(v.key, v.n, size)
        self._seen = with_room(self._seen, self._seen.size, size)
        self._origin = with_room(self._origin, v.n, size)
        self._slots = _rehashed_pairs(v.key, v.n, 4 * v.key.size)


@kernel
def _count(
    pieces: Ints, piece_ends: Longs, text_zones: Ints, document_ends: Longs, first: Longs, words: Ints,
    most_words: int, ngrams: int, has_zones: bool, learn: bool, term_of_word: Ints, term_of_piece: Ints,
    key: Longs, slots: Ints, seen: Ints, origin: Ints, terms: Ints, counts: Ints, row_ends: Longs,
    document: int, entry: int, n: int,
) -> tuple[int, int, int, Any, Any]:  # fmt: skip
    """Count the documents in turn; stop before one that might not fit, and return its place and the room it needs.

    seen[t] is the place of t in `terms`. It may be out of date: t is in this row if that place belongs to the
    row and holds t. term_of_piece[p] is the term of a piece of one word, NO_WORD, or ASK_WORDS if neither is known.
    """
    plain = ngrams == 1 and not has_zones
    before = np.empty(ngrams + 1, np.int64)  # before[g]: the g-gram that ends at the word before this one
    text = document_ends[document - 1] if document > 0 else 0
    while document < document_ends.size:
        last_text = document_ends[document]
        at = piece_ends[text - 1] if text > 0 else 0
        end = piece_ends[last_text - 1] if last_text > 0 else 0
        most = end - at
        if most_words > 1:
            most = 0
            for i in range(at, end):
                most += first[pieces[i] + 1] - first[pieces[i]]
        most *= ngrams + has_zones  # the word and its n-grams, and the word in its zone
        most_new = min(most, term_of_word.size) if plain else most
        if entry + most > terms.size or n + most_new > key.size:
            return document, entry, n, entry + most, n + most_new
        row = entry
        while text < last_text:
            before[:] = UNKNOWN
            zone = text_zones[text]
            for i in range(at, piece_ends[text]):
                piece = pieces[i]
                if plain and term_of_piece[piece] != ASK_WORDS:
                    if term_of_piece[piece] != NO_WORD:
                        entry = _add(term_of_piece[piece], row, entry, seen, terms, counts)
                    continue
                if first[piece] == first[piece + 1]:
                    term_of_piece[piece] = NO_WORD
                for w in range(first[piece], first[piece + 1]):
                    word = words[w]
                    term: Any = np.int64(term_of_word[word])
                    if term == UNKNOWN:
                        if not learn:
                            before[:] = UNKNOWN
                            continue
                        term = n
                        term_of_word[word] = term
                        key[term] = WORD
                        origin[term] = word
                        n += 1
                    entry = _add(term, row, entry, seen, terms, counts)
                    if zone >= 0:
                        found, n = _pair(-2 - np.int64(zone), term, key, slots, n, learn)
                        entry = _add(found, row, entry, seen, terms, counts)
                    for g in range(ngrams, 1, -1):
                        before[g] = UNKNOWN
                        if before[g - 1] != UNKNOWN:
                            before[g], n = _pair(before[g - 1], term, key, slots, n, learn)
                            entry = _add(before[g], row, entry, seen, terms, counts)
                    before[1] = term
                    if first[piece] + 1 == first[piece + 1]:
                        term_of_piece[piece] = term
            at = piece_ends[text]
            text += 1
        row_ends[document] = entry
        document += 1
    return document, entry, n, 0, 0


@kernel
def _tally(pieces: Ints, written: Longs) -> None:
    for piece in pieces:
        written[piece] += 1


@kernel(inline="always")
def _add(term: Any, row: int, entry: int, seen: Ints, terms: Ints, counts: Ints) -> int:
    if term == UNKNOWN:
        return entry
    place = seen[term]
    if row <= place < entry and terms[place] == term:
        counts[place] += 1
        return entry
    seen[term] = entry
    terms[entry] = term
    counts[entry] = 1
    return entry + 1


@kernel
def _hash(pair: int) -> np.uint64:
    h = np.uint64(pair) * np.uint64(0x9E3779B97F4A7C15)
    return h ^ (h >> np.uint64(32))


@kernel
def _pair(a: Any, b: Any, key: Longs, slots: Ints, n: int, learn: bool) -> tuple[Any, int]:
    """Return the term of the pair (a, b), or UNKNOWN, and the number of terms, which grows if `learn` is set."""
    pair = (a << 32) | b
    mask = np.uint64(slots.size - 1)
    at = _hash(pair) & mask
    while slots[at] != 0:
        if key[slots[at] - 1] == pair:
            return np.int64(slots[at] - 1), n
        at = (at + np.uint64(1)) & mask
    if not learn:
        return np.int64(UNKNOWN), n
    key[n] = pair
    slots[at] = n + 1
    return np.int64(n), n + 1


@kernel
def _rehashed_pairs(key: Longs, n: int, size: int) -> NDArray[np.int32]:
    slots = np.zeros(size, np.int32)
    mask = np.uint64(size - 1)
    for term in range(n):
        if key[term] != WORD:
            at = _hash(key[term]) & mask
            while slots[at] != 0:
                at = (at + np.uint64(1)) & mask
            slots[at] = term + 1
    return slots
