"""The profile of a topic: prior terms, terms and their weights, relevant documents, counters.

Batch phase (chai2002 4.2.2): terms that pass the minimum, then `passes` over the training documents; the topic's
statement is one more relevant document, or makes prior terms (`PriorTerms.from_description`), or both. Then judgements,
one at a time: the counts grow, terms that now pass are added with their prior, the learner learns; after an irrelevant
document it learns a past relevant one again (+rel), the next in order or one chosen by recency.

A profile changes through `apply` alone and is a function of its start and the events applied: same events, same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs.likelihoods import Code, predictive
from bayesift.errors import BadInput
from bayesift.filtering.events import Judged, Shown
from bayesift.filtering.learners import Arrays, field_of, topic_belief
from bayesift.filtering.profile_settings import ProfileSettings
from bayesift.filtering.rows import Batch, Columns, Row, localised, matrix_batch, row_of
from bayesift.filtering.topic_counts import Background, TopicCounts, background_of
from bayesift.learn.priors import NOTHING_KNOWN, FeaturePrior
from bayesift.learn.restrict import restrict
from bayesift.terminal import one_line

Floats = NDArray[np.float64]
GOLDEN = 0.6180339887498949  # its multiples fill [0, 1) evenly
HALF = 10.0  # number of later relevant documents that halves the chance to be learned again


@dataclass
class Counters:
    """Counts of the events of a topic."""

    shown: int = 0  # delivered or asked: N_ret
    asked: int = 0
    relevant: int = 0  # judged relevant after the batch phase
    irrelevant: int = 0
    learned_again: int = 0  # relevant documents (+rel)


def described(name: str, n_terms: int, counters: Counters) -> str:
    """Return a line about a profile."""
    c = counters
    judged = f"judged relevant {c.relevant:,}, not relevant {c.irrelevant:,}"
    shown = f"{c.shown:,} documents shown, {c.asked:,} of them asked about; {judged}"
    return one_line(f"topic {name}: {n_terms:,} terms; {shown}")


class Profile:
    """What a topic has learned. `Profile.start` makes one.

    Attributes
    ----------
    name : str
        The topic's name.
    terms : array of int
        The columns of its terms, in the order of the learner's weights.
    counters : Counters
        How many documents were shown and judged.
    """

    def __init__(
        self, name: str, settings: ProfileSettings, background: Background, feature_prior: FeaturePrior
    ) -> None:
        self.name, self.settings, self.feature_prior = name, settings, feature_prior
        self.counts = TopicCounts(background)
        self.belief = topic_belief(settings.learner)
        self.terms: Columns = np.empty(0, np.int32)
        self.memory: list[Row] = []  # relevant documents
        self.counters = Counters()
        self._sorted = self._place = self.terms

    def __str__(self) -> str:
        return described(self.name, self.terms.size, self.counters)

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
        feature_prior: FeaturePrior = NOTHING_KNOWN,
    ) -> Profile:
        """Return a profile after its batch phase.

        Parameters
        ----------
        name : str
            The topic's name.
        settings : ProfileSettings, optional
            How the topic learns.
        background : Background, optional
            Term counts of the training documents (`background_of`), to share among topics; counted here by default.
        training : csr_matrix, optional
            The training documents.
        relevant : sequence of int
            The rows of `training` that are relevant; the others are irrelevant.
        statement : Row, optional
            A text about the topic, learned as one more relevant document.
        feature_prior : FeaturePrior, optional
            Prior means and deviations of some terms.

        Raises
        ------
        BadInput
            If there is neither a relevant document nor a statement nor a prior term.

        Examples
        --------
        >>> profile = Profile.start("wheat", statement=Row.of({0: 0.8, 3: 0.6}))
        >>> profile.terms
        array([0, 3], dtype=int32)
        """
        if not len(relevant) and statement is None and not feature_prior.columns.size:
            raise BadInput(f"topic {name!r} has no example and no statement", remedy="give it either, or both")
        if background is None:
            background = background_of(training)
        self = cls(name, settings or ProfileSettings(), background, feature_prior)
        rows = sparse.csr_matrix((0, 0)) if training is None else training
        self.memory = [row_of(rows, i) for i in relevant]
        for row in self.memory:
            self.counts.add(row, relevant=True, new=False)
        if statement is not None:
            self.counts.add(statement, relevant=True)
            self.memory.append(statement)
        least = self.settings.min_terms if len(relevant) else 0  # without examples there is nothing to choose by
        self._grow(self.settings.initial_terms, least, always=feature_prior.columns, statement=statement)
        self._learn_batch(rows, relevant, statement)
        return self

    def apply(self, event: Shown | Judged) -> None:
        """Apply one event."""
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

    replay = apply  # of a judgement of the past

    def field(self, row: Row) -> tuple[float, float]:
        """Return m and v of the field h at a document."""
        m, v = field_of(*self.local(row), self.belief.mean, self.belief.table)
        return float(m), float(v)

    def probability(self, row: Row) -> float:
        """Return the probability that a document is relevant."""
        m, v = self.field(row)
        return float(predictive(self.belief.code, np.array([m]), np.array([v]))[0])

    @property
    def code(self) -> Code:
        """The likelihood, as kernels take it."""
        return self.belief.code

    def contributions(self, row: Row) -> tuple[Columns, Floats]:
        """Return the columns of a document that the topic knows, and what each adds to the mean of the field."""
        local = self.local(row)
        return self.terms[local.columns], self.belief.mean[local.columns + 1] * local.weights

    def local(self, row: Row) -> Row:
        """Return the part of a row in the topic's terms, each column replaced by the term's place."""
        return Row(*localised(row.columns, row.weights, self._sorted, self._place))

    def strongest(self, max_terms: int) -> tuple[Columns, Floats, Floats]:
        """Return the columns of the terms with the largest weights, the largest first, with mean and deviation."""
        mean, table = self.belief.mean[1:], self.belief.table
        best = np.argsort(-np.abs(mean), kind="stable")[:max_terms]
        variance = table[0] if table.shape[0] == 1 else table.diagonal()
        return self.terms[best], mean[best], np.sqrt(np.maximum(variance[1:][best], 0.0))

    def arrays(self, memory: bool = True) -> Arrays:
        """Return the state as arrays, without the background and the prior.

        Without `memory` the relevant documents are left out: `restore` then keeps the first of those it has.
        """
        c, n = self.counts, self.counters
        state = {f"belief_{key}": value for key, value in self.belief.state().items()}
        state |= {"terms": self.terms.copy(), "columns": c.columns.copy(), "both": c.both.copy(), "own": c.own.copy()}
        if memory:
            rows = Batch.of(self.memory)
            state |= {"memory_ends": rows.indptr, "memory_columns": rows.indices.copy()}
            state["memory_weights"] = rows.data.copy()
        state["counters"] = np.array([c.relevant, c.judged, *asdict(n).values()], np.int64)
        return state

    def restore(self, arrays: Arrays) -> Profile:
        """Replace the state by one that `arrays` returned."""
        relevant, judged, *counters = arrays["counters"].tolist()
        columns, both, own = (arrays[key].copy() for key in ("columns", "both", "own"))
        self.counts = TopicCounts(self.counts.background, relevant, judged, columns, both, own)
        self.counters = Counters(*counters)
        self.belief.restore({key.removeprefix("belief_"): a for key, a in arrays.items() if key.startswith("belief_")})
        if "memory_ends" in arrays:
            ends, columns, weights = (arrays[f"memory_{part}"].copy() for part in ("ends", "columns", "weights"))
            self.memory = [Row(columns[a:b], weights[a:b]) for a, b in pairwise(ends.tolist())]
        del self.memory[relevant:]  # one per relevant document counted
        self._set_terms(arrays["terms"].copy())
        return self

    def _grow(
        self, most: int, least: int = 0, *, always: NDArray[Any] | None = None, statement: Row | None = None,
        judged: Row | None = None,
    ) -> None:  # fmt: skip
        """Add the terms that pass, at least the `least` best and at most `most` in all, and those of `always`."""
        room = max(most - self.terms.size, 0)
        if judged is not None and self.settings.min_statistic < 0.0:  # all terms: only this document's can be new
            wanted = judged.columns
        else:
            wanted = self.counts.best(self.settings.min_statistic, most) if room else self.terms[:0]
            if wanted.size < least:
                wanted = self.counts.best(0.0, min(least, most))
        place = np.minimum(np.searchsorted(self._sorted, wanted), max(self.terms.size - 1, 0))
        present = self._sorted[place] == wanted if self.terms.size else np.zeros(wanted.size, bool)
        new = np.sort(wanted[~present][:room])
        if statement is not None and new.size == 0:  # no term passes: take its own
            new = statement.columns
        if always is not None and always.size:
            new = np.union1d(new, always)
        if not new.size:
            return
        prior = self.feature_prior.take(new.astype(np.intp))
        self.belief.grow(self.terms.size + new.size, prior.mean, np.where(np.isnan(prior.sd), 1.0, prior.sd))
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
            rows = rows.append(self.local(statement))
            signs = np.append(signs, 1.0)
        if signs.size:
            self.belief.learn(rows, signs, self.settings.passes)

    def _learn(self, row: Row, sign: float) -> None:
        self.belief.learn(Batch.of([self.local(row)]), np.array([sign]))

    def _past(self) -> Row:
        """Return the relevant document to learn again."""
        k, n = self.counters.learned_again, len(self.memory)
        self.counters.learned_again += 1
        if self.settings.again == "order":
            return self.memory[k % n]
        age = math.floor(-math.log2(1.0 - (k * GOLDEN) % 1.0) * HALF)
        return self.memory[max(n - 1 - age, 0)]
