"""Documents that come together: what decisions about them have in common is computed at once.

The decisions are those of one document after the other. When the background of GP topics is renewed in between, what
was prepared is prepared again for the documents that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bayesift.filtering.asking import Asking
from bayesift.filtering.filter import Filter
from bayesift.filtering.outcomes import Outcome
from bayesift.filtering.reading import Reading
from bayesift.filtering.rows import Row

BATCH = 256  # documents whose scores are computed together


class DocumentBatch:
    """The vectors of documents, in their order; `decide` is for the one that was received last."""

    def __init__(self, stream: Filter, rows: Sequence[Row]) -> None:
        self.stream, self.rows = stream, rows
        self._decisions: Asking | Reading | None = None  # for which the rest is prepared
        self._first, self._prepared = 0, list[Any]()

    def decide(self, document: str, place: int) -> list[Outcome]:
        """Return what each topic would do with the document at a place, and change nothing."""
        decisions = self.stream.decisions
        if decisions is not self._decisions:
            self._decisions, self._first = decisions, place
            self._prepared = list(decisions.prepared(self.rows[place:]))
        prepared = self._prepared[place - self._first]
        return decisions.decide(document, self.rows[place], self.stream.n_documents, prepared=prepared)
