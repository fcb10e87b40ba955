"""Reasons why two records that look like duplicates may be two works, so that a person should decide.

A correction has the title of the article that it corrects, the parts of a series differ by a number, and a preprint or
a conference abstract may say something else than the article that came of it.
"""

from __future__ import annotations

import re

from bayesift.filtering.screening.records.identify import plain_title
from bayesift.filtering.screening.records.record import Record

_NOTICE = re.compile(
    r"\b(correction|erratum|errata|corrigend\w+|addendum|retract\w+|withdrawn|withdrawal|expression of concern|"
    r"comment\w*|repl(?:y|ies)|response to|letter|editorial|protocol|study design|author s? ?reply)\b"
)
_NUMBER = re.compile(r"\b(\d+(?:\.\d+)?|[ivx]{1,5}|one|two|three|four|five|first|second|third|fourth|fifth)\b")
_PREPRINT_DOI = re.compile(
    r"10\.(?:1101|21203/rs|2139/ssrn|48550/arxiv|20944/preprints|31234|31219|26434|22541|36227|12688|31235)\b"
)
_PREPRINT = re.compile(r"(?:med|bio|ar|chem|psy|soc|tech)\s?rxiv|preprint|research square|ssrn", re.IGNORECASE)

_TALK = re.compile(r"conf|cpaper|proceeding|meeting|abst\b", re.IGNORECASE)


def caution_of(a: Record, b: Record, title: float, part: float) -> str:
    """Return why the two may be two works, or "" if nothing says so.

    Parameters
    ----------
    title : similarity of the titles.
    part : share of the shorter of the texts that both have.

    >>> caution_of(Record("1", "Rain, part I"), Record("2", "Rain, part II"), 0.8, 0.8)
    'numbers in the titles differ'
    """
    checks = (
        ("one is a correction, comment or protocol", _notices(a) != _notices(b)),
        ("numbers in the titles differ", bool(a.title and b.title) and _numbers(a) != _numbers(b)),
        ("one is a preprint", _is_preprint(a) != _is_preprint(b)),
        ("one is a conference abstract", bool(a.kind and b.kind) and _is_talk(a) != _is_talk(b)),
        ("DOIs differ", bool(a.doi and b.doi) and a.doi != b.doi),
        ("PubMed numbers differ", bool(a.pmid and b.pmid) and a.pmid != b.pmid),
        ("titles differ", bool(a.title and b.title) and title < 0.6),
        ("abstracts differ", bool(a.abstract and b.abstract) and part < 0.5),
        ("years differ", a.year is not None and b.year is not None and abs(a.year - b.year) > 1),
        ("authors differ", _authors_differ(a, b)),
    )
    return "; ".join(why for why, applies in checks if applies)


def _notices(record: Record) -> set[str]:
    return set(_NOTICE.findall(plain_title(record.title)))


def _numbers(record: Record) -> list[str]:
    return _NUMBER.findall(plain_title(record.title))


def _is_preprint(record: Record) -> bool:
    return bool(_PREPRINT_DOI.match(record.doi) or _PREPRINT.search(f"{record.journal} {record.kind}"))


def _is_talk(record: Record) -> bool:
    return bool(_TALK.search(record.kind))


def _authors_differ(a: Record, b: Record) -> bool:
    """Return whether the names of the authors have no word in common.

    Which word of a name is the surname depends on the database, so all are compared; initials, and other words of one
    or two letters, only where one of the records has no longer ones (Li, X.).
    """
    names = [{word for name in record.authors for word in plain_title(name).split()} for record in (a, b)]
    for least in (3, 2, 1):
        ours, theirs = ({word for word in words if len(word) >= least} for words in names)
        if ours and theirs:
            return not ours & theirs
    return False
