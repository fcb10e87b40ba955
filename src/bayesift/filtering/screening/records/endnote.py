"""EndNote XML: `<record>` elements whose text is wrapped in `<style>`.

Each record is parsed on its own, so that a damaged one spoils no other. What is parsed begins with `<record`: it can
have no document type, hence no entities, and nothing is loaded from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.parsers import expat

from bayesift.filtering.screening.records.build import build_record
from bayesift.filtering.screening.records.given import from_notes
from bayesift.filtering.screening.records.identify import marked_pmid
from bayesift.filtering.screening.records.record import BadRecord, Record
from bayesift.filtering.screening.records.tagged import Fields

PARTS: Mapping[str, tuple[str, ...]] = {
    "title": ("titles/title", "titles/translated-title", "titles/short-title"),
    "abstract": ("abstract", "research-notes"),
    "authors": ("contributors/authors/author", "contributors/secondary-authors/author"),
    "year": ("dates/year", "dates/pub-dates/date"),
    "journal": ("titles/secondary-title", "periodical/full-title", "titles/alt-title", "periodical/abbr-1"),
    "doi": ("electronic-resource-num",),
    "pmid": (),
    "keywords": ("keywords/keyword",),
    "url": ("urls/related-urls/url", "urls/web-urls/url", "urls/text-urls/url", "urls/pdf-urls/url"),
    "kind": ("ref-type@name", "ref-type"),
}
LARGEST, DEEPEST = 1 << 22, 12  # characters of a record, and levels of elements within it
_BEGIN = re.compile(r"<record(?=[\s>])")
_NOT_A_CHARACTER = re.compile(r"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01]|11)|x0*(?:[0-8bcef]|1[0-9a-f]));", re.IGNORECASE)
_PUBMED = re.compile("pubmed|medline|nlm", re.IGNORECASE)


def read_endnote(text: str, name: str) -> Iterator[Record | BadRecord]:
    """Yield the records of EndNote's XML, and what cannot be read."""
    starts = [found.start() for found in _BEGIN.finditer(text)]
    for number, (start, stop) in enumerate(zip(starts, [*starts[1:], len(text)]), start=1):
        place = f"{name}:record {number}"
        try:
            yield _record(text[start:stop], place)
        except (ValueError, expat.ExpatError) as error:
            yield BadRecord(place, str(error))


def _record(text: str, place: str) -> Record:
    end = text.rfind("</record>")
    if end < 0:
        raise ValueError("the element <record> is never closed")
    if end > LARGEST:
        raise ValueError("is longer than 4 MiB")
    fields = _fields(_NOT_A_CHARACTER.sub(" ", text[: end + len("</record>")]))
    parts = {part: [value for path in paths for value in fields.get(path, ())] for part, paths in PARTS.items()}
    if "contributors/authors/author" in fields:
        parts["authors"] = list(fields["contributors/authors/author"])
    database = " ".join(fields.get("remote-database-name", ()) + fields.get("remote-database-provider", ()))
    accession = fields.get("accession-num", ())
    parts["pmid"] = [*(accession if _PUBMED.search(database) else filter(marked_pmid, accession))]
    given, _ = from_notes(fields.get("notes", ()))
    return build_record(parts, fields, given or None, place, "endnote")


def _fields(text: str) -> Fields:
    """Return the text of each element by its path below the record; `<style>` does not count as an element."""
    found: dict[str, list[str]] = {}
    path: list[str] = []
    pieces: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "style":
            return
        if len(path) >= DEEPEST:
            raise ValueError(f"elements are nested more than {DEEPEST} deep")
        path.append(name)
        pieces.clear()
        if name == "ref-type" and attributes.get("name"):
            found.setdefault("ref-type@name", []).append(attributes["name"])

    def end(name: str) -> None:
        if name == "style":
            return
        value = "".join(pieces).strip()
        pieces.clear()
        if value:
            found.setdefault("/".join(path[1:]), []).append(value)
        path.pop()

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = pieces.append
    parser.Parse(text, True)
    return {key: tuple(values) for key, values in found.items()}
