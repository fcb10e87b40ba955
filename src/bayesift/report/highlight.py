"""The words of a document where they stand, each with what it contributes to a label.

Contributions belong to terms (stems, and words of a zone); a word in the text has those of all terms it makes.
"""

from __future__ import annotations

from collections.abc import Iterator

from bayesift.classify import Explanation, TextClassifier
from bayesift.classify.spelling import Speller


def pieces(model: TextClassifier, explanation: Explanation, zone: str, text: str) -> Iterator[tuple[str, float]]:
    """Yield the text in pieces, each with its contribution; 0 between words and for words that say nothing.

    >>> model = TextClassifier().fit(["wheat exports", "oil fell"] * 9, ["grain", "crude"] * 9)
    >>> found = list(pieces(model, model.explain(["exported wheat!"], ["grain"])[0], "body", "exported wheat!"))
    >>> [(text, value > 0) for text, value in found]
    [('exported', True), (' ', False), ('wheat', True), ('!', False)]
    """
    worth = {part.term: part.mean for part in explanation.words}
    for piece, terms in Speller(model.vectorizer_).pieces(text):
        yield piece, sum(worth.get(t, 0.0) + worth.get(f"{zone}:{t}", 0.0) for t in terms)


def strength(value: float, explanation: Explanation) -> float:
    """How strongly to colour a contribution: 0 to 1, by the largest one."""
    largest = max((abs(part.mean) for part in explanation.words), default=0.0)
    return min(1.0, abs(value) / largest) if largest > 0.0 else 0.0
