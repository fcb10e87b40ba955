"""JSON lines from standard input as they come: all that is there at a time, without waiting for more.

A pipe is read in batches when it is full and line by line when lines come slowly, so that `tail -f` and large files
are both served at once.
"""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from bayesift.errors import BadInput, BayesiftError

NAME = "standard input"
CHUNK = 1 << 16
LONGEST = 100_000_000  # bytes of a line
Made = TypeVar("Made")


class Line(NamedTuple):
    """A line: its number from 1, and its bytes."""

    number: int
    text: bytes


def batches(descriptor: int | None = None) -> Iterator[list[Line]]:
    """Yield the complete lines that are there, at least one, each time; empty lines are left out."""
    descriptor = sys.stdin.fileno() if descriptor is None else descriptor
    check_piped(descriptor)
    can_wait = not stat.S_ISREG(os.fstat(descriptor).st_mode)
    rest: list[bytes] = []
    number = size = 0
    while True:
        if can_wait:
            select.select([descriptor], [], [])  # may be interrupted; what follows is not
        chunk = os.read(descriptor, CHUNK)
        *complete, last = chunk.split(b"\n")
        if complete:
            complete[0] = b"".join([*rest, complete[0]])
            rest, size = [], 0
        rest.append(last)
        size += len(last)
        if size > LONGEST:
            raise BadInput(f"a line has more than {LONGEST:,} bytes", path=NAME, line=number + len(complete) + 1)
        if not chunk:
            complete, rest = [b"".join(rest)], []
        found = [Line(number + i, text) for i, text in enumerate(complete, 1) if text.strip()]
        number += len(complete)
        if found:
            yield found
        if not chunk:
            return


def check_piped(descriptor: int) -> None:
    """Raise BadInput if standard input is a terminal: nobody types JSON lines."""
    if os.isatty(descriptor):
        remedy = "redirect a file or a pipe to it, e.g. < documents.jsonl"
        raise BadInput("JSON lines are read from standard input, which is a terminal", remedy=remedy)


def parsed(
    lines: list[Line], make: Callable[[dict[str, Any]], Made], skip: Callable[[BayesiftError], None] | None
) -> tuple[list[tuple[Line, Made]], BayesiftError | None]:
    """Return `make(object)` of each line up to the first bad one, and its error, or None.

    With `skip` the errors of bad lines are passed to it, and the others are returned.
    """
    import msgspec

    made: list[tuple[Line, Made]] = []
    for line in lines:
        try:
            given = msgspec.json.decode(line.text.removeprefix(b"\xef\xbb\xbf") if line.number == 1 else line.text)
            if not isinstance(given, dict):
                raise BadInput("not a JSON object", remedy='write a line as {"id": ..., "text": ...}')
            made.append((line, make(given)))
        except (ValueError, RecursionError, BayesiftError) as error:  # ValueError: also msgspec's and encoding errors
            known = isinstance(error, BayesiftError)
            reason, remedy = (error.reason, error.remedy) if known else (f"not JSON: {error}", "")  # type: ignore[union-attr]
            wrong = BadInput(reason, path=NAME, line=line.number, remedy=remedy)
            if skip is None:
                return made, wrong
            skip(wrong)
    return made, None
