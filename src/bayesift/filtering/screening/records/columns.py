"""The names that tools give to the columns of a table, and how several values stand in one cell.

Names are compared in lower case, with other characters than letters and digits as spaces. In each tuple the best
name comes first: WoS has both "AF" (full names) and "AU".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "primary title", "article title", "document title", "item title", "titles", "ti", "t1"),
    "abstract": ("abstract", "abstract note", "notes abstract", "abstracts", "abstract text", "summary", "ab", "n2"),
    "authors": (
        "authors", "author", "author names", "first authors", "author s", "author full names", "af", "au", "a1",
    ),
    "year": (
        "year", "publication year", "published year", "pub year", "year published", "pubyear", "py", "publication date",
        "y1", "date", "date published", "published", "pd", "create date",
    ),
    "journal": (
        "journal", "journal name", "source title", "publication title", "journal book", "secondary title", "so",
        "alternate title3", "alternate title1", "journal title", "t2", "jo",
    ),
    "doi": ("doi", "do", "di", "doi link", "digital object identifier"),
    "pmid": ("pmid", "pubmed id", "pubmedid", "pm", "pubmed"),
    "keywords": (
        "keywords", "author keywords", "index keywords", "keywords plus", "manual tags", "automatic tags", "de",
        "mesh terms", "mesh", "kw", "descriptors",
    ),
    "url": ("url", "urls", "link", "article link", "ur", "doi link"),
    "kind": ("kind", "type", "item type", "document type", "publication type", "type of reference", "dt", "ty"),
}  # fmt: skip
LABELS = (
    "asreview label", "included", "label included", "final included", "included label", "included final",
    "included flag", "include", "label", "decision", "inclusion", "screening decision",
)  # fmt: skip
NOTES = ("notes", "note", "n1", "rayyan inclusion")
TAGS = ("tags",)  # of Covidence; Zotero's "Manual Tags" are keywords
_NOT_NAME = re.compile(r"[\W_]+")
_INITIALS = re.compile(r"\S.* [A-Z][A-Z.\-]{0,5}$")


def plain_name(column: str) -> str:
    """Return a column's name for comparison.

    >>> plain_name(" Publication_Year "), plain_name("Author(s)")
    ('publication year', 'author s')
    """
    return _NOT_NAME.sub(" ", column).strip().lower()


def columns_of(header: Sequence[str]) -> dict[str, list[int]]:
    """Return the positions of each part's columns, best first.

    >>> columns_of(["PMID", "Title", "Abstract Note"])["abstract"]
    [2]
    """
    at: dict[str, int] = {}
    for place, column in enumerate(header):
        at.setdefault(plain_name(column), place)
    named = {**COLUMNS, "label": LABELS, "notes": NOTES, "tags": TAGS}
    return {part: [at[name] for name in names if name in at] for part, names in named.items()}


def names_in(cell: str) -> list[str]:
    """Return the authors of a cell.

    >>> names_in("Roe, Ann; Poe, Bob"), names_in("Roe A, Poe BC."), names_in("Roe, A. and Poe, B.")
    (['Roe, Ann', 'Poe, Bob'], ['Roe A', 'Poe BC'], ['Roe, A.', 'Poe, B.'])
    >>> names_in("Roe, Ann")
    ['Roe, Ann']
    """
    for separator in (";", "\n", "|", " and "):
        if separator in cell:
            return _split(cell, separator)
    parts = _split(cell, ",")
    return [part.rstrip(".") for part in parts] if len(parts) > 1 and all(map(_INITIALS.match, parts)) else [cell]


def words_in(cell: str) -> list[str]:
    """Return the keywords of a cell; commas separate them only if nothing else does and there are several.

    >>> words_in("HIV; Hypertension, Pulmonary"), words_in("a, b, c"), words_in("Hypertension, Pulmonary")
    (['HIV', 'Hypertension, Pulmonary'], ['a', 'b', 'c'], ['Hypertension, Pulmonary'])
    """
    for separator in (";", "\n", "|"):
        if separator in cell:
            return _split(cell, separator)
    return _split(cell, ",") if cell.count(",") > 1 else [cell]


def _split(cell: str, separator: str) -> list[str]:
    return [found for part in cell.split(separator) if (found := part.strip())]
