"""An Atom feed of what was delivered to a topic, so that people can stay in their own reader."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

import sqlalchemy as sa

from bayesift.filtering.store.documents import COLUMNS, stored
from bayesift.filtering.store.schema import deliveries, documents
from bayesift.service.desk import Desk
from bayesift.service.queries import TopicRow
from bayesift.service.views import document_address, title_of, web_address

ENTRIES = 50
SUMMARY = 2000  # characters


def atom_feed(desk: Desk, topic: TopicRow, base: str) -> str:
    """Return the feed; `base` is the address of the service, with a slash at its end."""
    query = (
        sa.select(deliveries.c.time, deliveries.c.probability, *COLUMNS)
        .join(documents, documents.c.number == deliveries.c.document)
        .where(deliveries.c.topic == topic.number, deliveries.c.kind == "delivered")
        .order_by(deliveries.c.time.desc(), documents.c.number.desc())
        .limit(ENTRIES)
    )
    with desk.reading() as connection:
        rows = connection.execute(query).all()
    entries = []
    for time, probability, *columns in rows:
        document = stored(columns)
        page = f"{base.rstrip('/')}{document_address(document.id)}"
        said = "" if probability is None else f"probability {probability:.2f}\n"
        entries.append(
            f"<entry><id>{_clean(page)}</id><title>{_clean(title_of(document))}</title><updated>{_clean(time)}</updated>"
            f"<link href={quoteattr(_valid(web_address(document.url) or page))}/>"
            f"<summary>{_clean(said + document.body[:SUMMARY])}</summary></entry>"
        )
    here, updated = f"{base}topics/{topic.number}", rows[0].time if rows else "1970-01-01T00:00:00+00:00"
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>{_clean(here)}</id><title>{_clean(topic.name)}</title><updated>{_clean(updated)}</updated>"
        f'<author><name>bayesift</name></author><link rel="self" href={quoteattr(_valid(here + "/feed.atom"))}/>'
        f"{''.join(entries)}</feed>\n"
    )


def _clean(text: str) -> str:
    return escape(_valid(text))


def _valid(text: str) -> str:
    """Return a text without the characters that XML does not have.

    >>> _valid("a\\x00b\\ud800c\\n")
    'abc\\n'
    """
    return "".join(
        c for c in text if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c >= "\U00010000"
    )
