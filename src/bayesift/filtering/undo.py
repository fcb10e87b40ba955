"""Undo: for each of the last changes the event that reverses it.

Judgements, changed and withdrawn answers and edited words can be undone, in the reverse of their order: of all topics,
of one topic, or of one person. Undoing is an event of its own (`undo` is true), so that a log holds what happened. A
withdrawn answer that comes back by undo is learned as the latest one.
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
        """Note a change that was made, and who made it; files do not keep when and why."""
        self.changes = [*self.changes[1 - DEPTH :], (msgspec.structs.replace(change, time=None, note=None), reverse)]

    def last(self, topic: str | None = None, by: str | None = None) -> tuple[Change, Change]:
        """Return the last change of a topic and a person, or of all of them, and the event that reverses it.

        Raises BadInput if there is none, or if somebody else has changed the same thing after it.
        """
        later: list[Change] = []
        for change, reverse in reversed(self.changes):
            if topic in (None, change.topic) and by in (None, change.who):
                if same := next((other for other in later if _about(other) == _about(change)), None):
                    what = "the words" if isinstance(change, WordsEdited) else repr(change.document)
                    reason = f"{same.who or 'somebody'} has changed {what} after {by}"
                    raise BadInput(reason, remedy="change it again instead")
                return change, reverse
            later.append(change)
        whose = "there is nothing" if by is None else f"{by} has nothing"
        remedy = f"the last {DEPTH} judgements and edits can be undone"
        raise BadInput(f"{whose} to undo{'' if topic is None else f' in {topic!r}'}", remedy=remedy)

    def reversed_by(self, event: Change) -> None:
        """Forget the change that an event has reversed: the last one of the same document, or of the topic's words."""
        for place in reversed(range(len(self.changes))):
            if _about(self.changes[place][0]) == _about(event):
                del self.changes[place]
                return

    def rename(self, topic: str, name: str) -> None:
        """Follow a topic to its new name."""
        self.changes = [
            (_named(a, name), _named(b, name)) if a.topic == topic else (a, b) for a, b in self.changes
        ]

    def remove(self, topic: str) -> None:
        """Forget the changes of a topic."""
        self.changes = [pair for pair in self.changes if pair[0].topic != topic]


def _about(change: Change) -> tuple[str, str | None]:
    """Return the topic and the document that a change is about; None means the topic's words."""
    return change.topic, None if isinstance(change, WordsEdited) else change.document


def _named(change: Change, name: str) -> Change:
    return msgspec.structs.replace(change, topic=name)

