"""Label Studio: a machine learning backend for text classification projects, as routes of our service.

The choices of a project are topics of the workspace. Connecting the project adds those that are missing, each from the
words of its name. A task is a document; `/predict` returns the choices that a topic finds probable, and as score the
expected information gain of the answers, in bits, so that sorting by score shows first what teaches most. `/webhook`
turns annotations into judgements: a choice that was made is relevant to its topic, the others are not. A changed
annotation changes the judgements, a deleted one withdraws them.

Requests are those of Label Studio 1.x with its SDK 2.x (`ml/api_connector.py`, `webhooks/models.py`).

There are two versions of the model. `/setup` returns one that changes with each judgement: Label Studio asks again for
predictions if it is new. Predictions carry `NAME`: the data manager shows and sorts by the scores of those predictions
only whose version is that of the project, which is the name that the backend was given when it was connected.
"""

from __future__ import annotations

import base64
import binascii
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from bayesift import __version__
from bayesift.corpora import Document
from bayesift.errors import BadInput
from bayesift.filtering.topic_start import check_name
from bayesift.service.access import check_origin, person_of
from bayesift.service.desk import Desk
from bayesift.service.pages.common import TheDesk
from bayesift.service.people import Person, Role

router = APIRouter(prefix="/label-studio", include_in_schema=False)
NAME = "bayesift"  # version of every prediction
LARGEST = 200_000  # characters of a labelling configuration
REMEDY = "use <Text> with <Choices toName=...>: the template Text Classification"


class Choices(NamedTuple):
    """What a project asks: the names of its two tags, the field of a task that is its text, and the choices.

    Choices are topics by their names without spaces around them; a prediction has them as the project writes them.
    """

    from_name: str
    to_name: str
    field: str
    values: dict[str, str]
    single: bool


class Setup(BaseModel):
    """A project that connects."""

    project: str
    label_config: str = Field(alias="schema", max_length=LARGEST)
    model_config = ConfigDict(extra="ignore")


class Predict(BaseModel):
    """Tasks to predict."""

    tasks: list[dict[str, Any]] = Field(max_length=10_000)
    label_config: str = Field(max_length=LARGEST)
    model_config = ConfigDict(extra="ignore")


def allowed(role: Role) -> Any:
    """Return a dependency: who asks, by session, token, or a token as the password of basic authentication."""

    def check(request: Request) -> Person:
        check_origin(request)
        person = person_of(request) or _by_password(request)
        if person is None:
            raise HTTPException(401, "Give the token of an account as password.", {"WWW-Authenticate": "Basic"})
        if not person.may(role):
            raise HTTPException(403, f"This needs the role {role}; you are a {person.role}.")
        return person

    return Depends(check)


Reader = Annotated[Person, allowed("reader")]
Reviewer = Annotated[Person, allowed("reviewer")]


def _by_password(request: Request) -> Person | None:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        _, _, token = base64.b64decode(given, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    found: Person | None = request.app.state.people.find(token)
    return found


@router.get("/health")
def health() -> dict[str, str]:
    """Return that the backend answers."""
    return {"status": "UP", "model_class": "bayesift"}


@router.post("/setup")
def setup(desk: TheDesk, person: Reviewer, asked: Setup) -> dict[str, str]:
    """Add the choices of a project that are no topics yet, and return the version of the model."""
    known = {topic.name for topic in desk.topics()}
    new = [name for name in choices_of(asked.label_config).values if name not in known]
    for name in new:  # before any is added
        _check_choice(desk, name)
    for name in new:
        desk.workspace.add_topic(name, about=name, who=person.name)
    return {"model_version": _version(desk)}


def _check_choice(desk: Desk, name: str) -> None:
    """Raise BadInput if a choice cannot be a topic."""
    check_name(name)
    try:
        desk.workspace.preview((), about=name)
    except BadInput:
        raise BadInput(f"the choice {name!r} has no word that counts", remedy="name it by words") from None


@router.post("/predict")
def predict(desk: TheDesk, person: Reader, asked: Predict) -> dict[str, Any]:
    """Return the choices of each task, with the expected information gain of its answers as score."""
    asks = choices_of(asked.label_config)
    known = {topic.name for topic in desk.topics()}
    topics = [name for name in asks.values if name in known]
    return {"results": [_predicted(desk, asks, topics, task) for task in asked.tasks]}


@router.post("/webhook")
async def webhook(request: Request, desk: TheDesk, person: Reviewer) -> dict[str, Any]:
    """Learn from annotations that were created, changed or deleted; other news changes nothing."""
    try:
        news = await request.json()
    except ValueError:
        news = None
    if not isinstance(news, dict):
        raise BadInput("the request is not an object of JSON", remedy="send what Label Studio sends")
    judged = await run_in_threadpool(lambda: _learn(desk, person, news))
    return {"action": news.get("action"), "judgements": judged}


def choices_of(config: str) -> Choices:
    """Return the choices of a labelling configuration.

    Raises
    ------
    BadInput
        If it is not one of text classification.

    Examples
    --------
    >>> choices_of('<View><Text name="t" value="$body"/><Choices name="c" toName="t" choice="multiple">'
    ...            '<Choice value="grain"/><Choice value="Oil" alias="crude"/></Choices></View>')
    Choices(from_name='c', to_name='t', field='body', values={'grain': 'grain', 'crude': 'crude'}, single=False)
    """
    if "<!DOCTYPE" in config.upper() or "<!ENTITY" in config.upper():
        raise BadInput("the labelling configuration declares entities", remedy=REMEDY)
    try:
        root = ET.fromstring(config)
    except ET.ParseError as error:
        raise BadInput(f"the labelling configuration is not XML: {error}", remedy=REMEDY) from None
    texts = {tag.get("name"): tag.get("value", "") for tag in root.iter() if tag.tag in ("Text", "HyperText")}
    for tag in root.iter("Choices"):
        to_name = tag.get("toName", "")
        written = [str(c.get("alias") or c.get("value", "")) for c in tag.iter("Choice")]
        values = {choice.strip(): choice for choice in written}
        if to_name in texts and values and all(values):
            single = tag.get("choice", "single").startswith("single")
            return Choices(tag.get("name", ""), to_name, texts[to_name].lstrip("$"), values, single)
    raise BadInput("the project does not classify texts", remedy=REMEDY)


def _version(desk: Desk) -> str:
    """Return a version of the model that changes with each judgement, so that predictions are asked for again."""
    judged = sum(topic.relevant + topic.irrelevant for topic in desk.workspace.status().topics)
    return f"bayesift {__version__}, {judged} judgements"


def _predicted(desk: Desk, asks: Choices, topics: list[str], task: dict[str, Any]) -> dict[str, Any]:
    document = Document(str(task.get("id", "task")), body=_text(task, asks.field))
    with desk.together():
        items = [desk.workspace.explain(name, document) for name in topics]
    best = max(items, key=lambda item: item.probability, default=None)
    given = ([best] if best else []) if asks.single else [item for item in items if item.probability > 0.5]
    value = {"choices": [asks.values[item.topic] for item in given]}
    result = {"from_name": asks.from_name, "to_name": asks.to_name, "type": "choices", "value": value}
    sure = max((item.probability for item in given), default=0.0)
    return {
        "result": [result | {"score": sure}] if given else [],
        "score": sum(max(item.gain, 0.0) for item in items),
        "model_version": NAME,
    }


def _text(task: dict[str, Any], field: str) -> str:
    data = task.get("data")
    text = data.get(field) if isinstance(data, dict) else None
    if not isinstance(text, str):
        raise BadInput(f"task {task.get('id')} has no text {field!r}", remedy="import tasks with this field")
    return text


def _learn(desk: Desk, person: Person, news: dict[str, Any]) -> int:
    """Judge, change or withdraw as an action says, and return the number of judgements."""
    action, project = news.get("action"), news.get("project") or {}
    if action in ("ANNOTATION_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_CREATED"):
        asks = choices_of(str(project.get("label_config", "")))
        return sum(_judge(desk, person, asks, project, *pair) for pair in _annotated(news))
    if action == "ANNOTATIONS_DELETED":
        return sum(_withdraw(desk, person, project, annotation) for annotation in news.get("annotations") or ())
    return 0


def _annotated(news: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield annotations and their tasks: one of each, or lists of equal length."""
    annotations, tasks = (v if isinstance(v := news.get(key) or [], list) else [v] for key in ("annotation", "task"))
    yield from zip(annotations, tasks)


def _judge(
    desk: Desk, person: Person, asks: Choices, project: dict[str, Any], annotation: dict[str, Any],
    task: dict[str, Any],
) -> int:  # fmt: skip
    chosen = _chosen(annotation, asks)
    if chosen is None:
        return 0
    document = Document(f"label-studio/{project.get('id')}/{task.get('id')}", body=_text(task, asks.field))
    who = f"Label Studio user {annotation.get('completed_by')}, by {person.name}"
    recorded: dict[str, Any] = {"who": who, "note": _note(project, annotation)}
    topics = [topic for topic in desk.topics() if topic.name in asks.values]
    for topic in topics:
        relevant, before = topic.name in chosen, desk.answer(topic, document.id)
        if before is None:
            desk.workspace.judge(topic.name, document.id, relevant, text=document, source="imported", **recorded)
        elif before != relevant:
            desk.workspace.change(topic.name, document.id, relevant, **recorded)
        desk.changes.publish("judged", topic=topic.name, document=document.id, relevant=relevant)
    return len(topics)


def _chosen(annotation: dict[str, Any], asks: Choices) -> set[str] | None:
    """Return the choices that an annotation makes; None if the task was skipped."""
    if annotation.get("was_cancelled"):
        return None
    parts = [part for part in annotation.get("result") or () if part.get("from_name") == asks.from_name]
    return {str(value).strip() for part in parts for value in (part.get("value") or {}).get("choices") or ()}


def _withdraw(desk: Desk, person: Person, project: dict[str, Any], annotation: dict[str, Any]) -> int:
    """Withdraw the judgements that an annotation gave; Label Studio names a deleted one by its number alone."""
    note, count = _note(project, annotation), 0
    for topic in desk.topics():
        for event in desk.workspace.answers(topic.name):
            if event.note == note:
                desk.withdraw(topic, event.document, person)
                count += 1
    return count


def _note(project: dict[str, Any], annotation: dict[str, Any]) -> str:
    return f"annotation {annotation.get('id')} of project {project.get('id')}"
