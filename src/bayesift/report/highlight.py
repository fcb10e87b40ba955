"""The words of a document where they stand, each with what it contributes to a label.

Contributions belong to terms (stems, and words of a zone); a word in the text has those of all terms it makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bayesift.classify import Explanation, TextClassifier
from bayesift.text.words import WordRules

PIECE = re.compile(r"[^\W_]+")


def zones_of(document: Any) -> dict[str, str]:
    """The texts of a document by zone; a plain text is all body."""
    if isinstance(document, str):
        return {"body": document}
    zones = document.zones() if hasattr(document, "zones") else document
    return {zone: text for zone, text in zones.items() if isinstance(text, str)}


def pieces(model: TextClassifier, explanation: Explanation, zone: str, text: str) -> Iterator[tuple[str, float]]:
    """Yield the text in pieces, each with its contribution; 0 between words and for words that say nothing.

    >>> model = TextClassifier().fit(["wheat exports", "oil fell"] * 9, ["grain", "crude"] * 9)
    >>> found = list(pieces(model, model.explain(["exported wheat!"], ["grain"])[0], "body", "exported wheat!"))
    >>> [(text, value > 0) for text, value in found]
    [('exported', True), (' ', False), ('wheat', True), ('!', False)]
    """
    v = model.vectorizer_
    rules = WordRules(v.stem, v.stop_words, v.min_length, v.numbers)
    worth = {part.term: part.mean for part in explanation.words}
    known: dict[str, float] = {}
    end = 0
    for match in PIECE.finditer(text):
        if match.start() > end:
            yield text[end : match.start()], 0.0
        piece = match.group()
        if piece not in known:
            terms = rules([piece])[0]
            known[piece] = sum(worth.get(t, 0.0) + worth.get(f"{zone}:{t}", 0.0) for t in terms)
        yield piece, known[piece]
        end = match.end()
    if end < len(text):
        yield text[end:], 0.0


def strength(value: float, explanation: Explanation) -> float:
    """How strongly to colour a contribution: 0 to 1, by the largest one."""
    largest = max((abs(part.mean) for part in explanation.words), default=0.0)
    return min(1.0, abs(value) / largest) if largest > 0.0 else 0.0
