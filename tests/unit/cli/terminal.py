"""A verb of the command line in a real terminal."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pexpect

SECONDS = 60  # until a slow machine has answered


class Terminal:
    """A terminal in which a person works; `shows` waits for a text on the screen."""

    def __init__(self, *verb: object, size: tuple[int, int]) -> None:
        command = ["-m", "bayesift", *map(str, verb)]
        self.child = pexpect.spawn(
            sys.executable, command, dimensions=size, timeout=SECONDS, encoding="utf-8", preexec_fn=_as_in_a_shell
        )

    def shows(self, pattern: str) -> str:
        """Wait for a text, and return what was shown up to its end."""
        self.child.expect(pattern)
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.child.before + self.child.after)

    def press(self, keys: str) -> None:
        """Press keys."""
        self.child.send(keys)

    def goes_away(self) -> None:
        """Hang up, as a window that is closed does, and wait for the end."""
        self.child.kill(signal.SIGHUP)
        self.ends()

    def ends(self) -> tuple[str, int]:
        """Wait for the end, and return the rest of what was shown, and the status."""
        rest = self.child.read()
        self.child.wait()
        return rest, self.child.exitstatus


def _as_in_a_shell() -> None:
    """Let a signal of a closed window end the process, also where the tests run without a terminal (nohup)."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


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
