"""XLSX, read by openpyxl row by row; the sheet with the most known columns is taken."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from bayesift.errors import BadInput, NotFound
from bayesift.filtering.screening.records.columns import columns_of
from bayesift.filtering.screening.records.decode import cleaned
from bayesift.filtering.screening.records.record import BadRecord, Record
from bayesift.filtering.screening.records.table import Table

LARGEST, MEMBERS = 1 << 29, 1000  # bytes of a workbook when decompressed, and files within it
ROWS, COLUMNS = 1_048_576, 400
_DECLARATIONS = tuple(word.encode(code) for word in ("<!DOCTYPE", "<!ENTITY") for code in ("utf-8", "utf-16-le"))


def read_xlsx(raw: bytes, name: str) -> Iterator[Record | BadRecord | str]:
    """Yield the records of a workbook, and what cannot be read; at the end what was ignored, as text."""
    openpyxl = _openpyxl()
    _check(raw, name)
    try:
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
        header, sheet = max(((_header(sheet), sheet) for sheet in book.worksheets), key=lambda pair: _known(pair[0]))
        table = Table(header, name, "xlsx")
        rows = sheet.iter_rows(min_row=2, max_row=ROWS, max_col=len(header), values_only=True)
        for number, row in enumerate(rows, start=2):
            cells = [_text(value) for value in row]
            if any(cells):
                yield table.read(cells + [""] * (len(header) - len(cells)), f"{name}:row {number}")
    except BadInput:
        raise
    except Exception as error:  # openpyxl raises whatever a damaged file makes it run into
        raise _damaged(error, name) from None
    yield from table.notes()


def _openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError:
        remedy = "pip install 'bayesift[screening]', or save the file as CSV"
        raise NotFound("reading XLSX needs openpyxl", remedy=remedy) from None
    return openpyxl


def _check(raw: bytes, name: str) -> None:
    """Raise `BadInput` for what is too large when decompressed, or declares entities."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = archive.infolist()
            if len(members) > MEMBERS or sum(member.file_size for member in members) > LARGEST:
                raise BadInput("is larger than 512 MiB when decompressed", path=name, remedy="save it as CSV")
            for member in members:
                if member.filename.endswith((".xml", ".rels", ".vml")):
                    content = archive.read(member)
                    if any(word in content for word in _DECLARATIONS):
                        raise BadInput("declares a document type, which no spreadsheet does", path=name)
    except BadInput:
        raise
    except Exception as error:  # a damaged archive: zipfile and zlib raise many kinds
        raise _damaged(error, name) from None


def _header(sheet: Any) -> list[str]:
    if not hasattr(sheet, "iter_rows"):
        return []  # a chart
    sheet.reset_dimensions()
    first = next(sheet.iter_rows(max_row=1, max_col=COLUMNS, values_only=True), ())
    header = [_text(value) for value in first]
    while header and not header[-1]:
        header.pop()
    return header


def _known(header: list[str]) -> int:
    return sum(bool(places) for places in columns_of(header).values())


def _text(value: Any) -> str:
    """Return a cell as text; whole numbers have no decimals."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date):
        return value.isoformat()
    return cleaned(str(value).replace("_x000D_", "\r"))  # as Excel writes a line end of Windows


def _damaged(error: Exception, name: str) -> BadInput:
    short = " ".join(f"{type(error).__name__}: {error}".split())[:120]
    return BadInput(f"not a readable XLSX file: {short}", path=name, remedy="save it again as XLSX or CSV")
