"""The words of a document where they stand, each with what it contributes to a label.

Contributions belong to terms (stems, and words of a zone); a word in the text has those of all terms it makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bayesift.classify import Explanation, TextClassifier
from bayesift.text.markup import places, strip_markup

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
    vectorizer = model.vectorizer_
    strip = vectorizer.html == "strip"
    where = places(text) if strip else [(i, i + 1) for i in range(len(text))]
    worth = {part.term: part.mean for part in explanation.words}
    known: dict[str, float] = {}
    shown = 0
    for match in PIECE.finditer(strip_markup(text) if strip else text):
        begin, end = where[match.start()][0], where[match.end() - 1][1]
        if begin > shown:
            yield text[shown:begin], 0.0
        piece = match.group()
        if piece not in known:
            terms = vectorizer.rules_([piece])[0]
            known[piece] = sum(worth.get(t, 0.0) + worth.get(f"{zone}:{t}", 0.0) for t in terms)
        yield text[begin:end], known[piece]
        shown = end
    if shown < len(text):
        yield text[shown:], 0.0


def strength(value: float, explanation: Explanation) -> float:
    """How strongly to colour a contribution: 0 to 1, by the largest one."""
    largest = max((abs(part.mean) for part in explanation.words), default=0.0)
    return min(1.0, abs(value) / largest) if largest > 0.0 else 0.0
