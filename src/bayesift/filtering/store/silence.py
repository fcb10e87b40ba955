"""Topics that have fallen silent: they show nothing any more, and have shown nothing relevant so far.

A topic whose early questions found nothing may ask no others. It is silent if it is active, none of the documents that
it showed waits or was judged relevant, and `QUIET` documents came since its last event: a document shown or judged, new
words or settings. Early questions are about three documents in a thousand (`bars.EARLY_SHARE`), so a topic that still
asks them would have shown some.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from bayesift.filtering.store.recording import ACTIVE, ANSWERS, WAITING
from bayesift.filtering.store.schema import deliveries, events, topic_groups, topics

QUIET = 1000  # documents
SHOWN = ("delivered", "asked", "random")
REMEDY = "judge relevant documents that you know, best three or more, raise its balance, or add it again with examples"


class Silence(msgspec.Struct, frozen=True):
    """Since when a topic has shown nothing, and how many documents came since its last event."""

    since: str
    documents: int

    def sentence(self) -> str:
        """Return what to tell a reader.

        >>> Silence("2026-11-02T10:00:00.000Z", 1200).sentence()
        'nothing shown since 2026-11-02, and 1,200 documents came since its last change'
        """
        return f"nothing shown since {self.since[:10]}, and {self.documents:,} documents came since its last change"


def silent_topics(connection: sa.Connection) -> dict[int, Silence]:
    """Return the topics that have fallen silent, by their number."""
    d, e = deliveries.c, events.c
    shown = (d.topic == topics.c.number) & d.kind.in_(SHOWN)
    hopeful = sa.exists().where(shown, d.state.in_((WAITING, ANSWERS[True])))
    own = events.alias()
    last = sa.select(sa.func.max(own.c.number)).where(own.c.topic == topics.c.number).scalar_subquery()
    came = topic_groups.c.received - e.received
    query = (
        sa.select(topics.c.number, topics.c.added, sa.select(sa.func.max(d.time)).where(shown).scalar_subquery(), came)
        .join(topic_groups, topic_groups.c.number == topics.c.topic_group)
        .join(events, (e.topic_group == topics.c.topic_group) & (e.number == last))
        .where(topics.c.state == ACTIVE, came >= QUIET, ~hopeful)
    )
    return {number: Silence(time or added, n) for number, added, time, n in connection.execute(query)}
