"""One topic: what is known of it beforehand, its terms, its learner, its relevant documents, its counters.

Batch phase (chai2002 4.2.2): terms that pass the minimum, then `passes` over the training documents; the topic's
statement is one more relevant document, or prior knowledge of its words (`PriorTerms.from_description`), or both. Then
judgements, one at a time: the counts grow, terms that now pass are added with their prior, the learner learns; after an
irrelevant one it learns a past relevant one again (+rel), the next in order or one chosen by recency.

A profile changes through `apply` alone and is a function of its start and the events applied: same events, same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs.likelihoods import predictive
from bayesift.errors import BadInput
from bayesift.filtering.events import Judged, Shown
from bayesift.filtering.learners import Arrays, field_of, topic_belief
from bayesift.filtering.rows import Batch, Columns, Row, localised, matrix_batch
from bayesift.filtering.topic_counts import Background, TopicCounts
from bayesift.learn.per_label import restrict
from bayesift.learn.priors import NOTHING_KNOWN, FeaturePrior
from bayesift.learn.term_selection import MIN_STATISTIC
from bayesift.terminal import one_line

Floats = NDArray[np.float64]
Again = Literal["no", "order", "recent"]
GOLDEN = 0.6180339887498949  # its multiples fill [0, 1) evenly
HALF = 10.0  # relevant documents by which the chance to be learned again halves


@dataclass(frozen=True)
class ProfileSettings:
    """How a topic learns. `again`: which past relevant document is learned after an irrelevant one (+rel). A negative
    `cut` takes all terms.

    min_terms: a broad topic with few training documents has hardly a term above the cut, and nothing to learn with;
    the batch phase then takes its best terms up to this number. 0 leaves it to the cut, as published.
    """

    learner: str = "flip-perceptron"
    min_statistic: float = MIN_STATISTIC
    min_terms: int = 30  # after the batch phase, as far as there are so many
    initial_terms: int = 300  # at most, after the batch phase
    max_terms: int = 600  # at most, ever
    passes: int = 3
    again: Again = "order"

    def __post_init__(self) -> None:
        topic_belief(self.learner)
        if self.again not in ("no", "order", "recent"):
            raise BadInput(f"no way {self.again!r} to learn again", remedy="use no, order or recent")
        if not 0 < self.initial_terms <= self.max_terms or self.min_terms < 0 or self.passes < 1:
            remedy = "0 < initial_terms <= max_terms, min_terms from 0, passes from 1"
            raise BadInput("number of terms or passes out of range", remedy=remedy)


@dataclass
class Counters:
    """What has happened to a topic."""

    shown: int = 0  # delivered or asked: N_ret
    asked: int = 0
    relevant: int = 0  # judged so, after the start
    irrelevant: int = 0
    learned_again: int = 0


class Profile:
    """One topic's state. Make one with `Profile.start`."""

    def __init__(self, name: str, settings: ProfileSettings, background: Background, known: FeaturePrior) -> None:
        self.name, self.settings, self.known = name, settings, known
        self.counts = TopicCounts(background)
        self.belief = topic_belief(settings.learner)
        self.terms: Columns = np.empty(0, np.int32)  # in the order in which the learner has them
        self.memory: list[Row] = []  # relevant documents
        self.counters = Counters()
        self._sorted = self._place = self.terms

    def __str__(self) -> str:
        c = self.counters
        judged = f"judged relevant {c.relevant:,}, not relevant {c.irrelevant:,}"
        shown = f"{c.shown:,} documents shown, {c.asked:,} of them asked about; {judged}"
        return one_line(f"topic {self.name}: {self.terms.size:,} terms; {shown}")

    @classmethod
    def start(
        cls,
        name: str,
        settings: ProfileSettings | None = None,
        *,
        background: Background | None = None,
        training: sparse.csr_matrix | None = None,
        relevant: Sequence[int] = (),
        statement: Row | None = None,
        known: FeaturePrior = NOTHING_KNOWN,
    ) -> Profile:
        """The batch phase. `relevant` are rows of `training`; the others are irrelevant. `background` has counted
        the training documents; without it they count here."""
        if not len(relevant) and statement is None and not known.columns.size:
            raise BadInput(f"topic {name!r} has no example and no statement", remedy="give it either, or both")
        if background is None:
            background = background_of(training)
        self = cls(name, settings or ProfileSettings(), background, known)
        rows = sparse.csr_matrix((0, 0)) if training is None else training
        self.memory = [_row(rows, i) for i in relevant]
        for row in self.memory:
            self.counts.add(row, relevant=True, new=False)
        if statement is not None:
            self.counts.add(statement, relevant=True)
            self.memory.append(statement)
        least = self.settings.min_terms if len(relevant) else 0  # without examples there is nothing to choose by
        self._grow(self.settings.initial_terms, least, always=known.columns, statement=statement)
        self._learn_batch(rows, relevant, statement)
        return self

    def apply(self, event: Shown | Judged) -> None:
        """Take one event into the state."""
        if isinstance(event, Shown):
            self.counters.shown += 1
            self.counters.asked += event.asked
            return
        row = event.row
        self.counts.add(row, event.relevant)
        self._grow(self.settings.max_terms, judged=row)
        self._learn(row, 1.0 if event.relevant else -1.0)
        if event.relevant:
            self.counters.relevant += 1
            self.memory.append(row)
        else:
            self.counters.irrelevant += 1
            if self.settings.again != "no" and self.memory:
                self._learn(self._past(), 1.0)

    def field(self, row: Row) -> tuple[float, float]:
        """m and v of the field h at a document."""
        m, v = field_of(*self.local(row), self.belief.mean, self.belief.table)
        return float(m), float(v)

    def probability(self, row: Row) -> float:
        """The probability that a document is relevant."""
        m, v = self.field(row)
        return float(predictive(self.belief.code, np.array([m]), np.array([v]))[0])

    def local(self, row: Row) -> Row:
        """The part of a row in the topic's terms, each column replaced by the term's place."""
        return Row(*localised(row.columns, row.weights, self._sorted, self._place))

    def arrays(self, memory: bool = True) -> Arrays:
        """The whole state as arrays (the background and what is known beforehand are not part of it).

        Without `memory` the relevant documents are left out: `restore` then keeps as many as there were, the first.
        """
        c, n = self.counts, self.counters
        state = {f"belief_{key}": value for key, value in self.belief.arrays().items()}
        state |= {"terms": self.terms.copy(), "columns": c.columns.copy(), "both": c.both.copy(), "own": c.own.copy()}
        if memory:
            rows = Batch.of(self.memory)
            state |= {"memory_ends": rows.indptr, "memory_columns": rows.indices.copy()}
            state["memory_weights"] = rows.data.copy()
        state["counters"] = np.array([c.relevant, c.judged, *asdict(n).values()], np.int64)
        return state

    def restore(self, arrays: Arrays) -> Profile:
        """Take over a state that `arrays` gave."""
        relevant, judged, *counters = arrays["counters"].tolist()
        columns, both, own = (arrays[key].copy() for key in ("columns", "both", "own"))
        self.counts = TopicCounts(self.counts.background, relevant, judged, columns, both, own)
        self.counters = Counters(*counters)
        self.belief.restore({key.removeprefix("belief_"): a for key, a in arrays.items() if key.startswith("belief_")})
        if "memory_ends" in arrays:
            ends, columns, weights = (arrays[f"memory_{part}"].copy() for part in ("ends", "columns", "weights"))
            self.memory = [Row(columns[a:b], weights[a:b]) for a, b in pairwise(ends.tolist())]
        del self.memory[relevant:]  # one for each relevant document counted
        self._set_terms(arrays["terms"].copy())
        return self

    def _grow(
        self, most: int, least: int = 0, *, always: NDArray[Any] | None = None, statement: Row | None = None,
        judged: Row | None = None,
    ) -> None:  # fmt: skip
        """Add the terms that pass, or the `least` best, while there is room, and those that must be there."""
        room = max(most - self.terms.size, 0)
        if judged is not None and self.settings.min_statistic < 0.0:  # all terms: only this document's can be new
            wanted = judged.columns
        else:
            wanted = self.counts.best(self.settings.min_statistic, most) if room else self.terms[:0]
            if wanted.size < least:
                wanted = self.counts.best(0.0, min(least, most))
        place = np.minimum(np.searchsorted(self._sorted, wanted), max(self.terms.size - 1, 0))
        known = self._sorted[place] == wanted if self.terms.size else np.zeros(wanted.size, bool)
        new = np.sort(wanted[~known][:room])
        if always is not None and always.size:
            new = np.union1d(new, always)
        if statement is not None and new.size == 0:  # nothing to tell apart yet: its own words
            new = statement.columns
        if not new.size:
            return
        prior = self.known.take(new.astype(np.intp))
        self.belief.grow(prior.mean, np.where(np.isnan(prior.sd), 1.0, prior.sd))
        self._set_terms(np.concatenate([self.terms, new.astype(np.int32)]))

    def _set_terms(self, terms: Columns) -> None:
        self.terms = terms
        order = np.argsort(terms, kind="stable")
        self._sorted, self._place = terms[order], order.astype(np.int32)

    def _learn_batch(self, training: sparse.csr_matrix, relevant: Sequence[int], statement: Row | None) -> None:
        signs = np.full(training.shape[0], -1.0)
        signs[list(relevant)] = 1.0
        rows = matrix_batch(restrict(training, self.terms[self.terms < training.shape[1]].astype(np.intp)))
        if statement is not None:  # the last of each pass
            rows = _appended(rows, self.local(statement))
            signs = np.append(signs, 1.0)
        if signs.size:
            self.belief.learn(rows, signs, self.settings.passes)

    def _learn(self, row: Row, sign: float) -> None:
        self.belief.learn(Batch.of([self.local(row)]), np.array([sign]))

    def _past(self) -> Row:
        """The relevant document to learn again."""
        k, n = self.counters.learned_again, len(self.memory)
        self.counters.learned_again += 1
        if self.settings.again == "order":
            return self.memory[k % n]
        age = math.floor(-math.log2(1.0 - (k * GOLDEN) % 1.0) * HALF)
        return self.memory[max(n - 1 - age, 0)]


def background_of(training: sparse.csr_matrix | None) -> Background:
    """The counts of the training documents."""
    if training is None:
        return Background()
    return Background(training.shape[0], np.bincount(training.indices, minlength=training.shape[1]).astype(np.int64))


def _row(matrix: sparse.csr_matrix, i: int) -> Row:
    begin, end = matrix.indptr[i], matrix.indptr[i + 1]
    return Row(matrix.indices[begin:end].astype(np.int32), matrix.data[begin:end].astype(np.float64))


def _appended(rows: Batch, row: Row) -> Batch:
    ends = np.append(rows.indptr, np.int32(rows.indices.size + row.columns.size))
    return Batch(ends, np.concatenate([rows.indices, row.columns]), np.concatenate([rows.data, row.weights]))
