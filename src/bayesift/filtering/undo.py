"""Undo: for each of the last changes the event that reverses it.

Judgements, changed and withdrawn answers and edited words can be undone, in the reverse of their order. Undoing is an
event of its own (`undo` is true), so that a log holds what happened. A withdrawn answer that comes back by undo is
learned as the latest one.
"""

from __future__ import annotations

from typing import Any

import msgspec

from bayesift.errors import BadInput
from bayesift.filtering.events import Changed, Judged, Withdrawn, WordsEdited
from bayesift.filtering.topic import Topic

DEPTH = 100  # changes that can be undone

Change = Judged | Changed | Withdrawn | WordsEdited


def reversing(change: Change, topic: Topic, words: Any) -> Change:
    """Return the event that reverses a change about to be made to a topic with these words."""
    if isinstance(change, WordsEdited):
        return WordsEdited(change.topic, dict(words), undo=True)
    if isinstance(change, Judged):
        return Withdrawn(change.topic, change.document, undo=True)
    old = topic.answers[change.document]
    if isinstance(change, Changed):
        return Changed(change.topic, change.document, old.relevant, undo=True)
    return msgspec.structs.replace(old, topic=change.topic, time=None, who=None, note=None, undo=True)


class UndoStack:
    """The last changes, each with the event that reverses it."""

    def __init__(self) -> None:
        self.changes: list[tuple[Change, Change]] = []

    def push(self, change: Change, reverse: Change) -> None:
        """Note a change that was made."""
        self.changes = [*self.changes[1 - DEPTH :], (change, reverse)]

    def last(self) -> tuple[Change, Change]:
        """Return the last change and the event that reverses it; raise BadInput if there is none."""
        if not self.changes:
            raise BadInput("there is nothing to undo", remedy=f"the last {DEPTH} judgements and edits can be undone")
        return self.changes[-1]

    def rename(self, topic: str, name: str) -> None:
        """Follow a topic to its new name."""
        self.changes = [
            (_named(a, name), _named(b, name)) if a.topic == topic else (a, b) for a, b in self.changes
        ]

    def remove(self, topic: str) -> None:
        """Forget the changes of a topic."""
        self.changes = [pair for pair in self.changes if pair[0].topic != topic]


def _named(change: Change, name: str) -> Change:
    return msgspec.structs.replace(change, topic=name)

