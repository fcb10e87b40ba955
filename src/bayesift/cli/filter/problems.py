"""Problems of the stream: how many of each kind, such as dates out of order, and topics that have fallen silent."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from bayesift.cli.messages import counted, notice
from bayesift.filtering.store import StoreFailed

if TYPE_CHECKING:
    from bayesift.filtering.store import Workspace

MORE = 10  # a kind is noted again when there are so many times as many problems


class Problems:
    """The problems since this was made."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._before = {kind: number for kind, (number, _) in workspace.problem_kinds.items()}
        self._told: dict[str, int] = {}
        self._silent = set(workspace.silent_topics())

    def tell(self, all: bool = False) -> None:
        """Note each kind that is new or has become many more; with `all`, each that has become more."""
        for kind, (number, last) in self._workspace.problem_kinds.items():
            new, told = number - self._before.get(kind, 0), self._told.get(kind, 0)
            if new >= MORE * told if told and not all else new > told:
                notice(last if new == 1 else f"{counted(new, 'document')} {kind}; the last one: {last}")
                self._told[kind] = new

    def tell_all(self, all: bool = True) -> None:
        """Note problems and silent topics; while the database cannot be read, nothing: they are noted the next time."""
        with contextlib.suppress(StoreFailed):
            self.tell(all)
            self.tell_silent()

    def tell_silent(self) -> None:
        """Note the topics that have fallen silent since."""
        silent = self._workspace.silent_topics()
        new = [name for name in silent if name not in self._silent]
        if new:
            others = f", and {counted(len(new) - 1, 'other topic')} too" if len(new) > 1 else ""
            what = f"{new[0]} is silent: {silent[new[0]].sentence()}{others}"
            notice(f"{what}; bayesift filter status {self._workspace.database.name} says what to do")
        self._silent = set(silent)  # one that wakes up may fall silent again
