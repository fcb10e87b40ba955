r"""BibTeX, as Zotero, Scopus, Web of Science, Mendeley, JabRef and Rayyan write it.

Read here and not by bibtexparser, which rejects an entry whose key occurs twice in the file, does not join strings by
`#`, and takes what follows a missing comma into the value. An entry begins with `@type{` at the beginning of a line,
so that a brace that is never closed spoils its own entry only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bayesift.filtering.screening.records.build import build_record
from bayesift.filtering.screening.records.columns import words_in
from bayesift.filtering.screening.records.given import from_notes
from bayesift.filtering.screening.records.latex import plain_latex
from bayesift.filtering.screening.records.record import BadRecord, Record
from bayesift.filtering.screening.records.tagged import Fields

PARTS: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "booktitle"),
    "abstract": ("abstract",),
    "authors": ("author", "editor"),
    "year": ("year", "date", "issue_date"),
    "journal": ("journal", "journaltitle", "booktitle", "source"),
    "doi": ("doi",),
    "pmid": ("pmid", "pubmed_id", "pubmed-id"),
    "keywords": ("keywords", "author_keywords", "keyword", "keywords-plus", "mesh"),
    "url": ("url", "link"),
    "kind": ("entrytype",),
}
TYPE, KEY = "entrytype", "key"
_BEGIN = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]+)[ \t]*[{(]", re.MULTILINE)
_KEY = re.compile(r"\s*([^,={}\"\n]*?)\s*(?:,|(?=[)}]))")
_NAME = re.compile(r"[\s,]*([^\s=,{}\"#]+)\s*=\s*")
_END = re.compile(r"[\s,]*[)}]")
_BARE = re.compile(r"[^\s,#{}\"]+")
_JOIN = re.compile(r"\s*#\s*")
_BRACE = re.compile(r"\\[\\{}\"]|[{}\"]")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_SKIPPED = {"comment", "preamble"}


def read_bibtex(text: str, name: str) -> Iterator[Record | BadRecord]:
    """Yield the records of BibTeX text, and what cannot be read."""
    starts = list(_BEGIN.finditer(text))
    macros: dict[str, str] = {}
    line, at = 1, 0
    for found, stop in zip(starts, [*(later.start() for later in starts[1:]), len(text)]):
        line, at = line + text.count("\n", at, found.start()), found.start()
        kind, place = found.group(1).lower(), f"{name}:{line}"
        if kind in _SKIPPED:
            continue
        try:
            if kind == "string":
                macros.update(_pairs(text, found.end(), stop, macros))
            else:
                yield _record(text, kind, found.end(), stop, macros, place)
        except ValueError as error:
            yield BadRecord(place, str(error))


def _record(text: str, kind: str, at: int, stop: int, macros: dict[str, str], place: str) -> Record:
    key = _KEY.match(text, at, stop)
    if key is None:
        raise ValueError("no key and comma after the opening brace")
    values = _pairs(text, key.end(), stop, macros)
    plain = {field: plain_latex(value) for field, value in values.items()}
    parts = {part: [plain[field] for field in names if field in plain] for part, names in PARTS.items()}
    parts["kind"] = [kind]
    parts["authors"] = [plain_latex(who) for who in _AND.split(values.get("author") or values.get("editor") or "")]
    parts["keywords"] = [word for value in parts["keywords"] for word in words_in(value)]
    given, _ = from_notes([plain[field] for field in ("note", "notes", "annote", "annotation") if field in plain])
    fields: Fields = {TYPE: (kind,), KEY: (key.group(1),)}
    fields |= {field: (value,) for field, value in values.items() if value}
    return build_record(parts, fields, given or None, place, "bibtex")


def _pairs(text: str, at: int, stop: int, macros: Mapping[str, str]) -> dict[str, str]:
    """Return the fields from `at` to the closing brace; raise ValueError where they cannot be told."""
    found: dict[str, str] = {}
    while not _END.match(text, at, stop):
        name = _NAME.match(text, at, stop)
        if name is None:
            rest = " ".join(text[at : min(stop, at + 200)].split())[:30]
            raise ValueError(f"no field where one should begin: {rest!r}" if rest else "its brace is never closed")
        value, at = _value(text, name.end(), stop, macros)
        found.setdefault(name.group(1).lower(), value)
    return found


def _value(text: str, at: int, stop: int, macros: Mapping[str, str]) -> tuple[str, int]:
    """Return a value, its parts joined, and where it ends."""
    pieces = []
    while True:
        opening = text[at] if at < stop else ""
        if opening in ("{", '"'):
            end = _closing(text, at, stop, opening)
            pieces.append(text[at + 1 : end])
            at = end + 1
        elif bare := _BARE.match(text, at, stop):
            pieces.append(macros.get(bare.group().lower(), bare.group()))
            at = bare.end()
        elif not pieces and opening in (",", "}", "\n", " ", ""):
            return "", at  # an empty value
        else:
            raise ValueError("a value is missing")
        join = _JOIN.match(text, at, stop)
        if join is None:
            return "".join(pieces), at
        at = join.end()


def _closing(text: str, at: int, stop: int, opening: str) -> int:
    depth = 0
    for found in _BRACE.finditer(text, at + 1, stop):
        mark = found.group()
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
            if depth < 0:
                if opening == "{":
                    return found.start()
                break
        elif mark == opening and depth == 0:
            return found.start()
    raise ValueError("a brace is never closed" if opening == "{" else "a quote is never closed")
