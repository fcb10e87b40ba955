"""arXiv papers in the order a daily crawl first saw them: JSON lines `id, date, categories, title, abstract`.

The field `categories` also holds MSC and ACM classes that authors typed (`68T07`, `I.2.7; K.4.1`); these are dropped.
A label is an arXiv category: archive in lower case, dot, subject, as in `cs.LG` or `cond-mat.soft`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bayesift.corpora.dates import checked_date
from bayesift.corpora.document import Document
from bayesift.corpora.jsonl import decode_lines

_CATEGORY = re.compile(r"[a-z]+(-[a-z]+)?\.[A-Za-z-]+")


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    date: str
    categories: list[str]
    title: str
    abstract: str


def read_arxiv(path: str | Path) -> Iterator[Document]:
    """Yield the papers."""
    return decode_lines(path, _Line, _document)


def _document(_: int, line: _Line) -> Document:
    labels = dict.fromkeys(name for name in line.categories if _CATEGORY.fullmatch(name))
    return Document(line.id, line.title, line.abstract, tuple(labels), checked_date(line.date))
