"""Topics that are silent: nothing waits for an answer, and they showed nothing for a long time.

A topic whose questions found nothing may ask no others, also one that has found something before. It is silent if it is
active, no document waits for its answer, and `QUIET` documents came since its last event: a document shown or judged,
new words or settings. Early questions are about three documents in a thousand (`early_questions.EARLY_SHARE`), so a
topic that still asks them would have shown some. What a topic is about may also be rare, so the reader decides whether
it missed something.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from bayesift.filtering.store.recording import ACTIVE, WAITING
from bayesift.filtering.store.schema import deliveries, events, topic_groups, topics

QUIET = 1000  # documents
REMEDY = "raise its balance and judge what it brings, judge relevant documents that you know, or add it with examples"


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


def silent_names(connection: sa.Connection) -> dict[str, Silence]:
    """Return the topics that are silent, by their name, in the order in which they were added."""
    silent = silent_topics(connection)
    query = sa.select(topics.c.number, topics.c.name).where(topics.c.state == ACTIVE).order_by(topics.c.number)
    return {name: silent[number] for number, name in connection.execute(query) if number in silent} if silent else {}


def silent_topics(connection: sa.Connection) -> dict[int, Silence]:
    """Return the topics that are silent, by their number."""
    number, own = topics.c.number, events.alias()
    last = sa.select(sa.func.max(own.c.number)).where(own.c.topic == number).scalar_subquery()
    times = sa.select(own.c.time).where(own.c.topic == number, own.c.type == "shown")
    shown = times.order_by(own.c.number.desc()).limit(1).scalar_subquery()
    waits = sa.exists().where(deliveries.c.topic == number, deliveries.c.state == WAITING)
    came = topic_groups.c.received - events.c.received
    query = (
        sa.select(number, sa.func.coalesce(shown, topics.c.added), came)
        .join(topic_groups, topic_groups.c.number == topics.c.topic_group)
        .join(events, (events.c.topic_group == topics.c.topic_group) & (events.c.number == last))
        .where(topics.c.state == ACTIVE, came >= QUIET, ~waits)
    )
    return {number: Silence(since, n) for number, since, n in connection.execute(query)}
