"""Many topics over one stream: each document is delivered, asked about or passed, topic by topic; answers come when
they come.

`process` takes a document and says what is shown to whom; it never waits for an answer. `judge` takes an answer, at
once, later, in a batch or never; `change` and `withdraw` revise one. The simulated and the live filter are this object.

What a filter keeps is bounded by the judgements it was given, however long the stream is: of the documents shown and
not answered the last ones (`most_waiting` for each topic), of the problems the first ones. Events are not kept
but appended to `log`, which is the caller's: a list, a deque of some length, or what writes them to a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from bayesift.beliefs.likelihoods import predictive, sigma_of
from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.budget import Budget
from bayesift.filtering.events import Changed, Event, Log, Shown, Withdrawn, judged, yes_or_no
from bayesift.filtering.gain import expected_gain
from bayesift.filtering.outcomes import Answer, Outcome
from bayesift.filtering.profile import Profile
from bayesift.filtering.rows import Row
from bayesift.filtering.strategies import NEVER, Strategy, wants
from bayesift.filtering.topic import MOST_WAITING, Topic
from bayesift.filtering.topic_index import TopicIndex

WORDS = 8  # that explain an outcome
PAYS = -0.6  # u below which no document is worth showing for T9U or F1 by itself
PROBLEMS = 100  # that are kept in words; the others are counted
LAST_SEED = (1 << 64) - 1


class Filter:
    """Topics, a strategy, and what was shown and is not yet answered.

    budget: questions per day. seed: random seed of the strategy `rnd`. log: where events are appended (default: they
    are not kept). most_waiting: documents of each topic that wait for an answer; older ones are forgotten.

    >>> about_wheat = Profile.start("wheat", statement=Row.of({0: 1.0}))
    >>> loop = Filter([about_wheat], Strategy("ig"))
    >>> [(o.kind, o.topic) for o in loop.process("d1", Row.of({0: 0.8, 1: 0.6}))]
    [('delivered', 'wheat')]
    >>> loop.judge("wheat", "d1", True)
    """

    def __init__(
        self, profiles: Iterable[Profile], strategy: Strategy | None = None, *,
        budget: Budget | None = None, seed: int = 0, log: Log | None = None,
        most_waiting: int = MOST_WAITING,
    ) -> None:  # fmt: skip
        if not 0 <= seed <= LAST_SEED:
            raise BadInput(f"the random seed is {seed}", remedy=f"give a whole number from 0 to {LAST_SEED}")
        if most_waiting < 1:
            raise BadInput(f"most_waiting is {most_waiting}", remedy="give a whole number from 1 on")
        self.topics = [Topic(profile, most_waiting=most_waiting) for profile in profiles]
        self.strategy, self.budget, self.seed, self.log = strategy or Strategy(), budget, seed, log
        self.most_waiting = most_waiting
        self.number = {topic.name: t for t, topic in enumerate(self.topics)}
        if len(self.number) < len(self.topics):
            twice = next(a.name for a in self.topics if self.topics[self.number[a.name]] is not a)
            raise BadInput(f"two topics are named {twice!r}", remedy="give each its own name")
        self.index = TopicIndex([topic.profile for topic in self.topics])
        self.last_date: str | None = None
        self.problems: list[str] = []  # what was wrong with the stream, in words: the first ones
        self.n_problems = 0
        for t in range(len(self.topics)):
            self.index.set_thresholds(t, self.strategy.start, 0.0, NEVER)
            self._set_thresholds(t)

    @property
    def waiting(self) -> dict[tuple[str, str], Row]:
        """The documents that were shown and can still be answered, by topic and id, with their vectors."""
        return {(topic.name, document): row for topic in self.topics for document, row in topic.waiting.items()}

    def set_initial_thresholds(self, sample: Sequence[Row], relevant: Mapping[str, Collection[int]]) -> None:
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

    def process(self, document: str, row: Row, date: str | None = None, include_passed: bool = False) -> list[Outcome]:
        """Return what each topic that the document reaches does with it; those that pass it only with `include_passed`.

        A topic passes a document whose id waits for its answer, or has one: none is shown twice.
        """
        self._check_date(document, date)
        if self.budget is not None and self.budget.day(date):
            for t in range(len(self.topics)):
                self._set_thresholds(t)
        found, m, v = self.index.near(row, include_passed)
        outcomes = [self._decide(int(t), document, row, float(a), float(b)) for t, a, b in zip(found, m, v)]
        if self.strategy.name == "rnd":
            outcomes += self._by_chance(document, row, {o.topic for o in outcomes if o.kind != "passed"})
        for outcome in outcomes:
            if outcome.kind != "passed":
                self._show(outcome, row)
        return outcomes if include_passed else [o for o in outcomes if o.kind != "passed"]

    def judge(self, topic: str, document: str, relevant: bool, row: Row | None = None) -> None:
        """Learn from an answer about a document that was shown, or whose vector is given.

        Raises BadInput, and changes nothing, if the answer is not a boolean, contradicts an earlier one, or is about a
        document that was not shown or was shown too long ago.
        """
        t = self._find(topic)
        known = self.topics[t].waiting.get(document) if row is None else row.checked()
        if known is None and self.topics[t].answer(document) is None:
            reason = f"document {document!r} was not shown to topic {topic!r}, or too long ago"
            raise BadInput(reason, remedy="judge documents that were shown, or give the vector")
        self._record(t, judged(topic, document, relevant, known or Row.of({})))
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
        self._revise(Changed(topic, document, yes_or_no(relevant)))

    def withdraw(self, topic: str, document: str) -> None:
        """The answer no longer counts, as if it had never come; the document waits for another one."""
        self._revise(Withdrawn(topic, document))

    def explain(self, topic: str, row: Row) -> tuple[tuple[int, float], ...]:
        """The columns of a document that speak most for or against a topic: mean weight times x, strongest first."""
        profile = self.topics[self._find(topic)].profile
        local = profile.local(row)
        share = profile.belief.mean[local.columns + 1] * local.weights
        best = np.argsort(-np.abs(share), kind="stable")[:WORDS]
        return tuple((int(profile.terms[local.columns[i]]), float(share[i])) for i in best)

    def _decide(self, t: int, document: str, row: Row, m: float, v: float) -> Outcome:
        topic = self.topics[t]
        passed = self._outcome(topic, document, row, m, v)
        p, gain = passed.probability, passed.gain
        if topic.was_shown(document):
            return passed
        if p > 0.5:
            return replace(passed, kind="delivered")
        if self._interesting(t, m, v, gain):
            asks = wants(self.strategy, topic.profile, row, m, v, p, topic.recent, self.index.n_documents)
            if asks and (self.budget is None or self.budget.take(gain)):
                return replace(passed, kind="asked")
        return passed

    def _outcome(self, topic: Topic, document: str, row: Row, m: float, v: float) -> Outcome:
        code = topic.profile.belief.code
        p, gain = float(predictive(code, np.array([m]), np.array([v]))[0]), float(expected_gain(code, m, v))
        return Outcome("passed", topic.name, document, p, float(np.sqrt(v)), gain, self.explain(topic.name, row))

    def _interesting(self, t: int, m: float, v: float, gain: float) -> bool:
        """Whether the index's thresholds hold, which matters where it was asked for everything."""
        return bool(self._u(t, m, v) > self.index.bar[t] or gain >= self.index.least_gain[t] * (1.0 - 1e-9))

    def _u(self, t: int, m: float, v: float) -> float:
        return float(m / sigma_of(self.topics[t].profile.belief.code, v))

    def _show(self, outcome: Outcome, row: Row) -> None:
        t = self.number[outcome.topic]
        event = Shown(outcome.topic, outcome.document, outcome.kind == "asked")
        self.topics[t].show(event, row)
        self._write(event)
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
        """Questions by chance, which may be about documents that reach no term; one draw per topic and document."""
        stream = np.random.Philox(key=self.seed, counter=self.index.n_documents << 64)  # one for each document
        draws = np.random.Generator(stream).random(len(self.topics))
        chosen = []
        for t, topic in enumerate(self.topics):
            again = topic.name in shown or topic.was_shown(document)
            if draws[t] < self.strategy.chance(topic.profile.counters.shown) and not again:
                passed = self._outcome(topic, document, row, *topic.profile.field(row))
                chosen.append(replace(passed, kind="asked"))
        return chosen

    def _revise(self, event: Changed | Withdrawn) -> None:
        t = self._find(event.topic)
        self._record(t, event)
        self.index.rebuild(t, self.topics[t].profile)
        self._set_thresholds(t)

    def _record(self, t: int, event: Event) -> None:
        self.topics[t].record(event)
        self._write(event)

    def _write(self, event: Event) -> None:
        if self.log is not None:
            self.log.append(event)

    def _find(self, topic: str) -> int:
        if topic not in self.number:
            some = ", ".join(list(self.number)[:5])
            raise BadInput(f"no topic {topic!r}", remedy=f"topics are: {some}{' ..' if len(self.number) > 5 else ''}")
        return self.number[topic]

    def _check_date(self, document: str, date: str | None) -> None:
        if date is not None and self.last_date is not None and date < self.last_date:
            self.n_problems += 1
            if len(self.problems) < PROBLEMS:
                self.problems.append(f"document {document!r} of {date} comes after one of {self.last_date}")
        elif date is not None:
            self.last_date = date
