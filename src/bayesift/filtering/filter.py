"""Many topics over one stream: each document is delivered, asked about or passed, topic by topic.

`process` takes a document and returns what is shown to whom; it never waits for an answer. `judge` takes an answer, at
once, later, in a batch or never; `change` and `withdraw` revise one. A simulated and a live filter are this object.

`process` has three parts. `receive` counts the document, `decide` changes nothing, and `show` records what was shown:
events that were recorded can be applied again without deciding again. Topics are added, renamed and removed while the
stream runs; the index and the thresholds follow when they are needed next.

What a filter keeps is bounded by the judgements, however long the stream is: of the documents shown and not answered
the last ones (`most_waiting` per topic), of the problems the first ones. Events are not kept but appended to `log`,
which belongs to the caller: a list, a deque of some length, or an object that writes them to a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.background_sample import BackgroundSample
from bayesift.filtering.budget import Budget
from bayesift.filtering.event_log import Log
from bayesift.filtering.events import Changed, Event, Judged, Shown, Withdrawn, judged, yes_or_no
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.outcomes import Answer, Outcome, contributions, passed
from bayesift.filtering.profile import Profile
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.reading import Reading
from bayesift.filtering.rows import Row
from bayesift.filtering.strategies import Strategy, is_worth_asking
from bayesift.filtering.thresholds import Thresholds
from bayesift.filtering.topic import MOST_WAITING, Topic
from bayesift.filtering.topic_index import TopicIndex
from bayesift.filtering.topic_kernel import TopicKernel

PROBLEMS = 100  # problems whose text is kept; the others are counted
LAST_SEED = (1 << 64) - 1
BATCH = 256  # documents whose scores are computed together
FIRST = 32  # documents after which GP topics first have a background; renewed whenever it has doubled


class Filter:
    """An adaptive filter: topics that learn from judgements, and a strategy that chooses what to ask.

    Parameters
    ----------
    profiles : iterable of Profile
        The topics, each with its own name.
    strategy : Strategy, optional
        Which documents to ask about (default: `daily` for GP topics, else `ig`).
    budget : Budget, optional
        Questions per day over all topics.
    seed : int
        Random seed of the strategy `rnd`.
    log : Log, optional
        Where events are appended (default: they are not kept).
    most_waiting : int
        Documents per topic that wait for an answer; older ones are dropped.
    background : iterable of Row
        Documents of the stream that came before the filter.

    Attributes
    ----------
    topics : list of Topic
        The topics, in the order of the profiles.
    n_documents : int
        Documents processed.
    background : BackgroundSample
        A random sample of the documents processed.
    problems : list of str
        The first problems of the stream, such as dates out of order; `n_problems` counts all.

    Raises
    ------
    BadInput
        If two topics have the same name, or `seed` or `most_waiting` is out of range.

    Examples
    --------
    >>> wheat = Profile.start("wheat", statement=Row.of({0: 1.0}))
    >>> stream = Filter([wheat], Strategy("ig"))
    >>> [(o.kind, o.topic) for o in stream.process("d1", Row.of({0: 0.8, 1: 0.6}))]
    [('delivered', 'wheat')]
    >>> stream.judge("wheat", "d1", True)
    """

    def __init__(
        self, profiles: Iterable[TopicProfile], strategy: Strategy | None = None, *,
        budget: Budget | None = None, seed: int = 0, log: Log | None = None,
        most_waiting: int = MOST_WAITING, background: Iterable[Row] = (),
    ) -> None:  # fmt: skip
        if not 0 <= seed <= LAST_SEED:
            raise BadInput(f"the random seed is {seed}", remedy=f"give a whole number from 0 to {LAST_SEED}")
        if most_waiting < 1:
            raise BadInput(f"most_waiting is {most_waiting}", remedy="give a whole number from 1 on")
        self.topics = [Topic(profile, most_waiting=most_waiting) for profile in profiles]
        gp = bool(self.topics) and isinstance(self.topics[0].profile, GPProfile)
        self.strategy = strategy or Strategy("daily" if gp else "ig")
        self.budget, self.seed, self.log = budget, seed, log
        self.most_waiting = most_waiting
        self.number = {topic.name: t for t, topic in enumerate(self.topics)}
        if len(self.number) < len(self.topics):
            twice = next(a.name for a in self.topics if self.topics[self.number[a.name]] is not a)
            raise BadInput(f"two topics are named {twice!r}", remedy="give each its own name")
        self.n_documents = 0
        self.background = BackgroundSample(seed=seed)
        for row in background:
            self.background.add(row)
        self.shared: TopicKernel | None = None  # the kernel of GP topics
        self.reading: Reading | None = None  # the decisions of GP topics
        self.last_date: str | None = None
        self.problems: list[str] = []
        self.n_problems = 0
        self.thresholds = Thresholds(self.strategy, self.budget, [])
        self._indexed: list[Topic] = []  # the topics that the index and the thresholds have
        self._build()

    @property
    def waiting(self) -> dict[tuple[str, str], Row]:
        """The documents that were shown and can still be answered, by topic and id, with their vectors."""
        return {(topic.name, document): row for topic in self.topics for document, row in topic.waiting.items()}

    def set_initial_thresholds(self, sample: Sequence[Row], relevant: Mapping[str, Collection[int]]) -> None:
        """Set the initial thresholds of the strategy `target` from a sample; other strategies ignore it.

        Parameters
        ----------
        sample : sequence of Row
            Documents like those of the stream.
        relevant : mapping
            For each topic, the numbers of the sample's documents that are relevant to it. They are left out, since
            the topic may have learned them.

        Examples
        --------
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))], Strategy("target", horizon=100))
        >>> stream.set_initial_thresholds([Row.of({0: 0.1 * i, 1: 0.5}) for i in range(10)], {"wheat": [9]})
        """
        if self.strategy.name != "target" or not sample:
            return
        for t, topic in enumerate(self.topics):
            without = set(relevant.get(topic.name, ()))
            self._start_threshold(t, (row for i, row in enumerate(sample) if i not in without))

    def process(self, document: str, row: Row, date: str | None = None, include_passed: bool = False) -> list[Outcome]:
        """Return what each topic does with a document that has one of its terms.

        A topic passes a document whose id waits for its answer, or has one: no document is shown twice.

        Parameters
        ----------
        document : str
            The document's id.
        row : Row
            Its vector.
        date : str, optional
            Its date, ISO 8601. A budget starts a new day with it.
        include_passed : bool
            Whether to return the topics that pass the document, too.

        Returns
        -------
        list of Outcome
            One outcome per topic, in the order of the topics; topics that the strategy `rnd` adds come last.

        Examples
        --------
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))], Strategy("none"))
        >>> stream.process("d1", Row.of({1: 1.0}))
        []
        >>> [o.kind for o in stream.process("d2", Row.of({0: 1.0}))]
        ['delivered']
        """
        self.receive(document, row, date)
        outcomes = self._shown(self.decide(document, row, include_passed), row)
        return outcomes if include_passed else [o for o in outcomes if o.kind != "passed"]

    def process_many(self, documents: Sequence[tuple[str, Row, str | None]]) -> list[Outcome]:
        """Process documents, each with its id, vector and date; the same as one by one, faster with many GP topics.

        Examples
        --------
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))], Strategy("none"))
        >>> [o.document for o in stream.process_many([("d1", Row.of({1: 1.0}), None), ("d2", Row.of({0: 1.0}), None)])]
        ['d2']
        """
        outcomes = []
        for begin in range(0, len(documents), BATCH):
            some = documents[begin : begin + BATCH]
            prepared, reading = None, None
            for i, (document, row, date) in enumerate(some):
                self.receive(document, row, date)
                if self.reading is not None and self.reading is not reading:  # the first, or the background was renewed
                    reading, first = self.reading, i
                    prepared = reading.prepared([row for _, row, _ in some[i:]])
                if prepared is None or self.reading is None:
                    decided = self.decide(document, row)
                else:
                    features, scores = prepared[0][i - first], prepared[1][i - first]
                    decided = self.reading.decided(document, row, features, scores, self.n_documents, False)
                outcomes += [o for o in self._shown(decided, row) if o.kind != "passed"]
        return outcomes

    def _shown(self, outcomes: Sequence[Outcome], row: Row) -> list[Outcome]:
        """Record what is shown, and return the outcomes as they are within the budget."""
        within = [self._within_budget(outcome) for outcome in outcomes]
        for outcome in within:
            if outcome.kind != "passed":
                asked = outcome.kind == "asked"
                event = Shown(outcome.topic, outcome.document, asked, source=outcome.source, chance=outcome.chance)
                self.show(event, row)
                self._write(event)
        return within

    def receive(self, document: str, row: Row, date: str | None = None) -> None:
        """Count a document and its day, and let it enter the background sample; the first part of `process`."""
        self.refresh()
        self._check_date(document, date)
        if self.budget is not None and self.budget.day(date):
            self._update_all()
        self.n_documents += 1
        self.background.add(row)
        if self.reading is not None:
            if self.background.seen >= FIRST and self.background.seen.bit_count() == 1:
                self._renew()
            self.reading.receive(date, self.n_documents)

    def decide(self, document: str, row: Row, include_passed: bool = False) -> list[Outcome]:
        """Return what each topic would do with the document just received, and change nothing."""
        if self.reading is not None:
            return self.reading.decide(document, row, self.n_documents, include_passed)
        found, m, v = self.index.near(row, None if include_passed else self.thresholds, self.n_documents)
        outcomes = [self._decide(int(t), document, row, float(a), float(b)) for t, a, b in zip(found, m, v)]
        if self.strategy.name == "rnd":
            outcomes += self._ask_at_random(document, row, {o.topic for o in outcomes if o.kind != "passed"})
        return outcomes

    def show(self, event: Shown, row: Row) -> None:
        """Record that a document was shown; the last part of `process`."""
        t = self.find(event.topic)
        self.topics[t].show(event, row)
        if self.reading is not None:
            self.reading.shown(t, self.n_documents, event.chance)
        else:
            self._update(t, event.asked)

    def add(self, topic: Topic) -> None:
        """Add a topic.

        Raises BadInput if there is a topic of its name.

        Examples
        --------
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))])
        >>> stream.add(Topic(Profile.start("corn", statement=Row.of({1: 1.0}))))
        >>> [outcome.topic for outcome in stream.process("d1", Row.of({0: 0.6, 1: 0.8}))]
        ['wheat', 'corn']
        """
        self.check_new(topic.name)
        self.number[topic.name] = len(self.topics)
        self.topics.append(topic)
        self._stale = True

    def check_new(self, name: str) -> None:
        """Raise BadInput if there is a topic of this name."""
        if name in self.number:
            raise BadInput(f"topic {name!r} already exists", remedy="choose another name, or rename that one")

    def remove(self, topic: str) -> None:
        """Remove a topic."""
        del self.topics[self.find(topic)]
        self._stale = True
        self.number = {topic.name: t for t, topic in enumerate(self.topics)}

    def rename(self, topic: str, name: str) -> None:
        """Rename a topic; raise BadInput if another topic has it."""
        t = self.find(topic)
        self.check_new(name)
        self.topics[t].profile.name = name
        self.number = {topic.name: t for t, topic in enumerate(self.topics)}

    def set_own(self, topic: str, per_day: int | None, balance: float | None) -> None:
        """Set a topic's own number of documents per day and balance; None is that of the strategy."""
        t = self.find(topic)
        self.refresh()
        self.topics[t].per_day, self.topics[t].balance = per_day, balance
        if self.reading is not None:
            self.reading.set_own(t)
            self.reading.bars.update(t, self.reading.profile(t), self.n_documents)
        else:
            self._update(t)

    def report(self, problem: str) -> None:
        """Count a problem of the stream, and keep its text if it is one of the first."""
        self.n_problems += 1
        if len(self.problems) < PROBLEMS:
            self.problems.append(problem)

    def refresh(self) -> None:
        """Let the index and the thresholds follow topics that were added or removed."""
        if self._stale:
            self._build()

    def judge(self, topic: str, document: str, relevant: bool, row: Row | None = None) -> None:
        """Learn from an answer about a document that was shown, or whose vector is given.

        Parameters
        ----------
        topic, document : str
            The topic's name and the document's id.
        relevant : bool
            The answer.
        row : Row, optional
            The document's vector, needed only if the document was not shown or no longer waits for its answer.

        Raises
        ------
        BadInput
            If the answer is not a boolean, repeats or contradicts an earlier one, or is about a document that was not
            shown or no longer waits. Nothing changes then.

        Examples
        --------
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))])
        >>> stream.judge("wheat", "d7", False, Row.of({0: 0.1, 2: 0.9}))
        >>> stream.topics[0].answer("d7")
        False
        """
        t = self.find(topic)
        known = self.topics[t].waiting.get(document) if row is None else row.checked()
        if known is None and self.topics[t].answer(document) is None:
            reason = f"document {document!r} was not shown to topic {topic!r}, or too long ago"
            raise BadInput(reason, remedy="judge documents that were shown, or give the vector")
        shown = self.topics[t].shown.get(document)
        said = {} if shown is None else {"source": shown.source, "chance": shown.chance}
        self._record(judged(topic, document, relevant, known or Row.of({}), **said))

    def judge_all(self, answers: Iterable[Answer]) -> list[str]:
        """Learn from answers in their order, and return why some could not be taken; the others count.

        Examples
        --------
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))])
        >>> _ = stream.process("d1", Row.of({0: 1.0}))
        >>> stream.judge_all([Answer("wheat", "d1", True), Answer("corn", "d1", True)])
        ["no topic 'corn'; topics are: wheat"]
        """
        wrong = []
        for answer in answers:
            try:
                self.judge(*answer)
            except BayesiftError as error:
                wrong.append(str(error))
        return wrong

    def change(self, topic: str, document: str, relevant: bool) -> None:
        """Replace an answer; the topic is then as if this answer had been the first.

        Raises BadInput if the document has no answer, or the new one is not a boolean.

        Examples
        --------
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))])
        >>> stream.judge("wheat", "d1", True, Row.of({0: 1.0}))
        >>> stream.change("wheat", "d1", False)
        >>> stream.topics[0].answer("d1")
        False
        """
        self._record(Changed(topic, document, yes_or_no(relevant)))

    def withdraw(self, topic: str, document: str) -> None:
        """Remove an answer; the topic is then as if it had never come, and the document waits for another one.

        Raises BadInput if the document has no answer.

        Examples
        --------
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))])
        >>> stream.judge("wheat", "d1", True, Row.of({0: 1.0}))
        >>> stream.withdraw("wheat", "d1")
        >>> list(stream.waiting)
        [('wheat', 'd1')]
        """
        self._record(Withdrawn(topic, document))

    def apply(self, event: Judged | Changed | Withdrawn) -> None:
        """Apply an event of an answer; raise BadInput, and change nothing, if it contradicts an earlier one."""
        t = self.find(event.topic)
        self.refresh()
        self.topics[t].record(event)
        self._learned(t, revised=not isinstance(event, Judged))

    def restart(self, topic: str, profile: TopicProfile) -> None:
        """Replace the profile of a topic by one that starts otherwise; its judgements are applied again."""
        t = self.find(topic)
        self.refresh()
        self.topics[t].restart(profile)
        self._learned(t, revised=True)

    def explain(self, topic: str, row: Row) -> tuple[tuple[int, float], ...]:
        """Return the columns of a document that contribute most to its field, with mean weight times x of each.

        Examples
        --------
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))])
        >>> [column for column, _ in stream.explain("wheat", Row.of({0: 0.6, 1: 0.8}))]
        [0]
        """
        return contributions(self.topics[self.find(topic)].profile, row)

    def _decide(self, t: int, document: str, row: Row, m: float, v: float) -> Outcome:
        topic = self.topics[t]
        profile = cast("Profile", topic.profile)
        outcome = passed(profile, document, row, m, v)
        p, gain = outcome.probability, outcome.gain
        if topic.paused or topic.was_shown(document):
            return outcome
        if p > 0.5:
            return replace(outcome, kind="delivered", source="delivered")
        if not self.thresholds.near(t, m, v, gain, self.n_documents):
            return outcome
        if is_worth_asking(self.strategy, profile, row, m, v, p, topic.recent, self.n_documents):
            return replace(outcome, kind="asked", source="asked")
        return outcome

    def _within_budget(self, outcome: Outcome) -> Outcome:
        """Return the outcome, passed if it is a question for which the budget of the day has no place."""
        if self.budget is None or outcome.source != "asked" or self.budget.take(outcome.gain):
            return outcome
        return replace(outcome, kind="passed", source=None)

    def _ask_at_random(self, document: str, row: Row, shown: set[str]) -> list[Outcome]:
        """Return the questions of `rnd`, which may be about documents without a term of the topic."""
        bits = np.random.Philox(key=self.seed, counter=self.n_documents << 64)  # one generator per document
        draws = np.random.Generator(bits).random(len(self.topics))
        chosen = []
        for t, topic in enumerate(self.topics):
            again = topic.name in shown or topic.paused or topic.was_shown(document)
            if draws[t] < self.strategy.chance(topic.profile.counters.shown) and not again:
                outcome = passed(topic.profile, document, row, *topic.profile.field(row))
                chosen.append(replace(outcome, kind="asked", source="random"))
        return chosen

    def kernel(self) -> TopicKernel:
        """Return the kernel that GP topics share, or that the first one will have."""
        return self.shared or TopicKernel.of_rows(self.background.rows, self.seed)

    def _renew(self) -> None:
        """Replace the background of GP topics by the one of now; they learn their documents again."""
        self.shared = TopicKernel.of_rows(self.background.rows, self.seed)
        for topic in self.topics:
            if isinstance(topic.profile, GPProfile):
                topic.profile.rebase(self.shared)
        self._build()

    def _learned(self, t: int, revised: bool) -> None:
        """Let the index and the thresholds follow what a topic has learned."""
        profile = self.topics[t].profile
        if self.reading is not None:
            self.reading.learned(t, self.n_documents)
        elif isinstance(profile, Profile):
            (self.index.rebuild if revised else self.index.refresh)(t, profile)
            self._update(t)

    def _update(self, t: int, asked: bool = False) -> None:
        self.thresholds.update(t, self.topics[t].profile.counters.shown, self.n_documents, asked)

    def _build(self) -> None:
        """Make the index and the thresholds; topics that were there before keep theirs."""
        if self.shared is not None or any(isinstance(topic.profile, GPProfile) for topic in self.topics):
            self._build_reading()
            return
        before = {id(topic): t for t, topic in enumerate(self._indexed)}
        old, since = self.thresholds.arrays() if self._indexed else (np.empty(0), np.empty(0, np.int64))
        if self.topics and self.strategy.name == "daily":
            raise BadInput("the strategy 'daily' is for the learner gp", remedy="use GPProfile, or another strategy")
        profiles = [topic.profile for topic in self.topics if isinstance(topic.profile, Profile)]
        self.index = TopicIndex(profiles)
        codes = [profile.code for profile in profiles]
        self.thresholds = Thresholds(self.strategy, self.budget, codes)
        self._indexed, self._stale = list(self.topics), False
        for t, topic in enumerate(self.topics):
            if id(topic) in before:
                self.thresholds.take_over(t, old, since, before[id(topic)])
            elif self.strategy.name == "target" and self.background.rows:
                self._start_threshold(t, self.background.rows)
            else:
                self._update(t)

    def _build_reading(self) -> None:
        """Make the index and the bars of GP topics; topics that were there before keep their count of the day."""
        profiles = [topic.profile for topic in self.topics if isinstance(topic.profile, GPProfile)]
        self.shared = self.shared or profiles[0].shared
        for profile in profiles:
            if profile.shared is not self.shared:
                profile.rebase(self.shared)
        reading = Reading(self.topics, self.strategy, self.seed)
        if self.reading is not None:
            reading.bars.take_over(self.reading.bars, self.reading.topics, self.topics)
        self.reading, self._indexed, self._stale = reading, list(self.topics), False
        for t in range(len(self.topics)):
            reading.bars.update(t, reading.profile(t), self.n_documents)

    def _start_threshold(self, t: int, sample: Iterable[Row]) -> None:
        profile = self.topics[t].profile
        u = [self.thresholds.u_of(t, *profile.field(row)) for row in sample]
        self.thresholds.start(t, u, profile.counters.shown, self.n_documents)

    def _update_all(self) -> None:
        for t in range(len(self.topics)):
            self._update(t)

    def _record(self, event: Judged | Changed | Withdrawn) -> None:
        self.apply(event)
        self._write(event)

    def _write(self, event: Event) -> None:
        if self.log is not None:
            self.log.append(event)

    def find(self, topic: str) -> int:
        """Return the number of a topic by its name; raise BadInput if there is none."""
        if topic not in self.number:
            some = ", ".join(list(self.number)[:5]) + (" .." if len(self.number) > 5 else "")
            raise BadInput(f"no topic {topic!r}", remedy=f"topics are: {some}" if some else "add one first")
        return self.number[topic]

    def _check_date(self, document: str, date: str | None) -> None:
        if date is not None and self.last_date is not None and date < self.last_date:
            self.report(f"document {document!r} of {date} comes after one of {self.last_date}")
        elif date is not None:
            self.last_date = date
