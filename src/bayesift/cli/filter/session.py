"""What happens in a review, without a terminal: the next document, answers, skipping, and taking them back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from bayesift.errors import BadInput
from bayesift.filtering.events import Changed, Judged
from bayesift.filtering.items import Item


class Answers(Protocol):
    """The part of a workspace that a review needs."""

    def inbox(self, topic: str, limit: int | None = None) -> list[Item]:
        """Return what waits, best first."""

    def judge(self, topic: str, document: str, relevant: bool, **recorded: Any) -> None:
        """Store an answer."""

    def withdraw(self, topic: str, document: str, **recorded: Any) -> None:
        """Remove an answer."""

    def answers(self, topic: str, document: str) -> Sequence[Judged | Changed]:
        """Return the answer about a document that counts, if there is one."""


@dataclass
class Session:
    """A review of one topic; `current` is the document that is shown, None at the end.

    Only what was done in this review is undone, and in the order in which it was done.
    """

    workspace: Answers
    topic: str
    who: str | None = None
    current: Item | None = None
    relevant: int = 0
    judged: int = 0
    skipped: list[str] = field(default_factory=list)
    _done: list[Callable[[], str]] = field(default_factory=list)  # how to take each step back

    def __post_init__(self) -> None:
        self.next()

    def next(self, first: str | None = None) -> None:
        """Go to the most probable document that was not skipped, or to the one named first."""
        found = self.workspace.inbox(self.topic, None if first else len(self.skipped) + 1)
        left = [item for item in found if item.document not in self.skipped]
        self.current = next((item for item in left if item.document == first), left[0] if left else None)

    def answer(self, relevant: bool) -> None:
        """Judge the document that is shown, and go to the next one."""
        assert self.current is not None
        document = self.current.document
        self.workspace.judge(self.topic, document, relevant, who=self.who)
        self.judged += 1
        self.relevant += relevant

        def take_back() -> str:
            now = self.workspace.answers(self.topic, document)
            own = bool(now) and (now[0].relevant, now[0].who) == (relevant, self.who)
            if own:
                self.workspace.withdraw(self.topic, document, who=self.who)
            self.judged -= 1
            self.relevant -= relevant
            if not own:
                done = f"changed by {now[0].who or 'somebody'}" if now else "withdrawn"
                raise BadInput(f"the answer about {document!r} was {done} meanwhile", remedy="it stays so")
            return document

        self._done.append(take_back)
        self.next()

    def skip(self) -> None:
        """Leave the document that is shown for another time."""
        assert self.current is not None
        self.skipped.append(self.current.document)
        self._done.append(self.skipped.pop)
        self.next()

    def undo(self) -> bool:
        """Take the last step back and show its document again; return whether there was one."""
        if not self._done:
            return False
        try:
            document = self._done[-1]()
        except BadInput:
            self._done.pop()
            raise
        self._done.pop()
        self.next(document)
        return True
