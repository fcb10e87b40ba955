"""Names of labels and topics: on one line, so that tables show them, and of characters that every file can hold."""

from __future__ import annotations

import re

_NO_FILE = re.compile("[\0\ud800-\udfff]")  # NUL, and halves of surrogate pairs
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")  # Unicode's categories Cc, Zl and Zp


def flaw_of(name: str) -> str:
    """Return what a name has and must not have; empty if there is nothing.

    >>> flaw_of("corn\\nand wheat"), flaw_of("corn"), flaw_of("\\ud83d")
    ('a line break, a tab or a control character', '', 'characters that no file can hold')
    """
    if name.isprintable():
        return ""
    if _NO_FILE.search(name):
        return "characters that no file can hold"
    return "a line break, a tab or a control character" if _CONTROL.search(name) else ""
