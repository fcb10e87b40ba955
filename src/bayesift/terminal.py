"""Text for a terminal: nothing in a label, a document or a file's name may act on it.

Control characters, which begin a terminal's escape codes, and characters that reverse the direction of text are shown
as Python writes them; markup of rich is shown as it is.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

MESSAGE = 2_000  # characters of a message
LEFT_OUT = " ... "
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""Return the text with its control characters escaped; line ends and tabs stay.

    >>> print(printable("red \x1b[31m label"))
    red \x1b[31m label
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    r"""Return the text as one line, its control characters escaped.

    >>> print(one_line("two\nlines"))
    two\nlines
    """
    return printable(text).replace("\n", r"\n").replace("\t", r"\t")


def shortened(text: str, most: int = MESSAGE) -> str:
    """Return a text without its middle if it is too long: messages begin with what is wrong and end with what to do.

    >>> shortened("'the the the the' has only stop words; say more", 40)
    "'the the the the'  ... p words; say more"
    """
    if len(text) <= most:
        return text
    end = (most - len(LEFT_OUT)) // 2
    return f"{text[: most - len(LEFT_OUT) - end]}{LEFT_OUT}{text[-end:]}"


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide characters take two, combining marks none.

    >>> width("corn"), width("東京"), width("e\u0301")
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 1 + _is_wide(c) for c in text)


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def console(*, stderr: bool = False, soft_wrap: bool = False) -> Console:
    """Return a console that prints strings literally: no control characters, markup, emoji codes or highlighting."""
    from rich.console import Console
    from rich.text import Text

    class Literal(Console):
        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(printable(text), **options)

    return Literal(stderr=stderr, soft_wrap=soft_wrap, markup=False, emoji=False, highlight=False)
