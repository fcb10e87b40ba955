"""A stream of documents about three subjects, the same for every test."""

from __future__ import annotations

import random

from bayesift.corpora import Document

SUBJECTS = {
    "harvest": ["wheat", "corn", "harvest", "crop", "farm", "field", "grain", "drought", "yield", "barley"],
    "oil": ["oil", "crude", "barrel", "tanker", "refinery", "pipeline", "drilling", "opec", "fuel", "petrol"],
    "music": ["concert", "piano", "orchestra", "song", "violin", "choir", "opera", "melody", "singer", "album"],
}
COMMON = ["the", "report", "says", "that", "this", "week", "new", "figures", "from", "many", "places", "show", "people"]
NAMES = list(SUBJECTS)


def documents(n: int, first: int = 0) -> list[Document]:
    """Return n documents with the ids d0, d1, ... from `first` on; document i is about subject i % 3."""
    return [_document(i) for i in range(first, first + n)]


def _document(i: int) -> Document:
    drawn = random.Random(i)
    words = drawn.choices(SUBJECTS[NAMES[i % 3]], k=8) + drawn.choices(COMMON, k=12)
    drawn.shuffle(words)
    month, day = divmod(i // 40, 28)
    date = f"{2026 + month // 12}-{1 + month % 12:02}-{1 + day:02}"
    return Document(f"d{i}", f"Report {i}", " ".join(words), date=date)


def is_relevant(topic: str, document: str) -> bool:
    """Return the right answer."""
    return NAMES[int(document.removeprefix("d")) % 3] == topic
