"""A file of documents: its records, its detected layout, and its documents."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

from bayesift.corpora.dates import day_first, iso_date
from bayesift.corpora.detect import LISTS, SEPARATORS, character, delimiter_of, list_in, separator_of
from bayesift.corpora.document import Document
from bayesift.corpora.fields import FIELDS, Fields, document_of
from bayesift.corpora.jsonl import read_objects
from bayesift.corpora.layout import Layout, format_of
from bayesift.corpora.parquet import read_parquet
from bayesift.corpora.records import Record, converted
from bayesift.corpora.skipped import Skipped
from bayesift.corpora.table import is_regular, read_rows
from bayesift.errors import BadInput, Notice

SAMPLE = 1000  # records from which the label separator is detected


class DocumentFile:
    """Documents of one file with their records; the detected layout is known once reading has begun."""

    def __init__(
        self, path: str | Path, layout: Layout, *, labels: bool = True, skipped: Skipped | None = None
    ) -> None:
        self.path, self.layout, self.skipped = path, layout, skipped
        self.format = layout.format or format_of(path)
        self.is_table = self.format in ("csv", "tsv")
        if layout.delimiter is not None and not self.is_table:
            raise BadInput("--delimiter has no effect on JSON", path=path, remedy="remove it, or add --format csv")
        read = [name for name in FIELDS if labels or name != "labels"]
        self.fields = Fields(layout.columns, layout.usual.get("columns", {}), read)
        self.header: list[str] = []  # of a table; the names in the first of JSON objects
        self.header_line = b""
        self._names: dict[str, str] = {}  # of a table; JSON objects may differ
        self._names_within = lru_cache(64)(self.fields.within)
        self.delimiter = ","
        self.separator: str | None = None  # None until one of `SEPARATORS` is found between labels
        self.empty, self.empty_cells = layout.empty_labels, 0
        self._detected: list[str] = []
        self._unsplit = ""  # separators that labels may contain and are not split at
        self._whole: dict[str, str] = {}  # by separator: the first cell that contains it

    def __iter__(self) -> Iterator[tuple[Record, Document]]:
        records = self._records()
        if "labels" in self.fields.read:
            sample = list(islice(records, SAMPLE if self.is_table or is_regular(self.path) else 1))
            self._detect_separator(sample)
            records = chain(sample, records)
        yield from converted(self.path, records, self._pair, self.skipped)
        for separator, cell in self._whole.items():
            self._note_whole(separator, cell)

    def has_id(self, record: Record) -> bool:
        """Return whether a record has an id; the id of a document without one is the number of its row."""
        name = self._names_of(record).get("id")
        value = None if name is None else record.values[name]
        return value is not None and bool(str(value).strip())

    def _records(self) -> Iterator[Record]:
        if self.is_table:
            return self._table()
        if self.format == "parquet":
            return read_parquet(self.path)
        return read_objects(self.path, self.skipped, self.format == "json")

    def _pair(self, record: Record) -> tuple[Record, Document]:
        names = self._names_of(record)
        if not self.is_table:
            self.header = self.header or list(record.values)
        document = document_of(record, names, self.separator or SEPARATORS[0], self.empty)
        cell = record.values[names["labels"]] if "labels" in names else None
        if isinstance(cell, str):
            self.empty_cells += not cell.strip()
            if self._unsplit:
                self._watch(cell)
        return record, document

    def _table(self) -> Iterator[Record]:
        def begin(header: Record) -> None:
            self.header, self.header_line = list(header.cells), header.raw
            self._names = self.fields.of_table(header.cells)
            if "labels" not in self.fields.read:
                self._note_detected()

        def detect(lines: Any) -> str:
            names = {*FIELDS, *self.fields.named.values(), *self.fields.usual.values()}
            usual = self.layout.usual.get("delimiter")
            self.delimiter = delimiter_of(lines, names, (usual,) if usual else ())
            if self.delimiter not in (",", usual):
                self._detected.append(f"delimiter {self.delimiter!r}")
            return self.delimiter

        if self.layout.delimiter is not None or self.format == "tsv":
            self.delimiter = character(self.layout.delimiter or "\t")
            return read_rows(self.path, self.delimiter, begin, self.skipped)
        return read_rows(self.path, detect, begin, self.skipped)

    def _detect_separator(self, sample: list[Record]) -> None:
        given: str | None = self.layout.separator
        usual: str | None = self.layout.usual.get("separator")
        cells = [cell for record in sample if isinstance(cell := self._labels_of(record), str)]
        if (given or self.layout.empty) and not cells and any(self._labels_of(r) is not None for r in sample):
            option = "--separator" if given else "--empty"
            what = f"{option} has no effect: labels are lists or numbers"
            raise BadInput(what, path=self.path, remedy=f"remove {option}")
        found = separator_of(cells)
        if given is not None:
            self.separator = character(given)
        elif usual is not None and not self._differs(found, usual, cells):
            self.separator = usual
        else:
            self.separator = found
            if found not in (None, usual or SEPARATORS[0]):
                self._detected.append("lists of labels" if found == LISTS else f"label separator {found!r}")
        if self.separator is None:
            self._unsplit = "|\t,"
        if self.separator is None and any("," in cell for cell in cells):
            self.separator, self._unsplit = SEPARATORS[0], "|\t"
            self._note("labels contain commas and are not split at them (--separator , splits them)")
        self._note_detected()

    def _watch(self, cell: str) -> None:
        """Remember the first cell with a separator that came after the records from which one is detected."""
        found = LISTS if list_in(cell) is not None else next((c for c in self._unsplit if c in cell), None)
        if found is not None:
            self._whole.setdefault(found, cell)

    def _note_whole(self, separator: str, cell: str) -> None:
        what = "lists" if separator == LISTS else repr(separator)
        option = {"\t": "tab", LISTS: LISTS, ",": ","}.get(separator, f"'{separator}'")
        found = f"labels contain {what}, e.g. {cell[:40]!r}, and are not split"
        self._note(f"{found} (--separator {option} splits them)")

    def _differs(self, found: str | None, usual: str, cells: list[str]) -> bool:
        """Return whether this file has a separator other than the usual one."""
        if LISTS in (found, usual):
            return found != usual
        return found is not None and not any(usual in cell for cell in cells)

    def _names_of(self, record: Record) -> dict[str, str]:
        if self.is_table:
            return self._names
        return self._names_within(tuple(name for name, value in record.values.items() if value is not None))

    def _labels_of(self, record: Record) -> Any:
        try:
            names = self._names_of(record)
        except ValueError:  # an invalid record is reported when it is converted
            return None
        return record.values[names["labels"]] if "labels" in names else None

    def _note_detected(self) -> None:
        if self._detected:
            self._note(f"detected {' and '.join(self._detected)} (--delimiter and --separator override this)")

    def _note(self, text: str) -> None:
        warnings.warn(f"{self.path}: {text}", Notice, stacklevel=2)


def with_dates(file: DocumentFile, needed: bool) -> Iterator[tuple[Record, Document]]:
    """Yield documents with dates in ISO 8601; an invalid date is an error if dates are `needed`, else None."""
    pairs = {record.number: (record, document) for record, document in file}
    first = day_first([d.date for _, d in pairs.values() if d.date])

    def make(record: Record) -> tuple[Record, Document]:
        d = pairs[record.number][1]
        try:
            date = iso_date(d.date, first) if d.date else None
        except ValueError:
            if needed:
                raise
            date = None
        return record, Document(d.id, d.title, d.body, d.labels, date, d.split)

    return converted(file.path, [record for record, _ in pairs.values()], make, file.skipped)
