"""The words of a document as they stand in its text, with the terms (stems, n-grams) that they make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple
from unicodedata import category

from bayesift.text.markup import places, strip_markup
from bayesift.text.vectorizer import TextVectorizer
from bayesift.text.words import UNSEEN

LAST = 0x1F000  # code points of marks are below it, but for selectors of variants, which are not seen
MARKS = "".join(c for c in map(chr, range(0x300, LAST)) if category(c)[0] == "M")
PIECE = re.compile(rf"[^\W_]+(?:(?:[{MARKS}]+|[{UNSEEN}]+(?=[^\W_]))[^\W_]*)*")
SPACES = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(128)  # of bytes of ASCII
SOME = 16  # words that are looked up at a time


class Piece(NamedTuple):
    """A part of a document's text: a word with its terms, or what is between words, with none."""

    zone: str
    text: str
    terms: tuple[str, ...] = ()


class Speller:
    """Splits texts into words and finds the terms of each, by the rules of a vectorizer."""

    def __init__(self, vectorizer: TextVectorizer) -> None:
        self._strip = vectorizer.html == "strip"
        self._rules = vectorizer.rules_
        self._ngrams = vectorizer.ngrams
        self._known: dict[str, tuple[str, ...]] = {}

    def pieces(self, document: Any) -> list[Piece]:
        """Return the document in pieces, words and what is between them (markup too); joined they are its text.

        >>> [piece[1:] for piece in Speller(TextVectorizer().fit(["exports"])).pieces("the <b>exports</b>!")]
        [('the', ()), (' <b>', ()), ('exports', ('export',)), ('</b>!', ())]
        """
        return [piece for zone, text in zones_of(document).items() for piece in self._split(zone, text)]

    def _split(self, zone: str, text: str) -> Iterator[Piece]:
        where = places(text) if self._strip else [(i, i + 1) for i in range(len(text))]
        shown = 0
        for match in PIECE.finditer(strip_markup(text) if self._strip else text):
            begin, end = where[match.start()][0], where[match.end() - 1][1]
            if begin > shown:
                yield Piece(zone, text[shown:begin])
            yield Piece(zone, text[begin:end], self._terms(match.group()))
            shown = end
        if shown < len(text):
            yield Piece(zone, text[shown:])

    def words(self, document: Any) -> dict[str, str]:
        """Return for each term the first word of the document that makes it; terms of zones are `zone:term`.

        >>> Speller(TextVectorizer().fit(["energy"])).words({"title": "Energy", "body": "supplies of energy"})
        {'title:energi': 'title:Energy', 'energi': 'Energy', 'suppli': 'supplies'}
        """
        return words_of(self.pieces(document))

    def amounts(self, pieces: Sequence[Piece], terms: Mapping[str, float]) -> list[float]:
        """Return what each piece contributes: the sum over the terms, zone terms and n-grams that it is part of.

        >>> speller = Speller(TextVectorizer(ngrams=2).fit(["crude oil"]))
        >>> speller.amounts(speller.pieces("Crude oils, oil"), {"oil": 1.0, "crude oil": 10.0})
        [10.0, 0.0, 11.0, 0.0, 1.0]
        """
        found = [
            sum((terms.get(t, 0.0) + terms.get(f"{piece.zone}:{t}", 0.0) for t in piece.terms), 0.0) for piece in pieces
        ]
        words = [(k, piece.zone, term) for k, piece in enumerate(pieces) for term in piece.terms]
        for n in range(2, self._ngrams + 1):
            for i in range(len(words) - n + 1):
                run = words[i : i + n]
                amount = terms.get(" ".join(term for _, _, term in run), 0.0)
                if amount and run[0][1] == run[-1][1]:  # no n-gram crosses the end of a zone
                    for k in {k for k, _, _ in run}:
                        found[k] += amount
        return found

    def _terms(self, piece: str) -> tuple[str, ...]:
        if piece not in self._known:
            self._known[piece] = tuple(self._rules([piece])[0])
        return self._known[piece]


def zones_of(document: Any) -> dict[str, str]:
    """Return the texts of a document by zone; a plain text is all body."""
    if isinstance(document, str):
        return {"body": document}
    zones = document.zones() if hasattr(document, "zones") else document
    return {zone: text for zone, text in zones.items() if isinstance(text, str)}


def first_words(document: Any, vectorizer: TextVectorizer) -> dict[str, str]:
    """Return the terms of single words of a document, each with the first word that makes it.

    It reads what `Speller` reads, and is many times faster, since it does not say where words are.

    >>> first_words("Exports of corn: the export", TextVectorizer().fit(["corn"]))
    {'export': 'Exports', 'corn': 'corn'}
    """
    words = list(dict.fromkeys(chain.from_iterable(map(_words, _plain(document, vectorizer)))))
    found: dict[str, str] = {}
    for word, terms in zip(words, vectorizer.terms_of(words)):
        for term in terms:
            if term not in found:
                found[term] = word
    return found


def has_terms(document: Any, vectorizer: TextVectorizer) -> bool:
    """Return whether `first_words` finds any; it reads no further than to the first.

    >>> vectorizer = TextVectorizer().fit(["corn"])
    >>> has_terms("of the corn", vectorizer), has_terms("of the", vectorizer)
    (True, False)
    """
    for words in map(_words, _plain(document, vectorizer)):
        for begin in range(0, len(words), SOME):
            if any(vectorizer.terms_of(words[begin : begin + SOME])):
                return True
    return False


def _plain(document: Any, vectorizer: TextVectorizer) -> Iterable[str]:
    """Return the texts of a document without markup, if the vectorizer removes it."""
    texts = zones_of(document).values()
    return map(strip_markup, texts) if vectorizer.html == "strip" else texts


def _words(text: str) -> list[str]:
    """Return what `PIECE` finds in a text; in ASCII there is a faster way.

    >>> _words("Corn_rose: 3%") == PIECE.findall("Corn_rose: 3%") == ["Corn", "rose", "3"]
    True
    """
    return text.encode().translate(SPACES).decode().split() if text.isascii() else PIECE.findall(text)


def words_of(pieces: Sequence[Piece]) -> dict[str, str]:
    """Return for each term the first piece that makes it."""
    found: dict[str, str] = {}
    for zone, text, terms in pieces:
        if len(terms) == 1:
            found.setdefault(f"{zone}:{terms[0]}", f"{zone}:{text}")
            found.setdefault(terms[0], text)
    return {term: word for term, word in found.items() if not term.startswith("body:")}


def spelled(term: str, words: Mapping[str, str]) -> str:
    """Return a term, or each word of an n-gram, as it stands in the document; empty where it does not.

    >>> spelled("interest rate", {"interest": "Interest", "rate": "rates"}), spelled("oil", {})
    ('Interest rates', '')
    """
    found = [words.get(part, "") for part in ([term] if term in words else term.split(" "))]
    return " ".join(found) if all(found) else ""
