"""OHSUMED 1991 with the 23 MeSH disease categories: JSON lines `id, split20000, labels, title, abstract`.

`split20000` is "training" or "test" for the documents of the well-known 20,000-document selection and null for others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from bayesift.corpora.document import TEST, TRAIN, Document
from bayesift.corpora.jsonl import checked_labels, decode_lines

_SIDES = {"training": TRAIN, "test": TEST, None: None}


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    id: int
    split20000: Literal["training", "test"] | None
    labels: list[str]
    title: str
    abstract: str


def read_ohsumed91(path: str | Path) -> Iterator[Document]:
    """Yield the documents of 1991."""
    return decode_lines(path, _Line, _document)


def _document(_: int, line: _Line) -> Document:
    labels = checked_labels(line.labels)
    return Document(str(line.id), line.title, line.abstract, labels, "1991", _SIDES[line.split20000])
