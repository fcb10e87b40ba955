"""Problems of the stream, such as dates out of order: how many of each kind, told again when they are many more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesift.cli.sources import counted, notice

if TYPE_CHECKING:
    from bayesift.filtering.store import Workspace

MORE = 10  # times as many problems are told again


class Problems:
    """The problems since this was made."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._before = {kind: number for kind, (number, _) in workspace.problem_kinds.items()}
        self._told: dict[str, int] = {}

    def tell(self, all: bool = False) -> None:
        """Note each kind that is new or has become many more; with `all`, each that has become more."""
        for kind, (number, last) in self._workspace.problem_kinds.items():
            new, told = number - self._before.get(kind, 0), self._told.get(kind, 0)
            if new >= MORE * told if told and not all else new > told:
                notice(last if new == 1 else f"{counted(new, 'document')} {kind}; the last one: {last}")
                self._told[kind] = new
