"""A document's text as HTML, with the words marked that count for and against a topic.

A word for the topic has a solid line below, one against it a dotted line; shades of five strengths say how much. There
is no inline style, so that the pages need none (Content-Security-Policy).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from markupsafe import Markup, escape

WORD = re.compile(r"\w+(?:['’]\w+)*")
SHADES = 5
LONGEST = 20_000  # characters of a text that a page shows


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
    largest = max((abs(a) for a in amounts.values()), default=0.0)
    folded = {word.casefold(): amount for word, amount in amounts.items()}
    shown, parts, at = text[:most], [], 0
    for word in WORD.finditer(shown) if largest else ():
        amount = folded.get(word.group().casefold(), 0.0)
        if not amount:
            continue
        shade = max(1, round(SHADES * abs(amount) / largest))
        parts += [escape(shown[at : word.start()]), _mark(word.group(), "for" if amount > 0 else "against", shade)]
        at = word.end()
    parts.append(escape(shown[at:]))
    if len(text) > most:
        parts.append(Markup('<span class="soft"> … {:,} more characters</span>').format(len(text) - most))
    return Markup("").join(parts)


def _mark(word: str, side: str, shade: int) -> Markup:
    return Markup('<mark class="{} s{}">{}</mark>').format(side, shade, word)
