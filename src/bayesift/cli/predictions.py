"""The output of `predict`: one JSON line per document, or the input table with columns added."""

from __future__ import annotations

import csv
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any

import msgspec
import numpy as np

if TYPE_CHECKING:
    from bayesift.classify import TextClassifier
    from bayesift.corpora import Document
    from bayesift.corpora.document_file import DocumentFile
    from bayesift.corpora.records import Record

Pair = tuple["Record", "Document"]
Prediction = tuple["Record", dict[str, Any]]  # what is written of a document, and the record it was read from
SHOWN = 0.01  # smaller probabilities are left out by default
ADDED = ("labels", "probabilities", "confidence", "known_words")
TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}  # by the output's suffix


def predicted(
    model: TextClassifier, batches: Iterable[Sequence[Pair]], together: bool, every: bool = False
) -> Iterator[Prediction]:
    """Yield each record with its prediction; probabilities below `SHOWN` are left out unless `every` is true."""
    names = [str(label) for label in model.classes_]
    for batch in batches:
        found = model.predictions([document for _, document in batch], together=together)
        for i, (record, document) in enumerate(batch):
            p, given = found.probabilities[i], found.decisions[i]
            order = np.argsort(-p, kind="stable")
            shown = order if every else order[(p[order] >= SHOWN) | given[order]]
            yield (
                record,
                {
                    "id": document.id,
                    "labels": [names[c] for c in order if given[c]],
                    "probabilities": {names[c]: round(float(p[c]), 6) for c in shown},
                    "confidence": round(float(found.confidence[i]), 6),
                    "known_words": int(found.known_words[i]),
                },
            )


def write_lines(out: IO[bytes], predictions: Iterable[Prediction], at_once: bool) -> None:
    """Write JSON lines; with `at_once` each is flushed before the next document is read."""
    for _, prediction in predictions:
        out.write(msgspec.json.encode(prediction) + b"\n")
        if at_once:
            out.flush()


def write_table(
    out: IO[bytes], predictions: Iterable[Prediction], file: DocumentFile | None, suffix: str, separator: str
) -> None:
    """Write the input records unchanged, with columns for labels, probabilities, confidence and known words.

    If the input is a table, rows are streamed, and a byte-order mark is kept. JSON objects may have different fields,
    so all of them are held in memory until the columns are known.
    """
    rest = iter(predictions)
    first = list(islice(rest, 1))  # now the header is known
    delimiter = TABLES[suffix]
    if file is not None and file.is_table:
        header = file.header
        delimiter = file.delimiter if (suffix, file.format) == (".csv", "csv") else delimiter
        rows = ((list(record.cells), found) for record, found in chain(first, rest))
        if file.header_line.startswith(BOM_UTF8):  # Excel wants it
            out.write(BOM_UTF8)
    else:
        everything = [*first, *rest]
        header = list(dict.fromkeys(name for record, _ in everything for name in record.values))
        rows = (([_cell(record.values.get(name), separator) for name in header], found) for record, found in everything)
    writer = csv.writer(_Rows(out), delimiter=delimiter)
    writer.writerow([*header, *(f"predicted_{name}" if name in header else name for name in ADDED)])
    for cells, found in rows:
        labels = found["labels"]
        p = [str(found["probabilities"][label]) for label in labels]
        added = [_cell(labels, separator), _cell(p, separator), found["confidence"], found["known_words"]]
        writer.writerow([*cells, *added])


class _Rows:
    """File object for a csv.writer, whose rows must end in CRLF so that line ends within cells are quoted."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out

    def write(self, row: str) -> None:
        """Write one row, ended by a newline."""
        self._out.write(row.removesuffix("\r\n").encode() + b"\n")


def separator_for(names: Iterable[str], usual: str) -> str:
    """Return the usual label separator, or "json" (a list in the cell) if a label contains it."""
    return "json" if any(usual in name for name in names) else usual


def _cell(value: Any, separator: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(x, str) and separator not in x for x in value):
        return separator.join(value) if separator != "json" else msgspec.json.encode(value).decode()
    return msgspec.json.encode(value).decode()
