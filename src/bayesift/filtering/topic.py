"""A topic with its history: an answer can be changed or withdrawn later.

The profile is rebuilt from the last checkpoint before the answer in question by applying the surviving judgements after
it. The result is exactly that of a new run over the surviving events, since both apply the same judgements in the same
order. Documents shown are only counted, so their order does not matter and they need not be kept.

Memory: a checkpoint holds half of a covariance, and no documents. The start (few terms) and the last `KEPT` are kept,
so that the checkpoints of a topic take about as much as its belief.
"""

from __future__ import annotations

from bisect import bisect_right

import msgspec

from bayesift.errors import BadInput
from bayesift.filtering.events import Changed, Event, Judged, Shown, Withdrawn, yes_or_no
from bayesift.filtering.learners import Arrays
from bayesift.filtering.profile import Profile
from bayesift.filtering.region import REGION
from bayesift.filtering.rows import Row

EVERY = 64  # judgements between two checkpoints
KEPT = 2  # checkpoints besides the start
MOST_WAITING = 1000  # documents shown to a topic whose vectors are kept for an answer


class Topic:
    """A profile, its surviving judgements, checkpoints of the profile, and the documents that wait for an answer."""

    def __init__(self, profile: Profile, every: int = EVERY, most_waiting: int = MOST_WAITING) -> None:
        self.profile = profile
        self.every, self.most_waiting = every, most_waiting
        self.surviving: list[Judged] = []
        self.answers: dict[str, Judged] = {}  # the answer that counts, by document
        self.checkpoints: list[tuple[int, Arrays]] = []  # (judgements taken in, state); the first is the start
        self.since = 0  # judgements since the last checkpoint
        self.waiting: dict[str, Row] = {}  # documents shown and not answered, the oldest first
        self.recent: list[Row] = []  # the last documents shown

    def __str__(self) -> str:
        return f"{self.profile}; {len(self.waiting):,} unanswered"

    @property
    def name(self) -> str:
        """The profile's name."""
        return self.profile.name

    def answer(self, document: str) -> bool | None:
        """Return whether a document was judged relevant, or None if it has no answer."""
        answer = self.answers.get(document)
        return None if answer is None else answer.relevant

    def was_shown(self, document: str) -> bool:
        """Return whether a document waits for an answer or has one."""
        return document in self.waiting or document in self.answers

    def show(self, event: Shown, row: Row) -> None:
        """Record that a document was shown, and keep its vector for the answer and the region of interest."""
        self.record(event)
        self.recent = [*self.recent[1 - REGION :], row]
        self.wait(event.document, row)

    def wait(self, document: str, row: Row) -> None:
        """Keep the vector of a document shown until it is answered; drop the oldest if there are too many."""
        self.waiting[document] = row
        if len(self.waiting) > self.most_waiting:
            del self.waiting[next(iter(self.waiting))]

    def record(self, event: Event) -> None:
        """Apply one event; raise BadInput, and change nothing, if it contradicts an earlier one."""
        self._check(event)
        if isinstance(event, Shown):
            self.profile.apply(event)
        elif isinstance(event, Judged):
            self.waiting.pop(event.document, None)
            self._append(event)
        else:
            self._revise(event)

    def _check(self, event: Event) -> None:
        answer = self.answer(event.document)
        where = f"document {event.document!r}, topic {self.name!r}"
        if isinstance(event, Judged | Changed):
            yes_or_no(event.relevant)
        if isinstance(event, Judged) and answer is not None:
            if answer == event.relevant:
                raise BadInput(f"duplicate judgement: {where}", remedy="nothing to do, the first counts")
            raise BadInput(f"contradicts the earlier judgement: {where}", remedy="change or withdraw that one")
        if isinstance(event, Changed | Withdrawn) and answer is None:
            raise BadInput(f"no judgement to change or withdraw: {where}", remedy="judge it first")

    def _append(self, event: Judged) -> None:
        if not self.checkpoints or self.since == self.every:
            self.checkpoints.append((len(self.surviving), self.profile.arrays(memory=False)))
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
        else:
            self.wait(event.document, old.row)
        place = bisect_right([taken for taken, _ in self.checkpoints], at) - 1
        taken, state = self.checkpoints[place]
        tail = self.surviving[taken:at] + tail
        del self.checkpoints[place + 1 :], self.surviving[taken:]
        shown, asked = self.profile.counters.shown, self.profile.counters.asked
        self.profile.restore(state)
        self.profile.counters.shown, self.profile.counters.asked = shown, asked
        self.since = 0
        for kept in tail:
            self._append(kept)
