"""Topics: start, preview, change and remove them; their words, numbers, export and webhook."""

from __future__ import annotations

from typing import Any

from pydantic import Field, StrictBool

from bayesift.filtering.topic_start import MOST_NAME
from bayesift.service import queries, views
from bayesift.service.api.common import RequestBody, new_router
from bayesift.service.desk import Desk
from bayesift.service.forms import Admin, Number, Reader, Reviewer
from bayesift.service.pages.common import TheDesk, facts_of

router = new_router()


class StartIn(RequestBody):
    """What a topic starts from: a statement, words (mean and deviation of their weights), examples, or several."""

    name: str | None = Field(None, max_length=MOST_NAME)
    about: str | None = Field(None, max_length=5000)
    words: dict[str, tuple[float, float]] = Field(default_factory=dict)
    examples: list[str] = Field(default_factory=list, max_length=100)


class TopicIn(StartIn):
    """A new topic, from any of these, or from one that was exported."""

    name: str = Field(min_length=1, max_length=MOST_NAME)
    exported: dict[str, Any] | None = None


class TopicChange(RequestBody):
    """What to change of a topic."""

    name: str | None = Field(None, min_length=1, max_length=MOST_NAME)
    per_day: int | None = Field(None, ge=1, le=10_000)
    balance: float | None = Field(None, ge=0, le=1)
    paused: StrictBool | None = None


class WordsIn(RequestBody):
    """The words that a person sets for a topic, instead of those set before."""

    words: dict[str, tuple[float, float]]


class WebhookIn(RequestBody):
    """Where delivered documents of a topic are posted; None ends it."""

    address: str | None = Field(None, max_length=2000)


@router.get("/topics")
def list_topics(desk: TheDesk, person: Reader) -> dict[str, Any]:
    """Return all topics."""
    with desk.together():
        return {"topics": [_topic(desk, topic) for topic in desk.topics()]}


@router.post("/topics", status_code=201)
def add_topic(desk: TheDesk, person: Reviewer, topic: TopicIn) -> dict[str, Any]:
    """Add a topic."""
    name = topic.name.strip()
    start = topic.model_dump(exclude={"name"})
    desk.workspace.add_topic(name, who=person.name, **{key: value for key, value in start.items() if value})
    return _topic(desk, desk.topic(desk.number_of(name)))


@router.post("/topics/preview")
def preview_topic(desk: TheDesk, person: Reviewer, start: StartIn) -> dict[str, Any]:
    """Return the best stored documents for a topic that is not saved."""
    given = start.model_dump(exclude={"name"})
    best, looked = desk.preview(**{key: value for key, value in given.items() if value})
    return {"documents": [item.to_dict() | {"document": d.id} for item, d in best], "searched": looked}


@router.get("/topics/{number}")
def get_topic(desk: TheDesk, person: Reader, number: Number) -> dict[str, Any]:
    """Return a topic."""
    return _topic(desk, desk.topic(number))


@router.patch("/topics/{number}")
def change_topic(desk: TheDesk, person: Reviewer, number: Number, change: TopicChange) -> dict[str, Any]:
    """Rename, pause or resume a topic, or change what its reader wants: all that is given, or on an error nothing."""
    topic = desk.topic(number)
    new = None if change.name is None else change.name.strip()
    desk.workspace.change_topic(
        topic.name, new=new, per_day=change.per_day, balance=change.balance, paused=change.paused, who=person.name
    )
    return _topic(desk, desk.topic(number))


@router.delete("/topics/{number}", status_code=204)
def remove_topic(desk: TheDesk, person: Reviewer, number: Number) -> None:
    """Remove a topic; its events stay in the workspace."""
    desk.workspace.remove_topic(desk.topic(number).name, who=person.name)


@router.get("/topics/{number}/words")
def get_words(desk: TheDesk, person: Reader, number: Number) -> dict[str, Any]:
    """Return the words of a topic with weights, deviations, and what a person has set."""
    return {"words": views.words_view(desk, desk.topic(number).name)}


@router.put("/topics/{number}/words")
def set_words(desk: TheDesk, person: Reviewer, number: Number, given: WordsIn) -> dict[str, Any]:
    """Set words of a topic, as prior knowledge."""
    name = desk.topic(number).name
    desk.workspace.edit_words(name, given.words, who=person.name)
    return {"words": views.words_view(desk, name)}


@router.get("/topics/{number}/statistics")
def get_statistics(desk: TheDesk, person: Reader, number: Number) -> dict[str, Any]:
    """Return what was shown and judged on each of the last days."""
    return {"days": [day._asdict() for day in queries.all_days(desk.days(desk.topic(number)))]}


@router.get("/topics/{number}/export")
def export_topic(desk: TheDesk, person: Reader, number: Number) -> dict[str, Any]:
    """Return a topic as JSON, for `exported` of a new topic here or elsewhere."""
    return desk.workspace.export_topic(desk.topic(number).name)


@router.put("/topics/{number}/webhook")
def set_webhook(desk: TheDesk, person: Admin, number: Number, hook: WebhookIn) -> dict[str, Any]:
    """Set where delivered documents of a topic are posted."""
    topic = desk.topic(number)
    desk.set_webhook(topic, hook.address, person)
    return {"address": desk.webhook(topic).address}


@router.get("/topics/{number}/webhook")
def get_webhook(desk: TheDesk, person: Admin, number: Number) -> dict[str, Any]:
    """Return where delivered documents of a topic are posted, without user name and password, and the last error."""
    return desk.webhook(desk.topic(number))._asdict()


def _topic(desk: Desk, topic: queries.TopicRow) -> dict[str, Any]:
    with desk.workspace.using(topic.name) as own:
        facts = facts_of(desk, topic, own)
    return {
        "number": topic.number, "name": topic.name, "about": facts.about, "paused": topic.paused,
        "waiting": facts.waiting, "per_day": facts.per_day, "balance": facts.balance,
    }  # fmt: skip
