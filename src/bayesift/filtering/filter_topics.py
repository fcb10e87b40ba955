"""The topics of a filter, the background of the stream that they share, and the decisions over them.

Topics are added, renamed and removed while the stream runs; the decisions (`asking` for perceptron topics, `reading`
for GP topics) follow when they are needed next, also those of a filter that was loaded. GP topics get a background
after 32 documents and another one whenever the stream is four times as long: twice as often costs twice the time, and
gains nothing on the first third of the streams of the cold start.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from bayesift.corpora.dates import days_between, is_earlier
from bayesift.errors import BadInput
from bayesift.filtering.asking import Asking
from bayesift.filtering.background_sample import BackgroundSample
from bayesift.filtering.bars import FAR
from bayesift.filtering.budget import Budget
from bayesift.filtering.events import Changed, Judged, Withdrawn
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.reading import Reading
from bayesift.filtering.rows import Row
from bayesift.filtering.shared_prior import SharedPrior
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_kernel import TopicKernel

PROBLEMS = 100  # problems whose text is kept; the others are counted
OUT_OF_ORDER, WITHOUT_WORDS = "out of date order", "without words that count"  # kinds of problems
OTHER = "with other problems"  # of files of earlier versions, which did not count them by kind
LAST_SEED = (1 << 64) - 1
RENEWED = frozenset(2**k for k in range(5, 64, 2))  # documents after which GP topics get a background: 32, 128, 512 ..


class FilterTopics:
    """What `Filter` keeps (see there) and what changes its topics."""

    def __init__(
        self, profiles: Iterable[TopicProfile], strategy: Strategy | None, budget: Budget | None, seed: int,
        most_waiting: int, background: Iterable[Row], encoded: int,
    ) -> None:  # fmt: skip
        if not 0 <= seed <= LAST_SEED:
            raise BadInput(f"the random seed is {seed}", remedy=f"give a whole number from 0 to {LAST_SEED}")
        if most_waiting < 1:
            raise BadInput(f"most_waiting is {most_waiting}", remedy="give a whole number from 1 on")
        self.topics = [Topic(profile, most_waiting=most_waiting) for profile in profiles]
        gp = bool(self.topics) and isinstance(self.topics[0].profile, GPProfile)
        self.strategy = strategy or Strategy("daily" if gp else "ig")
        self.budget, self.seed, self.most_waiting, self.encoded = budget, seed, most_waiting, encoded
        self._number()
        self.n_documents = 0
        self.background = BackgroundSample(seed=seed)
        for row in background:
            self.background.add(row)
        self.shared: TopicKernel | None = None  # the kernel of GP topics
        self.last_date: str | None = None
        self.problems: list[str] = []
        self.problem_kinds: dict[str, tuple[int, str]] = {}
        self._decisions: Asking | Reading = Asking([], self.strategy, self.budget, self.seed)
        self._saved: Mapping[str, Any] | None = None  # of bars, for the decisions that will be made when needed
        self._build()

    @property
    def decisions(self) -> Asking | Reading:
        """What topics do with a document."""
        self._wake()
        return self._decisions

    def resume(self, topics: Sequence[Topic], shared: TopicKernel | None, bars: Mapping[str, Any]) -> None:
        """Take over GP topics and the state of their bars; they learn when they are needed."""
        self.topics, self.shared, self._saved = list(topics), shared, bars
        if shared is not None and "prior" in bars:  # files of earlier versions have none
            shared.prior = SharedPrior(*bars["prior"])
        self._number()

    @property
    def waiting(self) -> dict[tuple[str, str], Row]:
        """The documents that were shown and can still be answered, by topic and id, with their vectors."""
        return {(topic.name, document): row for topic in self.topics for document, row in topic.waiting.items()}

    def _number(self) -> None:
        """Assign a number to each topic; raise BadInput if two have the same name."""
        self.number = {topic.name: t for t, topic in enumerate(self.topics)}
        if len(self.number) < len(self.topics):
            twice = next(a.name for a in self.topics if self.topics[self.number[a.name]] is not a)
            raise BadInput(f"two topics are named {twice!r}", remedy="give each its own name")

    def add(self, topic: Topic) -> None:
        """Add a topic.

        Raises BadInput if there is a topic of its name.

        Examples
        --------
        >>> from bayesift.filtering import Filter, Profile
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))])
        >>> stream.add(Topic(Profile.start("corn", statement=Row.of({1: 1.0}))))
        >>> [outcome.topic for outcome in stream.process("d1", Row.of({0: 0.6, 1: 0.8}))]
        ['wheat', 'corn']
        """
        self.check_new(topic.name)
        self._wake()
        self.number[topic.name] = len(self.topics)
        self.topics.append(topic)
        self._stale = True

    def check_new(self, name: str) -> None:
        """Raise BadInput if a name is not text, or there is a topic of this name."""
        if not isinstance(name, str):
            raise BadInput(f"{name!r} is not a name of a topic", remedy="give a text")
        if name in self.number:
            raise BadInput(f"topic {name!r} already exists", remedy="choose another name, or rename that one")

    def remove(self, topic: str) -> None:
        """Remove a topic."""
        t = self.find(topic)
        self._wake()
        del self.topics[t]
        self._stale = True
        self._number()

    def rename(self, topic: str, name: str) -> None:
        """Rename a topic; raise BadInput if another topic has it."""
        t = self.find(topic)
        self.check_new(name)
        self.topics[t].profile.name = name
        self._number()

    def set_own(self, topic: str, per_day: int | None, balance: float | None) -> None:
        """Set a topic's own number of documents per day and balance; None is that of the strategy."""
        t = self.find(topic)
        self.refresh()
        self.topics[t].per_day = None if per_day is None else int(per_day)  # not a number of numpy
        self.topics[t].balance = None if balance is None else float(balance)
        self.decisions.changed(t, self.n_documents)

    def find(self, topic: str) -> int:
        """Return the number of a topic by its name; raise BadInput if there is none."""
        if not isinstance(topic, str) or topic not in self.number:
            some = ", ".join(list(self.number)[:5]) + (" .." if len(self.number) > 5 else "")
            raise BadInput(f"no topic {topic!r}", remedy=f"topics are: {some}" if some else "add one first")
        return self.number[topic]

    def apply(self, event: Judged | Changed | Withdrawn) -> None:
        """Apply an event of an answer; raise BadInput, and change nothing, if it contradicts an earlier one."""
        t = self.find(event.topic)
        self.refresh()
        self.topics[t].record(event)
        self.decisions.learned(t, self.n_documents, revised=not isinstance(event, Judged))

    def restart(self, topic: str, profile: TopicProfile) -> None:
        """Replace the profile of a topic by one that starts otherwise; its judgements are applied again."""
        t = self.find(topic)
        self.refresh()
        self.topics[t].restart(profile)
        self.decisions.learned(t, self.n_documents, revised=True)

    def refresh(self) -> None:
        """Let the index and the thresholds follow topics that were added or removed."""
        self._wake()
        self.settle()

    def settle(self) -> None:
        """Do what `refresh` does, but let topics that were taken over sleep: they have their prior."""
        if self._stale:
            self._build()

    def _wake(self) -> None:
        """Make the decisions of the topics that were taken over, before these change."""
        if self._saved is not None:
            self._build()

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
        >>> from bayesift.filtering import Filter, Profile
        >>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))], Strategy("target", horizon=100))
        >>> stream.set_initial_thresholds([Row.of({0: 0.1 * i, 1: 0.5}) for i in range(10)], {"wheat": [9]})
        """
        if self.strategy.name != "target" or not sample or isinstance(self.decisions, Reading):
            return
        for t, topic in enumerate(self.topics):
            without = set(relevant.get(topic.name, ()))
            others = (row for i, row in enumerate(sample) if i not in without)
            self.decisions.start(t, others, self.n_documents)

    def kernel(self) -> TopicKernel:
        """Return the kernel that GP topics share, or that the first one will have."""
        first = next((t.profile.shared for t in self.topics if isinstance(t.profile, GPProfile)), None)
        return self.shared or first or TopicKernel.of_rows(self.background.rows, self.seed, self.encoded)

    def renew_background(self) -> None:
        """Replace the background of GP topics by the one of now if it is due; they learn their documents again."""
        if self.shared is None or self.background.seen not in RENEWED:
            return
        self.shared = TopicKernel.of_rows(self.background.rows, self.seed, self.encoded)
        GPProfile.rebase([t.profile for t in self.topics if isinstance(t.profile, GPProfile)], self.shared)
        self._build()

    def _build(self) -> None:
        """Make the decisions of all topics; topics that were there before keep their thresholds and counts."""
        gp = [topic.profile for topic in self.topics if isinstance(topic.profile, GPProfile)]
        before, self._stale = self._decisions, False
        if self.shared is None and not gp:
            asking = self._decisions = Asking(self.topics, self.strategy, self.budget, self.seed)
            asking.begin(before if isinstance(before, Asking) else None, self.background.rows, self.n_documents)
            return
        self.shared = self.shared or gp[0].shared
        GPProfile.rebase([profile for profile in gp if profile.shared is not self.shared], self.shared)
        reading = Reading(self.topics, self.strategy, self.seed)
        reading.begin(before if isinstance(before, Reading) else None, self.n_documents)
        if self._saved is not None:
            reading.bars.restore(self._saved)
        self._decisions, self._saved = reading, None

    @property
    def n_problems(self) -> int:
        """The number of problems."""
        return sum(number for number, _ in self.problem_kinds.values())

    def report(self, kind: str, problem: str) -> None:
        """Count a problem of the stream, and keep its text if it is one of the first, or as the last of its kind."""
        number, _ = self.problem_kinds.get(kind, (0, ""))
        self.problem_kinds[kind] = number + 1, problem
        if len(self.problems) < PROBLEMS:
            self.problems.append(problem)

    def check_date(self, document: str, date: str | None) -> None:
        """Count a date out of order as a problem."""
        if date is None:
            return
        last = self.last_date
        if last is not None and is_earlier(date, last):
            self.report(OUT_OF_ORDER, f"document {document!r} of {date} comes after one of {last}")
            if days_between(date, last) > FAR:  # once: the dates after it are compared with this one
                self.last_date = date
        elif last is None or is_earlier(last, date) or len(date) >= len(last):  # else it is as late, but says less
            self.last_date = date
