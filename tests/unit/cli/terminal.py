"""A verb of the command line in a real terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pexpect

SECONDS = 60  # until a slow machine has answered


class Terminal:
    """A terminal in which a person works; `shows` waits for a text on the screen."""

    def __init__(self, *verb: object, size: tuple[int, int]) -> None:
        command = ["-m", "bayesift", *map(str, verb)]
        self.child = pexpect.spawn(sys.executable, command, dimensions=size, timeout=SECONDS, encoding="utf-8")

    def shows(self, pattern: str) -> str:
        """Wait for a text, and return what was shown up to its end."""
        self.child.expect(pattern)
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.child.before + self.child.after)

    def press(self, keys: str) -> None:
        """Press keys."""
        self.child.send(keys)

    def ends(self) -> tuple[str, int]:
        """Wait for the end, and return the rest of what was shown, and the status."""
        rest = self.child.read()
        self.child.wait()
        return rest, self.child.exitstatus


@contextmanager
def terminals(*verb: object, size: tuple[int, int]) -> Iterator[Callable[..., Terminal]]:
    """Return a function that starts a verb with more options; what was started is closed at the end."""
    opened: list[Terminal] = []

    def start(*options: str, size: tuple[int, int] = size) -> Terminal:
        opened.append(Terminal(*verb, *options, size=size))
        return opened[-1]

    yield start
    for found in opened:
        found.child.close(force=True)
