"""`TextFilter`: topics over a stream of texts, with judgements that come when they come.

Every change is an event: public methods make events, check them, append them to the log, and apply them to the state
(`text_state`), in this order, so that what cannot be logged does not happen. Processing a document is deciding, which
changes nothing, and two kinds of events: received, and shown. Applying the recorded events again gives the same state,
to the byte, without deciding again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from bayesift.corpora import Document
from bayesift.corpora.dates import checked_date
from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.answers import checked_id, events_of_answer
from bayesift.filtering.document_batch import BATCH, DocumentBatch
from bayesift.filtering.event_log import Log, append_all, checked_log
from bayesift.filtering.events import (
    Changed,
    Event,
    Received,
    Shown,
    Source,
    TopicPaused,
    TopicRemoved,
    TopicRenamed,
    TopicResumed,
    TopicSet,
    Withdrawn,
    WordsEdited,
    judged,
    yes_or_no,
)
from bayesift.filtering.incoming import documents_of, valid_text
from bayesift.filtering.items import Item, items_of
from bayesift.filtering.later import Make, at_once
from bayesift.filtering.outcomes import Outcome
from bayesift.filtering.rows import Row
from bayesift.filtering.text_settings import TextSettings
from bayesift.filtering.text_state import Texts, TextState
from bayesift.filtering.text_views import FilterViews
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_start import Words, check_name, checked_words, topic_added
from bayesift.text.meaning import Encoder
from bayesift.text.meaning.sources import CORPUS, kind_of, opened_encoder


class TextFilter(FilterViews):
    """Watch a stream of documents for topics, and learn from judgements.

    Parameters
    ----------
    per_day : int
        How many documents per topic and day the reader is willing to look at, delivered and asked together. Days are
        those of the documents' dates; while no document has a date, those on which they come.
    balance : float
        From 0 (precision: rather miss a document) to 1 (recall: rather look at one too many).
    strategy : str, optional
        A strategy by name instead of the two above: none, rnd, ig, pace, region, utility, f1, target or t9p; `rel+` or
        `rel-recent+` may precede it.
    horizon : int, optional
        Documents that the stream will have, for strategies that need to know: rnd, pace, f1, target and t9p.
    learner : str, optional
        How topics learn: gp (Gaussian-process regression), or flip-perceptron, perceptron or diagonal-perceptron. By
        default gp, and flip-perceptron with strategies that gp does not take, as published.
    language : str
        Language of the stemmer and the stop words.
    seed : int
        Random seed.
    meaning : str or encoder
        What stands beside the words of a document: corpus (which words come together in the stream), or also the vector
        of an encoder: minilm, minilm=FOLDER, or an object with `encode(texts)`. An encoder finds documents that say the
        same in other words. It takes much longer per document than all else does.
    log : Log, optional
        Where events are appended, such as a list; by default they are not kept.
    documents : Texts, optional
        Where texts are kept; by default the last ones are kept in memory.

    Raises
    ------
    BadInput
        If a setting is out of range, unknown, or has no effect.

    Examples
    --------
    >>> f = TextFilter(per_day=20)
    >>> f.add_topic("harvest", about="wheat and corn harvests", words={"drought": (1.0, 0.5)})
    >>> for item in f.process([{"id": "d1", "text": "The corn harvest was good."}, {"id": "d2", "text": "Oil fell."}]):
    ...     print(item.kind, item.topic, item.document, [word for word, _ in item.why])
    delivered harvest d1 ['corn', 'harvest']
    >>> f.judge("harvest", "d1", relevant=True)
    >>> f.undo().document
    'd1'
    """

    def __init__(
        self, per_day: int = 20, balance: float = 0.5, *, strategy: str | None = None, horizon: int | None = None,
        learner: str | None = None, language: str = "english", seed: int = 0, meaning: Any = CORPUS,
        log: Log | None = None, documents: Texts | None = None,
    ) -> None:  # fmt: skip
        name = meaning if isinstance(meaning, str) else kind_of(meaning)
        settings = TextSettings(per_day, balance, strategy, horizon, learner, language, seed, name)
        encoder = opened_encoder(name) if isinstance(meaning, str) else meaning
        self._state = TextState(settings, documents, encoder)
        self.log = checked_log(log)

    def add_topic(
        self, name: str, about: str | None = None, examples: Any = (), words: Words | None = None, *,
        label: tuple[Any, Any] | None = None, exported: Mapping[str, Any] | None = None, who: str | None = None,
        time: str | None = None,
    ) -> None:  # fmt: skip
        """Add a topic, from one or several of the following.

        Parameters
        ----------
        name : str
            The topic's name.
        about : str, optional
            A statement: some words or sentences about the topic.
        examples : documents, optional
            Documents that are relevant to the topic.
        words : mapping, optional
            For single words, mean and standard deviation of their weight.
        label : tuple, optional
            A trained `TextClassifier` and one of its labels: the label's weights become words of the topic.
        exported : mapping, optional
            What `export_topic` returned, here or elsewhere: its statement, words, examples and judgements.
        who, time : str, optional
            Who adds it, and when (ISO 8601; default: now).

        Raises
        ------
        BadInput
            If the topic exists, has nothing to start from, or its statement has only stop words.
        """
        self._state.stream.check_new(name)
        added = topic_added(self._state.terms, name, about, examples, words, label, exported)
        self._record(msgspec.structs.replace(added, **_said(who, time)))

    def rename_topic(self, name: str, new: str, *, who: str | None = None, time: str | None = None) -> None:
        """Rename a topic."""
        check_name(new)
        self._record(TopicRenamed(name, new, **_said(who, time)))

    def pause_topic(self, name: str, *, who: str | None = None, time: str | None = None) -> None:
        """Show nothing to a topic until it is resumed; it can still be judged."""
        self._record(TopicPaused(name, **_said(who, time)))

    def resume_topic(self, name: str, *, who: str | None = None, time: str | None = None) -> None:
        """Let a paused topic go on."""
        self._record(TopicResumed(name, **_said(who, time)))

    def set_topic(
        self, name: str, per_day: int | None = None, balance: float | None = None, *, who: str | None = None,
        time: str | None = None,
    ) -> None:  # fmt: skip
        """Set a topic's own documents per day and balance; None is that of the filter."""
        own = self.settings.own(per_day, balance)
        self._record(TopicSet(name, *own, **_said(who, time)))

    def remove_topic(self, name: str, *, who: str | None = None, time: str | None = None) -> None:
        """Remove a topic; `export_topic` keeps a copy."""
        self._record(TopicRemoved(name, **_said(who, time)))

    def edit_words(self, name: str, words: Words, *, who: str | None = None, time: str | None = None) -> None:
        """Replace the words of a topic; it is then as if it had started with them.

        Words are prior knowledge: they count from now on, also if they have not occurred yet, and judgements outweigh
        them in time.
        """
        self._state.topic(name)
        edited = WordsEdited(name, checked_words(self._state.terms, words), **_said(who, time))
        self._record(edited)

    def process(self, documents: Any, *, time: str | None = None) -> Iterator[Item]:
        """Yield what is shown, document by document; a document is taken when the iterator comes to it.

        Parameters
        ----------
        documents : documents
            Texts, Documents or dictionaries with text (or title and body), id and date: one, or any iterable. One
            without an id gets one that depends on its text. One whose id came before is not processed again.
        time : str, optional
            When they come, ISO 8601 (default: now); its day is that of documents while none has a date.

        Yields
        ------
        Item
            A document that a topic delivers or asks about.
        """
        for document in documents_of(documents):
            if document.id not in self._state.ids:
                yield from self._process(document, _checked(time))

    def process_batch(self, documents: Any, *, time: str | None = None) -> list[Item]:
        """Process documents and return what is shown: the same as `process`, faster with many topics.

        No judgement can come between two documents, so that the scores of all can be computed together.
        """
        items: list[Item] = []
        time = None if time is None else _checked(time)
        given = iter(documents_of(documents))
        while part := list(islice(given, BATCH)):
            first = {d.id: d for d in reversed(part) if d.id not in self._state.ids}  # of those with the same id
            some = [d for d in part if first.get(d.id) is d]
            batch = DocumentBatch(self._state.stream, self._state.terms.learn_all(some))
            for i, document in enumerate(some):
                items += self._process(document, time or now(), batch, i)
        return items

    def _process(
        self, document: Document, time: str, batch: DocumentBatch | None = None, place: int = 0
    ) -> list[Item]:
        """Process a new document, alone or at its place in a batch."""
        state = self._state
        known = None if batch is None else batch.rows[place]
        arrived = None if document.date is not None else time[:10]
        self._record(Received(document.id, document.date, arrived, time=time), document, known)
        _, row = state.received
        if not row.columns.size:
            return []
        decided = state.stream.decide(document.id, row) if batch is None else batch.decide(document.id, place)
        shown = [outcome for outcome in decided if outcome.kind != "passed"]
        topics, number = state.stream.topics, state.stream.number
        append_all(self.log, [_shown(outcome, topics[number[outcome.topic]], time) for outcome in shown], state.show)
        return items_of(shown, document, state.terms)

    def judge(
        self, topic: str, document: str, relevant: bool, *, text: Any = None, who: str | None = None,
        source: Source | None = None, note: str | None = None, time: str | None = None,
    ) -> None:  # fmt: skip
        """Learn from an answer: now, later, or never.

        Parameters
        ----------
        topic, document : str
            The topic's name and the document's id.
        relevant : bool
            The answer.
        text : a document, optional
            The document itself, if it was not shown or no longer waits.
        who, note : str, optional
            Who answers, and a remark.
        source : str, optional
            How the reader came by the document: delivered, asked, random, searched or imported. By default as it was
            shown, else searched.
        time : str, optional
            When, ISO 8601; default: now.

        Raises
        ------
        BadInput
            If the topic or the document is unknown, the answer is not a boolean, or it repeats or contradicts an
            earlier one. Nothing changes then.
        """
        said = {**_said(who, time, note), "source": source}
        answer = judged(topic, checked_id(document), relevant, Row.of({}), **said)
        for event, given in events_of_answer(self._state, answer, text):
            self._record(event, given)

    def judge_all(self, answers: Iterable[tuple[str, str, bool]], **recorded: Any) -> list[str]:
        """Learn from answers (topic, document, relevant) in their order, and return why some could not be taken."""
        wrong = []
        for answer in _answers(answers):
            try:
                self.judge(*_parts(answer), **recorded)
            except BayesiftError as error:
                wrong.append(str(error))
        return wrong

    def change(
        self, topic: str, document: str, relevant: bool, *, who: str | None = None, note: str | None = None,
        time: str | None = None,
    ) -> None:  # fmt: skip
        """Replace an answer; the topic is then as if this one had been the first."""
        said = {**_said(who, time, note), "version": self._state.topic(topic).version}
        self._record(Changed(topic, checked_id(document), yes_or_no(relevant), **said))

    def withdraw(
        self, topic: str, document: str, *, who: str | None = None, note: str | None = None, time: str | None = None
    ) -> None:
        """Remove an answer; the topic is then as if it had never come, and the document waits for another one."""
        said = {**_said(who, time, note), "version": self._state.topic(topic).version}
        self._record(Withdrawn(topic, checked_id(document), **said))

    def undo(
        self, topic: str | None = None, *, by: str | None = None, who: str | None = None, note: str | None = None,
        time: str | None = None,
    ) -> Event:  # fmt: skip
        """Undo the last judgement, changed or withdrawn answer, or edit of words, and return it; repeatable.

        Parameters
        ----------
        topic : str, optional
            Undo the last change of this topic; by default of all topics.
        by : str, optional
            Undo the last change of this person (`who` of the change); by default of anybody.
        who, note, time : str, optional
            Who undoes it, why, and when (ISO 8601; default: now).

        Raises
        ------
        BadInput
            If there is nothing to undo, or somebody else has changed the same answer since.
        """
        if topic is not None:
            self._state.topic(topic)
        change, reverse = self._state.undo.last(topic, by)
        self._record(msgspec.structs.replace(reverse, **_said(who, time, note)))
        return change

    def apply(self, event: Event, document: Document | None = None) -> None:
        """Apply an event that was recorded before; `document` is that of a `Received` event. The log stays as it is."""
        self._state.apply(event, document)

    def replay(self, events: Iterable[Event], documents: Mapping[str, Document]) -> TextFilter:
        """Apply recorded events, with the documents by id; the filter is then as the one that recorded them.

        Raises BadInput if a document is missing: those whose texts were given to `judge` are needed, too.
        """
        for event in events:
            self.apply(event, documents.get(event.document) if isinstance(event, Received) else None)
        return self

    def save(self, path: str | Path) -> None:
        """Write the filter to one file, atomically, without its log; the same filter gives the same bytes."""
        from bayesift.filtering.text_saving import save

        save(self, path)

    @classmethod
    def load(cls, path: str | Path, log: Log | None = None, encoder: Encoder | None = None) -> TextFilter:
        """Return a saved filter, which goes on as if it had never stopped.

        A file cannot hold an encoder of yours: give it again.
        """
        from bayesift.filtering.text_saving import load

        return load(path, log, encoder)

    def state(self, make: Make = at_once) -> dict[str, Any]:
        """Return the state as nested arrays, numbers and strings (see `bayesift.model_file.codec`).

        With `Later` for `make`, the parts that never change are made by `bayesift.filtering.later.made`.
        """
        from bayesift.filtering.text_saving import state_of

        return state_of(self._state, make)

    @classmethod
    def from_state(
        cls, state: Mapping[str, Any], log: Log | None = None, documents: Texts | None = None,
        encoder: Encoder | None = None,
    ) -> TextFilter:  # fmt: skip
        """Return the filter of a state."""
        from bayesift.filtering.text_saving import restored

        self = cls.__new__(cls)
        self._state, self.log = restored(state, documents, encoder), checked_log(log)
        return self

    def _record(self, event: Event, document: Document | None = None, row: Row | None = None) -> None:
        change = self._state.prepared(event, document, row)
        if self.log is not None:
            self.log.append(event)
        change()


def now() -> str:
    """Return the time, as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _said(who: str | None, time: str | None, note: str | None = None) -> dict[str, Any]:
    """Return what an event says of its origin; raise BadInput where it is not text, for a log must be readable."""
    for name, text in (("who", who), ("note", note)):
        if not isinstance(text, str | None):
            raise BadInput(f"{name} is {text!r}", remedy="give a text")
    valid = [None if text is None else valid_text(text) for text in (who, note)]
    return {"who": valid[0], "time": _checked(time), "note": valid[1]}


def _answers(given: Any) -> Iterable[Any]:
    """Return answers; raise BadInput if they are not an iterable."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        remedy = "give an iterable of (topic, document, relevant)"
        raise BadInput(f"answers is a {type(given).__name__}", remedy=remedy)
    return given


def _parts(answer: Any) -> tuple[str, str, bool]:
    """Return the parts of an answer, or raise BadInput."""
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != 3:
        raise BadInput(f"the answer {answer!r} has other parts", remedy="give (topic, document, relevant)")
    topic, document, relevant = answer
    return topic, document, relevant


def _checked(time: str | None) -> str:
    """Return a time that was given, or now; raise BadInput if it is not ISO 8601."""
    if time is None:
        return now()
    try:
        return checked_date(time)
    except (ValueError, TypeError):
        raise BadInput(f"invalid time {time!r}", remedy="write 2025-03-18T09:00:00+00:00, or 2025-03-18") from None


def _shown(outcome: Outcome, topic: Topic, time: str) -> Shown:
    return Shown(
        outcome.topic, outcome.document, outcome.kind == "asked", time=time, source=outcome.source,
        probability=outcome.probability, gain=outcome.gain, version=topic.version, chance=outcome.chance,
    )  # fmt: skip
