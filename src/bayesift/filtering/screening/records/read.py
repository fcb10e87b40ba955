"""Read a reference file: detect its format and encoding, and read its records."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from bayesift.errors import BadInput, Notice
from bayesift.filtering.screening.records.bibtex import read_bibtex
from bayesift.filtering.screening.records.decode import decoded, read_bytes
from bayesift.filtering.screening.records.endnote import read_endnote
from bayesift.filtering.screening.records.nbib import read_nbib, read_wos
from bayesift.filtering.screening.records.record import BadRecord, Record, RecordFile
from bayesift.filtering.screening.records.ris import read_ris
from bayesift.filtering.screening.records.table import read_table
from bayesift.filtering.screening.records.xlsx import read_xlsx

_Found = Iterator[Record | BadRecord | str]  # a text is a note
_READERS: dict[str, Callable[[str, str], _Found]] = {
    "ris": read_ris,
    "nbib": read_nbib,
    "wos": read_wos,
    "bibtex": read_bibtex,
    "endnote": read_endnote,
    "csv": lambda text, name: read_table(text, name, "csv"),
    "tsv": lambda text, name: read_table(text, name, "tsv"),
}
FORMATS = (*_READERS, "xlsx")
_SUFFIXES = {"bib": "bibtex", "xml": "endnote", "tab": "tsv", "medline": "nbib", "ciw": "wos"} | {f: f for f in FORMATS}
_SIGNS = {
    "ris": re.compile(r"(?:.{0,80}\n){0,20}?\s*TY\s{1,3}-\s"),
    "nbib": re.compile(r"\s*(?:PMID|PMC |OWN )- "),
    "wos": re.compile(r"\s*(?:FN .*\n|VR .*\n)*PT [A-Z]\s*\n(?:[A-Z][A-Z0-9] |   )"),
    "endnote": re.compile(r"\s*<\?xml|\s*<xml|\s*<records"),
    "bibtex": re.compile(r"\s*(?:%.*\n\s*)*@\s*[A-Za-z]+\s*[{(]"),
}
SEEN = 1000  # bytes in which text has no zeros


def read_records(path: str | Path, *, format: str | None = None) -> RecordFile:
    """Return the records of a reference file.

    Parameters
    ----------
    path : a file, compressed or not.
    format : one of `FORMATS`; by default from the content, or else from the name.

    Raises
    ------
    NotFound
        If there is no such file, or a package for its format is not installed.
    BadInput
        If no record can be read from it.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "one.ris")
    >>> _ = file.write_text("TY  - JOUR\\nTI  - Statins in HIV\\nPY  - 2019\\nER  - \\n")
    >>> read_records(file).records[0].year
    2019
    """
    if format is not None and format not in FORMATS:
        raise BadInput(f"unknown format {format!r}", remedy=f"formats are: {', '.join(FORMATS)}")
    raw, name = read_bytes(path), Path(path).name
    form, encoding, found = _opened(raw, name, format)
    del raw  # it is as large as all records
    records: list[Record] = []
    bad: list[BadRecord] = []
    notes: list[str] = []
    for one in found:
        if isinstance(one, Record):
            records.append(one)
        elif isinstance(one, str):
            notes.append(one)
        else:
            bad.append(one)
    if not records:
        first = f" (first: {bad[0]})" if bad else ""
        remedy = f"formats are: {', '.join(FORMATS)}"
        raise BadInput(f"no record can be read as {form}{first}", path=path, remedy=remedy)
    for note in notes:
        warnings.warn(note, Notice, stacklevel=2)
    return RecordFile(tuple(records), tuple(bad), form, encoding, tuple(notes))


def _opened(raw: bytes, name: str, format: str | None) -> tuple[str, str, _Found]:
    """Return the format, the encoding and an iterator over what is found."""
    if not raw.startswith(b"PK\x03\x04") and format != "xlsx":
        text, encoding = decoded(raw)
        form = format or _format(name, text)
        if b"\0" in raw[:SEEN] and not encoding.startswith("utf-16") and form in ("csv", "tsv"):
            raise BadInput("is not text", path=name, remedy=f"formats are: {', '.join(FORMATS)}")
        if form != "xlsx":
            return form, encoding, _READERS[form](text, name)
    return "xlsx", "utf-8", read_xlsx(raw, name)


def _format(name: str, text: str) -> str:
    """Return the format that the content shows; what shows none is a table, unless its name says otherwise."""
    head = text[:5000]
    for format, sign in _SIGNS.items():
        if sign.match(head):
            return format
    parts = name.lower().split(".")
    while parts and parts[-1] in ("gz", "zst", "txt"):
        parts.pop()
    return _SUFFIXES.get(parts[-1] if parts else "", "csv")
