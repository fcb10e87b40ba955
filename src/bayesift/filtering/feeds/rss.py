"""Documents from the bytes of an RSS or Atom feed, parsed by feedparser, which gets bytes only and opens nothing."""

from __future__ import annotations

import calendar
import contextlib
import hashlib
import io
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

from bayesift.corpora import Document
from bayesift.errors import NotFound
from bayesift.filtering.feeds.limits import Entry, Limits, Say, SourceFailed, shortened
from bayesift.text.markup import strip_markup

ABSOLUTE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)  # an id such as https://..., tag:... or urn:...
FEEDS = ("application/rss+xml", "application/atom+xml")
END = re.compile(rb"</(?:\w+:)?(?:rss|rdf|feed)\s*>|<(?:\w+:)?(?:rss|rdf|feed)\b[^>]*/>", re.IGNORECASE)
HEAD = 1 << 16  # bytes of a page in which its feeds are looked for


def entries(body: bytes, url: str, content_type: str, limits: Limits, say: Say) -> Iterator[Entry]:
    """Yield the entries of a feed, oldest first, as documents.

    An entry's id is unique among all feeds: an id that has no scheme as it is written gets the feed's URL in front.

    Raises
    ------
    SourceFailed
        If the bytes are not a feed, or a part of one: an entry that is cut would be stored so for ever.
    """
    # Without content-location: relative ids would be resolved, and those of two feeds in one place become the same.
    headers = {"content-type": content_type}
    # Sanitising takes minutes for some megabytes of broken HTML; here HTML becomes plain text.
    parsed = parser()(io.BytesIO(body), response_headers=headers, sanitize_html=False, resolve_relative_uris=False)
    if not parsed.get("version") and not parsed.entries:
        raise _not_a_feed(body, url)
    if parsed.bozo and parsed.version.startswith(("rss", "atom")) and b"\0" not in body and not END.search(body):
        raise SourceFailed("the feed ends in the middle", path=url, remedy="it is read again when it is due")
    found = [entry for entry in (_entry(raw, url, limits, say) for raw in parsed.entries) if entry is not None]
    yield from sorted(found, key=lambda entry: entry.document.date or "")


def parser() -> Any:
    """Return feedparser's parse function; raise `NotFound` if the extra is not installed."""
    try:
        import feedparser
    except ImportError:
        raise NotFound("reading feeds needs feedparser", remedy="install it: pip install 'bayesift[feeds]'") from None
    return feedparser.parse


def _entry(raw: Any, url: str, limits: Limits, say: Say) -> Entry | None:
    """Return an entry, or None if it has no text."""
    title = plain(raw.get("title", ""))
    content = max((part.get("value", "") for part in raw.get("content", ())), key=len, default="")
    body = plain(content or raw.get("summary", ""))
    if not title and not body:
        return None
    link = _joined(url, raw.get("link", ""))
    given = raw.get("id") or link or hashlib.blake2b(f"{title}\n{body}".encode(), digest_size=8).hexdigest()
    id = given if ABSOLUTE.match(given) else f"{url}#{given}"
    return Entry(shortened(Document(id, title, body, date=_date(raw)), limits, say), link or None)


def _joined(url: str, link: str) -> str:
    """Return a link of a feed as an absolute URL; an empty text if there is none, or if it is invalid.

    >>> _joined("http://news.example/feed", "/1"), _joined("http://news.example/feed", "http://[")
    ('http://news.example/1', '')
    """
    try:
        return urljoin(url, link) if link else ""
    except ValueError:
        return ""


def plain(text: str) -> str:
    r"""Return HTML as plain text.

    >>> plain("<p>Corn &amp; wheat</p>\n<p>rose</p>")
    'Corn & wheat rose'
    """
    return " ".join(strip_markup(text).split())


def _date(raw: Any) -> str | None:
    """Return the date of an entry in ISO 8601; that of an entry in the future is the present."""
    moment = raw.get("published_parsed") or raw.get("updated_parsed")
    if moment is None:
        return None
    try:
        return datetime.fromtimestamp(min(calendar.timegm(moment), time.time()), UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return None


def _not_a_feed(body: bytes, url: str) -> SourceFailed:
    head = body[:HEAD].decode("utf-8", "replace")
    if not re.match(r"\s*(<!--.*?-->\s*)*<(!doctype html|html|head|body)", head, re.IGNORECASE | re.DOTALL):
        return SourceFailed("is not an RSS or Atom feed", path=url, remedy="check the address")
    page = _Page()
    with contextlib.suppress(AssertionError):  # a declaration that HTMLParser does not know: what came before it counts
        page.feed(head)
    feeds = [link for link in (_joined(url, given) for given in page.feeds) if link]
    remedy = f"its feed is {feeds[0]}" if feeds else "look for the address of its feed, or save it as text"
    return SourceFailed("is a web page, not a feed", path=url, remedy=remedy)


class _Page(HTMLParser):
    """Reader of the feeds that a web page names in its head."""

    def __init__(self) -> None:
        super().__init__()
        self.feeds: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and given.get("type", "").lower() in FEEDS and given.get("href"):
            self.feeds.append(given["href"])
