"""The layout of a file of documents: format, columns, delimiter and separator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bayesift.corpora.detect import character
from bayesift.corpora.records import check_encoding
from bayesift.errors import BadInput
from bayesift.files import STDIN, open_bytes

FORMATS = ("jsonl", "json", "csv", "tsv", "parquet")
EMPTY = NO_LABEL, UNLABELLED = "none", "unlabelled"  # meanings of an empty labels cell
_OLD_EMPTY = {"unjudged": UNLABELLED}  # in earlier model files
_BY_SUFFIX = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv",
    ".parquet": "parquet",
}  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """Layout of a file of documents; what is None is detected.

    Parameters
    ----------
    format : jsonl, json, csv, tsv or parquet.
    columns : the file's names of the document fields.
    delimiter : of a table.
    separator : of the labels in a cell; `json` for lists.
    empty : meaning of an empty labels cell, "none" (no label applies, the default) or "unlabelled".
    usual : columns, delimiter, separator and empty to use by default, if the file has them.
    """

    format: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    separator: str | None = None
    empty: str | None = None
    usual: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.format is not None and self.format not in FORMATS:
            raise BadInput(f"unknown format {self.format!r}", remedy=f"formats are: {', '.join(FORMATS)}")
        if self.separator == "":
            raise BadInput("the label separator is empty", remedy="use one character, e.g. ;")
        if self.delimiter is not None and (len(character(self.delimiter)) != 1 or self.delimiter in '"\r\n'):
            raise BadInput(f"the delimiter {self.delimiter!r} is not one character", remedy="use e.g. ; or tab")
        if self.empty is not None and self.empty not in EMPTY:
            raise BadInput(f"unknown meaning of empty labels: {self.empty!r}", remedy=f"use {' or '.join(EMPTY)}")

    @property
    def empty_labels(self) -> str:
        """Meaning of an empty labels cell: the given one, else the usual one, else "none"."""
        usual: str = self.usual.get("empty", NO_LABEL)
        return self.empty or _OLD_EMPTY.get(usual, usual)


def format_of(path: str | Path) -> str:
    """Return the format of a file by its name; standard input is JSON lines."""
    if str(path) == STDIN:
        return "jsonl"
    if Path(path).is_dir():
        raise BadInput("is a folder", path=path, remedy="pass one file of documents")
    suffix = suffix_of(path)
    if suffix not in _BY_SUFFIX:
        if Path(path).is_file():
            with open_bytes(path) as stream:
                check_encoding(stream.read(4), path)
        known = " ".join(sorted(_BY_SUFFIX))
        raise BadInput("unknown file name extension", path=path, remedy=f"add --format, or rename it to end in {known}")
    return _BY_SUFFIX[suffix]


def known_format(path: str | Path) -> str | None:
    """Return the format that a file's name tells, or None if it tells none.

    >>> known_format("news.tab.gz"), known_format("news.txt")
    ('tsv', None)
    """
    return _BY_SUFFIX.get(suffix_of(path))


def is_document_file(path: Path) -> bool:
    """Return whether a file has the name of a file of documents, and is not hidden.

    >>> is_document_file(Path("a/news.csv.gz")), is_document_file(Path("a/.news.csv")), is_document_file(Path("README"))
    (True, False, False)
    """
    return suffix_of(path) in _BY_SUFFIX and not path.name.startswith(".")


def suffix_of(path: str | Path) -> str:
    """Return the extension of a file name, without .gz or .zst.

    >>> suffix_of("news.csv.gz")
    '.csv'
    """
    name = Path(path)
    return (name.with_suffix("") if name.suffix in (".gz", ".zst") else name).suffix.lower()
