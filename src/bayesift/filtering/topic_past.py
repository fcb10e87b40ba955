"""What a GP topic starts from, and which documents were judged: all that it learns from.

A document's target is 1 for the examples and documents judged relevant, -0.1 for those judged irrelevant, with noise
variances 0.5 and 1.5. A statement is about the topic and nothing else, as hardly a document is: its target is 1.5, and
its noise variance 0.25.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.events import Judged
from bayesift.filtering.rows import Batch, Row
from bayesift.filtering.topic_documents import TopicDocuments
from bayesift.learn.priors import FeaturePrior

Arrays = dict[str, NDArray[Any]]
RELEVANT, IRRELEVANT = (1.0, 0.5), (-0.1, 1.5)  # target and noise variance
STATEMENT = (1.5, 0.25)


class Answered(NamedTuple):
    """A judged document."""

    row: Row
    relevant: bool
    chance: float  # with which it was shown


class TopicPast:
    """The start of a topic and its judged documents.

    Attributes
    ----------
    statement : Row or None
        What the topic is about.
    examples : list of Row
        Relevant documents that it starts from.
    judged : list of Answered
        The judged documents, in the order of their answers.
    learned : list of int
        Which of them count; `counting` are these.
    """

    def __init__(self, statement: Row | None = None, examples: list[Row] | None = None) -> None:
        self.statement, self.examples = statement, examples or []
        self.judged: list[Answered] = []
        self.learned: list[int] = []

    @property
    def start(self) -> list[Row]:
        """The statement and the examples."""
        return ([] if self.statement is None else [self.statement]) + self.examples

    @property
    def n_start(self) -> int:
        """The number of documents of the start."""
        return len(self.examples) + (self.statement is not None)

    @property
    def n_relevant(self) -> int:
        """The number of relevant documents: those of the start, and of the judged ones that count."""
        return self.n_start + sum(self.judged[i].relevant for i in self.learned)

    @property
    def counting(self) -> list[Answered]:
        """The judged documents that count."""
        return [self.judged[i] for i in self.learned]

    def add(self, event: Judged) -> tuple[float, float]:
        """Add a judged document, and return its target and noise variance."""
        self.learned.append(len(self.judged))
        self.judged.append(Answered(event.row, event.relevant, event.chance))
        return RELEVANT if event.relevant else IRRELEVANT

    def documents(self, feature_prior: FeaturePrior) -> TopicDocuments:
        """Return all that counts, with targets; the judged documents are last."""
        found = TopicDocuments(feature_prior)
        if self.statement is not None:
            found.add(self.statement, *STATEMENT)
        for row in self.examples:
            found.add(row, *RELEVANT)
        facts = [RELEVANT if past.relevant else IRRELEVANT for past in self.counting]
        targets, noises = [target for target, _ in facts], [noise for _, noise in facts]
        found.add_all([past.row for past in self.counting], targets, noises)
        return found

    def copy(self) -> TopicPast:
        """Return a past that stays as this one is now."""
        copy = TopicPast(self.statement, self.examples[:])
        copy.judged, copy.learned = self.judged[:], self.learned[:]
        return copy

    def arrays(self, memory: bool) -> Arrays:
        """Return it as arrays; without `memory`, only which documents count."""
        state: Arrays = {"learned": np.array(self.learned, np.int64)}
        if memory:
            rows = Batch.of(self.start + [past.row for past in self.judged])
            state |= {"ends": rows.indptr, "columns": rows.indices.copy(), "weights": rows.data.copy()}
            state["relevant"] = np.array([past.relevant for past in self.judged], bool)
            state["chance"] = np.array([past.chance for past in self.judged], np.float64)
            state["start"] = np.array([self.statement is not None, len(self.examples)], np.int64)
        return state

    def restore(self, arrays: Arrays, n: int) -> None:
        """Take over what `arrays` returned when n documents were judged."""
        if "ends" in arrays:
            ends, columns, weights = (arrays[part].copy() for part in ("ends", "columns", "weights"))
            rows = [Row(columns[a:b], weights[a:b]) for a, b in zip(ends.tolist(), ends[1:].tolist())]
            has, examples = arrays["start"].tolist()
            self.statement, self.examples = (rows[0] if has else None), rows[has : has + examples]
            facts = zip(rows[has + examples :], arrays["relevant"].tolist(), arrays["chance"].tolist())
            self.judged = [Answered(*fact) for fact in facts]
        del self.judged[n:]
        self.learned = arrays["learned"].tolist()
