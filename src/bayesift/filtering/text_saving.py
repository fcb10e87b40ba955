"""Saving and loading a `TextFilter`, exactly, as one model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.event_log import Log, checked_log
from bayesift.filtering.events import TopicAdded
from bayesift.filtering.kept_documents import KeptDocuments, SeenIds
from bayesift.filtering.later import Make, at_once
from bayesift.filtering.rows import Batch
from bayesift.filtering.saving import event_lines, events_of, filter_of, filter_state, kernel_of
from bayesift.filtering.stacked import stacked, unstacked
from bayesift.filtering.text_settings import TextSettings
from bayesift.filtering.text_state import Texts, TextState
from bayesift.filtering.topic_start import TopicStart
from bayesift.model_file import read_model, write_model
from bayesift.model_file.file import ALTERED
from bayesift.model_file.tensors import FOREIGN
from bayesift.text.meaning import Encoder
from bayesift.text.meaning.encoder import is_encoder, width_of
from bayesift.text.meaning.sources import CORPUS, encoder_of

if TYPE_CHECKING:
    from bayesift.filtering.text_filter import TextFilter

KIND = "TextFilter"
OTHER = "give a file of TextFilter.save; a workspace is opened by Workspace.open"
State = dict[str, Any]


class WrongEncoder(BadInput):
    """An encoder that a state does not fit to, or none where one is needed."""


def save(filter: TextFilter, path: str | Path) -> None:
    """Write a filter atomically."""
    training = {
        "documents": filter.n_documents,
        "judgements": {name: len(filter.topic(name).surviving) for name in filter.topics},
        "settings": _settings(filter.settings),
    }
    write_model(path, filter.state(), {}, kind=KIND, labels=filter.topics, training=training)


def load(path: str | Path, log: Log | None, encoder: Encoder | None = None) -> TextFilter:
    """Read a filter."""
    from bayesift.filtering.text_filter import TextFilter

    checked_log(log)
    try:
        saved = read_model(path, {}, kind=KIND)
    except BayesiftError as error:
        remedy = OTHER if error.remedy == FOREIGN else error.remedy
        raise type(error)(error.reason, path=path, remedy=remedy) from error
    try:
        filter = TextFilter.from_state(saved.model, log, encoder=encoder)
        filter._state.stream.refresh()
        return filter
    except WrongEncoder as error:
        raise BadInput(error.reason, path=path, remedy=error.remedy) from error
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        reason = error.reason if isinstance(error, BadInput) else f"{type(error).__name__} {error}"
        raise BadInput(f"does not fit together: {reason}", path=path, remedy=ALTERED) from error


def state_of(state: TextState, make: Make = at_once) -> State:
    """Return a state as nested arrays, numbers and strings; without the documents if others keep them.

    `make` makes the parts that never change (see `later`).
    """
    return {
        "settings": _settings(state.settings),
        "vectorizer": state.terms.vectorizer.state(),
        "stream": filter_state(state.stream, make),
        "starts": make(stacked, [make(_start_state, state.starts[topic.name]) for topic in state.stream.topics]),
        "documents": state.documents.state() if isinstance(state.documents, KeptDocuments) else None,
        "ids": state.ids.state(),
        "undo": make(event_lines, [event for pair in state.undo.changes for event in pair], True),
    }


def restored(saved: Mapping[str, Any], documents: Texts | None, encoder: Encoder | None = None) -> TextState:
    """Return the state of what `state_of` returned; `encoder` takes the place of the one it had."""
    settings = TextSettings(**saved["settings"])
    state = TextState(settings, documents, _encoder_of(saved, encoder))
    state.terms.vectorizer.restore(saved["vectorizer"])
    stream = {**saved["stream"], "topics": unstacked(saved["stream"]["topics"])}
    names = [topic["name"] for topic in stream["topics"]]
    state.starts = dict(zip(names, map(_start_of, unstacked(saved["starts"])), strict=True))
    learning, shared = settings.profile(), kernel_of(stream)
    profiles = [start.empty_profile(name, learning, shared) for name, start in state.starts.items()]
    state.stream = filter_of(stream, None, profiles)
    if documents is None and saved["documents"] is not None:
        state.documents = KeptDocuments.restored(saved["documents"])
    state.ids = SeenIds(saved["ids"])
    events = events_of(saved["undo"])
    state.undo.changes = list(zip(events[::2], events[1::2], strict=True))  # type: ignore[arg-type]
    return state


def _encoder_of(saved: Mapping[str, Any], given: Encoder | None) -> Encoder | None:
    """Return the encoder of a state; raise WrongEncoder if it needs another one than is given."""
    name, width = saved["settings"].get("meaning", CORPUS), saved["stream"].get("encoded", 0)
    if given is not None:
        if name == CORPUS:
            raise WrongEncoder("the filter has no encoder", remedy="load it without one")
        if not is_encoder(given):
            raise WrongEncoder(f"encoder is {given!r}", remedy="give an object with encode(texts)")
    try:
        encoder = encoder_of(name) if given is None else given
        found = width if encoder is None else width_of(encoder)
    except BayesiftError as error:
        raise WrongEncoder(error.reason, remedy=error.remedy) from error
    except Exception as error:  # whatever an encoder of the user's raises
        raise WrongEncoder(f"the encoder failed: {type(error).__name__}: {error}", remedy="check it") from error
    if found != width:
        what = f"the encoder returned vectors of {found} numbers, before they had {width}"
        raise WrongEncoder(what, remedy="give the encoder that the filter was made with")
    return encoder


def _settings(settings: TextSettings) -> State:
    """Return settings as they are saved; versions without encoders read those of filters without one."""
    return {name: value for name, value in asdict(settings).items() if (name, value) != ("meaning", CORPUS)}


def _start_state(start: TopicStart) -> State:
    statement = () if start.statement is None else (start.statement,)
    return {
        "added": event_lines([start.added]),
        "columns": list(start.columns),
        "counts": [len(statement), len(start.examples)],
        "rows": Batch.of([*statement, *start.examples, *start.unlike]).state(),
    }


def _start_of(saved: State) -> TopicStart:
    (added,) = events_of(saved["added"])
    if not isinstance(added, TopicAdded):
        raise BadInput("a topic has no start")
    rows, (first, examples) = Batch.restored(saved["rows"]).rows, saved["counts"]
    statement, last = rows[0] if first else None, first + examples
    return TopicStart(added, tuple(saved["columns"]), statement, tuple(rows[first:last]), tuple(rows[last:]))
