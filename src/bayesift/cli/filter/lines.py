"""JSON lines from standard input as they come: all that is there at a time, without waiting for more.

A pipe is read in batches when it is full and line by line when lines come slowly, so that `tail -f` and large files
are both served at once.
"""

from __future__ import annotations

import os
import re
import select
import stat
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from bayesift.errors import BadInput, BayesiftError

NAME = "standard input"
CHUNK = 1 << 20  # bytes taken at a time, at most; a pipe holds less
LONGEST = 100_000_000  # bytes of a line
HALF = re.compile(  # the escape of one surrogate without its other half
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]"
)
Made = TypeVar("Made")


class Line(NamedTuple):
    """A line: its number from 1, and its bytes; of one that is too long, only some."""

    number: int
    text: bytes


class Lines:
    """Lines of standard input.

    Only `wait` may be interrupted without loss: what `take` has read is not in the pipe any more.
    """

    def __init__(self) -> None:
        check_piped()
        self._descriptor = sys.stdin.fileno()
        self._waits = not stat.S_ISREG(os.fstat(self._descriptor).st_mode)
        self._rest: list[bytes] = []  # parts of a line that is not complete
        self._size = 0  # of these
        self._drops = False  # whether the line that is not complete was too long: its rest is dropped
        self._number = 0  # of the last complete line
        self._ended = False

    def wait(self) -> bool:
        """Wait until there is something to take; return False at the end."""
        if self._waits and not self._ended:
            select.select([self._descriptor], [], [])
        return not self._ended

    def take(self) -> list[Line]:
        """Return the complete lines that are there, without empty ones; the last line needs no end.

        A line that is too long is returned as soon as this is known.
        """
        chunk = os.read(self._descriptor, CHUNK)
        *complete, last = chunk.split(b"\n")
        if complete:
            complete[0] = b"" if self._drops else b"".join([*self._rest, complete[0]])
            self._rest, self._size, self._drops = [], 0, False
        if not self._drops:
            self._rest.append(last)
            self._size += len(last)
        if not chunk:
            self._ended = True
            complete = [b"".join(self._rest)]
        found = [Line(self._number + i, text) for i, text in enumerate(complete, 1) if text.strip()]
        self._number += len(complete)
        if self._size > LONGEST:
            found.append(Line(self._number + 1, b"".join(self._rest)))
            self._rest, self._size, self._drops = [], 0, True
        return found


def check_piped() -> None:
    """Raise BadInput if standard input is a terminal: nobody types JSON lines."""
    if sys.stdin.isatty():
        remedy = "redirect a file or a pipe to it, e.g. < lines.jsonl"
        raise BadInput("JSON lines are read from standard input, which is a terminal", remedy=remedy)


def parsed(
    lines: list[Line], make: Callable[[dict[str, Any]], Made], form: str, skip: Callable[[BayesiftError], None] | None
) -> tuple[list[tuple[Line, Made]], BayesiftError | None]:
    """Return `make(object)` of each line up to the first bad one, and its error, or None.

    `form` shows what a line should be like, for the error of one that is not an object. With `skip` the errors of bad
    lines are passed to it, and the others are returned.
    """
    import msgspec

    made: list[tuple[Line, Made]] = []
    write = f"write a line as {form}"
    for line in lines:
        try:
            if len(line.text) > LONGEST:
                raise BadInput(f"has more than {LONGEST:,} bytes", remedy="split it into several")
            given = msgspec.json.decode(line.text.removeprefix(b"\xef\xbb\xbf") if line.number == 1 else line.text)
            if not isinstance(given, dict):
                raise BadInput("not a JSON object", remedy=write)
            made.append((line, make(given)))
        except (ValueError, RecursionError, BayesiftError) as error:  # ValueError: also msgspec's and encoding errors
            known = isinstance(error, BayesiftError)
            reason, remedy = (error.reason, error.remedy) if known else (f"not JSON: {error}", write)  # type: ignore[union-attr]
            if not known and HALF.search(line.text):
                reason = "not JSON: an escape such as \\ud800 is half a character"
            wrong = BadInput(reason, path=NAME, line=line.number, remedy=remedy)
            if skip is None:
                return made, wrong
            skip(wrong)
    return made, None
