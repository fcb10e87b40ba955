"""A small stream of documents about three subjects, the same for every test."""

from __future__ import annotations

import random

from bayesift.corpora import Document

SUBJECTS = {
    "harvest": "wheat corn harvest crop farm field grain drought yield barley".split(),
    "oil": "oil crude barrel tanker refinery pipeline drilling opec fuel petrol".split(),
    "music": "concert piano orchestra song violin choir opera melody singer album".split(),
}
COMMON = "the report says that this week new figures from many places show how people changed plans again".split()
NAMES = list(SUBJECTS)


def documents(n: int, seed: int = 0, first: int = 0) -> list[Document]:
    """Return documents with ids d0, d1, ...; document i is about subject i % 3."""
    drawn = random.Random(seed)
    found = []
    for i in range(first, first + n):
        words = drawn.choices(SUBJECTS[NAMES[i % 3]], k=8) + drawn.choices(COMMON, k=12)
        drawn.shuffle(words)
        day = 1 + i // 40
        found.append(Document(f"d{i}", f"Report {i}", " ".join(words), date=f"2026-{1 + day // 28:02d}-{1 + day % 28:02d}"))
    return found


def is_relevant(topic: str, document: str) -> bool:
    """Return the right answer."""
    return NAMES[int(document.removeprefix("d")) % 3] == topic
