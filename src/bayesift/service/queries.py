"""What pages and API read from the tables of a workspace. Lists go on by keys, never by offsets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from scipy.special import betaincinv

from bayesift.filtering.items import beginning
from bayesift.filtering.store import one_row
from bayesift.filtering.store.documents import StoredDocument, find_all
from bayesift.filtering.store.listings import Answered, newest_answers
from bayesift.filtering.store.recording import ANSWERS, REMOVED, WAITING
from bayesift.filtering.store.schema import deliveries, opinions, topics

DAYS = 28  # of precision and volume
WIDTH = 0.9  # of intervals
ANSWERED = tuple(ANSWERS.values())
QUESTIONS = ("asked", "random")  # kinds of deliveries


class TopicRow(NamedTuple):
    """A topic of the table."""

    number: int
    name: str
    paused: bool


class Precision(NamedTuple):
    """The share of relevant documents among those judged, with an interval."""

    share: float
    low: float
    high: float
    judged: int


class Day(NamedTuple):
    """What the filter showed to one topic on one day (delivered or asked), and what became of it."""

    day: str
    delivered: int
    asked: int
    relevant: int
    irrelevant: int


class Question(NamedTuple):
    """Questions of one day, kind and state."""

    day: str
    kind: str
    state: str
    documents: int
    bits: float


class Judgement(NamedTuple):
    """An answer of the history."""

    number: int
    document: str
    title: str
    relevant: bool
    source: str | None
    probability: float | None
    who: str | None
    time: str


class Agreement(NamedTuple):
    """How two people judged the same documents."""

    pair: str
    documents: int
    agree: float
    kappa: float


def all_topics(connection: sa.Connection) -> list[TopicRow]:
    """Return the topics, in the order in which they were added."""
    query = sa.select(topics).where(topics.c.state != REMOVED).order_by(topics.c.number)
    return [TopicRow(t.number, t.name, t.state == "paused") for t in connection.execute(query)]


def topic_of(connection: sa.Connection, number: int) -> TopicRow | None:
    """Return a topic by its number, or None."""
    found = connection.execute(_TOPIC, {"number": number}).first()
    return None if found is None else TopicRow(found.number, found.name, found.state == "paused")


def waiting_count(connection: sa.Connection, topic: int) -> int:
    """Return how many documents wait for an answer of a topic."""
    return int(connection.execute(_WAIT, {"topic": topic}).scalar_one())


def days_of(connection: sa.Connection, of: Sequence[int], days: int = DAYS) -> dict[int, list[Day]]:
    """Return what topics were shown on each of the last days, by topic; a day without anything is missing.

    Documents that a reader found by search, or that came with their answer, were not shown by the filter.
    """
    since = (datetime.now(UTC).date() - timedelta(days=days - 1)).isoformat()
    found: dict[int, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for number, when, kind, state, count in one_row.rows(connection, _DAYS, topics=of, since=since):
        cell = found[number][when]
        cell["delivered" if kind == "delivered" else "asked"] += count
        if state in ANSWERED:
            cell[state] += count
    return {
        number: [Day(w, c["delivered"], c["asked"], c["relevant"], c["irrelevant"]) for w, c in sorted(its.items())]
        for number, its in found.items()
    }


_TOPIC = sa.select(topics).where(topics.c.number == sa.bindparam("number"), topics.c.state != REMOVED)
_WAIT = (  # these are made once: it takes longer than the queries
    sa.select(sa.func.count())
    .select_from(deliveries)
    .where(deliveries.c.topic == sa.bindparam("topic"), deliveries.c.state == WAITING)
)
_DAY = sa.func.substr(deliveries.c.time, 1, 10).label("day")
_DAYS = (
    sa.select(deliveries.c.topic, _DAY, deliveries.c.kind, deliveries.c.state, sa.func.count().label("documents"))
    .where(deliveries.c.topic.in_(sa.bindparam("topics", expanding=True)))
    .where(deliveries.c.time >= sa.bindparam("since"), deliveries.c.kind.in_(("delivered", *QUESTIONS)))
    .group_by(deliveries.c.topic, _DAY, deliveries.c.kind, deliveries.c.state)
)


def all_days(of: Sequence[Day], days: int = DAYS) -> list[Day]:
    """Return one entry per day, with those on which nothing happened."""
    known, today = {day.day: day for day in of}, datetime.now(UTC).date()
    dates = ((today - timedelta(days=k)).isoformat() for k in range(days - 1, -1, -1))
    return [known.get(when, Day(when, 0, 0, 0, 0)) for when in dates]


def today_of(of: Sequence[Day]) -> Day:
    """Return what was shown today."""
    today = date.fromisoformat(datetime.now(UTC).date().isoformat()).isoformat()
    return next((day for day in of if day.day == today), Day(today, 0, 0, 0, 0))


def precision_of(relevant: int, judged: int) -> Precision | None:
    """Return a share with its interval (Jeffreys), or None if nothing was judged.

    >>> [round(float(x), 2) for x in precision_of(8, 10)]
    [0.8, 0.55, 0.94, 10.0]
    """
    if not judged:
        return None
    a, b, tail = relevant + 0.5, judged - relevant + 0.5, (1 - WIDTH) / 2
    return Precision(relevant / judged, float(betaincinv(a, b, tail)), float(betaincinv(a, b, 1 - tail)), judged)


def questions_of(connection: sa.Connection, topic: int, days: int = DAYS) -> list[Question]:
    """Return the questions of the last days, with the bits that their answers were expected to teach."""
    since = (datetime.now(UTC).date() - timedelta(days=days - 1)).isoformat()
    day = sa.func.substr(deliveries.c.time, 1, 10).label("day")
    query = sa.select(day, deliveries.c.kind, deliveries.c.state, sa.func.count(), sa.func.sum(deliveries.c.gain))
    query = query.where(
        deliveries.c.topic == topic, deliveries.c.kind.in_(QUESTIONS), deliveries.c.time >= since
    )
    rows = connection.execute(query.group_by(day, deliveries.c.kind, deliveries.c.state).order_by(day))
    return [Question(when, kind, state, count, float(bits or 0.0)) for when, kind, state, count, bits in rows]


def states_of(connection: sa.Connection, topic: int, numbers: list[int]) -> dict[int, tuple[str, str]]:
    """Return (kind, state) of the documents that were shown to a topic, by the documents' numbers."""
    query = sa.select(deliveries.c.document, deliveries.c.kind, deliveries.c.state)
    query = query.where(deliveries.c.topic == topic, deliveries.c.document.in_(numbers))
    return {number: (kind, state) for number, kind, state in connection.execute(query)}


def states_by_topic(connection: sa.Connection, document: int) -> dict[int, tuple[str, str]]:
    """Return (kind, state) of a document for each topic that it was shown to, by the topics' numbers."""
    query = sa.select(deliveries.c.topic, deliveries.c.kind, deliveries.c.state)
    query = query.where(deliveries.c.document == document)
    return {number: (kind, state) for number, kind, state in connection.execute(query)}


def history(connection: sa.Connection, topic: int, before: int | None, limit: int) -> list[Judgement]:
    """Return the answers of a topic that count, the last first, with event numbers below `before`."""
    answers = newest_answers(connection, topic, before, limit)
    texts = {d.id: d for d in find_all(connection, [one.event.document for one in answers])}
    return [_judgement(one, texts[one.event.document]) for one in answers]


def _judgement(one: Answered, stored: StoredDocument) -> Judgement:
    event = one.event
    return Judgement(
        one.number, stored.id, beginning(stored.document()) or stored.id, event.relevant, event.source,
        event.probability, event.who, event.time or one.time,
    )  # fmt: skip


def judgements_by(connection: sa.Connection) -> dict[str, tuple[int, str]]:
    """Return the number and the time of the last of each person's judgements."""
    query = sa.select(opinions.c.person, sa.func.count(), sa.func.max(opinions.c.time)).group_by(opinions.c.person)
    return {person: (count, last) for person, count, last in connection.execute(query)}


def agreement(connection: sa.Connection) -> list[Agreement]:
    """Return how often pairs of people agree, with Cohen's kappa, for pairs with documents in common."""
    a, b = opinions.alias(), opinions.alias()
    query = (
        sa.select(a.c.person, b.c.person, a.c.relevant, b.c.relevant, sa.func.count())
        .where(a.c.topic == b.c.topic, a.c.document == b.c.document, a.c.person < b.c.person)
        .group_by(a.c.person, b.c.person, a.c.relevant, b.c.relevant)
    )
    pairs: dict[tuple[str, str], dict[tuple[bool, bool], int]] = defaultdict(dict)
    for one, other, x, y, count in connection.execute(query):
        pairs[one, other][bool(x), bool(y)] = count
    return [_agreement(f"{one} and {other}", cells) for (one, other), cells in sorted(pairs.items())]


def _agreement(pair: str, cells: dict[tuple[bool, bool], int]) -> Agreement:
    n = sum(cells.values())
    agree = (cells.get((True, True), 0) + cells.get((False, False), 0)) / n
    first = sum(count for (x, _), count in cells.items() if x) / n
    second = sum(count for (_, y), count in cells.items() if y) / n
    by_chance = first * second + (1 - first) * (1 - second)
    kappa = 1.0 if by_chance == 1.0 else (agree - by_chance) / (1 - by_chance)
    return Agreement(pair, n, agree, kappa)
