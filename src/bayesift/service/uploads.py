"""Documents of uploaded files: JSON lines, CSV and RIS, told apart by their names."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from bayesift.corpora import Document, read_documents
from bayesift.errors import BadInput, BayesiftError

ENDINGS = (".jsonl", ".json", ".ndjson", ".csv", ".tsv", ".ris")
COMPRESSED = (b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")  # may be bombs
_RIS = {
    "TI": "title",
    "T1": "title",
    "AB": "body",
    "N2": "body",
    "UR": "url",
    "PY": "date",
    "Y1": "date",
    "ID": "id",
    "DO": "id",
}


def documents_of_files(files: Iterable[tuple[str, bytes]]) -> list[Document | dict[str, str]]:
    """Return the documents of files, each (name, bytes); an error names the file and the line."""
    found: list[Document | dict[str, str]] = []
    for name, data in files:
        ending = Path(name).suffix.lower()
        if ending not in ENDINGS:
            raise BadInput(f"{name[:80]!r} is not a kind of file that is read", remedy=f"give {', '.join(ENDINGS)}")
        if data.startswith(COMPRESSED):
            raise BadInput(f"{name[:80]!r} is compressed", remedy="unpack it first, in parts if it is large")
        found += _ris(name, data) if ending == ".ris" else _lines(name, data, ending)
    return found


def _lines(name: str, data: bytes, ending: str) -> list[Document]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{'.jsonl' if ending in ('.json', '.ndjson') else ending}"
        path.write_bytes(data)
        try:
            return list(read_documents(path))
        except BayesiftError as error:
            raise BadInput(str(error).replace(str(path), name[:80])) from None


def _ris(name: str, data: bytes) -> Iterator[dict[str, str]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{name[:80]!r} is not in UTF-8", remedy="export it as UTF-8") from None
    record: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        tag, value = line[:2], line[6:].strip()
        if line[2:5] != "  -" or not tag.isalnum():
            if line.strip() and not record:
                raise BadInput(f"{name[:80]}, line {number}: not a line of RIS", remedy="lines are like: TI  - A title")
            continue
        if tag == "ER":
            if record.get("title") or record.get("body"):
                yield record
            record = {}
        elif tag in _RIS and value:
            record.setdefault(_RIS[tag], value)
