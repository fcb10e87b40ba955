"""The state of a `TextFilter`, which changes through `apply` alone: same events and documents, same bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from bayesift.corpora import Document
from bayesift.errors import BadInput
from bayesift.filtering.events import (
    Answering,
    Changed,
    Event,
    Judged,
    Managing,
    Received,
    Shown,
    TopicAdded,
    TopicPaused,
    TopicRemoved,
    TopicRenamed,
    TopicResumed,
    TopicSet,
    Withdrawn,
    WordsEdited,
    judged,
)
from bayesift.filtering.filter import Filter
from bayesift.filtering.filter_topics import WITHOUT_WORDS
from bayesift.filtering.kept_documents import KeptDocuments, SeenIds
from bayesift.filtering.profile_settings import GP
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.rows import Floats, Row
from bayesift.filtering.stream_terms import StreamTerms
from bayesift.filtering.text_settings import TextSettings
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_start import TopicStart, texts_of
from bayesift.filtering.undo import Change, UndoStack, reversing
from bayesift.filtering.waiting_scores import WaitingScores
from bayesift.text.meaning import Encoder


class Texts(Protocol):
    """Where the texts of documents are kept."""

    def __contains__(self, id: object, /) -> bool: ...
    def __getitem__(self, id: str, /) -> Document: ...
    def get(self, id: str, /) -> Document | None:
        """Return a document, or None."""

    def keep(self, document: Document, /) -> None:
        """Keep a document that came."""

    def show(self, id: str, /) -> None:
        """Keep a document longer, since it was shown."""


class TextState:
    """Vocabulary, topics, documents and the last changes of a filter."""

    def __init__(
        self, settings: TextSettings, documents: Texts | None = None, encoder: Encoder | None = None
    ) -> None:
        self.settings = settings
        self.terms = StreamTerms(settings.language, encoder)
        self.stream = Filter([], settings.query(), seed=settings.seed, encoded=self.terms.encoded)
        self.starts: dict[str, TopicStart] = {}
        self.documents: Texts = KeptDocuments() if documents is None else documents
        self.ids = SeenIds()
        self.undo = UndoStack()
        self.scores = WaitingScores()  # copies only, not part of what is saved
        self.received: tuple[str, Row] = ("", Row.of({}))  # the last document and its vector

    def topic(self, name: str) -> Topic:
        """Return a topic by its name; raise BadInput if there is none."""
        return self.stream.topics[self.stream.find(name)]

    def profile(self, start: TopicStart, name: str) -> TopicProfile:
        """Return a profile of a start, and change nothing."""
        return start.profile(name, self.settings.profile(), self.stream.kernel)

    def unlike(self) -> list[Row]:
        """Return the documents that a new topic's examples are compared with; GP topics share theirs."""
        return [] if self.settings.profile().learner == GP else self.stream.background.rows

    def apply(self, event: Event, document: Document | None = None) -> None:
        """Change the state by one event; raise BadInput, and change nothing, if it does not fit.

        `document` is the document of a `Received` event.
        """
        self.prepared(event, document)()

    def prepared(
        self, event: Event, document: Document | None = None, row: Row | None = None
    ) -> Callable[[], None]:  # fmt: skip
        """Return what changes the state by one event; raise BadInput, and change nothing, if it does not fit.

        An encoder, which may fail, is asked here. `row` is the vector of a document that the vocabulary has learned.
        """
        if isinstance(event, Received):
            if document is None or document.id != event.document:
                remedy = "give all documents that came, also those whose texts were given to judge"
                raise BadInput(f"no text of document {event.document!r}", remedy=remedy)
            meaning = None if row is not None else self.terms.meanings([document])[0]
            return partial(self._receive, event, document, row, meaning)
        if isinstance(event, TopicAdded):
            self.stream.check_new(event.topic)
            return partial(self._add, event, self.terms.meanings(texts_of(event)))
        _CHECKS.get(type(event), TextState._check_topic)(self, event)
        if isinstance(event, Judged | Changed | Withdrawn | WordsEdited):
            return partial(self._change, event)
        return partial(_HANDLERS[type(event)], self, event)

    def show(self, events: Sequence[Shown]) -> None:
        """Apply that the document received last was shown to topics, each once."""
        document, row = self.received
        if events:
            self.stream.show(events, row)
            self.documents.show(document)

    def _check_topic(self, event: Answering | Managing) -> None:
        self.topic(event.topic)

    def _check_shown(self, event: Shown) -> None:
        if self.received[0] != event.document:
            raise BadInput(
                f"document {event.document!r} was shown but not received", remedy="the log is incomplete"
            )  # fmt: skip
        self.topic(event.topic)

    def _check_answer(self, event: Judged | Changed | Withdrawn) -> None:
        self.topic(event.topic).check(event)
        if isinstance(event, Judged) and event.columns.max(initial=-1) >= self.terms.n_columns:
            reason = f"the judgement of document {event.document!r} has words that the documents before do not have"
            remedy = "documents are missing, or another version of bayesift, which splits words differently, read them"
            raise BadInput(reason, remedy=remedy)

    def _check_words(self, event: WordsEdited) -> None:
        self.topic(event.topic)
        self.starts[event.topic].check_edit(event.words)

    def _check_name(self, event: TopicRenamed) -> None:
        self.topic(event.topic)
        self.stream.check_new(event.name)

    def _receive(self, event: Received, document: Document, row: Row | None, meaning: Floats | None) -> None:
        row = self.terms.learn(document, meaning) if row is None else row
        self.received = event.document, row
        self.ids.add(event.document)
        self.documents.keep(document)
        if event.source is not None:  # to be judged only
            return
        self.stream.receive(event.document, row, event.date, event.arrived)
        if not row.columns.size:
            self.stream.report(WITHOUT_WORDS, f"document {event.document!r} has no text, or no word that counts")

    def _change(self, event: Change) -> None:
        reverse = reversing(event, self.topic(event.topic), self.starts[event.topic].added.words)
        _HANDLERS[type(event)](self, event)
        if event.undo:
            self.undo.reversed_by(event)
        else:
            self.undo.push(event, reverse)

    def _show(self, event: Shown) -> None:
        self.show([event])

    def _answer(self, event: Judged | Changed | Withdrawn) -> None:
        self.stream.apply(event)

    def _edit(self, event: WordsEdited) -> None:
        start = self.starts[event.topic].edited(event.words, self.terms)
        self.stream.restart(event.topic, self.profile(start, event.topic))
        self.starts[event.topic] = start

    def _add(self, event: TopicAdded, meanings: Sequence[Floats | None]) -> None:
        start = TopicStart.of(event, self.terms, self.unlike(), meanings)
        topic = Topic(self.profile(start, event.topic))
        topic.examples = frozenset(example.id for example in event.examples)
        for past in event.judgements:
            row = self.terms.row_of(past.words)
            topic.record(judged(event.topic, past.document, past.relevant, row, source="imported"))
        self.stream.add(topic)
        self.starts[event.topic] = start

    def _rename(self, event: TopicRenamed) -> None:
        self.stream.rename(event.topic, event.name)
        self.starts = {event.name if name == event.topic else name: start for name, start in self.starts.items()}
        self.undo.rename(event.topic, event.name)

    def _pause(self, event: TopicPaused | TopicResumed) -> None:
        self.topic(event.topic).paused = isinstance(event, TopicPaused)

    def _set(self, event: TopicSet) -> None:
        self.stream.set_own(event.topic, event.per_day, event.balance)

    def _remove(self, event: TopicRemoved) -> None:
        self.stream.remove(event.topic)
        del self.starts[event.topic]
        self.undo.remove(event.topic)


_HANDLERS: dict[type, Any] = {
    Shown: TextState._show,
    Judged: TextState._answer,
    Changed: TextState._answer,
    Withdrawn: TextState._answer,
    WordsEdited: TextState._edit,
    TopicRenamed: TextState._rename,
    TopicPaused: TextState._pause,
    TopicResumed: TextState._pause,
    TopicSet: TextState._set,
    TopicRemoved: TextState._remove,
}
_CHECKS: dict[type, Any] = {
    Shown: TextState._check_shown,
    Judged: TextState._check_answer,
    Changed: TextState._check_answer,
    Withdrawn: TextState._check_answer,
    WordsEdited: TextState._check_words,
    TopicRenamed: TextState._check_name,
}
