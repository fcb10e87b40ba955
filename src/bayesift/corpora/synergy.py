"""SYNERGY: screening decisions of systematic reviews, one CSV file per review.

Columns used: openalex_id, publication_date, title, abstract (either may be empty), label (1 included, 0 not).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from bayesift.corpora.dates import checked_date
from bayesift.corpora.document import Document
from bayesift.corpora.records import Record, converted
from bayesift.corpora.table import read_rows

REVIEWS = ("Donners_2021", "Jeyaraman_2020", "Meijboom_2021", "Nelson_2002", "Oud_2018")
INCLUDED = "included"
_COLUMNS = ("openalex_id", "publication_date", "title", "abstract", "label")


def read_synergy(path: str | Path, review: str = "") -> Iterator[Document]:
    """Yield the works of one review; ids begin with `review`, because several reviews may screen one work."""

    def check(header: Record) -> None:
        missing = [name for name in _COLUMNS if name not in header.cells]
        if missing:
            raise ValueError(f"no column {missing[0]!r}")

    return converted(path, read_rows(path, ",", check), lambda record: _document(record.values, review))


def _document(row: Mapping[str, str], review: str) -> Document:
    if row["label"] not in ("0", "1"):
        raise ValueError(f"label is neither 0 nor 1: {row['label'][:40]!r}")
    work = row["openalex_id"].rpartition("/")[2]
    if not work:
        raise ValueError("no openalex_id")
    return Document(
        f"{review}/{work}" if review else work,
        row["title"],
        row["abstract"],
        (INCLUDED,) if row["label"] == "1" else (),
        checked_date(row["publication_date"]) if row["publication_date"] else None,
    )
