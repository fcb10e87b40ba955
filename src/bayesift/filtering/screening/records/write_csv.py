"""Write records as CSV: the same columns for every source, the labels that ASReview reads, and all original columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bayesift.files import write_whole
from bayesift.filtering.screening.records.columns import names_in, words_in
from bayesift.filtering.screening.records.formulas import as_text
from bayesift.filtering.screening.records.given import OWN, label_of, written_decisions
from bayesift.filtering.screening.records.own_fields import DUPLICATE_OF, ID, ORIGINAL, OURS, READABLE, original_of
from bayesift.filtering.screening.records.record import LISTS, Given, Record

STANDARD = ("title", "abstract", "authors", "year", "journal", "doi", "pmid", "keywords", "url", "kind")
LABELS = ("asreview_label", "included")
TABLES = ("csv", "tsv", "xlsx")


def write_csv(path: str | Path, records: Sequence[Record]) -> int:
    """Write records, with their `given` as the decisions in force, and return their number; whole or not at all.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "out.csv")
    >>> write_csv(file, [Record("1", "Rain", given=(Given("abstract", "include", "ann"),))])
    1
    >>> file.read_text(encoding="utf-8-sig").splitlines()[0].split(",")[11:14]
    ['asreview_label', 'included', 'bayesift_abstract']
    """
    columns = _own_columns(records)
    with write_whole(path) as out:
        text = io.TextIOWrapper(out, encoding="utf-8-sig", errors="replace", newline="", write_through=True)
        rows = csv.writer(text, lineterminator="\n")
        # Excel needs the byte-order mark, which ASReview takes for a part of the first column's name: not the title's.
        rows.writerow(map(as_text, [ID, *STANDARD, *LABELS, *READABLE, *columns, OWN, DUPLICATE_OF, ORIGINAL]))
        rows.writerows(map(as_text, _row(record, columns)) for record in records)
        text.detach()
    return len(records)


def _own_columns(records: Iterable[Record]) -> list[str]:
    """Return the original columns; a name that differs from another by case only, which ASReview takes for the same,
    is not among them."""
    taken = {*STANDARD, *LABELS, *OURS}
    found: list[str] = []
    for name in dict.fromkeys(name for record in records if record.format in TABLES for name in record.fields):
        if (plain := name.strip().lower()) not in taken:
            taken.add(plain)
            found.append(name)
    return found


def _row(record: Record, columns: list[str]) -> list[str]:
    label = {"include": "1", "exclude": "0", None: ""}[label_of(record.given)]
    table = record.format in TABLES
    own = {name for name in columns if table and len(record.fields.get(name, ())) == 1}
    authors, keywords = "; ".join(record.authors), "; ".join(record.keywords)
    read: dict[str, Any] = {"authors": tuple(names_in(authors)), "keywords": tuple(words_in(keywords))}
    read = {part: value for part, value in read.items() if getattr(record, part)}
    return [
        record.id, record.title, record.abstract, authors, str(record.year or ""), record.journal, record.doi,
        record.pmid, keywords, record.url, record.kind, label, label,
        *(_readable(record.given, name) for name in LISTS),
        "; ".join(dict.fromkeys(one.reason for one in record.given if one.reason)),
        *(record.fields[name][0] if name in own else "" for name in columns),
        written_decisions(record.given), record.duplicate_of, original_of(record, read, own),
    ]  # fmt: skip


def _readable(given: Iterable[Given], name: str) -> str:
    """Return the decisions of a list for people: `include (ann); exclude (bob)`."""
    there = [one for one in given if one.list == name]
    return "; ".join(f"{one.decision} ({one.reviewer})" if one.reviewer else one.decision for one in there)
