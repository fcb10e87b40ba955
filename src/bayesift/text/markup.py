"""Plain text from HTML: tags and comments are removed, entities are decoded.

Only certain markup is removed, because much text contains < and &: a comment, a closing tag, an entity
that ends in a semicolon, and a tag that is closed somewhere, ends in "/>", or is of an HTML element that is often not
closed. "a < b and c > d", "x<y", "List<String>" and the ticker "<NAV>" are left alone. The time is proportional to the
length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

SINGLE = {  # elements that are often not closed
    "body", "br", "head", "hr", "html", "img", "input", "li", "link", "meta", "option", "p", "tbody", "td", "tfoot",
    "th", "thead", "tr", "wbr",
}  # fmt: skip
WITH_VALUE = {"a", "div", "font", "iframe", "script", "span", "table"}  # the same, if an attribute has a value
NAME = r"[a-z][\w.-]*+(?::[a-z][\w.-]*+)?"  # also of an XML name space, as jats:p
CLOSING = rf"</({NAME})"
MARKUP = re.compile(
    rf"""<!-- | <!doctype\b[^<>]*+> | <\?xml[^<>]*+> | <!\[cdata\[
    | {CLOSING}\s*+>
    | <(?P<element>{NAME})(?P<value>\s++[\w:.-]++\s*+=(?!=)[^<>]*+)?+[\s/]*+>
    | &(?:\w{{2,32}}|\#\d{{1,8}}|\#x[0-9a-f]{{1,7}});""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
CLOSED = re.compile(CLOSING, re.IGNORECASE | re.ASCII)
ENDS = {  # removed up to its end
    "<!--": re.compile("-->"),
    "script": re.compile(r"</script\s*+>", re.IGNORECASE),
    "style": re.compile(r"</style\s*+>", re.IGNORECASE),
}

Segment = tuple[int, int, str]  # begin and end in the text, and its plain text


def markup(text: str) -> Iterator[Segment]:
    """Yield the parts of a text that are markup, in order.

    >>> list(markup("caf&eacute;<br>"))
    [(3, 11, 'é'), (11, 15, ' ')]
    """
    ends = dict(ENDS)
    closed = {name.lower() for name in CLOSED.findall(text)} if "</" in text else set()
    at = 0
    less, ampersand = text.find("<"), text.find("&")  # the next of each; finding them is faster than a search
    while less >= 0 or ampersand >= 0:
        start = ampersand if less < 0 or 0 <= ampersand < less else less
        match = MARKUP.match(text, start) if start >= at else None
        if start == less:
            less = text.find("<", start + 1)
        else:
            ampersand = text.find("&", start + 1)
        if match is None:
            continue
        at, found = match.end(), match.group()
        if found[0] == "&":
            plain = unescape(found)
            if plain != found:
                yield match.start(), at, " " if plain.isspace() else plain
            continue
        kind = found if found == "<!--" else (match["element"] or "").lower()
        single = kind in SINGLE or found.endswith("/>") or (match["value"] and kind in WITH_VALUE)
        if match["element"] and not single and kind not in closed:
            continue
        if kind in ends:
            if end := ends[kind].search(text, at):
                at = end.end()
            else:
                del ends[kind]  # nor is there an end further on
                if kind == "<!--":
                    continue
        yield match.start(), at, " "


def strip_markup(text: str) -> str:
    """Return the plain text.

    >>> strip_markup("<p>Fish &amp; chips</p><script>if (a<b) c()</script>, x<y, a < b and c > d")
    ' Fish & chips  , x<y, a < b and c > d'
    """
    if "<" not in text and "&" not in text:
        return text
    parts: list[str] = []
    before = 0
    for begin, end, plain in markup(text):
        parts += (text[before:begin], plain)
        before = end
    return "".join(parts) + text[before:]


def places(text: str) -> list[tuple[int, int]]:
    """Return the begin and end in the text of each character of the plain text.

    >>> places("a&lt;b")
    [(0, 1), (1, 5), (5, 6)]
    """
    found = []
    before = 0
    for begin, end, plain in [*markup(text), (len(text), len(text), "")]:
        found += [(i, i + 1) for i in range(before, begin)] + [(begin, end)] * len(plain)
        before = end
    return found
