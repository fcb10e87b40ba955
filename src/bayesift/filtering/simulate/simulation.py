"""Simulation of a filter on a labelled stream: what it would have shown, asked and learned.

The simulated judge answers about every document shown, from the labels of the stream: `delay` documents later, not at
all with probability `missing`, wrongly with probability `noise`. The measures use the true labels.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.evaluate import scaled_utility, t9p, t9u, t11su
from bayesift.filtering.budget import Budget
from bayesift.filtering.event_log import Log
from bayesift.filtering.filter import Filter
from bayesift.filtering.outcomes import Answer, Outcome
from bayesift.filtering.profile_settings import ProfileSettings
from bayesift.filtering.rows import rows_of
from bayesift.filtering.simulate.stream_task import Task
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.topic import MOST_WAITING
from bayesift.progress import track

POINTS = 100  # moments at which the state is recorded


@dataclass(frozen=True)
class Judge:
    """A simulated judge."""

    delay: int = 0  # documents between a question and its answer
    missing: float = 0.0
    noise: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.delay < 0 or not (0.0 <= self.missing <= 1.0 and 0.0 <= self.noise <= 1.0):
            raise BadInput("delay, missing or noise out of range", remedy="delay from 0 on, the others from 0 to 1")
        if self.seed < 0:
            raise BadInput(f"the random seed is {self.seed}", remedy="give a whole number from 0 on")


@dataclass
class Tally:
    """Counts of one topic."""

    topic: str
    relevant: int  # in the stream
    delivered: int = 0
    asked: int = 0
    delivered_relevant: int = 0
    asked_relevant: int = 0

    @property
    def r_plus(self) -> int:
        """The number of relevant documents shown."""
        return self.delivered_relevant + self.asked_relevant

    @property
    def shown(self) -> int:
        """The number of documents shown."""
        return self.delivered + self.asked

    def add(self, outcome: Outcome, relevant: bool) -> None:
        """Count a document that was shown."""
        if outcome.kind == "asked":
            self.asked += 1
            self.asked_relevant += relevant
        else:
            self.delivered += 1
            self.delivered_relevant += relevant


@dataclass
class Moment:
    """The state after some documents, summed over topics; `seconds` since the previous moment."""

    documents: int
    delivered: int
    asked: int
    relevant_shown: int
    relevant_met: int
    terms: float  # mean over topics
    seconds: float


@dataclass
class Trace:
    """The result of a run.

    growth: after each judgement, (relevant documents judged, terms in the profile) of its topic: figure 2 of chai2002.
    """

    strategy: str
    tallies: list[Tally]
    moments: list[Moment] = field(default_factory=list)
    growth: list[tuple[int, int]] = field(default_factory=list)
    shown: list[tuple[Outcome, bool]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    n_problems: int = 0  # all of them; `problems` has the first

    def measures(self) -> dict[str, float]:
        """Return the rows of chai2002's table 4, and the share of relevant documents among those asked about."""
        r, shown, relevant = (
            np.array([getattr(t, key) for t in self.tallies], float) for key in ("r_plus", "shown", "relevant")
        )
        asked, hits = (sum(getattr(t, key) for t in self.tallies) for key in ("asked", "asked_relevant"))
        some = relevant > 0
        return {
            "total retrieved": float(shown.sum()),
            "relevant retrieved": float(r.sum()),
            "macro recall": _mean(100.0 * r[some] / relevant[some]),
            "macro precision": float(100.0 * np.mean(r / np.maximum(shown, 1.0))),
            "T9P": float(100.0 * t9p(r, shown - r).mean()),
            "T9U": float(t9u(r, shown - r).mean()),
            "scaled utility": _mean(scaled_utility(r, shown - r, relevant)[some]),
            "T11SU": _mean(t11su(r, shown - r, relevant)[some]),
            "zero returns": float((shown == 0).sum()),
            "asked": float(asked),
            "asked relevant, %": 100.0 * hits / asked if asked else float("nan"),
        }


def _mean(values: NDArray[np.float64]) -> float:
    """Return the mean, or nan if there are no values."""
    return float(values.mean()) if values.size else float("nan")


def simulate(
    task: Task, topics: Sequence[str], strategy: Strategy, settings: ProfileSettings, *,
    judge: Judge | None = None, budget: Budget | None = None, statements: dict[str, str] | None = None,
    label: str = "", log: Log | None = None,
) -> tuple[Trace, Filter]:  # fmt: skip
    """Start a filter for these topics and run the stream once; events are appended to `log`."""
    profiles = [task.profile(t, settings, (statements or {}).get(t)) for t in track(list(topics), "topics")]
    judge = judge or Judge()
    patience = max(MOST_WAITING, judge.delay + 1)  # so that no answer comes too late
    stream = Filter(profiles, strategy, budget=budget, seed=judge.seed, log=log, most_waiting=patience)
    if strategy.name == "target":
        stream.set_initial_thresholds(list(rows_of(task.training)), {t: task.relevant(t) for t in topics})
    return run(task, stream, judge, label or strategy.name), stream


def run(task: Task, stream: Filter, judge: Judge, label: str) -> Trace:
    """Run the stream once through a filter."""
    truth = {topic.name: task.truth(topic.name) for topic in stream.topics}
    tallies = {name: Tally(name, int(column.sum())) for name, column in truth.items()}
    trace = Trace(label, list(tallies.values()))
    met = np.cumsum(np.sum(list(truth.values()), axis=0))
    rng, due = np.random.default_rng(judge.seed), deque[tuple[int, Answer]]()
    every, clock = max(1, len(task.rows) // POINTS), time.perf_counter()
    for i, (document, row) in enumerate(zip(track(task.documents, label, len(task.rows)), task.rows)):
        for outcome in stream.process(document.id, row, document.date):
            relevant = bool(truth[outcome.topic][i])
            tallies[outcome.topic].add(outcome, relevant)
            trace.shown.append((outcome, relevant))
            lost, wrong = rng.random(2)
            if lost >= judge.missing:
                due.append((i + judge.delay, Answer(outcome.topic, document.id, relevant != (wrong < judge.noise))))
        while due and due[0][0] <= i:
            answer = due.popleft()[1]
            trace.problems += stream.judge_all([answer])
            profile = stream.topics[stream.number[answer.topic]].profile
            trace.growth.append((profile.counters.relevant, profile.terms.size))
        if (i + 1) % every == 0 or i + 1 == len(task.rows):
            trace.moments.append(_moment(i + 1, trace.tallies, int(met[i]), stream, time.perf_counter() - clock))
            clock = time.perf_counter()
    trace.problems += stream.problems
    trace.n_problems = len(trace.problems) + stream.n_problems - len(stream.problems)
    return trace


def _moment(documents: int, tallies: list[Tally], met: int, stream: Filter, seconds: float) -> Moment:
    def total(key: str) -> int:
        return sum(getattr(t, key) for t in tallies)

    terms = float(np.mean([topic.profile.terms.size for topic in stream.topics])) if stream.topics else 0.0
    return Moment(documents, total("delivered"), total("asked"), total("r_plus"), met, terms, seconds)


def growth_curve(growth: Sequence[tuple[int, int]]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the mean number of terms by the number of relevant documents judged (figure 2 of chai2002)."""
    pairs = np.array(growth, np.int64).reshape(-1, 2)
    if not len(pairs):
        return np.empty(0, np.int64), np.empty(0)
    counts = np.bincount(pairs[:, 0])
    sums = np.bincount(pairs[:, 0], pairs[:, 1])
    some = np.flatnonzero(counts)
    return some, sums[some] / counts[some]
