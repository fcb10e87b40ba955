"""Write records as RIS, with the decision first among the notes, in ASReview's words.

The decisions themselves (lists, reviewers, reasons, notes, tags, times) follow in a note of ours, and so do the fields
of records from other formats, so that reading the file gives back the same records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bayesift.files import write_whole
from bayesift.filtering.screening.records.given import OWN, TOKENS, from_notes, from_tags, label_of, written_decisions
from bayesift.filtering.screening.records.own_fields import DUPLICATE_OF, ORIGINAL, original_of, source_of
from bayesift.filtering.screening.records.record import Record

_KINDS = {
    "article": "JOUR", "journal article": "JOUR", "journal": "JOUR", "review": "JOUR", "j": "JOUR", "jour": "JOUR",
    "journalarticle": "JOUR", "book": "BOOK", "incollection": "CHAP", "inbook": "CHAP", "book section": "CHAP",
    "booksection": "CHAP", "book chapter": "CHAP", "inproceedings": "CONF", "conference": "CONF", "conference paper":
    "CONF", "conferencepaper": "CONF", "proceedings paper": "CONF", "phdthesis": "THES", "mastersthesis": "THES",
    "thesis": "THES", "techreport": "RPRT", "report": "RPRT", "preprint": "UNPB", "unpublished": "UNPB",
}  # fmt: skip


def write_ris(path: str | Path, records: Iterable[Record]) -> int:
    """Write records, with their `given` as the decisions in force, and return their number; whole or not at all.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "out.ris")
    >>> write_ris(file, [Record("1", "Rain", year=2019)])
    1
    >>> print(file.read_text().replace("  - ", " - ").strip())
    TY - JOUR
    N1 - ASReview_not_seen
    TI - Rain
    PY - 2019
    N1 - bayesift_fields: {"format":"","fields":{},"parts":{"kind":""}}
    ER -
    """
    count = 0
    with write_whole(path) as out:
        for count, record in enumerate(records, start=1):  # noqa: B007
            lines = (f"{tag}  - {_one_line(value)}\n" for tag, value in _lines(record))
            out.write(("".join(lines) + "ER  - \n\n").encode("utf-8", "replace"))
    return count


def _lines(record: Record) -> Iterator[tuple[str, str]]:
    native = record.format == "ris" and len(record.fields.get("TY", ())) == 1
    kind = record.fields["TY"][0] if native else _KINDS.get(record.kind.lower(), "JOUR")
    yield "TY", kind
    yield "N1", TOKENS[label_of(record.given)]
    silent = from_tags(record.keywords) or (native and from_notes(record.fields.get("N1", ()))[0])
    if record.given or silent:  # also that there is no decision, where something else in the record says one
        yield "N1", f"{OWN}: {written_decisions(record.given)}"
    if record.duplicate_of:
        yield "N1", f"{DUPLICATE_OF}: {record.duplicate_of}"
    if native:
        yield from ((tag, value) for tag, values in record.fields.items() if tag != "TY" for value in values)
        if record.source:
            yield "N1", f"{ORIGINAL}: {source_of(record)}"
        return
    for tag, part in (("TI", "title"), ("PY", "year"), ("T2", "journal"), ("AB", "abstract"), ("DO", "doi")):
        if value := getattr(record, part):
            yield tag, str(value)
    if record.pmid:
        yield "AN", f"PMID: {record.pmid}"
    for tag, values in (("AU", record.authors), ("KW", record.keywords), ("UR", [record.url] if record.url else [])):
        yield from ((tag, value) for value in values)
    yield "N1", f"{ORIGINAL}: {original_of(record, {'kind': kind})}"


def _one_line(value: str) -> str:
    return " ".join(value.split()) if "\n" in value or "\r" in value else value
