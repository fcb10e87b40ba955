"""The words of a document as they stand in its text, each with the terms (stems) that it makes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bayesift.text import TextVectorizer
from bayesift.text.markup import places, strip_markup

PIECE = re.compile(r"[^\W_]+")


def zones_of(document: Any) -> dict[str, str]:
    """Return the texts of a document by zone; a plain text is all body."""
    if isinstance(document, str):
        return {"body": document}
    zones = document.zones() if hasattr(document, "zones") else document
    return {zone: text for zone, text in zones.items() if isinstance(text, str)}


class Speller:
    """Splits texts into words and finds the terms of each, by the rules of a vectoriser."""

    def __init__(self, vectorizer: TextVectorizer) -> None:
        self._strip = vectorizer.html == "strip"
        self._rules = vectorizer.rules_
        self._known: dict[str, list[str]] = {}

    def pieces(self, text: str) -> Iterator[tuple[str, list[str]]]:
        """Yield the text in pieces, words and what is between them (markup too), each with its terms.

        >>> list(Speller(TextVectorizer().fit(["exports"])).pieces("the <b>exports</b>!"))
        [('the', []), (' <b>', []), ('exports', ['export']), ('</b>!', [])]
        """
        where = places(text) if self._strip else [(i, i + 1) for i in range(len(text))]
        shown = 0
        for match in PIECE.finditer(strip_markup(text) if self._strip else text):
            begin, end = where[match.start()][0], where[match.end() - 1][1]
            if begin > shown:
                yield text[shown:begin], []
            yield text[begin:end], self._terms(match.group())
            shown = end
        if shown < len(text):
            yield text[shown:], []

    def words(self, document: Any) -> dict[str, str]:
        """Return the first word of the document that makes each term; terms of zones are `zone:term`.

        >>> Speller(TextVectorizer().fit(["energy"])).words({"title": "Energy", "body": "supplies of energy"})
        {'title:energi': 'title:Energy', 'energi': 'Energy', 'suppli': 'supplies'}
        """
        found: dict[str, str] = {}
        for zone, text in zones_of(document).items():
            for piece, terms in self.pieces(text):
                if len(terms) == 1:
                    found.setdefault(f"{zone}:{terms[0]}", f"{zone}:{piece}")
                    found.setdefault(terms[0], piece)
        return {term: word for term, word in found.items() if not term.startswith("body:")}

    def _terms(self, piece: str) -> list[str]:
        if piece not in self._known:
            self._known[piece] = self._rules([piece])[0]
        return self._known[piece]


def spelled(term: str, words: dict[str, str]) -> str:
    """Return a term, or each word of an n-gram, as it stands in the document; empty where it does not.

    >>> spelled("interest rate", {"interest": "Interest", "rate": "rates"}), spelled("oil", {})
    ('Interest rates', '')
    """
    found = [words.get(part, "") for part in ([term] if term in words else term.split(" "))]
    return " ".join(found) if all(found) else ""
