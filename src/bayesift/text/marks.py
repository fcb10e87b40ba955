"""Combining marks, and the limit on how many of them follow one another.

Normalisation sorts the marks after a letter, in quadratic time (CPython: 5 seconds for 80,000 marks). No text of any
language has more than a few. Unicode's Stream-Safe Text Format (UAX #15) allows 30, and so does `limit_marks`.
"""

from __future__ import annotations

import re
from unicodedata import category

MOST = 30
HALF_WIDTH = "\uff9e\uff9f"  # letters that NFKC and NFKD turn into marks
# Marks and other characters that are neither letters nor digits: a class of marks alone is a hundred times slower.
_LONG_RUN = re.compile(rf"(?:[^\w\x00-\x7f]|[{HALF_WIDTH}]){{{MOST + 1},}}")


def is_mark(character: str) -> bool:
    """Return whether this is a combining mark.

    >>> is_mark("\u0301"), is_mark("e")
    (True, False)
    """
    return category(character)[0] == "M"


def limit_marks(text: str) -> str:
    """Return a text without the marks that follow `MOST` others.

    >>> len(limit_marks("e" + "\u0301" * 100)), limit_marks("café")
    (31, 'café')
    """
    return text if len(text) <= MOST or text.isascii() else _LONG_RUN.sub(_limited, text)


def _limited(run: re.Match[str]) -> str:
    kept, marks = [], 0
    for character in run[0]:
        marks = marks + 1 if is_mark(character) or character in HALF_WIDTH else 0
        if marks <= MOST:
            kept.append(character)
    return "".join(kept)
