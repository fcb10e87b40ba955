"""RIS: lines `XX  - value`, a record from TY to ER.

Read here and not by rispy, which drops what a reviewer needs: a record without ER, the second value of tags such as DO
and AB, and the line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from string import ascii_uppercase, digits

from bayesift.filtering.screening.records.build import build_record
from bayesift.filtering.screening.records.given import OWN, bare_note, from_notes
from bayesift.filtering.screening.records.identify import marked_pmid
from bayesift.filtering.screening.records.own_fields import DUPLICATE_OF, ORIGINAL, restored
from bayesift.filtering.screening.records.record import BadRecord, Record
from bayesift.filtering.screening.records.tagged import Fields, Layout, entries, lines_of

PARTS: Mapping[str, tuple[str, ...]] = {
    "title": ("TI", "T1", "CT", "BT", "ST"),
    "abstract": ("AB", "N2"),
    "authors": ("AU", "A1", "A2", "A3", "A4"),
    "year": ("PY", "Y1", "YR", "DA"),
    "journal": ("T2", "JO", "JF", "JA", "J2"),
    "doi": ("DO", "DI", "M3", "L3"),
    "pmid": ("PM",),
    "keywords": ("KW",),
    "url": ("UR", "L2", "L1", "LK"),
    "kind": ("TY",),
}
_TAGS = {a + b: a + b for a in ascii_uppercase for b in ascii_uppercase + digits}  # one string for all records
_FIRST = re.compile(r"^TY  -", re.MULTILINE)
_LOOSE = re.compile(r"\s{0,8}([A-Z][A-Z0-9])\s{1,3}-(?:\s|$)")
_OURS = (ORIGINAL, DUPLICATE_OF)
_PUBMED = re.compile("pubmed|medline|nlm", re.IGNORECASE)


def read_ris(text: str, name: str) -> Iterator[Record | BadRecord]:
    """Yield the records of RIS text, and what cannot be read."""
    layout = Layout(_strict if _FIRST.search(text) else _loose, first="TY", last="ER")
    for line, fields in entries(lines_of(text), layout):
        place = f"{name}:{line}"
        try:
            yield ris_record(fields, place)
        except ValueError as error:
            yield BadRecord(place, str(error))


def ris_record(fields: Fields, source: str) -> Record:
    """Return the record of RIS fields; raise ValueError if it has nothing to read."""
    notes = fields.get("N1", ())
    named = [(note, *bare_note(note).partition(":")[::2]) for note in notes]
    ours = {name: value for _, name, value in named if name in _OURS}
    given, kept = from_notes([note for note, name, _ in named if name not in _OURS])
    if len(kept) < len(notes):
        fields = {tag: kept if tag == "N1" else values for tag, values in fields.items() if tag != "N1" or kept}
    known = given if given or any(name == OWN for _, name, _ in named) else None
    record = build_record(_parts(fields), fields, known, source, "ris", ours.get(DUPLICATE_OF, "").strip())
    return restored(record, ours[ORIGINAL]) if ORIGINAL in ours else record


def _parts(fields: Fields) -> dict[str, list[str]]:
    parts = {part: [value for tag in tags for value in fields.get(tag, ())] for part, tags in PARTS.items()}
    parts["abstract"] = [" ".join(fields.get("AB", ())), *fields.get("N2", ())]  # some databases write one per section
    database = " ".join(fields.get("DB", ()) + fields.get("DP", ()))
    accession = fields.get("AN", ())
    parts["pmid"] += accession if _PUBMED.search(database) else filter(marked_pmid, accession)
    if "scopus" in database.lower():
        parts["pmid"] += fields.get("C2", ())
    return parts


def _strict(line: str) -> tuple[str, str] | None:
    tag = _TAGS.get(line[:2]) if line[2:5] == "  -" else None
    return None if tag is None else (tag, line[5:].strip())


def _loose(line: str) -> tuple[str, str] | None:
    """Return tag and value of a line of a file whose exporter leaves out or adds blanks."""
    found = _LOOSE.match(line)
    return (found.group(1), line[found.end() :].strip()) if found else None
