"""Normal forms of what identifies a record: DOI, PubMed number, title, year; and the record's own id."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from html import unescape

from bayesift.text.marks import limit_marks

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_PMID = re.compile(r"(pmid|pubmed|medline)?[:\s/]*0*([1-9]\d{0,7})(?:\.0)?(\s*\[pmid\])?", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_NOT_WORD = re.compile(r"[\W_]+")
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|title|sec|br|div)\b")
_MARKUP = re.compile(r"</?(?:jats:)?(?:p|i|b|u|em|sub|sup|strong|italic|bold|title|sec|br|span|div|scp)\b[^<>]{0,200}>")


def one_line(text: str) -> str:
    """Return the text with single spaces between words.

    >>> one_line(" Statins\\n in  HIV ")
    'Statins in HIV'
    """
    joined = " ".join(text.split())
    return text if joined == text else joined  # the same object, which the record's fields share


def plain_text(text: str) -> str:
    """Return a title or abstract on one line, without HTML's markup and entities.

    >>> plain_text("<jats:p>CD4<sup>+</sup> cells &amp; p < 0.05</jats:p>")
    'CD4+ cells & p < 0.05'
    """
    for _ in range(5):  # some databases escape twice
        before = text
        if "<" in text:
            text = _MARKUP.sub(_between, text)
        if "&" in text:
            text = unescape(text)
        text = one_line(text)
        if text == before:
            break
    return text


def _between(tag: re.Match[str]) -> str:
    return " " if _BLOCK.match(tag.group()) else ""


def doi_of(text: str) -> str:
    """Return the DOI within a text in lower case, or "".

    >>> doi_of("https://doi.org/10.1000/ABC.1"), doi_of("doi: 10.1000/abc.1."), doi_of("n/a")
    ('10.1000/abc.1', '10.1000/abc.1', '')
    """
    found = _DOI.search(text)
    return found.group().lower().rstrip(".,;") if found else ""


def pmid_of(text: str) -> str:
    """Return the number of a PubMed record, or "".

    >>> pmid_of("PMID: 0123"), pmid_of("123 [pmid]"), pmid_of("WOS:000123")
    ('123', '123', '')
    """
    found = _PMID.fullmatch(text.strip())
    return found.group(2) if found else ""


def marked_pmid(text: str) -> bool:
    """Return whether a text says of itself that it is a PubMed number; a bare number may be anything.

    >>> marked_pmid("PMID: 123"), marked_pmid("36152211")
    (True, False)
    """
    found = _PMID.fullmatch(text.strip())
    return found is not None and bool(found.group(1) or found.group(3))


def year_of(text: str) -> int | None:
    """Return the first year within a text, or None.

    >>> year_of("2019/05/01"), year_of("May 2019"), year_of("in press")
    (2019, 2019, None)
    """
    found = _YEAR.search(text)
    return int(found.group()) if found else None


def plain_title(title: str) -> str:
    """Return a title without case, accents and punctuation, for comparison.

    >>> plain_title("Déjà-vu: a review.")
    'deja vu a review'
    """
    if not title.isascii():
        title = "".join(c for c in unicodedata.normalize("NFKD", limit_marks(title)) if not unicodedata.combining(c))
    return _NOT_WORD.sub(" ", title.casefold()).strip()


def record_id(*parts: str) -> str:
    """Return 16 hexadecimal digits of the bibliographic data, the same in every file that has the same data.

    >>> record_id("Statins in HIV", "A trial.")
    '331f28132b2a2ab0'
    """
    joined = "\x1f".join(parts)
    return hashlib.blake2b(joined.encode("utf-8", "replace"), digest_size=8).hexdigest()
