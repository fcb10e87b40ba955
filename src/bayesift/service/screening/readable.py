"""Titles and abstracts as people read them: without the markup of publishers, with the parts of an abstract apart."""

from __future__ import annotations

import re
from html import unescape

INLINE = re.compile(
    r"</?(?:i|b|em|strong|sub|sup|u|sc|italic|bold|jats:(?!p|sec|title)\w+)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
BLOCK = re.compile(r"</?(?:p|br|div|sec|title|jats:(?:p|sec|title))(?:\s[^<>]*)?/?>", re.IGNORECASE)
HEADINGS = (
    "background|introduction|aims?|objectives?|purpose|importance|design|settings?|participants|patients|interventions?|"
    "methods?|materials and methods|main outcomes? and measures|measurements|results?|findings|limitations|discussion|"
    "conclusions?|interpretation|relevance|funding|trial registration"
)
PART = re.compile(rf"(?<=[.;?!\])])\s+(?=(?:{HEADINGS})s?(?: and (?:{HEADINGS}))?:\s)", re.IGNORECASE)

KINDS = {  # of RIS and BibTeX files
    "JOUR": "journal article", "EJOUR": "journal article", "ARTICLE": "journal article", "MGZN": "magazine article",
    "NEWS": "newspaper article", "CONF": "conference paper", "CPAPER": "conference paper", "ABST": "abstract",
    "INPROCEEDINGS": "conference paper", "CHAP": "book chapter", "INCOLLECTION": "book chapter", "BOOK": "book",
    "EBOOK": "book", "THES": "thesis", "PHDTHESIS": "thesis", "RPRT": "report", "TECHREPORT": "report",
    "UNPB": "unpublished", "ELEC": "web page", "WEB": "web page", "GEN": "", "MISC": "",
}  # fmt: skip


def readable(text: str) -> str:
    """Return a text without tags and entities that stand for formatting; other signs stay as they are.

    >>> readable("<i>E. coli</i> at p &lt; 0.05 <b")
    'E. coli at p < 0.05 <b'
    """
    return unescape(BLOCK.sub("\n", INLINE.sub("", text))).strip()


def abstract_of(text: str) -> str:
    """Return a readable abstract with each of its parts on a line of its own.

    >>> print(abstract_of("BACKGROUND: Statins. METHODS: A trial."))
    BACKGROUND: Statins.
    METHODS: A trial.
    """
    return PART.sub("\n", readable(text))


def kind_of(text: str) -> str:
    """Return the type of a publication in words; what is none of the usual abbreviations stays as it is.

    >>> kind_of("JOUR"), kind_of("Randomized Controlled Trial")
    ('journal article', 'Randomized Controlled Trial')
    """
    return KINDS.get(text.strip().upper(), text)
