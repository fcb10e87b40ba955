"""PubMed's NBIB (MEDLINE) and the plain text of Web of Science.

Read here and not by the package nbib, which stops at the first line that it does not understand, drops tags that it
does not know, and needs twice as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bayesift.filtering.screening.records.build import build_record
from bayesift.filtering.screening.records.identify import marked_pmid
from bayesift.filtering.screening.records.record import BadRecord, Record
from bayesift.filtering.screening.records.tagged import Fields, Layout, entries, lines_of

NBIB: Mapping[str, tuple[str, ...]] = {
    "title": ("TI", "BTI", "TT", "CTI"),
    "abstract": ("AB", "OAB"),
    "authors": ("FAU", "AU", "CN"),
    "year": ("DP", "DEP", "EDAT"),
    "journal": ("JT", "TA"),
    "doi": ("LID", "AID", "DOI", "SO"),
    "pmid": ("PMID",),
    "keywords": ("MH", "OT"),
    "url": (),
    "kind": ("PT",),
}
WOS: Mapping[str, tuple[str, ...]] = {
    "title": ("TI",),
    "abstract": ("AB",),
    "authors": ("AF", "AU", "BA", "CA"),
    "year": ("PY", "EY"),
    "journal": ("SO", "SE"),
    "doi": ("DI", "D2"),
    "pmid": ("PM",),
    "keywords": ("DE", "ID"),
    "url": (),
    "kind": ("DT", "PT"),
}
_WOS_LISTS = frozenset({"AU", "AF", "BA", "BF", "CR", "CA"})


def read_nbib(text: str, name: str) -> Iterator[Record | BadRecord]:
    """Yield the records of NBIB text, and what cannot be read."""
    return _read(text, name, "nbib", NBIB, Layout(_nbib_line, first="PMID", blank_ends=True))


def read_wos(text: str, name: str) -> Iterator[Record | BadRecord]:
    """Yield the records of Web of Science's plain text, and what cannot be read."""
    layout = Layout(_wos_line, first="PT", last="ER", several=_WOS_LISTS, ignored=frozenset({"FN", "VR", "EF"}))
    return _read(text, name, "wos", WOS, layout)


def _read(
    text: str, name: str, format: str, tags: Mapping[str, tuple[str, ...]], layout: Layout
) -> Iterator[Record | BadRecord]:
    for line, fields in entries(lines_of(text), layout):
        place = f"{name}:{line}"
        try:
            yield build_record(_parts(fields, tags), fields, None, place, format)
        except ValueError as error:
            yield BadRecord(place, str(error))


def _parts(fields: Fields, tags: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    parts = {part: [value for tag in names for value in fields.get(tag, ())] for part, names in tags.items()}
    parts["authors"] = next((list(fields[tag]) for tag in tags["authors"] if tag in fields), [])
    parts["doi"] = [value for value in parts["doi"] if not marked_pmid(value)]
    parts["keywords"] = [word.lstrip("*") for word in parts["keywords"]]  # PubMed marks the main ones
    if tags is WOS:
        parts["keywords"] = [word for value in parts["keywords"] for word in value.split(";")]
    return parts


def _nbib_line(line: str) -> tuple[str, str] | None:
    tag = line[:4].rstrip()
    if line[4:5] == "-" and line[5:6] in ("", " ") and tag.isalnum() and tag.isupper() and tag.isascii():
        return tag, line[6:].strip()
    return None


def _wos_line(line: str) -> tuple[str, str] | None:
    if line[:2].isalnum() and line[:2].isupper() and line[:2].isascii() and line[2:3] in ("", " "):
        return line[:2], line[3:].strip()
    return None
