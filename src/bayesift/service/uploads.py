"""Documents of uploaded files: JSON lines, CSV and RIS, told apart by their names."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bayesift.corpora import Document
from bayesift.corpora.document_file import DocumentFile
from bayesift.corpora.layout import Layout
from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.screening.records import Record, read_records

ENDINGS = (".jsonl", ".json", ".ndjson", ".csv", ".tsv", ".ris")
COMPRESSED = (b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")  # may be bombs
ABSTRACTS = ("abstract", "summary")  # columns that are the text of a document that has no other
DATES = ("DA", "Y1", "PY")  # tags of RIS, the most exact first
_DATE = re.compile(r"(\d{4})/(0?[1-9]|1[0-2])(?:/(0?[1-9]|[12]\d|3[01]))?(?:/.*)?")
_COLUMN = re.compile(r"name one with --column (\w+)=(.+)")
_ARRAY = "needs --format json", "needs a name that ends in .json"


class Upload(NamedTuple):
    """The documents of files, and what could not be read."""

    documents: list[Document | dict[str, Any]]
    bad: list[str]


def documents_of_files(files: Iterable[tuple[str, bytes]]) -> Upload:
    """Return the documents of files, each (name, bytes); an error names the file and the line."""
    found = Upload([], [])
    for name, data in files:
        ending = Path(name).suffix.lower()
        if ending not in ENDINGS:
            raise BadInput(f"{name[:80]!r} is not a kind of file that is read", remedy=f"give {', '.join(ENDINGS)}")
        if data.startswith(COMPRESSED):
            raise BadInput(f"{name[:80]!r} is compressed", remedy="unpack it first, in parts if it is large")
        is_array = ending == ".json" and data.lstrip()[:1] == b"["
        with tempfile.TemporaryDirectory(prefix="bayesift-upload-") as folder:
            path = Path(folder) / f"upload{'.jsonl' if ending in ('.json', '.ndjson') and not is_array else ending}"
            path.write_bytes(data)
            try:
                if ending == ".ris":
                    _add_ris(found, path, name[:80])
                else:
                    found.documents.extend(_rows(path))
            except BayesiftError as error:
                remedy = _for_pages(error.remedy)
                raise BadInput(error.reason, path=name[:80], line=error.line, remedy=remedy) from None
    return found


def _rows(path: Path) -> list[Document]:
    """Return the documents of a table or of JSON; an abstract is the text of a document that has no other."""
    try:
        return [_document(record.values, d) for record, d in DocumentFile(path, Layout())]
    except BayesiftError:
        for name in ABSTRACTS:  # of a file without a title
            try:
                layout = Layout(usual={"columns": {"body": name}})
                return [_document(record.values, d) for record, d in DocumentFile(path, layout)]
            except BayesiftError:
                continue
        raise


def _document(values: Mapping[str, Any], found: Document) -> Document:
    """Return a document; one without an id gets one by its text, as its line number may be that of another one."""
    texts = (values.get(name) for name in ABSTRACTS)
    body = found.body.strip() or next((text for text in texts if isinstance(text, str) and text.strip()), "")
    id = "" if values.get("id") in (None, "") else found.id
    return msgspec.structs.replace(found, id=id, body=found.body or body)


def _add_ris(found: Upload, path: Path, name: str) -> None:
    try:
        read = read_records(path, format="ris")
    except BayesiftError as error:
        raise BadInput(error.reason, remedy="lines are like: TI  - A title") from None
    found.bad.extend(f"{name}, line {bad.place.rpartition(':')[2]}: {bad.reason}" for bad in read.bad)
    for record in read.records:
        if record.title or record.abstract:
            found.documents.append(_reference(record))
        else:
            found.bad.append(f"{name}, line {record.source.rpartition(':')[2]}: no title and no abstract")


def _reference(record: Record) -> dict[str, Any]:
    given = {"title": record.title, "body": record.abstract, "url": record.url, "date": _date(record)}
    return {"id": record.id} | {name: value for name, value in given.items() if value}


def _date(record: Record) -> str | None:
    """Return the date of a reference as far as it is known.

    >>> _date(Record("1", year=2021, fields={"PY": ("2021/05/3/",)})), _date(Record("1", year=2021))
    ('2021-05-03', '2021')
    """
    for text in (value for tag in DATES for value in record.fields.get(tag, ())):
        if found := _DATE.fullmatch(text.strip()):
            return "-".join(part.zfill(2) for part in found.groups() if part)
    return None if record.year is None else f"{record.year:04d}"


def _for_pages(remedy: str) -> str:
    """Return a remedy without options of the command line.

    >>> _for_pages("columns are: id, content; name one with --column text=content")
    'columns are: id, content; rename the column content to text'
    """
    parts = [_COLUMN.sub(r"rename the column \2 to \1", part) for part in remedy.replace(*_ARRAY).split("; ")]
    return "; ".join(part for part in parts if "--" not in part).replace("column NAME", "column with the text")
