"""Files in and out: more records, the records with their decisions, all events, and the report."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool

from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.screening.records import Record, read_records, write_csv, write_ris
from bayesift.service.forms import Admin, Reader, Reviewer
from bayesift.service.limits import LARGEST
from bayesift.service.people import Person
from bayesift.service.rendering import render
from bayesift.service.screening.desk import ScreeningDesk, TheDesk
from bayesift.service.uploads import COMPRESSED

LONGEST_NAME = 150  # bytes
BAD = 20  # entries that could not be read and are named
WORKBOOK = b"PK\x03\x04"  # XLSX is an archive, which the reader checks
KINDS = ".ris .nbib .txt .bib .xml .csv .tsv .xlsx"
TYPES = {
    "records.ris": "application/x-research-info-systems", "records.csv": "text/csv; charset=utf-8",
    "review.jsonl.zst": "application/zstd",
}  # fmt: skip

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/files")
def files(request: Request, desk: TheDesk, person: Reader) -> Response:
    """Show the forms for files in and out."""
    return _files(request, desk, person)


def _files(request: Request, desk: ScreeningDesk, person: Person, status: int = 200, **more: Any) -> Response:
    shown = {"kinds": KINDS, "most": LARGEST >> 20, "may_export": person.may("admin"), "bad": [], "notes": []}
    return render(request, "screening/files.html", person, status, **shown | more)


@router.post("/files")
async def upload(request: Request, desk: TheDesk, person: Reviewer) -> Response:
    """Add the records of files."""
    async with request.form(max_files=20, max_part_size=1 << 20) as form:
        found = [(f.filename or "file", await f.read()) for f in form.getlist("files") if not isinstance(f, str)]
        deduplicate = bool(form.get("deduplicate"))
    return await run_in_threadpool(_add, request, desk, person, found, deduplicate)


def _add(
    request: Request, desk: ScreeningDesk, person: Person, found: list[tuple[str, bytes]], deduplicate: bool
) -> Response:
    try:
        records, bad, notes = records_of_files(found)
        added = desk.add(records, person, deduplicate, bad)
    except BayesiftError as error:
        return _files(request, desk, person, 400, problem=str(error))
    merged = f", {added.merged:,} merged" if added.merged else ""
    message = (
        f"{added.records:,} records added, {added.known:,} known already, {added.given:,} decisions read, "
        f"{added.duplicates:,} pairs of possible duplicates{merged}."
    )
    more_bad = max(0, len(bad) - BAD)
    return _files(request, desk, person, message=message, bad=bad[:BAD], more_bad=more_bad, notes=notes)


def records_of_files(files: list[tuple[str, bytes]]) -> tuple[list[Record], list[str], list[str]]:
    """Return the records of uploaded files, each (name, bytes), what could not be read, and what was ignored.

    Errors name the file.
    """
    records: list[Record] = []
    bad: list[str] = []
    notes: list[str] = []
    if not any(data for _, data in files):
        raise BadInput("no file, or an empty one", remedy="choose a file of references")
    with tempfile.TemporaryDirectory(prefix="bayesift-upload-") as folder:
        for number, (name, data) in enumerate(files):
            if data.startswith(COMPRESSED) and not data.startswith(WORKBOOK):
                raise BadInput(f"{safe_name(name)!r} is compressed", remedy="unpack it first")
            inside = Path(folder) / str(number)
            inside.mkdir()
            path = inside / safe_name(name)
            path.write_bytes(data)
            try:
                found = read_records(path)
            except BayesiftError as error:
                raise BadInput(str(error).replace(str(path), path.name)) from None
            records += found.records
            bad += map(str, found.bad)
            notes += found.notes
    return records, bad, notes


def safe_name(name: str) -> str:
    r"""Return the name of an uploaded file without its folder and without what a file system would not take.

    >>> safe_name("../a/b.ris"), safe_name("C:\\x\\y:z.csv"), safe_name("..")
    ('b.ris', 'y_z.csv', 'file')
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    plain = "".join(c if c.isprintable() and c not in '<>:"|?*\0' else "_" for c in last).strip(". ")
    return plain.encode()[-LONGEST_NAME:].decode(errors="ignore").strip(". ") or "file"


@router.get("/export/{name}")
def export(desk: TheDesk, person: Admin, name: str) -> Response:
    """Return the records with their decisions, or the whole review."""
    if name not in TYPES:
        raise BadInput(f"no export {name[:40]!r}", remedy=f"choose one of: {', '.join(TYPES)}")
    return export_file(desk, name)


def export_file(desk: ScreeningDesk, name: str) -> Response:
    """Write an export to a temporary file and send it."""
    folder = Path(tempfile.mkdtemp(prefix="bayesift-export-"))
    path = folder / name
    writers: dict[str, Callable[[], Any]] = {
        "records.ris": lambda: write_ris(path, desk.review.decided_records()),
        "records.csv": lambda: write_csv(path, desk.review.decided_records()),
        "review.jsonl.zst": lambda: desk.review.export(path),
    }  # fmt: skip

    def remove() -> None:
        path.unlink(missing_ok=True)
        folder.rmdir()

    try:
        writers[name]()
    except BaseException:
        remove()
        raise
    return FileResponse(path, filename=name, media_type=TYPES[name], background=BackgroundTask(remove))
