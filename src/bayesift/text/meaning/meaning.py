"""The vectors that stand beside the words of documents, put together: one part per source of meaning.

A part is `CorpusPart`, made from the words, or `EncoderPart`, made from the text. What an encoder returns is kept as it
is (*raw*) until vectors are centred, so that another centre can be fitted to documents that were encoded long ago.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.text.meaning.corpus import CorpusMeaning, unit_length
from bayesift.text.meaning.encoder import Encoder, encoded

Singles = NDArray[np.float32]
MOST = 200  # dimensions of a projection
FEWEST_LEARNED, PER_DIMENSION = 1000, 20  # documents learned that make a projection, and for each of its dimensions


class Part(Protocol):
    """One source of meaning; `raw` are the encoder's numbers of this part, (documents, 0) if it has no encoder."""

    @property
    def width(self) -> int:
        """The length of the vectors."""

    @property
    def raw_width(self) -> int:
        """The length of the encoder's vectors; 0 if there are none."""

    def encode(self, texts: Sequence[str], *, wait: bool) -> Singles:
        """Return what the encoder says of texts; without `wait` what it has said so far."""

    def blank(self, n: int) -> Singles:
        """Return raw vectors that say nothing, of n documents."""

    def fit(self, words: Any, raw: Singles, apart: bool) -> None:
        """Fit centre and projection to documents; `apart` if none of them is learned from."""

    def vectors(self, words: Any, raw: Singles) -> Singles:
        """Return the centred vectors of unit length: (documents, width)."""

    def state(self) -> dict[str, Any]:
        """Return what was fitted."""

    def restore(self, state: dict[str, Any]) -> None:
        """Take over a state."""


class CorpusPart:
    """Vectors by latent semantic analysis of unlabelled text, or of the documents that are learned.

    A projection follows the documents that it is fitted to, the more closely the more dimensions it has: in a few
    hundred documents that are learned from, labels would seem easier to tell apart than in documents to come. So the
    documents learned make a projection only if there are many for each dimension.
    """

    raw_width = 0

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._analysis: CorpusMeaning | None = None

    @property
    def width(self) -> int:
        """The length of the vectors."""
        return 0 if self._analysis is None else self._analysis.width

    def encode(self, texts: Sequence[str], *, wait: bool) -> Singles:
        """Return nothing: words are enough."""
        return self.blank(len(texts))

    def blank(self, n: int) -> Singles:
        """Return an empty array."""
        return np.empty((n, 0), np.float32)

    def fit(self, words: Any, raw: Singles, apart: bool) -> None:
        """Fit the projection to the words of documents."""
        n = words.shape[0]
        self._analysis = None
        if apart or n >= FEWEST_LEARNED:
            dimensions = MOST if apart else min(MOST, n // PER_DIMENSION)
            self._analysis = CorpusMeaning(dimensions, self._seed).fit(words)

    def vectors(self, words: Any, raw: Singles) -> Singles:
        """Return the vectors of weighted words."""
        return self.blank(words.shape[0]) if self._analysis is None else self._analysis.transform(words)

    def state(self) -> dict[str, Any]:
        """Return the projection."""
        return {} if self._analysis is None else self._analysis.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Take over a projection."""
        self._analysis = CorpusMeaning(seed=self._seed).restore(state) if state else None


class EncoderPart:
    """Vectors by an encoder, centred and scaled to unit length. Without one, vectors that were encoded can be used."""

    def __init__(self, encoder: Encoder | None) -> None:
        self.encoder = encoder
        self._centre: Singles | None = None
        self._raw_width: int | None = None  # None: not known before the first text

    @property
    def width(self) -> int:
        """The length of the vectors."""
        return 0 if self._centre is None else self._centre.size

    @property
    def raw_width(self) -> int:
        """The length of the encoder's vectors; 0 before any text."""
        return self._raw_width or 0

    def encode(self, texts: Sequence[str], *, wait: bool) -> Singles:
        """Return the encoder's vectors of texts."""
        if self.encoder is None:
            raise BadInput("the model's encoder is missing", remedy="load(path, encoder=...) takes it")
        found = encoded(self.encoder, texts, self._raw_width, wait=wait)
        self._raw_width = found.shape[1] or self._raw_width
        return found

    def blank(self, n: int) -> Singles:
        """Return zeros."""
        return np.zeros((n, self.raw_width), np.float32)

    def fit(self, words: Any, raw: Singles, apart: bool) -> None:
        """Fit the centre."""
        said = raw[raw.any(axis=1)]
        self._raw_width = raw.shape[1] or None
        self._centre = np.asarray(said.mean(axis=0, dtype=np.float64) if len(said) else raw[:0].sum(axis=0), np.float32)

    def vectors(self, words: Any, raw: Singles) -> Singles:
        """Return the centred vectors of unit length; those of blank texts are 0."""
        if self._centre is None:
            return raw[:, :0]
        found: Singles = np.where(raw.any(axis=1, keepdims=True), raw - self._centre, np.float32(0.0))
        return unit_length(found)

    def state(self) -> dict[str, Any]:
        """Return the centre."""
        return {"centre": np.empty(0, np.float32) if self._centre is None else self._centre.copy()}

    def restore(self, state: dict[str, Any]) -> None:
        """Take over a centre."""
        self._centre = state["centre"].copy()
        self._raw_width = self._centre.size or None


class Meaning:
    """All vectors of documents, side by side.

    >>> from scipy import sparse
    >>> class Lengths:
    ...     def encode(self, texts):
    ...         return [[len(text), text.count("o")] for text in texts]
    >>> meaning, texts = Meaning([EncoderPart(Lengths())]), ["oil", "corn and wheat"]
    >>> raw, words = meaning.encode(texts), sparse.csr_matrix((2, 0))
    >>> meaning.fit(words, raw).vectors(words, raw).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = list(parts)

    @property
    def widths(self) -> tuple[int, ...]:
        """The length of the vectors of each part."""
        return tuple(part.width for part in self.parts)

    @property
    def encodes(self) -> bool:
        """Whether a part takes the text itself, not only its words."""
        return any(isinstance(part, EncoderPart) for part in self.parts)

    def encode(self, texts: Sequence[str], used: Sequence[int] | None = None, *, wait: bool = True) -> Singles:
        """Return what the encoders say of texts; parts that are not used (None: all are) say nothing.

        Without `wait` an encoder that works in the background says what it has said so far.
        """
        wanted = range(len(self.parts)) if used is None else used
        return np.hstack(
            [
                part.encode(texts, wait=wait) if k in wanted else part.blank(len(texts))
                for k, part in enumerate(self.parts)
            ]
        )

    def fit(self, words: Any, raw: Singles, apart: bool = False) -> Self:
        """Fit projections to the weighted words of documents, and centres to what encoders said.

        `apart` says that the words are those of documents that are not learned from: unlabelled ones.
        """
        for part, own in self._each(raw):
            part.fit(words, own, apart)
        return self

    def vectors(self, words: Any, raw: Singles) -> Singles:
        """Return the vectors of all parts: (documents, sum of widths)."""
        return np.hstack([part.vectors(words, own) for part, own in self._each(raw)])

    def state(self) -> list[dict[str, Any]]:
        """Return what was fitted."""
        return [part.state() for part in self.parts]

    def restore(self, state: Sequence[dict[str, Any]]) -> Self:
        """Take over a state of equal parts."""
        for part, own in zip(self.parts, state, strict=True):
            part.restore(own)
        return self

    def _each(self, raw: Singles) -> list[tuple[Part, Singles]]:
        ends = np.cumsum([part.raw_width for part in self.parts])
        return list(zip(self.parts, np.split(raw, ends[:-1], axis=1)))
