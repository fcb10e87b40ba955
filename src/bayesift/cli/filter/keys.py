"""Keys of a terminal, read one at a time without Enter."""

from __future__ import annotations

import os
import re
import select
import sys
from collections import deque
from types import TracebackType
from typing import Any, Self

from bayesift.errors import BadInput

ESCAPE, END = "\x1b", "\x04"
POLL = 0.2  # seconds: how often the size of the terminal is looked at
REST = 0.05  # seconds in which the rest of a sequence comes
SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\x1b\[O])")  # of arrows and others, ECMA-48
BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?$")


def check_terminal(
    remedy: str = "elsewhere use `bayesift filter inbox --json` and `bayesift filter judge`",
) -> None:
    """Raise BadInput unless standard input and output are a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("review needs a terminal", remedy=remedy)


class Keys:
    """Context in which keys are read as they are pressed; afterwards the terminal is as it was."""

    def __init__(self) -> None:
        try:
            import termios
            import tty
        except ImportError:  # Windows
            raise BadInput("review needs a Unix terminal", remedy="use the pages: bayesift serve") from None
        self._termios: Any = termios
        self._tty: Any = tty
        self._descriptor = sys.stdin.fileno()
        self._waiting: deque[str] = deque()

    def __enter__(self) -> Self:
        self._before = self._termios.tcgetattr(self._descriptor)
        self._tty.setcbreak(self._descriptor)  # Ctrl-C stays an interrupt
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._termios.tcsetattr(self._descriptor, self._termios.TCSADRAIN, self._before)

    def read(self) -> str | None:
        """Return the next key in lower case, END if the terminal was closed, or None if none came for a moment.

        Keys that send a sequence, such as arrows, are left out.
        """
        key = self.character()
        return None if key is None else key.lower()

    def character(self) -> str | None:
        """Return the next character as it was typed, otherwise as `read`."""
        if not self._waiting:
            self._waiting.extend(self._typed())
        return self._waiting.popleft() if self._waiting else None

    def _typed(self) -> str:
        """Return what was typed since the last call; sequences are left out, wherever they are."""
        text = self._came(POLL)
        while BEGUN.search(text) and (rest := self._came(REST)):
            text += rest
        return SEQUENCE.sub("", text)

    def _came(self, seconds: float) -> str:
        """Return what comes from the terminal, nothing if that takes longer."""
        if not select.select([self._descriptor], [], [], seconds)[0]:
            return ""
        try:
            came = os.read(self._descriptor, 1024)
        except OSError:  # the terminal is gone
            came = b""
        return came.decode("utf-8", "ignore") if came else END
