"""What GP topics do with a document: deliver it, ask about it, or pass it.

The index finds the topics whose bar a document may pass (`score_index`, `bars`); only those are looked at closer. With
the strategy `daily` a document is

- delivered if p > t = 1 - balance,
- asked about if (p - t) + H (value of the answer) > 0 (`answer_value`), H = 1,000 documents to come,
- asked about if it is an early question of its topic (`bars`), or if p > t/2 and there is no background yet,
- drawn at random with a small probability, so that what is never shown can be estimated,

at most `per_day` per topic and day. A question is worth less the less its answer can change, so that questions stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.filtering.answer_value import answer_values
from bayesift.filtering.bars import Bars
from bayesift.filtering.events import Shown, Source
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.outcomes import Kind, Outcome, beliefs
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.random_questions import RandomQuestions
from bayesift.filtering.rows import Row
from bayesift.filtering.score_index import ScoreIndex
from bayesift.filtering.strategies import GP_ONLY, Strategy
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_lines import TopicLines
from bayesift.filtering.topic_weights import TopicWeights

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Prepared = tuple[Any, Any]  # features of a document, and its scores for all topics in single precision
STRATEGIES = ("none", "rnd", "target", *GP_ONLY)
PASSED, DELIVERED, ASKED, OPEN = range(4)
NAMES: tuple[Kind, ...] = ("passed", "delivered", "asked")
SOURCES: tuple[Source | None, ...] = (None, "delivered", "asked")
AHEAD = 1000  # documents to come that a question counts on; with more, hard topics ask too much for what they gain


class Reading:
    """The index and the bars of GP topics, and the decisions over them."""

    def __init__(self, topics: Sequence[Topic], strategy: Strategy, seed: int) -> None:
        if strategy.name not in STRATEGIES:
            remedy = f"use {', '.join(STRATEGIES)}, or a perceptron for the learner"
            raise BadInput(f"the strategy {strategy.name!r} is not for the learner gp", remedy=remedy)
        self.strategy, self.seed = strategy, seed
        self.topics = list(topics)
        profiles = [self.profile(t) for t in range(len(self.topics))]
        GPProfile.learn(profiles)
        learned = GPProfile.learned(profiles)
        self.weights, self.lines = TopicWeights(learned), TopicLines.of(profiles)
        self.index = ScoreIndex(learned, profiles[0].shared if profiles else None)
        self.bars = Bars(strategy, self.lines)
        self.random = RandomQuestions(strategy, self.bars, seed)
        self._room = np.empty((0, len(self.topics)), np.float32)  # new memory takes longer than the scores
        self.set_own(self.bars.every)
        self.bars.count(self.bars.every, profiles)
        self._share_prior()

    def profile(self, t: int) -> GPProfile:
        """Return the profile of a topic."""
        profile = self.topics[t].profile
        if not isinstance(profile, GPProfile):
            raise BadInput(f"topic {profile.name!r} has another learner", remedy="give all topics the same learner")
        return profile

    def set_own(self, numbers: Longs) -> None:
        """Take over what the readers of topics set."""
        topics, s = [self.topics[t] for t in numbers.tolist()], self.strategy
        self.bars.per_day[numbers] = [s.per_day if topic.per_day is None else topic.per_day for topic in topics]
        balance = np.array([s.balance if topic.balance is None else topic.balance for topic in topics])
        self.bars.level[numbers] = 1.0 - balance
        self.random.forget()

    def begin(self, before: Reading | None, seen: int) -> None:
        """Set all bars; topics that were there before keep their counts of the day."""
        if before is not None:
            self.bars.take_over(before.bars, before.topics, self.topics)
        self.bars.update(self.bars.every, seen)
        self.random.forget()

    def new_day(self, seen: int) -> None:
        """Follow the budget, which starts a new day; bars have days of their own."""

    def receive(self, day: str | None, seen: int, first: bool) -> None:
        """Count a document of a day, of which the date may be the first of the stream, and renew the bars due."""
        if self.bars.begin(day, first):
            self.bars.new_day(seen)
            self.random.forget()
        due = self.bars.due(seen)
        if due.size:
            self.bars.update(due, seen)

    def shown(self, topics: Sequence[int], seen: int, events: Sequence[Shown]) -> None:
        """Count a document that was shown to topics."""
        numbers = np.array(topics)
        self.random.before(numbers)
        self.bars.show(numbers, np.array([event.chance < 1.0 for event in events]), seen)
        self.random.after(numbers)

    def changed(self, t: int, seen: int) -> None:
        """Take over what the reader of a topic set, and set its bar again."""
        numbers = np.array([t])
        self.set_own(numbers)
        self.bars.count(numbers, [self.profile(t)])
        self.bars.update(numbers, seen)

    def learned(self, t: int, seen: int, revised: bool) -> None:
        """Take over what a topic has learned, also what all topics learn from it: the prior, and early questions."""
        numbers, profile, early = np.array([t]), self.profile(t), self.bars.asking_early()
        for part in (self.index.refresh, self.weights.refresh, self.lines.take):
            part(t, profile)
        self.bars.count(numbers, [profile])
        self.random.forget()
        others, changed = np.flatnonzero(self.bars.asking_early() != early), self._share_prior()
        self.bars.update(np.union1d(numbers, others), seen)
        if changed:
            self.bars.follow_lines(seen)

    def imagine(self, t: int, profile: TopicProfile) -> None:
        """Let a profile, which no topic has, believe what it would if topic t had it."""
        if isinstance(profile, GPProfile):
            profile.shared = profile.shared.with_prior(self.lines.prior_with(t, profile))

    def _share_prior(self) -> bool:
        """Make the prior of all calibrations what the answers say, and return whether it has changed."""
        changed = self.lines.follow()
        if self.topics:
            self.profile(0).shared.prior = self.lines.prior  # all topics have the same kernel
        return changed

    def prepared(self, rows: Sequence[Row]) -> list[Prepared]:
        """Return what `decide` can use of a batch: features and scores, computed together; until the next batch."""
        if not self.topics:
            return [(np.zeros(0), np.zeros(0, np.float32))] * len(rows)
        shared = self.profile(0).shared
        features = shared.features_of_rows(rows)
        if len(rows) == 1:
            return list(zip(features, self.index.scores(rows, features)))
        if len(rows) > len(self._room):
            self._room = np.empty((len(rows), len(self.topics)), np.float32)
        return list(zip(features, self.index.scores(rows, features, self._room[: len(rows)])))

    def decide(
        self, document: str, row: Row, seen: int, include_passed: bool = False, prepared: Prepared | None = None
    ) -> list[Outcome]:
        """Return what topics do with a document; without `include_passed`, those that may show it only."""
        if not self.topics:
            return []
        features, scores = prepared or self.prepared([row])[0]
        found = self.bars.every if include_passed else self.index.above(scores, self.bars.score)
        outcomes = self._outcomes(found, document, row, features, include_passed) if found.size else []
        shown = {outcome.topic for outcome in outcomes if outcome.kind != "passed"}
        return outcomes + self._at_random(document, row, features, seen, shown)

    def _outcomes(self, topics: Longs, document: str, row: Row, features: Any, include_passed: bool) -> list[Outcome]:
        """Return what topics do with a document, those that pass it only with `include_passed`."""
        scores = self.weights.scores(topics, row, features)
        p = self.lines.probabilities(topics, scores)
        kinds = self._kinds(topics, scores, p)
        some = np.flatnonzero(kinds)
        again = [self.topics[t].passes(document) for t in topics[some].tolist()]
        if any(again):
            kinds[some[again]] = PASSED
            some = np.flatnonzero(kinds)
        if not include_passed:
            topics, scores, p, kinds = topics[some], scores[some], p[some], kinds[some]
        if not topics.size:
            return []
        return self._as(topics, document, row, scores, p, kinds.tolist())

    def _as(self, topics: Longs, document: str, row: Row, scores: Floats, p: Floats, kinds: list[int]) -> list[Outcome]:
        """Return what topics believe of a document, with these decisions."""
        believed = beliefs(GPProfile.code, *self.lines.fields(topics, scores, p)).tolist()
        n, columns, amounts = self.weights.words(topics, row.after(self.profile(0).shared.encoded))
        each = zip(topics.tolist(), kinds, n.tolist(), columns, amounts, *believed)
        return [
            Outcome(NAMES[kind], self.topics[t].name, document, p, sd, (low, high), gain, c[:k], a[:k], SOURCES[kind])
            for t, kind, k, c, a, p, sd, low, high, gain in each
        ]

    def _kinds(self, topics: Longs, scores: Floats, p: Floats) -> Longs:
        """Return what topics would do with a document of these scores and probabilities."""
        if self.strategy.name != "daily":
            above = scores > self.bars.score[topics]
            return np.where(above, np.where(p > 0.5, DELIVERED, ASKED), PASSED)
        kinds = self.bars.kinds(topics, scores, p)
        some = np.flatnonzero(kinds == OPEN)
        if some.size:
            level = self.bars.level[topics[some]]
            value = answer_values(self.lines, topics[some], scores[some], level)
            kinds[some] = np.where(p[some] - level + AHEAD * value > 0.0, ASKED, PASSED)
        return kinds

    def _at_random(self, document: str, row: Row, features: Any, seen: int, shown: set[str]) -> list[Outcome]:
        """Return a question at random, or none."""
        t, chance = self.random.ask(seen)
        if t < 0:
            return []
        if self.topics[t].name in shown or self.topics[t].passes(document):
            return []
        topics = np.array([t])
        scores = self.weights.scores(topics, row, features)
        (outcome,) = self._as(topics, document, row, scores, self.lines.probabilities(topics, scores), [ASKED])
        return [outcome.become("asked", "random", chance)]
