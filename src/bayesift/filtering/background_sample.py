"""A random sample of the documents of a stream, of a fixed size, however long the stream is.

Reservoir sampling (Vitter 1985, algorithm R): document n replaces a random member with probability size / n, so that
every document seen so far is a member with the same probability. The random number of document n depends on the seed
and n alone: the same stream gives the same sample, also after the filter was saved and loaded in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from bayesift.filtering.rows import Batch, Row

SIZE = 8000


class BackgroundSample:
    """The sample.

    Attributes
    ----------
    rows : list of Row
        The members, each with its vector as it was when the document came.
    seen : int
        Documents of the stream so far.

    Examples
    --------
    >>> sample = BackgroundSample(size=2)
    >>> for n in range(100):
    ...     sample.add(Row.of({n: 1.0}))
    >>> len(sample.rows), sample.seen
    (2, 100)
    """

    def __init__(self, size: int = SIZE, seed: int = 0) -> None:
        self.size, self.seed = size, seed
        self.rows: list[Row] = []
        self.seen = 0

    def add(self, row: Row) -> None:
        """Count a document, and let it take a place with the right probability."""
        self.seen += 1
        if len(self.rows) < self.size:
            self.rows.append(row)
            return
        bits = np.random.Philox(key=self.seed, counter=self.seen << 64)
        place = int(np.random.Generator(bits).integers(self.seen))
        if place < self.size:
            self.rows[place] = row

    def is_due(self) -> bool:
        """Return whether what depends on the sample should be renewed: after 10, 20, 40, ... and every `size`."""
        if self.seen < self.size:
            tens, rest = divmod(self.seen, 10)
            return rest == 0 and tens > 0 and tens & (tens - 1) == 0
        return self.seen % self.size == 0

    def copy(self) -> Self:
        """Return a sample that stays as this one is now."""
        copy = type(self)(self.size, self.seed)
        copy.rows, copy.seen = self.rows[:], self.seen
        return copy

    def state(self) -> dict[str, Any]:
        """Return the sample as arrays and numbers."""
        return {"size": self.size, "seed": self.seed, "seen": self.seen, **Batch.of(self.rows).state()}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Self:
        """Return the sample of a state."""
        self = cls(state["size"], state["seed"])
        self.seen, self.rows = state["seen"], Batch.restored(state).rows
        return self
