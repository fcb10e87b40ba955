"""Pools to screen, made of labelled corpora: many and different, so that nothing is fitted to a few reviews.

A pool has 250 to 3,000 documents, of which 0.5 to 20 % are relevant, but at least 5. Four kinds:

- `category`: the documents of one category among others;
- `conjunction`: those of two categories at once, among documents that have only one of them, as a search finds them;
- `two kinds`: a category, and 5 to 30 % of another one, which the reader has not seen when he begins;
- `noisy`: 30 to 90 % of a category; the others count as irrelevant, and up to 6 % of strangers as relevant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bayesift.corpora import Document, load_corpus

CORPORA = ("ohsumed91", "reuters21578", "arxiv")
KINDS = ("category", "conjunction", "two kinds", "noisy")
SIZES, RATES = (250, 3000), (0.005, 0.2)
FEWEST = 60  # documents of a category

Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class MadePool:
    """Titles and abstracts, and which are relevant."""

    name: str
    texts: list[tuple[str, str]]
    relevant: NDArray[np.bool_]


def made_pools(count: int, seed: int, data: Path | None = None) -> Iterator[MadePool]:
    """Yield pools of all corpora and kinds in turn; the same seed gives the same pools."""
    corpora = {name: _Corpus(name, data) for name in CORPORA}
    made = tried = 0
    while made < count:
        rng = np.random.default_rng([seed, tried])
        name, kind = CORPORA[tried % 3], KINDS[tried // 3 % 4]
        pool = corpora[name].pool(kind, rng)
        tried += 1
        if pool is not None:
            made += 1
            yield pool


class _Corpus:
    """The labelled documents of a corpus, by category."""

    def __init__(self, name: str, data: Path | None) -> None:
        self.name = name
        self.documents = [d for d in load_corpus(name, data=data).documents() if d.labels]
        counts = Counter(label for d in self.documents for label in d.labels or ())
        self.labels = sorted(label for label, n in counts.items() if n >= FEWEST)

    def pool(self, kind: str, rng: np.random.Generator) -> MadePool | None:
        """Return a pool, or None where the corpus has too few documents for the categories drawn."""
        size, rate = (float(np.exp(rng.uniform(*np.log(bounds)))) for bounds in (SIZES, RATES))
        wanted = max(6, int(size * rate))
        relevant, others = self._parts(kind, int(size), wanted, rng)
        relevant = _some(relevant, wanted, rng)
        others = _some(others, int(size) - relevant.size, rng)
        if relevant.size < 5 or others.size < size / 2:
            return None
        chosen = rng.permutation(np.concatenate([relevant, others]))
        texts = [_text(self.documents[i]) for i in chosen.tolist()]
        return MadePool(f"{self.name}, {kind}", texts, np.isin(chosen, relevant))

    def _parts(self, kind: str, size: int, wanted: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
        first, second = (str(label) for label in rng.choice(self.labels, 2, replace=False))
        a = self._has(first)
        if kind == "category":
            return np.flatnonzero(a), np.flatnonzero(~a)
        if kind == "conjunction":
            second = self._partner(first, second, rng)
            b = self._has(second)
            return np.flatnonzero(a & b), np.flatnonzero(a ^ b)
        if kind == "two kinds":
            b = self._has(second) & ~a
            few = max(1, int(rng.uniform(0.05, 0.3) * wanted))
            both = [_some(np.flatnonzero(a), wanted - few, rng), _some(np.flatnonzero(b), few, rng)]
            return np.concatenate(both), np.flatnonzero(~a & ~b)
        kept = a & (rng.random(a.size) < rng.uniform(0.3, 0.9))
        share = kept.sum() / a.sum()
        near = _some(np.flatnonzero(a & ~kept), int(wanted * (1.0 - share) / max(share, 0.1)), rng)
        strangers = _some(np.flatnonzero(~a), int(rng.uniform(0.0, 0.06) * wanted + 0.5), rng)
        rest = _some(np.setdiff1d(np.flatnonzero(~a), strangers), size - wanted - near.size, rng)
        inside = _some(np.flatnonzero(kept), wanted - strangers.size, rng)
        return np.concatenate([inside, strangers]), np.concatenate([near, rest])

    def _partner(self, label: str, default: str, rng: np.random.Generator) -> str:
        """Return a category that shares documents with this one."""
        pairs = Counter(other for d in self.documents for other in d.labels or () if label in (d.labels or ()))
        del pairs[label]
        found = sorted(other for other, n in pairs.items() if n >= FEWEST // 4)
        return str(rng.choice(found)) if found else default

    def _has(self, label: str) -> NDArray[np.bool_]:
        return np.array([label in (d.labels or ()) for d in self.documents], bool)


def _some(numbers: Numbers, count: int, rng: np.random.Generator) -> Numbers:
    numbers = np.unique(numbers)
    return rng.choice(numbers, min(max(count, 0), numbers.size), replace=False)


def _text(document: Document) -> tuple[str, str]:
    return document.title or "", document.body or ""
