"""Many topics over one stream: each document is delivered, asked about or passed, topic by topic.

`process` takes a document and returns what is shown to whom; it never waits for an answer. `judge` takes an answer, at
once, later, in a batch or never; `change` and `withdraw` revise one. A simulated and a live filter are this object.

`process` has three parts. `receive` counts the document, `decide` changes nothing, and `show` records what was shown:
events that were recorded can be applied again without deciding again. `filter_topics` has the topics, which can be
added, renamed and removed while the stream runs.

What a filter keeps is bounded by the judgements, however long the stream is: of the documents shown and not answered
the last ones (`most_waiting` per topic), of the problems the first ones. Events are not kept but appended to `log`,
which belongs to the caller: a list, a deque of some length, or an object that writes them to a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.budget import Budget
from bayesift.filtering.event_log import Log, append_all, checked_log
from bayesift.filtering.events import Changed, Judged, Shown, Withdrawn, judged, yes_or_no
from bayesift.filtering.filter_topics import FilterTopics
from bayesift.filtering.outcomes import Answer, Outcome, contributions
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.rows import Row
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.topic import MOST_WAITING


class Filter(FilterTopics):
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
    encoded : int
        How many of the first columns are not words, but the vector of an encoder.

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
    problem_kinds : dict
        The number of problems of each kind, and the last one.

    Raises
    ------
    BadInput
        If two topics have the same name, or `seed` or `most_waiting` is out of range.

    Examples
    --------
    >>> from bayesift.filtering import Profile
    >>> wheat = Profile.start("wheat", statement=Row.of({0: 1.0}))
    >>> stream = Filter([wheat], Strategy("ig"))
    >>> [(o.kind, o.topic) for o in stream.process("d1", Row.of({0: 0.8, 1: 0.6}))]
    [('delivered', 'wheat')]
    >>> stream.judge("wheat", "d1", True)
    """

    def __init__(
        self, profiles: Iterable[TopicProfile], strategy: Strategy | None = None, *,
        budget: Budget | None = None, seed: int = 0, log: Log | None = None,
        most_waiting: int = MOST_WAITING, background: Iterable[Row] = (), encoded: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(profiles, strategy, budget, seed, most_waiting, background, encoded)
        self.log = checked_log(log)

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
        >>> from bayesift.filtering import Profile
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
        >>> from bayesift.filtering import Profile
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))], Strategy("none"))
        >>> [o.document for o in stream.process_many([("d1", Row.of({1: 1.0}), None), ("d2", Row.of({0: 1.0}), None)])]
        ['d2']
        """
        from bayesift.filtering.document_batch import BATCH, DocumentBatch

        outcomes = []
        for begin in range(0, len(documents), BATCH):
            some = documents[begin : begin + BATCH]
            batch = DocumentBatch(self, [row for _, row, _ in some])
            for i, (document, row, date) in enumerate(some):
                self.receive(document, row, date)
                outcomes += [o for o in self._shown(batch.decide(document, i), row) if o.kind != "passed"]
        return outcomes

    def _shown(self, outcomes: Sequence[Outcome], row: Row) -> list[Outcome]:
        """Record what is shown, and return the outcomes as they are within the budget."""
        within = [self._within_budget(outcome) for outcome in outcomes]
        events = [
            Shown(o.topic, o.document, o.kind == "asked", source=o.source, chance=o.chance)
            for o in within if o.kind != "passed"
        ]  # fmt: skip
        append_all(self.log, events, lambda logged: self.show(logged, row))
        return within

    def receive(self, document: str, row: Row, date: str | None = None, arrived: str | None = None) -> None:
        """Count a document and its day, and let it enter the background sample; the first part of `process`.

        A document without a date belongs to the day of the one before it, and while none had a date, to the day on
        which it `arrived`.
        """
        self.refresh()
        first = date is not None and self.last_date is None
        day = arrived if date is None and self.last_date is None else date
        self.check_date(document, date)
        if self.budget is not None and self.budget.day(day):
            self.decisions.new_day(self.n_documents)
        self.n_documents += 1
        self.background.add(row)
        self.renew_background()
        self.decisions.receive(day, self.n_documents, first)

    def decide(self, document: str, row: Row, include_passed: bool = False) -> list[Outcome]:
        """Return what each topic would do with the document just received, and change nothing."""
        return self.decisions.decide(document, row, self.n_documents, include_passed)

    def show(self, events: Sequence[Shown], row: Row) -> None:
        """Record that a document was shown to topics, each once; the last part of `process`."""
        if not events:
            return
        numbers = [self.number[event.topic] for event in events]
        for t, event in zip(numbers, events):
            self.topics[t].show(event, row)
        self.decisions.shown(numbers, self.n_documents, events)

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
        >>> from bayesift.filtering import Profile
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
        >>> from bayesift.filtering import Profile
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
        >>> from bayesift.filtering import Profile
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
        >>> from bayesift.filtering import Profile
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))])
        >>> stream.judge("wheat", "d1", True, Row.of({0: 1.0}))
        >>> stream.withdraw("wheat", "d1")
        >>> list(stream.waiting)
        [('wheat', 'd1')]
        """
        self._record(Withdrawn(topic, document))

    def explain(self, topic: str, row: Row) -> tuple[tuple[int, float], ...]:
        """Return the columns of a document that contribute most to its field, with mean weight times x of each.

        Examples
        --------
        >>> from bayesift.filtering import Profile
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))])
        >>> [column for column, _ in stream.explain("wheat", Row.of({0: 0.6, 1: 0.8}))]
        [0]
        """
        columns, amounts = contributions(self.topics[self.find(topic)].profile, row)
        return tuple(zip(columns.tolist(), amounts.tolist()))

    def _within_budget(self, outcome: Outcome) -> Outcome:
        """Return the outcome, passed if it is a question for which the budget of the day has no place."""
        if self.budget is None or outcome.source != "asked" or self.budget.take(outcome.gain):
            return outcome
        return outcome.become("passed", None)

    def _record(self, event: Judged | Changed | Withdrawn) -> None:
        self.topics[self.find(event.topic)].check(event)
        self.refresh()  # it raises where topics do not go together
        if self.log is not None:
            self.log.append(event)
        self.apply(event)
