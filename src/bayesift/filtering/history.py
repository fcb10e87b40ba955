"""A topic with its past: every event is kept, and an answer can be changed or withdrawn later.

The profile is rebuilt from the last checkpoint before the event in question by applying the surviving events after it.
That gives exactly what a fresh run over the survivors gives, since both apply the same events in the same order.
"""

from __future__ import annotations

from bisect import bisect_right

import msgspec

from bayesift.errors import BadInput
from bayesift.filtering.events import Changed, Event, Judged, Shown, Withdrawn
from bayesift.filtering.learners import Arrays
from bayesift.filtering.profile import Profile

EVERY = 64  # judgements between two checkpoints
KEPT = 4  # checkpoints besides the start


class Topic:
    """A profile, its log, the events that survive in it, and checkpoints of the profile."""

    def __init__(self, profile: Profile, every: int = EVERY) -> None:
        self.profile = profile
        self.log: list[Event] = []
        self.surviving: list[Shown | Judged] = []
        self.every = every
        self.answers: dict[str, Judged] = {}  # the answer that counts, by document
        self.checkpoints: list[tuple[int, Arrays]] = []  # (surviving events taken in, state); the first is the start
        self.since = 0  # judgements since the last checkpoint

    @property
    def name(self) -> str:
        """The profile's name."""
        return self.profile.name

    def answer(self, document: str) -> bool | None:
        """What was said of a document, if anything that counts was."""
        answer = self.answers.get(document)
        return None if answer is None else answer.relevant

    def record(self, event: Event) -> None:
        """Take one event in; one that contradicts the log is refused and changes nothing."""
        self._check(event)
        self.log.append(event)
        if isinstance(event, Shown | Judged):
            self._append(event)
        else:
            self._revise(event)

    def _check(self, event: Event) -> None:
        answer = self.answer(event.document)
        where = f"document {event.document!r}, topic {self.name!r}"
        if isinstance(event, Judged) and answer is not None:
            if answer == event.relevant:
                raise BadInput(f"judged twice the same: {where}", remedy="nothing to do, the first counts")
            raise BadInput(f"contradicts the earlier judgement: {where}", remedy="change or withdraw that one")
        if isinstance(event, Changed | Withdrawn) and answer is None:
            raise BadInput(f"no judgement to change or withdraw: {where}", remedy="judge it first")

    def _append(self, event: Shown | Judged) -> None:
        if isinstance(event, Judged):
            if not self.checkpoints or self.since == self.every:
                self.checkpoints.append((len(self.surviving), self.profile.arrays()))
                del self.checkpoints[1:-KEPT]
                self.since = 0
            self.since += 1
            self.answers[event.document] = event
        self.surviving.append(event)
        self.profile.apply(event)

    def _revise(self, event: Changed | Withdrawn) -> None:
        old = self.answers.pop(event.document)
        at = next(i for i, kept in enumerate(self.surviving) if kept is old)
        tail = self.surviving[at + 1 :]
        if isinstance(event, Changed):
            tail.insert(0, msgspec.structs.replace(old, relevant=event.relevant))
        place = bisect_right([taken for taken, _ in self.checkpoints], at) - 1
        taken, state = self.checkpoints[place]
        tail = self.surviving[taken:at] + tail
        del self.checkpoints[place + 1 :], self.surviving[taken:]
        self.profile.restore(state)
        self.since = 0
        for kept in tail:
            self._append(kept)
