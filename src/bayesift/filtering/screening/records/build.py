"""Build a record from its parts, as every reader does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bayesift.filtering.screening.records.given import from_tags
from bayesift.filtering.screening.records.identify import doi_of, one_line, plain_text, pmid_of, record_id, year_of
from bayesift.filtering.screening.records.record import Given, Record

NOTHING = "no title, abstract, DOI or PubMed number"


def build_record(
    parts: Mapping[str, Sequence[str]],
    fields: dict[str, tuple[str, ...]],
    given: Iterable[Given] | None,
    source: str,
    format: str,
    duplicate_of: str = "",
) -> Record:
    """Return the record of these parts.

    Parameters
    ----------
    parts : values by the names of `Record`'s parts, best first; empty ones are skipped.
    fields : as in the file.
    given : decisions; None if the file has none, so that keywords and tags are looked at.

    Raises
    ------
    ValueError
        If there is nothing to tell the record from others.
    """
    title, abstract = _text(parts, "title"), _text(parts, "abstract")
    links = [url for url in parts.get("url", ()) if "doi.org/" in url]
    doi = next((found for value in (*parts.get("doi", ()), *links) if (found := doi_of(value))), "")
    pmid = next((found for value in parts.get("pmid", ()) if (found := pmid_of(value))), "")
    if not (title or abstract or doi or pmid):
        raise ValueError(NOTHING)
    year = next((number for value in parts.get("year", ()) if (number := year_of(value))), None)
    authors, keywords = _all(parts, "authors"), _all(parts, "keywords")
    journal = _first(parts, "journal")
    return Record(
        record_id(title, abstract, ";".join(authors), str(year or ""), journal, doi, pmid),
        title,
        abstract,
        authors,
        year,
        journal,
        doi,
        pmid,
        keywords,
        _first(parts, "url"),
        _first(parts, "kind"),
        source,
        format,
        fields,
        from_tags((*parts.get("tags", ()), *keywords)) if given is None else tuple(given),
        duplicate_of,
    )


def _text(parts: Mapping[str, Sequence[str]], name: str) -> str:
    return next((found for value in parts.get(name, ()) if (found := plain_text(value))), "")


def _first(parts: Mapping[str, Sequence[str]], name: str) -> str:
    return next((found for value in parts.get(name, ()) if (found := one_line(value))), "")


def _all(parts: Mapping[str, Sequence[str]], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([found for value in parts.get(name, ()) if (found := one_line(value))]))
