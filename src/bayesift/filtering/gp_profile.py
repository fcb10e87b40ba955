"""The profile of a topic by Gaussian-process regression: for topics that begin with a sentence or a few examples.

A topic's own documents are regressed on targets: 1 for its statement, its examples and documents judged relevant, -0.1
for those judged irrelevant, with noise variances 0.5 and 1.5, under the kernel that all topics share (`topic_kernel`:
words and meaning, given some documents of the background as weak negatives). Words that a person gave have the prior
mean of their weight; one with a deviation below 1 is also a document of that word alone, with that mean for its target
and the noise that leaves this deviation.

The score s is the mean of the field. Its probability is Platt's line over `tail.place(s)`, whose prior is what topics
of other streams had, moved by the leave-one-out scores of the judged documents. The field that `field` returns has this
probability under a probit of deviation 1, and the variance of the process, times its most likely scale, and of the
line.

Of more than `MOST` judged documents, those that the others predict best are left out: the regression stays exact, over
the rest.

A profile changes through `apply` alone and is a function of its start and the events applied: same events, same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtri

from bayesift.beliefs import Probit
from bayesift.decide.platt import Line, fit_line
from bayesift.errors import BadInput
from bayesift.filtering.events import Judged, Shown
from bayesift.filtering.profile import Counters, described
from bayesift.filtering.profile_settings import ProfileSettings
from bayesift.filtering.recall_estimate import LEAST_CHANCE
from bayesift.filtering.rows import Batch, Columns, Row, localised
from bayesift.filtering.tail import Tail, tail_of
from bayesift.filtering.topic_kernel import MEANING, Point, TopicKernel
from bayesift.learn.gp_regression import GPRegression
from bayesift.learn.priors import NOTHING_KNOWN, FeaturePrior
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]
RELEVANT, IRRELEVANT = (1.0, 0.5), (-0.1, 1.5)  # target and noise variance
STATEMENT = (1.0, 0.5)
PIVOT = 3.0  # the place at which the line's offset is that of no slope
SLOPE, OFFSET, LINE_SD = 0.4, -4.0, (0.35, 1.3)  # of the line, before any answer
LOGIT_TO_PROBIT = 0.6
CERTAIN = 1e-12
WIDEST = 1.0  # deviation of the weight of a word that nobody gave
MIN_NOISE = 1e-3
MOST, BLOCK = 500, 64  # judged documents that count; a block at a time is left out when there are more
REGION = 24  # documents of the background that stand for those to come


class Past(NamedTuple):
    """A judged document."""

    row: Row
    relevant: bool
    chance: float  # with which it was shown


class Region(NamedTuple):
    """Documents of the background with the highest scores, and their fields on the scale of a probit."""

    points: list[Point]
    kernel: Floats  # with the topic's own documents: (region, own)
    places: Floats  # in the tail, from the pivot on
    m: Floats
    v: Floats


class GPProfile:
    """What a topic has learned, by Gaussian-process regression. `GPProfile.start` makes one.

    Attributes
    ----------
    terms : array of int
        The columns of its own documents' words, in the order in which they came.
    weights : array of float
        Their mean weights; `dense` has those of the shared features.
    counters : Counters
        How many documents were shown and judged.

    Examples
    --------
    >>> wheat = GPProfile.start("wheat", TopicKernel(), statement=Row.of({0: 0.8, 3: 0.6}))
    >>> wheat.score(Row.of({0: 1.0})) > wheat.score(Row.of({1: 1.0}))
    True
    """

    code = Probit(1.0).code
    settings = ProfileSettings("gp")

    def __init__(self, name: str, shared: TopicKernel, feature_prior: FeaturePrior = NOTHING_KNOWN) -> None:
        self.name, self.shared, self.feature_prior = name, shared, feature_prior
        self.statement: Row | None = None
        self.examples: list[Row] = []
        self.past: list[Past] = []
        self._learned: list[int] = []  # the judged documents that count
        self.counters = Counters()
        self._region: Region | None = None
        self._begin()

    @classmethod
    def start(
        cls, name: str, shared: TopicKernel, *, statement: Row | None = None, examples: Sequence[Row] = (),
        feature_prior: FeaturePrior = NOTHING_KNOWN,
    ) -> GPProfile:  # fmt: skip
        """Return a profile that knows what the topic starts from.

        Parameters
        ----------
        name : str
            The topic's name.
        shared : TopicKernel
            The kernel, with the background; the same object for all topics of a filter.
        statement : Row, optional
            What the topic is about, as a document.
        examples : sequence of Row
            Relevant documents.
        feature_prior : FeaturePrior
            Words with the mean and the deviation of their weight; deviations above 1 count as 1.

        Raises
        ------
        BadInput
            If there is neither a statement nor an example nor a word.
        """
        if statement is None and not len(examples) and not feature_prior.columns.size:
            raise BadInput(f"topic {name!r} has no example and no statement", remedy="give it either, or both")
        self = cls(name, shared, feature_prior)
        self.statement, self.examples = statement, list(examples)
        self._begin()
        return self

    def __str__(self) -> str:
        return described(self.name, self.terms.size, self.counters)

    @property
    def memory(self) -> list[Row]:
        """The relevant documents, the statement and the examples first."""
        first = [] if self.statement is None else [self.statement]
        return first + self.examples + [past.row for past in self.past if past.relevant]

    def apply(self, event: Shown | Judged) -> None:
        """Apply one event."""
        if isinstance(event, Shown):
            self.counters.shown += 1
            self.counters.asked += event.asked
            return
        self._learned.append(len(self.past))
        self.past.append(Past(event.row, event.relevant, event.chance))
        self.counters.relevant += event.relevant
        self.counters.irrelevant += not event.relevant
        self._add(event.row, *(RELEVANT if event.relevant else IRRELEVANT))
        if len(self._learned) >= MOST + BLOCK:
            self._forget()
        else:
            self._weigh()

    def rebase(self, shared: TopicKernel, feature_prior: FeaturePrior | None = None) -> None:
        """Learn everything again, with another background or other words."""
        self.shared = shared
        if feature_prior is not None:
            self.feature_prior = feature_prior
        self._begin()

    def score(self, row: Row, features: Floats | None = None) -> float:
        """Return the mean of the field at a document; `features` are those of the shared kernel."""
        dense = self.shared.features(row) if features is None else features
        local, weights = localised(row.columns, row.weights, self._sorted, self._place)
        return float(weights @ self.weights[local] + self.dense @ dense)

    def logit(self, score: float) -> float:
        """Return the log-odds of relevance at a score."""
        return self.line.logit(self.tail.place(score) - PIVOT)

    def level(self, p: float) -> float:
        """Return the score at which the probability is p."""
        return self.tail.score(PIVOT + self.line.score(min(max(p, CERTAIN), 1.0 - CERTAIN)))

    def probability(self, row: Row) -> float:
        """Return the probability that a document is relevant."""
        return float(expit(self.logit(self.score(row))))

    def field(self, row: Row) -> tuple[float, float]:
        """Return m and v of the field at a document, on the scale of a probit."""
        return self.field_at(self.shared.point(row), self.score(row))

    def field_at(self, point: Point, score: float) -> tuple[float, float]:
        """Return m and v of the field at a document with this score."""
        process = self._gp.variance(self._kernel(point), point.own)
        v = LOGIT_TO_PROBIT**2 * (self._steepness * process + self.line.spread(self.tail.place(score) - PIVOT))
        p = min(max(float(expit(self.logit(score))), CERTAIN), 1.0 - CERTAIN)
        return float(ndtri(p)) * math.sqrt(1.0 + v), v

    @property
    def _steepness(self) -> float:
        """The variance of the log-odds per variance of the process."""
        return self._gp.scale * (self.line.slope / self.tail.excess) ** 2

    def region(self) -> Region:
        """Return the documents of the background with the highest scores."""
        if self._region is None:
            best = self._best[:REGION]
            points = [self.shared.of_reference(i) for i in best.tolist()]
            kernel = np.array([self._kernel_of_reference(i, point) for i, point in zip(best.tolist(), points)])
            fields = np.array([self.field_at(p, s) for p, s in zip(points, self.usual.tolist())]).reshape(-1, 2)
            places = np.array([self.tail.place(s) - PIVOT for s in self.usual[: best.size].tolist()])
            self._region = Region(points, kernel, places, fields[:, 0], fields[:, 1])
        return self._region

    def joint(self, point: Point, score: float, region: Region) -> Floats:
        """Return the covariance of the field at a document with those of the region, on the scale of a probit."""
        prior = self.shared.between(point, region.points)
        process = self._gp.covariance(self._kernel(point), region.kernel, prior)
        line = np.stack([region.places, np.ones(region.places.size)], 1) @ self.line.covariance
        both = self._steepness * process + line @ np.array([self.tail.place(score) - PIVOT, 1.0])
        return np.asarray(LOGIT_TO_PROBIT**2 * both)

    def contributions(self, row: Row) -> tuple[Columns, Floats]:
        """Return the columns of a document that the topic knows, and what each adds to the score."""
        local, weights = localised(row.columns, row.weights, self._sorted, self._place)
        return self.terms[local], weights * self.weights[local]

    def strongest(self, max_terms: int) -> tuple[Columns, Floats, Floats]:
        """Return the columns of the terms with the largest weights, the largest first, with mean and deviation.

        The deviation is that of the score of a document of the term alone.
        """
        best = np.argsort(-np.abs(self.weights), kind="stable")[:max_terms]
        points = [self.shared.point(Row.of({column: 1.0})) for column in self.terms[best].tolist()]
        variances = [self._gp.variance(self._kernel(point), point.own) for point in points]
        return self.terms[best], self.weights[best], np.sqrt(self._gp.scale * np.array(variances))

    def arrays(self, memory: bool = True) -> Arrays:
        """Return the state as arrays, without the shared kernel and the prior.

        Without `memory`, documents are left out: `restore` then keeps the first of those it has.
        """
        state: Arrays = {"counters": np.array([len(self.past), *asdict(self.counters).values()], np.int64)}
        state["learned"] = np.array(self._learned, np.int64)
        if memory:
            rows = Batch.of(self._start() + [past.row for past in self.past])
            state |= {"ends": rows.indptr, "columns": rows.indices.copy(), "weights": rows.data.copy()}
            state["relevant"] = np.array([past.relevant for past in self.past], bool)
            state["chance"] = np.array([past.chance for past in self.past], np.float64)
            state["start"] = np.array([self.statement is not None, len(self.examples)], np.int64)
        return state

    def restore(self, arrays: Arrays) -> GPProfile:
        """Replace the state by one that `arrays` returned."""
        n, *counters = arrays["counters"].tolist()
        if "ends" in arrays:
            ends, columns, weights = (arrays[part].copy() for part in ("ends", "columns", "weights"))
            rows = [Row(columns[a:b], weights[a:b]) for a, b in zip(ends.tolist(), ends[1:].tolist())]
            has, examples = arrays["start"].tolist()
            self.statement, self.examples = (rows[0] if has else None), rows[has : has + examples]
            facts = zip(rows[has + examples :], arrays["relevant"].tolist(), arrays["chance"].tolist())
            self.past = [Past(*fact) for fact in facts]
        del self.past[n:]
        self._learned = arrays["learned"].tolist()
        self.counters = Counters(*counters)
        self._begin()
        return self

    def _start(self) -> list[Row]:
        return ([] if self.statement is None else [self.statement]) + self.examples

    def _begin(self) -> None:
        """Learn the start and all judged documents, one after the other."""
        self._gp = GPRegression()
        self._z, self._r = np.zeros((8, self.shared.n_dense - self.shared.n_weak)), np.zeros((8, self.shared.n_weak))
        self._own = Batch.of([])  # the documents, each column replaced by its term's place
        self._background_kernel: dict[int, Floats] = {}
        self.terms, self._sorted, self._place = (np.empty(0, np.int32) for _ in range(3))
        self._words = self.feature_prior.columns
        given = np.zeros(self.shared.reference.shape[1])
        known = self._words[self._words < given.size]
        given[known] = self.feature_prior.mean[known]
        self._given_r = self.shared.whiten @ (self.shared.reference[: self.shared.n_weak] @ given)
        self._know(self._words.astype(np.int32))
        for column in self._words.tolist():
            sd = float(self.feature_prior.sd[column])
            if sd < WIDEST:
                noise = max(sd * sd / (1.0 - sd * sd), MIN_NOISE)
                self._add(Row.of({column: 1.0}), float(self.feature_prior.mean[column]), noise)
        if self.statement is not None:
            self._add(self.statement, *STATEMENT)
        for row in self.examples:
            self._add(row, *RELEVANT)
        self._first = self._gp.n  # rows before it are not judged
        for past in self._counting():
            self._add(past.row, *(RELEVANT if past.relevant else IRRELEVANT))
        self._weigh()

    def _counting(self) -> list[Past]:
        return [self.past[i] for i in self._learned]

    def _forget(self) -> None:
        """Leave out the judged documents that say least: those that the others predict best, by leave-one-out."""
        apart = np.abs(self._gp.leave_one_out()[0] - self._gp.target)[self._first :]
        kept = np.sort(np.argsort(-apart, kind="stable")[:MOST])
        self._learned = [self._learned[i] for i in kept.tolist()]
        self._begin()

    def _add(self, row: Row, target: float, noise: float) -> None:
        point = self.shared.point(row)
        kernel_row = np.append(self._kernel(point), point.own)
        self._know(row.columns)
        entry = Row(*localised(row.columns, row.weights, self._sorted, self._place))
        prior = self._given(row) - float(self._given_r @ point.r)
        self._gp.add(kernel_row, target, noise, prior)
        self._keep(point, entry)

    def _kernel(self, point: Point, first: int = 0) -> Floats:
        """Return the kernel of a document with the topic's own, from the `first` on."""
        if self._gp.n == first:
            return np.zeros(0)
        local, weights = localised(*point.row, self._sorted, self._place)
        here = np.zeros(self.terms.size)
        here[local] = weights
        words = _products(*self._own, here, first)
        z, r = self._z[first : self._gp.n] @ point.z, self._r[first : self._gp.n] @ point.r
        return np.asarray(words + MEANING * z - r)

    def _kernel_of_reference(self, i: int, point: Point) -> Floats:
        """Return the kernel of a document of the background with the topic's own; only new ones are computed."""
        known = self._background_kernel.get(i, np.zeros(0))
        if known.size < self._gp.n:
            known = np.concatenate([known, self._kernel(point, known.size)])
            self._background_kernel[i] = known
        return known

    def _keep(self, point: Point, entry: Row) -> None:
        """Keep a document of the topic's own."""
        n = self._own.indptr.size - 1
        if n == len(self._z):
            self._z, self._r = (np.concatenate([old, np.zeros_like(old)]) for old in (self._z, self._r))
        self._z[n], self._r[n] = point.z, point.r
        ends, places, values = self._own
        end = np.int32(places.size + entry.columns.size)
        self._own = Batch(
            np.append(ends, end), np.concatenate([places, entry.columns]), np.concatenate([values, entry.weights])
        )

    def _given(self, row: Row) -> float:
        """Return the prior mean at a document: the words that a person gave."""
        return float(self.feature_prior.take(row.columns.astype(np.intp)).mean @ row.weights)

    def _know(self, columns: Columns) -> None:
        """Add the columns that are new."""
        new = columns[~np.isin(columns, self.terms)] if self.terms.size else columns
        if new.size:
            self.terms = np.concatenate([self.terms, new.astype(np.int32)])
            order = np.argsort(self.terms, kind="stable")
            self._sorted, self._place = self.terms[order], order.astype(np.int32)

    def _weigh(self) -> None:
        """Make the weights and the calibration from the regression."""
        alpha, shared = self._gp.alpha, self.shared
        self.weights = _summed(*self._own, alpha, self.terms.size)
        self.weights[: self._words.size] += self.feature_prior.mean[self._words]
        n = alpha.size
        self.dense = shared.dense(alpha @ self._z[:n], alpha @ self._r[:n] + self._given_r)
        scores = self._of_reference()
        self._best = np.argsort(-scores, kind="stable")
        self.usual = scores[self._best]
        self._region = None
        self.tail: Tail = tail_of(self.usual)
        self.line: Line = self._calibrated()

    def _of_reference(self) -> Floats:
        """Return the scores of the background's documents."""
        weights = np.zeros(max(self.shared.reference.shape[1], int(self.terms.max(initial=-1)) + 1))
        weights[self.terms] = self.weights
        words = self.shared.reference @ weights[: self.shared.reference.shape[1]]
        return np.asarray(words + self.shared.reference_features @ self.dense)

    def _calibrated(self) -> Line:
        scores = self._gp.leave_one_out()[0][self._first :]
        places = [self.tail.place(score) - PIVOT for score in scores.tolist()]
        counting = self._counting()
        weights = [1.0 / max(past.chance, LEAST_CHANCE) for past in counting]
        return fit_line(places, [past.relevant for past in counting], weights, (SLOPE, OFFSET), LINE_SD)


@kernel
def _products(ends: Columns, places: Columns, values: Floats, here: Floats, first: int) -> Floats:
    """Return the product of each row, from the `first` on, with a vector."""
    out = np.zeros(ends.size - 1 - first)
    for i in range(out.size):
        for k in range(ends[first + i], ends[first + i + 1]):
            out[i] += values[k] * here[places[k]]
    return out


@kernel
def _summed(ends: Columns, places: Columns, values: Floats, alpha: Floats, size: int) -> Floats:
    """Return the sum of the rows, each times its alpha."""
    out = np.zeros(size)
    for i in range(alpha.size):
        for k in range(ends[i], ends[i + 1]):
            out[places[k]] += alpha[i] * values[k]
    return out
