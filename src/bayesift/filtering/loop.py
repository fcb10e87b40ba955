"""Many topics over one stream: each document is delivered, asked about or passed, topic by topic; answers come when
they come.

`process` takes a document and says what is shown to whom; it never waits for an answer. `judge` takes an answer, at
once, later, in a batch or never; `change` and `withdraw` revise one. The simulated and the live filter are this object.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from bayesift.beliefs.likelihoods import FLIP, predictive
from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.ask import NEVER, Strategy, wants
from bayesift.filtering.budget import Budget
from bayesift.filtering.events import Changed, Event, Shown, Withdrawn, judged
from bayesift.filtering.gain import expected_gain
from bayesift.filtering.history import Topic
from bayesift.filtering.index import TopicIndex
from bayesift.filtering.profile import Profile
from bayesift.filtering.rows import Row

Kind = Literal["delivered", "asked", "passed"]
WORDS = 8  # that explain an outcome
PAYS = -0.6  # u below which no document is worth showing for T9U or F1 by itself


@dataclass(frozen=True)
class Outcome:
    """What a topic does with a document: p and the deviation of the field, the expected gain in bits, and the columns
    that made it so, each with its mean weight times x, strongest first."""

    kind: Kind
    topic: str
    document: str
    probability: float
    sd: float
    gain: float
    words: tuple[tuple[int, float], ...]


class Answer(NamedTuple):
    """A judgement from outside."""

    topic: str
    document: str
    relevant: bool


class Filter:
    """Topics, a strategy, and what was shown and is not yet answered.

    >>> about_wheat = Profile.start("wheat", statement=Row.of({0: 1.0}))
    >>> loop = Filter([about_wheat], Strategy("ig"))
    >>> [(o.kind, o.topic) for o in loop.process("d1", Row.of({0: 0.8, 1: 0.6}))]
    [('delivered', 'wheat')]
    >>> loop.judge("wheat", "d1", True)
    """

    def __init__(
        self, profiles: Iterable[Profile], strategy: Strategy | None = None, *,
        budget: Budget | None = None, seed: int = 0,
    ) -> None:  # fmt: skip
        self.topics = [Topic(profile) for profile in profiles]
        self.strategy, self.budget, self.seed = strategy or Strategy(), budget, seed
        self.number = {topic.name: t for t, topic in enumerate(self.topics)}
        if len(self.number) < len(self.topics):
            twice = next(a.name for a in self.topics if self.topics[self.number[a.name]] is not a)
            raise BadInput(f"two topics are named {twice!r}", remedy="give each its own name")
        self.index = TopicIndex([topic.profile for topic in self.topics])
        self.last_date: str | None = None
        self.problems: list[str] = []  # what was odd about the stream, in words
        self.waiting: dict[tuple[str, str], Row] = {}  # shown, and not answered
        self.recent: list[list[Row]] = [[] for _ in self.topics]
        for t in range(len(self.topics)):
            self.index.set_thresholds(t, NEVER, 0.0, NEVER)
            self._set_thresholds(t)

    def settle(self, sample: Sequence[Row], relevant: Mapping[str, Collection[int]]) -> None:
        """Put each topic's bar where a sample, without the documents `relevant` to it, says that `target` is met."""
        if self.strategy.name != "target" or not sample:
            return
        for t, topic in enumerate(self.topics):
            without = set(relevant.get(topic.name, ()))
            others = (row for i, row in enumerate(sample) if i not in without)
            u = sorted((self._u(t, *topic.profile.field(row)) for row in others), reverse=True)
            k = round(self.strategy.target / self.strategy.horizon * len(u))
            fall = self.strategy.fall(topic.profile.counters.shown, self.index.n_documents)
            if u:
                self.index.set_thresholds(t, u[min(max(k, 1), len(u)) - 1], fall, NEVER)

    def process(self, document: str, row: Row, date: str | None = None, passed: bool = False) -> list[Outcome]:
        """What each topic that the document reaches does with it; those that pass it only if `passed`."""
        self._check_date(document, date)
        if self.budget is not None and self.budget.day(date):
            for t in range(len(self.topics)):
                self._set_thresholds(t)
        found, m, v = self.index.near(row, passed)
        outcomes = [self._decide(int(t), document, row, float(a), float(b)) for t, a, b in zip(found, m, v)]
        if self.strategy.name == "rnd":
            outcomes += self._by_chance(document, row, {o.topic for o in outcomes if o.kind != "passed"})
        for outcome in outcomes:
            if outcome.kind != "passed":
                self._show(outcome, row)
        return outcomes if passed else [o for o in outcomes if o.kind != "passed"]

    def judge(self, topic: str, document: str, relevant: bool, row: Row | None = None) -> None:
        """Take an answer about a document that was shown, or whose vector is given."""
        t = self._find(topic)
        known = self.waiting.get((topic, document)) if row is None else row
        if known is None and self.topics[t].answer(document) is None:
            raise BadInput(
                f"document {document!r} was not shown to topic {topic!r}", remedy="judge shown ones, or give its vector"
            )
        self.topics[t].record(judged(topic, document, relevant, known or Row.of({})))
        self.waiting.pop((topic, document), None)
        self.index.refresh(t, self.topics[t].profile)
        self._set_thresholds(t)

    def judge_all(self, answers: Iterable[Answer]) -> list[str]:
        """Take answers in their order; those that cannot be taken are named in what is returned, the others count."""
        wrong = []
        for answer in answers:
            try:
                self.judge(*answer)
            except BayesiftError as error:
                wrong.append(str(error))
        return wrong

    def change(self, topic: str, document: str, relevant: bool) -> None:
        """The answer is now another: all that was learned since is learned again."""
        self._revise(Changed(topic, document, relevant))

    def withdraw(self, topic: str, document: str) -> None:
        """The answer no longer counts, as if it had never come."""
        self._revise(Withdrawn(topic, document))

    def explain(self, topic: str, row: Row) -> tuple[tuple[int, float], ...]:
        """The columns of a document that speak most for or against a topic: mean weight times x, strongest first."""
        profile = self.topics[self._find(topic)].profile
        local = profile.local(row)
        share = profile.belief.mean[local.columns + 1] * local.weights
        best = np.argsort(-np.abs(share), kind="stable")[:WORDS]
        return tuple((int(profile.terms[local.columns[i]]), float(share[i])) for i in best)

    def log(self) -> list[Event]:
        """All events, topic by topic."""
        return [event for topic in self.topics for event in topic.log]

    def _decide(self, t: int, document: str, row: Row, m: float, v: float) -> Outcome:
        profile = self.topics[t].profile
        code = profile.belief.code
        p = float(predictive(code, np.array([m]), np.array([v]))[0])
        gain = float(expected_gain(code, m, v))
        kind: Kind = "delivered" if p > 0.5 else "passed"
        if kind == "passed" and self._interesting(t, m, v, gain):
            asks = wants(self.strategy, profile, row, m, v, p, self.recent[t], self.index.n_documents)
            if asks and (self.budget is None or self.budget.take(gain)):
                kind = "asked"
        return Outcome(kind, profile.name, document, p, float(np.sqrt(v)), gain, self.explain(profile.name, row))

    def _interesting(self, t: int, m: float, v: float, gain: float) -> bool:
        """Whether the index's thresholds hold, which matters where it was asked for everything."""
        return bool(self._u(t, m, v) > self.index.bar[t] or gain >= self.index.least_gain[t] * (1.0 - 1e-9))

    def _u(self, t: int, m: float, v: float) -> float:
        code = self.topics[t].profile.belief.code
        spread = 0.0 if code[0] == FLIP else code[1]
        return float(m / np.sqrt(max(spread * spread + v, 1e-300)))

    def _show(self, outcome: Outcome, row: Row) -> None:
        t = self.number[outcome.topic]
        topic = self.topics[t]
        topic.record(Shown(outcome.topic, outcome.document, outcome.kind == "asked"))
        if topic.answer(outcome.document) is None:
            self.waiting[outcome.topic, outcome.document] = row
        self.recent[t] = [*self.recent[t][-15:], row]
        if self.strategy.name == "target" and outcome.kind == "asked":
            self.index.bar[t] += self.strategy.step
        self._set_thresholds(t)

    def _set_thresholds(self, t: int) -> None:
        shown, s = self.topics[t].profile.counters.shown, self.strategy
        if s.name == "target":
            bar, fall = (np.nan, s.fall(shown, self.index.n_documents)) if shown < s.target else (NEVER, 0.0)
            self.index.set_thresholds(t, bar, fall, NEVER)
            return
        least = s.least_gain(shown) if self.budget is None else self.budget.least_gain(s)
        self.index.set_thresholds(t, PAYS if s.name in ("utility", "f1") else NEVER, 0.0, least)

    def _by_chance(self, document: str, row: Row, shown: set[str]) -> list[Outcome]:
        """Questions by chance, which may be about documents that reach no term; one draw a topic and document."""
        stream = np.random.Philox(key=self.seed, counter=self.index.n_documents << 64)  # one of its own a document
        draws = np.random.Generator(stream).random(len(self.topics))
        chosen = []
        for t, topic in enumerate(self.topics):
            if draws[t] < self.strategy.chance(topic.profile.counters.shown) and topic.name not in shown:
                m, v = topic.profile.field(row)
                code = topic.profile.belief.code
                p, gain = float(predictive(code, np.array([m]), np.array([v]))[0]), float(expected_gain(code, m, v))
                words = self.explain(topic.name, row)
                chosen.append(Outcome("asked", topic.name, document, p, float(np.sqrt(v)), gain, words))
        return chosen

    def _revise(self, event: Changed | Withdrawn) -> None:
        t = self._find(event.topic)
        self.topics[t].record(event)
        self.index.rebuild(t, self.topics[t].profile)
        self._set_thresholds(t)

    def _find(self, topic: str) -> int:
        if topic not in self.number:
            some = ", ".join(list(self.number)[:5])
            raise BadInput(f"no topic {topic!r}", remedy=f"topics are: {some}{' ..' if len(self.number) > 5 else ''}")
        return self.number[topic]

    def _check_date(self, document: str, date: str | None) -> None:
        if date is not None and self.last_date is not None and date < self.last_date:
            self.problems.append(f"document {document!r} of {date} comes after one of {self.last_date}")
        elif date is not None:
            self.last_date = date
