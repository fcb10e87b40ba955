"""What perceptron topics do with a document: deliver it, ask about it by a published strategy, or pass it.

The index finds the topics that have a term of the document and are near a decision (`topic_index`, `thresholds`); only
those are looked at closer. A document is delivered if p > 1/2; `strategies` says which others are asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from bayesift.errors import BadInput
from bayesift.filtering.budget import Budget
from bayesift.filtering.events import Shown
from bayesift.filtering.outcomes import Outcome, passed
from bayesift.filtering.profile import Profile
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.rows import Row
from bayesift.filtering.strategies import GP_ONLY, Strategy, is_worth_asking
from bayesift.filtering.thresholds import Thresholds
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_index import TopicIndex


class Asking:
    """The index and the thresholds of perceptron topics, and the decisions over them."""

    def __init__(self, topics: Sequence[Topic], strategy: Strategy, budget: Budget | None, seed: int) -> None:
        if topics and strategy.name in GP_ONLY:
            remedy = "use GPProfile, or another strategy"
            raise BadInput(f"the strategy {strategy.name!r} is for the learner gp", remedy=remedy)
        self.topics, self.strategy, self.seed = list(topics), strategy, seed
        profiles = [self.profile(t) for t in range(len(self.topics))]
        self.index = TopicIndex(profiles)
        self.thresholds = Thresholds(strategy, budget, [profile.code for profile in profiles])

    def profile(self, t: int) -> Profile:
        """Return the profile of a topic."""
        profile = self.topics[t].profile
        if not isinstance(profile, Profile):
            raise BadInput(f"topic {profile.name!r} has another learner", remedy="give all topics the same learner")
        return profile

    def begin(self, before: Asking | None, sample: Sequence[Row], seen: int) -> None:
        """Set all thresholds; topics that were there before keep theirs, others start from a sample of the stream."""
        known = {} if before is None else {id(topic): t for t, topic in enumerate(before.topics)}
        old = None if before is None else before.thresholds.arrays()
        for t, topic in enumerate(self.topics):
            if old is not None and id(topic) in known:
                self.thresholds.take_over(t, *old, known[id(topic)])
            elif self.strategy.name == "target" and sample:
                self.start(t, sample, seen)
            else:
                self.changed(t, seen)

    def start(self, t: int, sample: Iterable[Row], seen: int) -> None:
        """Set the initial threshold of a topic for the strategy `target` from a sample of documents."""
        profile = self.profile(t)
        u = [self.thresholds.u_of(t, *profile.field(row)) for row in sample]
        self.thresholds.start(t, u, profile.counters.shown, seen)

    def new_day(self, seen: int) -> None:
        """Follow the budget, which starts a new day."""
        for t in range(len(self.topics)):
            self.changed(t, seen)

    def receive(self, day: str | None, seen: int, first: bool) -> None:
        """Count a document; thresholds fall by themselves."""

    def shown(self, topics: Sequence[int], seen: int, events: Sequence[Shown]) -> None:
        """Count a document that was shown to topics."""
        for t, event in zip(topics, events):
            self.thresholds.update(t, self.profile(t).counters.shown, seen, event.asked)

    def learned(self, t: int, seen: int, revised: bool) -> None:
        """Take over what a topic has learned; with `revised`, what it learned before may have changed, too."""
        (self.index.rebuild if revised else self.index.refresh)(t, self.profile(t))
        self.changed(t, seen)

    def imagine(self, t: int, profile: TopicProfile) -> None:
        """Do nothing: these topics learn nothing from each other."""

    def changed(self, t: int, seen: int) -> None:
        """Set the thresholds of a topic again."""
        self.thresholds.update(t, self.profile(t).counters.shown, seen)

    def prepared(self, rows: Sequence[Row]) -> list[None]:
        """Return what `decide` can use of a batch: nothing."""
        return [None] * len(rows)

    def decide(
        self, document: str, row: Row, seen: int, include_passed: bool = False, prepared: object = None
    ) -> list[Outcome]:
        """Return what topics do with a document; without `include_passed`, those near a decision only."""
        found, m, v = self.index.near(row, None if include_passed else self.thresholds, seen)
        outcomes = [self._decide(int(t), document, row, float(a), float(b), seen) for t, a, b in zip(found, m, v)]
        if self.strategy.name == "rnd":
            outcomes += self._at_random(document, row, seen, {o.topic for o in outcomes if o.kind != "passed"})
        return outcomes

    def _decide(self, t: int, document: str, row: Row, m: float, v: float, seen: int) -> Outcome:
        topic, profile = self.topics[t], self.profile(t)
        outcome = passed(profile, document, row, m, v)
        p, gain = outcome.probability, outcome.gain
        if topic.paused or topic.was_shown(document):
            return outcome
        if p > 0.5:
            return outcome.become("delivered", "delivered")
        if not self.thresholds.near(t, m, v, gain, seen):
            return outcome
        if is_worth_asking(self.strategy, profile, row, m, v, p, topic.recent, seen):
            return outcome.become("asked", "asked")
        return outcome

    def _at_random(self, document: str, row: Row, seen: int, shown: set[str]) -> list[Outcome]:
        """Return the questions of `rnd`, which may be about documents without a term of the topic."""
        bits = np.random.Philox(key=self.seed, counter=seen << 64)  # one generator per document
        draws = np.random.Generator(bits).random(len(self.topics))
        chosen = []
        for t, topic in enumerate(self.topics):
            again = topic.name in shown or topic.paused or topic.was_shown(document)
            if draws[t] < self.strategy.chance(topic.profile.counters.shown) and not again:
                outcome = passed(topic.profile, document, row, *topic.profile.field(row))
                chosen.append(outcome.become("asked", "random"))
        return chosen
