"""The two forms of a corpus: documents with text, or vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from bayesift.errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

TRAIN, TEST = "train", "test"


class Document(msgspec.Struct, frozen=True):
    """Document; `labels` is None if it is unlabelled, and empty if no label applies.

    >>> note = Document("7", title="Rain", body="More of it.", labels=("weather",))
    >>> note.zones()
    {'title': 'Rain', 'body': 'More of it.'}
    """

    id: str
    title: str = ""
    body: str = ""
    labels: tuple[str, ...] | None = None
    date: str | None = None
    split: str | None = None

    def zones(self) -> dict[str, str]:
        """Return the non-empty parts of the text, by name."""
        return {name: text for name, text in (("title", self.title), ("body", self.body)) if text}


@dataclass(frozen=True, eq=False)
class Vectors:
    """Documents as rows of X (documents x terms, float64) and of Y (documents x labels, 0 or 1, int8)."""

    X: csr_matrix[np.float64]
    Y: csr_matrix[np.int8]
    labels: list[str]
    ids: list[str]
    terms: list[str] | None = None
    sides: NDArray[np.str_] | None = None  # "train" or "test" for each row, if the corpus has a split

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: NDArray[Any] | Sequence[int]) -> Vectors:
        """Return these rows, in this order."""
        sides = None if self.sides is None else self.sides[rows]
        return Vectors(self.X[rows], self.Y[rows], self.labels, [self.ids[i] for i in rows], self.terms, sides)

    def split(self) -> tuple[Vectors, Vectors]:
        """Return the training and the test rows of the corpus's split."""
        import numpy as np

        if self.sides is None:
            raise BadInput("these vectors have no split", remedy="draw one: vectors.draw(train=1000, seed=0)")
        return self.take(np.flatnonzero(self.sides == TRAIN)), self.take(np.flatnonzero(self.sides == TEST))

    def draw(self, train: int, seed: int) -> tuple[Vectors, Vectors]:
        """Split at random: `train` rows for training and the others for testing, each part in file order."""
        import numpy as np

        if not 0 <= train <= len(self):
            raise BadInput(f"cannot draw {train} of {len(self)} documents", remedy=f"draw 0 to {len(self)}")
        order = np.random.default_rng(seed).permutation(len(self))
        return self.take(np.sort(order[:train])), self.take(np.sort(order[train:]))
