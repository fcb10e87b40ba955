"""What a reader may want to know about a topic."""

from __future__ import annotations

from dataclasses import dataclass

from bayesift.filtering.text_settings import TextSettings
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_start import TopicStart


@dataclass(frozen=True)
class TopicInfo:
    """A topic as it is now.

    Attributes
    ----------
    name, about : str
        The name, and the statement (None if there is none).
    words : dict
        The words that were given, each with mean and standard deviation of its weight.
    examples : tuple of str
        The ids of the examples.
    paused : bool
        Whether it is shown nothing.
    per_day, balance : float
        Its own, or those of the filter.
    version : int
        Changes that it has learned.
    shown, asked, relevant, irrelevant, waiting : int
        Documents shown, asked about, judged relevant, judged not relevant, and waiting for an answer.
    """

    name: str
    about: str | None
    words: dict[str, tuple[float, float]]
    examples: tuple[str, ...]
    paused: bool
    per_day: float
    balance: float
    version: int
    shown: int
    asked: int
    relevant: int
    irrelevant: int
    waiting: int


def info_of(topic: Topic, start: TopicStart, settings: TextSettings) -> TopicInfo:
    """Return what is known about a topic."""
    counters, added = topic.profile.counters, start.added
    return TopicInfo(
        topic.name, added.about, dict(added.words), tuple(example.id for example in added.examples), topic.paused,
        settings.per_day if topic.per_day is None else topic.per_day,
        settings.balance if topic.balance is None else topic.balance,
        topic.version, counters.shown, counters.asked, counters.relevant, counters.irrelevant, len(topic.waiting),
    )  # fmt: skip
