"""How a file of documents is laid out, as far as its name and its owner tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bayesift.corpora.detect import character
from bayesift.errors import BadInput
from bayesift.files import STDIN

FORMATS = ("jsonl", "json", "csv", "tsv")
EMPTY = ("none", "unjudged")
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


def format_of(path: str | Path) -> str:
    """Return the format that a file's name tells; standard input is JSON lines."""
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
