"""Vocabularies of partitions, put together in the order of the partitions, in arrays and on the workers.

Terms of a partition are numbered in the order in which they first occur there. Those of several partitions are numbered
partition by partition, so that a term has the number that it would have if all documents had been read in this order.
Groups of partitions are put together first, then groups of groups: nobody holds more than `GROUP` vocabularies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from bayesift.text import TextVectorizer
from bayesift.text.vocabulary import UNKNOWN, WORD, Vocabulary

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
GROUP = 16  # vocabularies that are put together at a time


@dataclass
class Terms:
    """Terms in the order in which they first occur, as `Vocabulary` has them."""

    words: list[str]
    numbers: Ints  # of the words among the terms
    key: Longs
    frequency: Longs
    forms: list[str]  # words as they are written
    form_counts: Longs
    documents: int
    stop_words: NDArray[Any]

    @classmethod
    def of(cls, vectorizer: TextVectorizer) -> Terms:
        """Return the terms of a fitted vectoriser."""
        stop_words, v = vectorizer.state()["stop_words"], vectorizer.vocabulary_
        numbers = np.fromiter(v.words.values(), np.int32, len(v.words))
        counts = np.fromiter(v.forms.values(), np.int64, len(v.forms))
        found = v.key[: v.n].copy(), v.document_frequency[: v.n].copy()
        return cls(list(v.words), numbers, *found, list(v.forms), counts, v.n_documents, stop_words)

    def fitted(self, vectorizer: TextVectorizer, *, words: bool = True) -> TextVectorizer:
        """Return a vectoriser with these terms; without `words` it cannot read documents, but weigh counted ones."""
        n = self.key.size
        most = vectorizer.max_df * self.documents if isinstance(vectorizer.max_df, float) else vectorizer.max_df
        known = np.flatnonzero((self.frequency >= vectorizer.min_df) & (self.frequency <= most))
        column = np.full(n, UNKNOWN, np.int32)
        column[known] = np.arange(known.size)
        state = Vocabulary(min_df=vectorizer.min_df, zones=tuple(vectorizer.zones)).state() | {
            "n_documents": self.documents,
            "key": self.key,
            "document_frequency": self.frequency,
            "column": column,
            "term_of_column": known.astype(np.int32),
        }
        found: TextVectorizer = clone(vectorizer).restore(state | {"stop_words": self.stop_words})
        if words:
            found.vocabulary_.add_words(self.words, self.numbers.tolist())
            found.vocabulary_.forms = dict(zip(self.forms, self.form_counts.tolist()))
        return found


def merged(parts: Sequence[Terms]) -> tuple[Terms, list[Ints]]:
    """Return the terms of all parts, and for each part the number of each of its terms there."""
    words: dict[str, int] = {}
    pairs: dict[int, int] = {}
    forms: dict[str, int] = {}
    key, frequency, form_counts = np.empty(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)
    places = []
    for part in parts:
        place = _places(part, words, pairs)
        new = place == UNKNOWN
        place[new] = key.size + np.arange(np.count_nonzero(new))
        own = _keys(part.key[new], place)
        is_new_word = new[part.numbers]
        fresh = [part.words[k] for k in np.flatnonzero(is_new_word).tolist()]
        words.update(zip(fresh, place[part.numbers[is_new_word]].tolist()))
        is_pair = own != WORD
        if is_pair.any():
            pairs.update(zip(own[is_pair].tolist(), (key.size + np.flatnonzero(is_pair)).tolist()))
        key = np.concatenate([key, own])
        frequency = _added(frequency, place, part.frequency)
        form_counts = _added(form_counts, _numbered(part.forms, forms), part.form_counts)
        places.append(place)
    numbers = np.fromiter(words.values(), np.int32, len(words))
    documents = sum(part.documents for part in parts)
    whole = Terms(list(words), numbers, key, frequency, list(forms), form_counts, documents, parts[0].stop_words)
    return whole, places


def _places(part: Terms, words: dict[str, int], pairs: dict[int, int]) -> Ints:
    """Return the number of each term of a part among those known, or UNKNOWN."""
    place = np.full(part.key.size, UNKNOWN, np.int32)
    place[part.numbers] = np.array(list(map(words.get, part.words, repeat(UNKNOWN))), np.int32)
    waiting = np.flatnonzero(part.key != WORD)
    a, b = part.key >> 32, part.key & 0xFFFFFFFF
    while waiting.size:  # first the pairs of words, then the pairs with these, and so on
        ready = (a[waiting] < 0) | ~np.isin(a[waiting], waiting)
        these = waiting[ready]
        first = np.where(a[these] < 0, a[these], place[a[these]])
        second = place[b[these]].astype(np.int64)
        met = (second != UNKNOWN) & ((a[these] < 0) | (first != UNKNOWN))
        known = ((first << 32) | second)[met]
        place[these[met]] = np.array(list(map(pairs.get, known.tolist(), repeat(UNKNOWN))), np.int32)
        waiting = waiting[~ready]
    return place


def _keys(key: Longs, place: Ints) -> Longs:
    """Return the keys of terms, with the numbers that their parts have now."""
    a, b = key >> 32, key & 0xFFFFFFFF
    pair = key != WORD
    first = np.where(a[pair] < 0, a[pair], place[a[pair]])
    found = np.full(key.size, WORD, np.int64)
    found[pair] = (first << 32) | place[b[pair]]
    return found


def _numbered(names: list[str], known: dict[str, int]) -> Longs:
    """Return the number of each name; new names get the next numbers."""
    new = [name for name in names if name not in known]
    known.update(zip(new, range(len(known), len(known) + len(new))))
    return np.fromiter(map(known.__getitem__, names), np.int64, len(names))


def _added(total: Longs, places: NDArray[Any], counts: Longs) -> Longs:
    """Return the counts with more of them, each place once; there may be more places than before."""
    size = max(total.size, int(places.max(initial=-1)) + 1)
    total = np.pad(total, (0, size - total.size))
    total[places] += counts
    return total


def merge_on_cluster(client: Any, parts: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return futures of all terms, and of the number of each partition's terms there; `parts` are futures of terms."""
    levels: list[list[Any]] = []  # of each level the places of what was put together
    while not levels or len(parts) > 1:
        groups = [parts[begin : begin + GROUP] for begin in range(0, len(parts), GROUP)]
        found = [client.submit(merged, group, pure=False) for group in groups]
        levels.append(
            [client.submit(_place, pair, k, pure=False) for pair, g in zip(found, groups) for k in range(len(g))]
        )
        parts = [client.submit(_terms, pair, pure=False) for pair in found]
    places = []
    for number, place in enumerate(levels[0]):
        chain = [place, *(level[number // GROUP**depth] for depth, level in enumerate(levels[1:], start=1))]
        places.append(place if len(chain) == 1 else client.submit(_composed, chain, pure=False))
    return parts[0], places


def _terms(pair: tuple[Terms, list[Ints]]) -> Terms:
    return pair[0]


def _place(pair: tuple[Terms, list[Ints]], number: int) -> Ints:
    return pair[1][number]


def _composed(places: list[Ints]) -> Ints:
    found = places[0]
    for place in places[1:]:
        found = place[found]
    return found
