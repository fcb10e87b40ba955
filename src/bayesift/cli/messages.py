"""Messages of the command line: lines on stderr, and notes, which `main` prints there."""

from __future__ import annotations

import sys
import warnings

from bayesift.errors import Notice
from bayesift.terminal import one_line, shortened


def counted(number: int, what: str) -> str:
    """Return a number of things.

    >>> counted(1, "record"), counted(2000, "record")
    ('1 record', '2,000 records')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def say(text: str) -> None:
    """Print a message to stderr."""
    print(one_line(shortened(text)), file=sys.stderr, flush=True)


def notice(text: str) -> None:
    """Print a note to stderr."""
    warnings.warn(text, Notice, stacklevel=2)
