"""The user's own data: JSON lines, CSV or TSV, plain or compressed, from a file or standard input."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

from bayesift.corpora.document import Document
from bayesift.corpora.jsonl import read_jsonl
from bayesift.corpora.skipping import Skipped
from bayesift.corpora.table import read_table
from bayesift.errors import BadInput, Notice
from bayesift.files import STDIN

FORMATS = ("jsonl", "csv", "tsv")
_BY_SUFFIX = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}


def read_documents(
    path: str | Path,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    separator: str = ";",
    skip_bad: bool = False,
    skipped: Skipped | None = None,
) -> Iterator[Document]:
    """Stream documents from PATH, or from standard input if it is `-`.

    `format` is jsonl, csv or tsv; by default the file's name tells, and standard input is JSON lines. For tables,
    `columns` names columns that are called otherwise than our fields, and `separator` stands between labels.
    A bad line is an error; with `skip_bad` it is counted in `skipped`, or warned about at the end.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "news.csv")
    >>> _ = file.write_text("headline,labels\\nRain again,weather;news\\n")
    >>> next(read_documents(file, columns={"title": "headline"}))
    Document(id='2', title='Rain again', body='', labels=('weather', 'news'), date=None, split=None)
    """
    kind = format or _format_of(path)
    if kind not in FORMATS:
        raise BadInput(f"no format {kind!r}", remedy=f"formats are: {', '.join(FORMATS)}")
    if kind == "jsonl" and columns:
        raise BadInput("columns are named for a file that is JSON lines", path=path, remedy="say format='csv' or 'tsv'")
    counter = (skipped or Skipped()) if skip_bad else None
    if kind == "jsonl":
        documents = read_jsonl(path, counter)
    else:
        delimiter = "," if kind == "csv" else "\t"
        documents = read_table(path, delimiter=delimiter, columns=columns, separator=separator, skipped=counter)
    return _warning_at_end(documents, counter) if counter is not None and skipped is None else documents


def _format_of(path: str | Path) -> str:
    if str(path) == STDIN:
        return "jsonl"
    name = Path(path)
    suffix = (name.with_suffix("") if name.suffix in (".gz", ".zst") else name).suffix.lower()
    if suffix not in _BY_SUFFIX:
        known = " ".join(sorted(_BY_SUFFIX))
        raise BadInput("its name does not tell the format", path=path, remedy=f"name the format, or end it in {known}")
    return _BY_SUFFIX[suffix]


def _warning_at_end(documents: Iterator[Document], counter: Skipped) -> Iterator[Document]:
    yield from documents
    if counter.count:
        warnings.warn(str(counter), Notice, stacklevel=2)
