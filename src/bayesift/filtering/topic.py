"""A topic with its history: an answer can be changed or withdrawn later.

The profile is rebuilt from the last checkpoint before the answer in question by applying the surviving judgements after
it. The result is exactly that of a new run over the surviving events, since both apply the same judgements in the same
order. Documents shown are only counted, so their order does not matter and they need not be kept.

Memory: a checkpoint holds half of a covariance, and no documents. The start (few terms) and the last `KEPT` are kept,
fewer if they would take more than `MOST_BYTES`: 600 terms have the start and the last one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

import msgspec

from bayesift.errors import BadInput, Repeated
from bayesift.filtering.events import Answering, Changed, Judged, Shown, Withdrawn, yes_or_no
from bayesift.filtering.learners import Arrays
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.recall_estimate import RecallEstimate, recall_estimate
from bayesift.filtering.region import REGION
from bayesift.filtering.rows import Row

EVERY = 64  # judgements between two checkpoints
KEPT = 2  # checkpoints besides the start
MOST_BYTES = 2_000_000  # of all checkpoints of a topic; the start is kept in any case
MOST_WAITING = 1000  # documents shown to a topic whose vectors are kept for an answer


class Topic:
    """A profile, its surviving judgements, checkpoints of the profile, and the documents that wait for an answer."""

    def __init__(self, profile: TopicProfile, every: int = EVERY, most_waiting: int = MOST_WAITING) -> None:
        self.profile = profile
        self.every, self.most_waiting = every, most_waiting
        self.surviving: list[Judged] = []
        self.answers: dict[str, Judged] = {}  # the answer that counts, by document; files do not keep who gave it
        self.checkpoints: list[tuple[int, Arrays]] = []  # (judgements taken in, state); the first is the start
        self.since = 0  # judgements since the last checkpoint
        self.waiting: dict[str, Row] = {}  # documents shown and not answered, the oldest first
        self.shown: dict[str, Shown] = {}  # how each of these was shown
        self.recent: list[Row] = []  # the last documents shown
        self.examples: frozenset[str] = frozenset()  # documents that the profile started from
        self.paused = False
        self.per_day: int | None = None  # its own; None is that of the strategy
        self.balance: float | None = None
        self.version = 0  # changes of what it has learned

    def __str__(self) -> str:
        return f"{self.profile}; {len(self.waiting):,} unanswered{'; paused' if self.paused else ''}"

    @property
    def name(self) -> str:
        """The profile's name."""
        return self.profile.name

    def answer(self, document: str) -> bool | None:
        """Return whether a document was judged relevant, or None if it has no answer."""
        answer = self.answers.get(document)
        return None if answer is None else answer.relevant

    def estimate(self) -> RecallEstimate:
        """Return the estimated recall and number of relevant documents missed, from questions drawn at random."""
        return recall_estimate(self.surviving, sum(event.chance < 1.0 for event in self.shown.values()))

    def was_shown(self, document: str) -> bool:
        """Return whether a document waits for an answer, has one, or is an example."""
        return document in self.waiting or document in self.answers or document in self.examples

    def passes(self, document: str) -> bool:
        """Return whether the topic shows a document in no case: it was shown, or the topic is paused."""
        return self.paused or document in self.waiting or document in self.answers or document in self.examples

    def show(self, event: Shown, row: Row) -> None:
        """Record that a document was shown, and keep its vector for the answer and the region of interest."""
        self.profile.apply(event)
        self.recent.append(row)
        if len(self.recent) > REGION:
            del self.recent[0]
        self.wait(event, row)

    def wait(self, event: Shown, row: Row) -> None:
        """Keep the vector of a document shown until it is answered; drop the oldest if there are too many."""
        self.waiting[event.document], self.shown[event.document] = row, event
        if len(self.waiting) > self.most_waiting:
            self._forget(next(iter(self.waiting)))

    def record(self, event: Answering) -> None:
        """Apply one event; raise BadInput, and change nothing, if it contradicts an earlier one."""
        self.check(event)
        if isinstance(event, Shown):
            self.profile.apply(event)
            return
        self.version += 1
        if isinstance(event, Judged):
            self._forget(event.document)
            self._append(event)
        else:
            self._revise(event)

    def restart(self, profile: TopicProfile) -> None:
        """Replace the profile by one that starts otherwise, and apply the surviving judgements to it again."""
        shown, asked = self.profile.counters.shown, self.profile.counters.asked
        tail, self.surviving, self.checkpoints, self.since = self.surviving, [], [], 0
        self.profile = profile
        self.profile.counters.shown, self.profile.counters.asked = shown, asked
        self.version += 1
        self._replay(tail)

    def check(self, event: Answering) -> None:
        """Raise BadInput if an event contradicts an earlier one; a document can be shown at any time."""
        if isinstance(event, Shown):
            return
        answer = self.answer(event.document)
        where = f"document {event.document!r}, topic {self.name!r}"
        if isinstance(event, Judged | Changed):
            yes_or_no(event.relevant)
        if isinstance(event, Judged) and event.document in self.examples:
            raise BadInput(f"already an example of the topic: {where}", remedy="examples count as relevant")
        if isinstance(event, Judged) and answer is not None:
            if answer == event.relevant:
                raise Repeated(f"duplicate judgement: {where}", remedy="nothing to do, the first counts")
            raise BadInput(f"contradicts the earlier judgement: {where}", remedy="change or withdraw that one")
        if isinstance(event, Changed | Withdrawn) and answer is None:
            raise BadInput(f"no judgement to change or withdraw: {where}", remedy="judge it first")

    def _append(self, event: Judged) -> None:
        self._keep(event)
        self.profile.apply(event)

    def _replay(self, events: Iterable[Judged]) -> None:
        """Apply judgements again, as `_append` does one by one."""
        for event in events:
            self._keep(event)
            self.profile.replay(event)

    def _keep(self, event: Judged) -> None:
        """Keep a judgement that is about to be applied."""
        if not self.checkpoints or self.since == self.every:
            self._checkpoint()
        self.since += 1
        self.answers[event.document] = event
        self.surviving.append(event)

    def _checkpoint(self) -> None:
        self.checkpoints.append((len(self.surviving), self.profile.arrays(memory=False)))
        sizes = [sum(array.nbytes for array in arrays.values()) for _, arrays in self.checkpoints]
        while len(sizes) > 1 and (len(sizes) > 1 + KEPT or sum(sizes) > MOST_BYTES):
            del self.checkpoints[1], sizes[1]
        self.since = 0

    def _forget(self, document: str) -> None:
        self.waiting.pop(document, None)
        self.shown.pop(document, None)

    def _revise(self, event: Changed | Withdrawn) -> None:
        old = self.answers.pop(event.document)
        at = next(i for i, kept in enumerate(self.surviving) if kept is old)
        tail = self.surviving[at + 1 :]
        if isinstance(event, Changed):
            tail.insert(0, msgspec.structs.replace(old, relevant=event.relevant))
        else:
            self.wait(_as_shown(old), old.row)
        place = bisect_right([taken for taken, _ in self.checkpoints], at) - 1
        taken, state = self.checkpoints[place]
        tail = self.surviving[taken:at] + tail
        del self.checkpoints[place + 1 :], self.surviving[taken:]
        shown, asked = self.profile.counters.shown, self.profile.counters.asked
        self.profile.restore(state)
        self.profile.counters.shown, self.profile.counters.asked = shown, asked
        self.since = 0
        self._replay(tail)


def _as_shown(answer: Judged) -> Shown:
    """Return how a judged document was shown."""
    said = {name: getattr(answer, name) for name in ("source", "probability", "gain", "version", "chance")}
    return Shown(answer.topic, answer.document, answer.source in ("asked", "random"), **said)
