"""From a reader's answer to events: which vector is judged, how the reader came by the document, what was believed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from bayesift.corpora import Document
from bayesift.errors import BadInput
from bayesift.filtering.events import Event, Judged, Received, Source
from bayesift.filtering.incoming import document_of, id_of
from bayesift.filtering.outcomes import Outcome, outcome_of
from bayesift.filtering.rows import Row
from bayesift.filtering.text_state import TextState
from bayesift.filtering.topic import Topic

BELIEVED = ("source", "probability", "gain", "version", "chance")


def events_of_answer(state: TextState, answer: Judged, text: Any) -> Iterator[tuple[Event, Document | None]]:
    """Yield the events of an answer that has no vector yet; each must be applied before the next one is asked for.

    A text that never came along the stream is received first. Raises BadInput, before any event, if the topic or the
    document is unknown, or the answer contradicts an earlier one.
    """
    state.stream.settle()
    topic, document = state.topic(answer.topic), answer.document
    topic.check(answer)
    if answer.source not in (None, *get_args(Source)):
        raise BadInput(f"unknown source {answer.source!r}", remedy=f"sources are: {', '.join(get_args(Source))}")
    if document not in topic.waiting and text is not None and document not in state.ids:
        given = document_of(text, document)
        if not state.terms.has_words(given):
            raise _no_words(document)
        source = answer.source or "searched"
        yield Received(document, given.date, source=source, who=answer.who, time=answer.time), given
    row = row_of(state, topic, document, text)
    if not row.columns.size:
        raise _no_words(document)
    believed = _believed(topic, document, row) | ({"source": answer.source} if answer.source else {})
    yield msgspec.structs.replace(answer, columns=row.columns, weights=row.weights, **believed), None


def checked_id(document: Any) -> str:
    """Return the id of a document as text; raise BadInput if it cannot be one."""
    own = id_of(document)
    if not own:
        raise BadInput(f"{document!r} is not the id of a document", remedy="give a text or a number")
    return own


def row_of(state: TextState, topic: Topic, document: str, text: Any = None) -> Row:
    """Return the vector of a document: as it was shown or received, else of the text that is kept, or given."""
    if document in topic.waiting:
        return topic.waiting[document]
    if state.received[0] == document:
        return state.received[1]
    kept = state.documents.get(document)
    if kept is None and text is not None:
        kept = document_of(text, document)
    if kept is None:
        without = " has no text, or" if document in state.ids else " is unknown, or"
        raise BadInput(f"document {document!r}{without} came too long ago", remedy="give its text with the answer")
    return state.terms.row(kept)


def _no_words(document: str) -> BadInput:
    """Return the error of an answer about a document that says nothing."""
    return BadInput(f"document {document!r} has no words that count", remedy="judge documents that have some")


def seen_now(topic: Topic, document: str, row: Row) -> Outcome:
    """Return how a topic sees a document now; its kind is as it was shown."""
    outcome, event = outcome_of(topic.profile, document, row), topic.shown.get(document)
    return outcome if event is None else outcome.shown_as(event)


def _believed(topic: Topic, document: str, row: Row) -> dict[str, Any]:
    """Return what was believed of a document when it was shown, or what is believed now."""
    if (event := topic.shown.get(document)) is not None:
        return {name: getattr(event, name) for name in BELIEVED}
    outcome = outcome_of(topic.profile, document, row)
    return dict(zip(BELIEVED, ("searched", outcome.probability, outcome.gain, topic.version, 1.0)))
