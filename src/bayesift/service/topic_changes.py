"""What people changed of a topic, in words: names, pauses, settings, words, and answers that no longer count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import sqlalchemy as sa

from bayesift.filtering.events import (
    Changed,
    Event,
    Judged,
    TopicAdded,
    TopicPaused,
    TopicRemoved,
    TopicRenamed,
    TopicResumed,
    TopicSet,
    Withdrawn,
    WordsEdited,
)
from bayesift.filtering.store.documents import titles
from bayesift.filtering.store.listings import newest_changes
from bayesift.service.views import FORBIDDEN_SD

LISTED = 12  # words that are named


class TopicChange(NamedTuple):
    """One change of a topic: its number, what it was, who made it, and when."""

    number: int
    text: str
    who: str | None
    time: str


def changes_of(connection: sa.Connection, topic: int, before: int | None, limit: int) -> list[TopicChange]:
    """Return changes of a topic, the newest first; those before a number, to continue a list."""
    found = newest_changes(connection, topic, before, limit)
    ids = [one.event.document for one in found if isinstance(one.event, Judged | Changed | Withdrawn)]
    known = titles(connection, ids)
    return [
        TopicChange(one.number, text_of(one.event, known), one.event.who, one.event.time or one.time) for one in found
    ]


def text_of(event: Event, titles: dict[str, str]) -> str:
    """Return a change in words, with the titles of documents by id.

    >>> text_of(TopicSet("grain", per_day=7), {})
    'set 7 documents per day and the balance of the filter'
    >>> text_of(WordsEdited("grain", {"wheat": (1.5, 0.5), "oil": (0.0, 0.001)}), {})
    'set the words wheat +1.5, oil forbidden'
    >>> text_of(Withdrawn("grain", "d1", undo=True), {"d1": "Harvest"})
    'by undo: withdrew the answer about Harvest'
    """
    document = getattr(event, "document", "")
    text = _TEXTS[type(event)](event, titles.get(document) or document)
    return f"by undo: {text}" if event.undo else text


def _words(event: WordsEdited, _: str) -> str:
    if not event.words:
        return "removed the words"
    listed = [
        f"{word} forbidden" if sd <= FORBIDDEN_SD else f"{word} {mean:+g}" for word, (mean, sd) in event.words.items()
    ]
    more = f" and {len(listed) - LISTED} more" if len(listed) > LISTED else ""
    return f"set the words {', '.join(listed[:LISTED])}{more}"


def _settings(event: TopicSet, _: str) -> str:
    days = "the documents per day of the filter" if event.per_day is None else f"{event.per_day} documents per day"
    balance = "the balance of the filter" if event.balance is None else f"balance {event.balance:g}"
    return f"set {days} and {balance}"


def _answer(relevant: bool) -> str:
    return "relevant" if relevant else "not relevant"


_TEXTS: dict[type, Callable[[Any, str], str]] = {
    TopicAdded: lambda event, _: f"added {event.topic}",
    TopicRenamed: lambda event, _: f"renamed {event.topic} to {event.name}",
    TopicPaused: lambda event, _: "paused the topic",
    TopicResumed: lambda event, _: "resumed the topic",
    TopicRemoved: lambda event, _: "removed the topic",
    TopicSet: _settings,
    WordsEdited: _words,
    Judged: lambda event, title: f"judged {title} {_answer(event.relevant)}",
    Changed: lambda event, title: f"changed the answer about {title} to {_answer(event.relevant)}",
    Withdrawn: lambda event, title: f"withdrew the answer about {title}",
}
