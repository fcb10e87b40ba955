"""Files of the user's own documents: JSON lines, a JSON array, CSV or TSV, plain or compressed, or standard input."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

from bayesift.corpora.dates import day_first, iso_date
from bayesift.corpora.detect import LISTS, SEPARATORS, character, delimiter_of, separator_of
from bayesift.corpora.document import Document
from bayesift.corpora.fields import FIELDS, Fields, document_of
from bayesift.corpora.jsonl import read_objects
from bayesift.corpora.records import Record, converted
from bayesift.corpora.skipping import Skipped
from bayesift.corpora.table import is_regular, read_rows
from bayesift.errors import BadInput, Notice
from bayesift.files import STDIN

FORMATS = ("jsonl", "json", "csv", "tsv")
EMPTY = ("none", "unjudged")
SAMPLE = 1000  # records that are looked at to detect the separator of labels
_BY_SUFFIX = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}


@dataclass(frozen=True)
class Layout:
    """How files of documents are laid out; what is None is detected.

    format: jsonl, json, csv or tsv. columns: the file's names of our fields. delimiter: of a table. separator: of the
    labels in a cell, `json` for lists. empty: what an empty labels cell means, "none" (no label applies, the default)
    or "unjudged". usual: columns, delimiter, separator and empty to use where nothing is given and the file has them.
    """

    format: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    separator: str | None = None
    empty: str | None = None
    usual: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.format is not None and self.format not in FORMATS:
            raise BadInput(f"no format {self.format!r}", remedy=f"formats are: {', '.join(FORMATS)}")
        if self.separator == "":
            raise BadInput("the separator of labels is empty", remedy="the usual one is ;")
        if self.delimiter is not None and (len(character(self.delimiter)) != 1 or self.delimiter in '"\r\n'):
            raise BadInput(f"the delimiter {self.delimiter!r} is not one character", remedy="give for example ; or tab")
        if self.empty is not None and self.empty not in EMPTY:
            raise BadInput(f"an empty labels cell cannot mean {self.empty!r}", remedy=f"choose {' or '.join(EMPTY)}")


class DocumentFile:
    """The documents of one file with the records they are made of, and what was detected, known while it is read."""

    def __init__(
        self, path: str | Path, layout: Layout, *, labels: bool = True, dates: bool = False,
        skipped: Skipped | None = None,
    ) -> None:  # fmt: skip
        self.path, self.layout, self.skipped = path, layout, skipped
        self.format = layout.format or _format_of(path)
        self.is_table = self.format in ("csv", "tsv")
        if layout.delimiter is not None and not self.is_table:
            raise BadInput("a delimiter is given for a JSON file", path=path, remedy="drop it, or say --format csv")
        read = [name for name in FIELDS if labels or name != "labels"]
        self.fields = Fields(layout.columns, layout.usual.get("columns", {}), read)
        self.header: list[str] = []  # of a table; the names in the first of JSON objects
        self.header_line = b""
        self._names: dict[str, str] = {}
        self.delimiter = ","
        self.separator: str | None = None  # None until labels were found with one of `SEPARATORS` among them
        self.empty, self.empty_cells = layout.empty or layout.usual.get("empty", EMPTY[0]), 0
        self._dates = dates

    def __iter__(self) -> Iterator[tuple[Record, Document]]:
        records = self._table() if self.is_table else read_objects(self.path, self.skipped, self.format == "json")
        if "labels" in self.fields.read:
            sample = list(islice(records, SAMPLE if self.is_table or is_regular(self.path) else 1))
            self._detect_separator(sample)
            records = chain(sample, records)
        pairs = converted(self.path, records, self._pair, self.skipped)
        yield from self._with_dates(pairs) if self._dates else pairs

    def _pair(self, record: Record) -> tuple[Record, Document]:
        names = self._names if self.is_table else self.fields.within(_filled(record))
        if not self.is_table:
            self.header = self.header or list(record.values)
        document = document_of(record, names, self.separator or SEPARATORS[0], self.empty)
        cell = record.values[names["labels"]] if "labels" in names else None
        self.empty_cells += isinstance(cell, str) and not cell.strip()
        return record, document

    def _table(self) -> Iterator[Record]:
        def begin(header: Record) -> None:
            self.header, self.header_line = list(header.cells), header.raw
            self._names = self.fields.of_table(header.cells)

        def detect(lines: Any) -> str:
            names = {*FIELDS, *self.fields.named.values(), *self.fields.usual.values()}
            usual = self.layout.usual.get("delimiter")
            self.delimiter = delimiter_of(lines, names, (usual,) if usual else ())
            if self.delimiter not in (",", usual):
                self._note(f"the delimiter is {self.delimiter!r}", "--delimiter")
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
            raise BadInput(f"{option} does nothing: labels are lists", path=self.path, remedy=f"drop {option}")
        found = separator_of(cells)
        if LISTS in (found, usual) and found != usual:  # lists cannot be taken for anything else
            usual = None
        if chosen := given or usual:
            self.separator = character(chosen)
            if not given and found is not None and not any(self.separator in cell for cell in cells):
                self._note(f"labels look separated by {found!r}, the model was trained with {usual!r}", "--separator")
            return
        self.separator = found
        if found not in (None, SEPARATORS[0]):
            self._note(f"labels are {'lists' if found == LISTS else f'separated by {found!r}'}", "--separator")
        if found is None and any("," in cell for cell in cells):
            self.separator = SEPARATORS[0]
            self._note("labels have commas within them and are not split there", "--separator ,")

    def _labels_of(self, record: Record) -> Any:
        try:
            names = self._names if self.is_table else self.fields.within(_filled(record))
        except ValueError:  # a bad record, which is named when its turn comes
            return None
        return record.values[names["labels"]] if "labels" in names else None

    def _with_dates(self, pairs: Iterator[tuple[Record, Document]]) -> Iterator[tuple[Record, Document]]:
        found = {record.number: (record, document) for record, document in pairs}
        first = day_first([d.date for _, d in found.values() if d.date])

        def make(record: Record) -> tuple[Record, Document]:
            d = found[record.number][1]
            date = iso_date(d.date, first) if d.date else None
            return record, Document(d.id, d.title, d.body, d.labels, date, d.split)

        return converted(self.path, [record for record, _ in found.values()], make, self.skipped)

    def _note(self, text: str, option: str) -> None:
        warnings.warn(f"{self.path}: {text} ({option} changes this)", Notice, stacklevel=2)


def read_documents(
    path: str | Path,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    separator: str | None = None,
    empty: str | None = None,
    skip_bad: bool = False,
    skipped: Skipped | None = None,
) -> Iterator[Document]:
    """Stream documents from PATH, or from standard input if it is `-`.

    Parameters
    ----------
    format : jsonl, json, csv or tsv; by default the file's name tells, and standard input is JSON lines.
    columns : the file's names of our fields, where they differ.
    delimiter, separator : of a table's cells and of the labels in a cell; by default they are detected.
    empty : what an empty labels cell means, "none" (no label applies, the default) or "unjudged".
    skip_bad : count bad lines in `skipped`, or warn about them at the end; by default one is an error.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "news.csv")
    >>> _ = file.write_text("headline,labels\\nRain again,weather;news\\n")
    >>> next(read_documents(file, columns={"title": "headline"}))
    Document(id='1', title='Rain again', body='', labels=('weather', 'news'), date=None, split=None)
    """
    counter = (skipped or Skipped()) if skip_bad else None
    layout = Layout(format, columns or {}, delimiter, separator, empty)
    documents = (document for _, document in DocumentFile(path, layout, skipped=counter))
    return _warning_at_end(documents, counter) if counter is not None and skipped is None else documents


def _filled(record: Record) -> list[str]:
    return [name for name, value in record.values.items() if value is not None]


def _format_of(path: str | Path) -> str:
    if str(path) == STDIN:
        return "jsonl"
    suffix = suffix_of(path)
    if suffix not in _BY_SUFFIX:
        known = " ".join(sorted(_BY_SUFFIX))
        raise BadInput("its name does not tell the format", path=path, remedy=f"say --format, or end it in {known}")
    return _BY_SUFFIX[suffix]


def suffix_of(path: str | Path) -> str:
    """Return what a file's name ends in, without .gz or .zst.

    >>> suffix_of("news.csv.gz")
    '.csv'
    """
    name = Path(path)
    return (name.with_suffix("") if name.suffix in (".gz", ".zst") else name).suffix.lower()


def _warning_at_end(documents: Iterator[Document], counter: Skipped) -> Iterator[Document]:
    yield from documents
    if counter.count:
        warnings.warn(str(counter), Notice, stacklevel=2)
