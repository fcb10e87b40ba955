"""What `predict` writes: one JSON line per document, or a table of the rows that were read with columns added."""

from __future__ import annotations

import csv
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
SHOWN = 0.01  # probabilities below this are left out unless asked for
ADDED = ("labels", "probabilities", "confidence", "known_words")
TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}  # by the output's suffix


def answered(
    model: TextClassifier, batches: Iterable[Sequence[Pair]], together: bool, every: bool = False
) -> Iterator[tuple[Record, dict[str, Any]]]:
    """Yield each record with its answer; probabilities are those from `SHOWN` on, or with `every` all."""
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


def write_lines(out: IO[bytes], answers: Iterable[tuple[Record, dict[str, Any]]], at_once: bool) -> None:
    """Write JSON lines; with `at_once` each is flushed before the next document is read."""
    for _, answer in answers:
        out.write(msgspec.json.encode(answer) + b"\n")
        if at_once:
            out.flush()


def write_table(
    out: IO[bytes], answers: Iterable[tuple[Record, dict[str, Any]]], file: DocumentFile | None, suffix: str,
    separator: str,
) -> None:  # fmt: skip
    """Write the records as they came, with the labels, their probabilities, confidence and known words added.

    A table of another format is made of JSON objects: a column for each field of any of them, which is why all of
    them are held in memory; the rows of a table are not.
    """
    rest = iter(answers)
    first = list(islice(rest, 1))  # now the header is known
    delimiter = TABLES[suffix]
    if file is not None and file.is_table:
        header = file.header
        delimiter = file.delimiter if (suffix, file.format) == (".csv", "csv") else delimiter
        rows = ((list(record.cells), answer) for record, answer in chain(first, rest))
    else:
        everything = [*first, *rest]
        header = list(dict.fromkeys(name for record, _ in everything for name in record.values))
        rows = (([_cell(record.values.get(name), separator) for name in header], a) for record, a in everything)
    writer = csv.writer(_Rows(out), delimiter=delimiter)
    writer.writerow([*header, *(f"predicted_{name}" if name in header else name for name in ADDED)])
    for cells, a in rows:
        p = [str(a["probabilities"][label]) for label in a["labels"]]
        added = [_cell(a["labels"], separator), _cell(p, separator), a["confidence"], a["known_words"]]
        writer.writerow([*cells, *added])


class _Rows:
    """Takes the rows of a csv.writer, which must end in CRLF for all line ends within cells to be quoted."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out

    def write(self, row: str) -> None:
        """Write one row, ended by a newline."""
        self._out.write(row.removesuffix("\r\n").encode() + b"\n")


def separator_for(names: Iterable[str], usual: str) -> str:
    """Return the separator of labels in a cell, or that of JSON lists if a label contains the usual one."""
    return "json" if any(usual in name for name in names) else usual


def _cell(value: Any, separator: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(x, str) and separator not in x for x in value):
        return separator.join(value) if separator != "json" else msgspec.json.encode(value).decode()
    return msgspec.json.encode(value).decode()
