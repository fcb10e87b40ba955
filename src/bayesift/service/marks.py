"""A text as HTML, with the words marked that count for and against it.

A word for it has a solid line below, one against it a dotted line; shades of five strengths say how much. There is no
inline style, so that the pages need none (Content-Security-Policy).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from markupsafe import Markup, escape

from bayesift.text.spelling import PIECE
from bayesift.text.words import fold

BETWEEN = r"(?:(?![.!?…]+(?:\s|[\"'”’)\]])|\n\s*\n)\W)+"  # words of a term, not the end of a sentence or paragraph
SHADES = 5
LONGEST = 20_000  # characters of a text that a page shows
OVERRIDES = dict.fromkeys(range(0x202A, 0x202F))  # embeddings and overrides of direction: they turn what follows round


def marked(text: str, amounts: Mapping[str, float], most: int = LONGEST) -> Markup:
    """Return a text as HTML with its words marked; `amounts` has words as they are written, in any case.

    Parameters
    ----------
    text : str
        The text.
    amounts : mapping
        What each word adds to the field of the topic.
    most : int
        Characters shown; a longer text is cut, which is said.

    Examples
    --------
    >>> marked("Wheat & rice", {"wheat": 0.5, "rice": -0.1})
    Markup('<mark class="for s5">Wheat</mark> &amp; <mark class="against s1">rice</mark>')
    """
    text = text.translate(OVERRIDES)
    folded = {fold(word): amount for word, amount in amounts.items()}
    found = PIECE.finditer(text[:most]) if any(folded.values()) else iter(())
    largest = max(map(abs, folded.values()), default=1.0)
    return _html(text, found, lambda word: folded.get(fold(word), 0.0) / largest, most)


def marked_terms(text: str, terms_for: Sequence[str], terms_against: Sequence[str], most: int = LONGEST) -> Markup:
    """Return a text as HTML with terms of one or more words marked, the most important ones first in each sequence.

    A term whose words are in two sentences is not marked there.

    >>> marked_terms("HIV-1 in adults", ["in adults", "hiv"], ["adults"])
    Markup('<mark class="for s2">HIV</mark>-1 <mark class="for s5">in adults</mark>')
    >>> marked_terms("Side effects. Adults", ["effects adults"], [])
    Markup('Side effects. Adults')
    """
    text, amounts = text.translate(OVERRIDES), dict[tuple[str, ...], float]()
    for sign, terms in ((-1.0, terms_against), (1.0, terms_for)):
        plain = [tuple(term.translate(OVERRIDES).casefold().split()) for term in terms]
        amounts |= {words: sign * (1 - i / len(terms)) for i, words in enumerate(plain)}
    amounts.pop((), None)
    if not amounts:
        return _html(text, iter(()), lambda _: 0.0, most)
    longest_first = sorted(amounts, key=lambda words: (-len(words), words))
    pattern = "|".join(BETWEEN.join(map(re.escape, words)) for words in longest_first)
    found = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE).finditer(text[:most])
    return _html(text, found, lambda term: amounts.get(tuple(PIECE.findall(term.casefold())), 0.0), most)


def _html(text: str, found: Iterator[re.Match[str]], amount_of: Callable[[str], float], most: int) -> Markup:
    shown, at = text[:most], 0
    parts: list[str] = []  # escaped
    for hit in found:
        amount = amount_of(hit.group())
        if not amount:
            continue
        kind, shade = "for" if amount > 0 else "against", max(1, round(SHADES * abs(amount)))
        parts += [escape(shown[at : hit.start()]), f'<mark class="{kind} s{shade}">', escape(hit.group()), "</mark>"]
        at = hit.end()
    parts.append(escape(shown[at:]))
    if len(text) > most:
        parts.append(Markup('<span class="soft"> … {:,} more characters</span>').format(len(text) - most))
    return Markup("".join(parts))
