"""Records of a table with named columns: CSV and TSV, whatever tool wrote them.

A quote that is never closed spoils its own row only: reading goes on at the line after it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from bayesift.corpora.detect import delimiter_of
from bayesift.errors import BadInput
from bayesift.filtering.screening.records.build import build_record
from bayesift.filtering.screening.records.columns import COLUMNS, columns_of, names_in, plain_name, words_in
from bayesift.filtering.screening.records.formulas import from_text
from bayesift.filtering.screening.records.given import (
    OWN,
    decision_of,
    from_free_text,
    from_label,
    is_understood,
    read_decisions,
    with_label,
)
from bayesift.filtering.screening.records.own_fields import DUPLICATE_OF, ID, ORIGINAL, OURS, restored
from bayesift.filtering.screening.records.record import BadRecord, Given, Record

LONGEST_ROW = 5000  # lines; more is a quote that is never closed
LONGEST_CELL = 1 << 24  # characters
HEAD = 50  # lines from which the delimiter is detected
NAMED = 3  # labels that are not understood and are named
LEADING = 20  # rows above the header, as Embase writes them
_SEP = re.compile(r'"?sep=([,;|\t])"?', re.IGNORECASE)
_NEEDED = ("title", "abstract", "doi", "pmid")


class _Unclosed(Exception):
    """A row that does not end."""


def read_table(text: str, name: str, format: str) -> Iterator[Record | BadRecord | str]:
    """Yield the records of a table's rows, and what cannot be read; at the end what was ignored, as text."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
    lines = text.split("\n")
    del text  # as large as all records
    if named := _SEP.fullmatch(lines[0]):  # Excel's own way of naming the delimiter
        lines[0], mark = "", named.group(1)
    else:
        mark = "\t" if format == "tsv" else _delimiter(lines)
    leading: list[tuple[int, list[str] | str]] = []
    table: Table | None = None
    for line, cells in _rows(lines, mark):
        if table is None:
            if not isinstance(cells, str) and is_header(cells):
                table = Table(cells, name, format)
            elif len(leading) < LEADING:
                leading.append((line, cells))
            else:
                break
        elif isinstance(cells, str):
            yield BadRecord(f"{name}:{line}", cells)
        elif any(map(str.strip, cells)):
            yield table.read(cells, f"{name}:{line}")
    if table is None:
        raise _no_header(leading, name)
    yield from table.notes()


def is_header(cells: Sequence[str]) -> bool:
    """Return whether a row names columns that a record needs."""
    columns = columns_of(cells)
    return any(columns[part] for part in _NEEDED)


def _no_header(rows: Sequence[tuple[int, list[str] | str]], name: str) -> BadInput:
    line, cells = rows[0] if rows else (1, [])
    if isinstance(cells, str):
        return BadInput(cells, path=name, line=line)
    wanted, found = ", ".join(map(repr, _NEEDED)), ", ".join(cells[:20]) or "none"
    return BadInput(f"no column {wanted}; columns are: {found}", path=name, line=line, remedy="rename a column")


class Table:
    """The columns of a table, and records from its rows."""

    def __init__(self, header: Sequence[str], name: str, format: str) -> None:
        header = [cell.strip() for cell in header]
        self._is_ours = ID in header
        header = self._cells(header)
        self.header = [cell or f"column {place}" for place, cell in enumerate(header, start=1)]
        self.format, self.columns = format, columns_of(header)
        self._plain = [plain_name(cell) for cell in self.header]
        self._details = {
            column.lower().removeprefix("asreview_"): place
            for place, column in enumerate(self.header)
            if column.lower().startswith("asreview_")
        }
        self._our_columns = {column: place for place, column in enumerate(self.header) if column in OURS}
        self._ignored: list[str] = []  # the first labels that are not understood, with their places
        self._n_ignored = 0
        if not is_header(header):
            raise _no_header([(1, list(header))], name)

    def read(self, cells: Sequence[str], source: str) -> Record | BadRecord:
        """Return the record of a row, or the reason why there is none."""
        cells = self._cells(cells)
        while len(cells) > len(self.header) and not cells[-1].strip():
            cells.pop()
        if len(cells) != len(self.header):
            return BadRecord(source, f"{len(cells)} fields, the header has {len(self.header)}")
        parts = {part: [cells[at] for at in self.columns[part]] for part in COLUMNS}
        parts["authors"] = [who for cell in parts["authors"][:1] for who in names_in(cell)]
        parts["keywords"] = [word for cell in parts["keywords"] for word in words_in(cell)]
        parts["tags"] = [tag for at in self.columns["tags"] for tag in words_in(cells[at]) if tag]
        fields: dict[str, tuple[str, ...]] = {}
        for column, cell in zip(self.header, cells):
            if cell.strip() and column not in OURS:
                fields[column] = (*fields.get(column, ()), cell)
        by_name, given = self._ours(cells), self._given(cells, tuple(parts["tags"]))
        if not given:
            self._note(cells, source)
        try:
            record = build_record(parts, fields, given, source, self.format, by_name.get(DUPLICATE_OF, ""))
        except ValueError as error:
            return BadRecord(source, str(error))
        original = by_name.get(ORIGINAL)
        return record if not original else restored(record, original, lambda name: "".join(fields.get(name, ())))

    def _cells(self, cells: Sequence[str]) -> list[str]:
        """Return cells as they were before this library wrote them, if it has."""
        return [from_text(cell) for cell in cells] if self._is_ours else list(cells)

    def notes(self) -> Iterator[str]:
        """Yield a sentence about the labels that were not understood, after the last row."""
        if self._n_ignored:
            more = f" and {self._n_ignored - NAMED:,} more" if self._n_ignored > NAMED else ""
            yield f"not understood as a decision, and ignored: {', '.join(self._ignored)}{more}; write 1 or 0"

    def _note(self, cells: Sequence[str], source: str) -> None:
        """Note a label that is not understood."""
        for at in self.columns["label"]:
            if not is_understood(cells[at]):
                self._n_ignored += 1
                if len(self._ignored) < NAMED:
                    self._ignored.append(f"{source}: {self.header[at]} {cells[at].strip()[:40]!r}")
                return

    def _ours(self, cells: Sequence[str]) -> dict[str, str]:
        """Return the cells of the columns that this library writes."""
        return {column: cells[place] for column, place in self._our_columns.items()}

    def _given(self, cells: Sequence[str], tags: tuple[str, ...]) -> tuple[Given, ...] | None:
        labels = [cells[at] for at in self.columns["label"] if decision_of(cells[at]) is not None]
        details = {name: cells[place] for name, place in self._details.items() if cells[place].strip()}
        own = read_decisions(cells[self._our_columns[OWN]] or "[]") if OWN in self._our_columns else None
        if own is not None:
            return with_label(own, decision_of(details.get("label", "")), details)
        for at in self.columns["notes"]:
            text = cells[at]
            if self._plain[at] == "rayyan inclusion" and text.strip():
                text = f"RAYYAN-INCLUSION: {text}"
            if found := from_free_text(text, tags):
                return found
        return from_label(labels[0], details, "ASReview" if "label" in details else "") if labels else None


def _delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter with which the header has most names that are known, as they are spelled there."""
    known = {name for several in COLUMNS.values() for name in several}
    head = [line for line in lines[:HEAD] if line.strip()]
    cells = [re.split(r"[,;|\t]", line.replace('"', "")) for line in head]
    first = next((at for at, row in enumerate(cells) if is_header(row)), 0)
    spelled = {cell for row in cells[first : first + 1] for cell in row if plain_name(cell) in known}
    return delimiter_of([f"{line}\n" for line in head[first:]], spelled)


def _rows(lines: list[str], mark: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield line and cells of each row, or the reason why they cannot be told."""
    start = 0  # lines before the present row
    while start < len(lines):
        taken = 0

        def source(begin: int = start) -> Iterator[str]:
            nonlocal taken
            for at in range(begin, len(lines)):
                taken += 1
                if taken > LONGEST_ROW:
                    raise _Unclosed
                yield f"{lines[at]}\n"

        reader = csv.reader(source(), delimiter=mark, strict=True)
        try:
            for cells in reader:
                begin, start, taken = start, start + taken, 0
                if cells:
                    yield begin + 1, cells
            return
        except _Unclosed:
            yield start + 1, "a quote is never closed"
        except csv.Error as error:
            closed = "a quote is never closed" if "unexpected end" in str(error) else f"not CSV: {error}"
            yield start + 1, closed
        start += 1
