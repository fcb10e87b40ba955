"""What GP topics do with a document: deliver it, ask about it, or pass it.

The index finds the topics whose bar a document may pass (`score_index`, `bars`); only those are looked at closer. With
the strategy `daily` a document is

- delivered if p > t = 1 - balance,
- asked about if (p - t) + H (value of the answer) > 0 (`answer_value`), H documents to come: as many as came so far,
- drawn at random with a small probability, so that what is never shown can be estimated,

at most `per_day` per topic and day. A question is worth less the less its answer can change, so that questions stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import expit

from bayesift.errors import BadInput
from bayesift.filtering.answer_value import answer_value
from bayesift.filtering.bars import EARLY_SHARE, Bars, is_new, score_at
from bayesift.filtering.events import Shown
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.outcomes import Outcome, passed
from bayesift.filtering.rows import Row
from bayesift.filtering.score_index import ScoreIndex
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_kernel import Point

Prepared = tuple[Any, Any]  # features of a document, and its scores for all topics in single precision
STRATEGIES = ("none", "rnd", "target", "daily")
SOON = 1000  # documents after which a random question is as rare as the documents shown make it
AHEAD = (1000, 100_000)  # least and largest number of documents to come that a question is worth


class Reading:
    """The index and the bars of GP topics, and the decisions over them."""

    def __init__(self, topics: Sequence[Topic], strategy: Strategy, seed: int) -> None:
        if strategy.name not in STRATEGIES:
            remedy = f"use {', '.join(STRATEGIES)}, or a perceptron for the learner"
            raise BadInput(f"the strategy {strategy.name!r} is not for the learner gp", remedy=remedy)
        self.strategy, self.seed = strategy, seed
        self.topics = list(topics)
        self.index = ScoreIndex([self.profile(t) for t in range(len(self.topics))])
        self.bars = Bars(strategy, len(self.topics))
        for t in range(len(self.topics)):
            self.set_own(t)

    def profile(self, t: int) -> GPProfile:
        """Return the profile of a topic."""
        profile = self.topics[t].profile
        if not isinstance(profile, GPProfile):
            raise BadInput(f"topic {profile.name!r} has another learner", remedy="give all topics the same learner")
        return profile

    def set_own(self, t: int) -> None:
        """Take over what the reader of a topic set."""
        topic, s = self.topics[t], self.strategy
        self.bars.per_day[t] = s.per_day if topic.per_day is None else topic.per_day
        self.bars.level[t] = 1.0 - (s.balance if topic.balance is None else topic.balance)

    def begin(self, before: Reading | None, seen: int) -> None:
        """Set all bars; topics that were there before keep their counts of the day."""
        if before is not None:
            self.bars.take_over(before.bars, before.topics, self.topics)
        for t in range(len(self.topics)):
            self.bars.update(t, self.profile(t), seen)

    def new_day(self, seen: int) -> None:
        """Follow the budget, which starts a new day; bars have days of their own."""

    def receive(self, date: str | None, seen: int) -> None:
        """Count a document, and renew the bars that are due."""
        due: Sequence[int] = range(len(self.topics)) if self.bars.begin(date) else self.bars.due(seen)
        for t in due:
            self.bars.update(t, self.profile(t), seen)

    def shown(self, t: int, seen: int, event: Shown) -> None:
        """Count a document that was shown."""
        self.bars.today[t] += 1
        self.bars.drawn[t] += event.chance < 1.0
        self.bars.update(t, self.profile(t), seen)

    def changed(self, t: int, seen: int) -> None:
        """Take over what the reader of a topic set, and set its bar again."""
        self.set_own(t)
        self.bars.update(t, self.profile(t), seen)

    def learned(self, t: int, seen: int, revised: bool) -> None:
        """Take over what a topic has learned."""
        self.index.refresh(t, self.profile(t))
        self.bars.update(t, self.profile(t), seen)

    def prepared(self, rows: Sequence[Row]) -> list[Prepared]:
        """Return what `decide` can use of a batch: features and scores, computed together."""
        if not self.topics:
            return [(np.zeros(0), np.zeros(0, np.float32))] * len(rows)
        shared = self.profile(0).shared
        features = np.array([shared.features(row) for row in rows])
        return list(zip(features, self.index.scores(rows, features)))

    def decide(
        self, document: str, row: Row, seen: int, include_passed: bool = False, prepared: Prepared | None = None
    ) -> list[Outcome]:
        """Return what topics do with a document; without `include_passed`, those that may show it only."""
        if not self.topics:
            return []
        features, scores = prepared or self.prepared([row])[0]
        found = np.arange(scores.size) if include_passed else self.index.above(scores, self.bars.score)
        if not found.size and not include_passed:
            return self._at_random(document, row, seen, set())
        point = self.profile(0).shared.point(row, features)
        outcomes = [self._decide(t, document, point, features, seen, include_passed) for t in found.tolist()]
        some = [outcome for outcome in outcomes if outcome is not None]
        return some + self._at_random(document, row, seen, {o.topic for o in some if o.kind != "passed"})

    def _decide(
        self, t: int, document: str, point: Point, features: Any, seen: int, include_passed: bool
    ) -> Outcome | None:
        topic, profile = self.topics[t], self.profile(t)
        score = profile.score(point.row, features)
        kind = None if topic.paused or topic.was_shown(document) else self._kind(t, point, score, seen)
        if kind is None and not include_passed:
            return None
        outcome = passed(profile, document, point.row, *profile.field_at(point, score))
        return outcome if kind is None else replace(outcome, kind=kind, source=kind)

    def _kind(self, t: int, point: Point, score: float, seen: int) -> Any:
        """Return delivered, asked or None."""
        if score <= self.bars.score[t]:
            return None
        profile, s = self.profile(t), self.strategy
        p = float(expit(profile.logit(score)))
        if s.name != "daily":
            return "delivered" if p > 0.5 else "asked"
        level = float(self.bars.level[t])
        if p > level:
            return "delivered"
        if is_new(profile) and score > score_at(profile, EARLY_SHARE):
            return "asked"
        ahead = min(max(seen, AHEAD[0]), AHEAD[1])
        return "asked" if p - level + ahead * answer_value(profile, point, score, level) > 0.0 else None

    def _at_random(self, document: str, row: Row, seen: int, shown: set[str]) -> list[Outcome]:
        """Return a question at random, at most one per document: one draw decides whether, and for which topic."""
        chances = self.chances(seen)
        total = float(chances.sum())
        if total == 0.0:
            return []
        bits = np.random.Philox(key=self.seed, counter=seen << 64)  # one generator per document
        draw = float(np.random.Generator(bits).random())
        chosen = [int(np.searchsorted(np.cumsum(chances), draw, side="right"))] if draw < total else []
        outcomes = []
        for t in chosen:
            topic, profile = self.topics[t], self.profile(t)
            if not (topic.name in shown or topic.paused or topic.was_shown(document)):
                outcome = passed(profile, document, row, *profile.field(row))
                outcomes.append(replace(outcome, kind="asked", source="random", chance=float(chances[t])))
        return outcomes

    def chances(self, seen: int) -> Any:
        """Return the probability with which each topic asks about a document that it would not show."""
        s = self.strategy
        if s.name == "rnd":
            return np.maximum(s.target - self.bars.shown, 0.0) / s.horizon
        if s.name != "daily" or s.random_share == 0.0:
            return np.zeros(self.bars.shown.size)
        full = (self.bars.today >= self.bars.per_day) & bool(self.bars.day)
        wanted = np.maximum(s.random_share * (self.bars.shown + 1.0) - self.bars.drawn, 0.0)
        return wanted / (seen + SOON) * ~full
