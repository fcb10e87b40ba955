"""`TextFilter`: topics over a stream of texts, with judgements that come when they come.

Every change is an event: public methods make events, `apply` them to the state (`text_state`), and append them to the
log. Processing a document is deciding, which changes nothing, and two kinds of events: received, and shown. Applying
the recorded events again gives the same state, to the byte, without deciding again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from bayesift.corpora import Document
from bayesift.errors import BayesiftError
from bayesift.filtering.answers import events_of_answer, row_of, seen_now
from bayesift.filtering.event_log import Log
from bayesift.filtering.events import (
    Changed,
    Event,
    Past,
    Received,
    Shown,
    Source,
    TopicPaused,
    TopicRemoved,
    TopicRenamed,
    TopicResumed,
    Withdrawn,
    WordsEdited,
    judged,
    yes_or_no,
)
from bayesift.filtering.incoming import document_of, documents_of
from bayesift.filtering.items import Item, item_of, items_of
from bayesift.filtering.outcomes import Outcome
from bayesift.filtering.rows import Row
from bayesift.filtering.text_settings import TextSettings
from bayesift.filtering.text_state import Texts, TextState
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_start import Words, check_name, checked_words, exported_topic, topic_added


class TextFilter:
    """Watch a stream of documents for topics, and learn from judgements.

    Parameters
    ----------
    per_day : int
        How many documents per topic and day the reader is willing to look at, delivered and asked together.
    balance : float
        From 0 (precision: rather miss a document) to 1 (recall: rather look at one too many).
    strategy : str, optional
        A published strategy instead of the two above: none, rnd, ig, pace, region, utility, f1 or target; `rel+` or
        `rel-recent+` may precede it.
    horizon : int, optional
        Documents that the stream will have, for strategies that need to know: rnd, pace, f1 and target.
    learner : str, optional
        How topics learn; see `bayesift.filtering.learners`.
    language : str
        Language of the stemmer and the stop words.
    seed : int
        Random seed.
    log : Log, optional
        Where events are appended, such as a list; by default they are not kept.

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
        learner: str | None = None, language: str = "english", seed: int = 0, log: Log | None = None,
        documents: Texts | None = None,
    ) -> None:  # fmt: skip
        settings = TextSettings(per_day, balance, strategy, horizon, learner, language, seed)
        self._state = TextState(settings, documents)
        self.log = log

    def __str__(self) -> str:
        topics, n = self._state.stream.topics, len(self._state.stream.topics)
        head = f"TextFilter: {self.n_documents:,} documents, {n:,} topic{'' if n == 1 else 's'}"
        return "\n".join([head, *map(str, topics)])

    @property
    def topics(self) -> list[str]:
        """The names of the topics, in the order in which they were added."""
        return [topic.name for topic in self._state.stream.topics]

    @property
    def settings(self) -> TextSettings:
        """The settings."""
        return self._state.settings

    @property
    def documents(self) -> Texts:
        """The documents whose text is kept, by id."""
        return self._state.documents

    @property
    def n_documents(self) -> int:
        """Documents of the stream so far."""
        return self._state.stream.n_documents

    @property
    def problems(self) -> list[str]:
        """The first problems of the stream, such as documents without text; `n_problems` counts all."""
        return self._state.stream.problems

    @property
    def n_problems(self) -> int:
        """Problems of the stream so far."""
        return self._state.stream.n_problems

    def topic(self, name: str) -> Topic:
        """Return a topic with its history; raise BadInput if there is none of this name."""
        return self._state.topic(name)

    def words(self, name: str) -> dict[str, tuple[float, float]]:
        """Return the words that were given for a topic, each with mean and standard deviation of its weight."""
        self._state.topic(name)
        return dict(self._state.starts[name].added.words)

    def topic_words(self, name: str, max_terms: int = 40) -> list[tuple[str, float, float]]:
        """Return the words of a topic with the largest weights: word, mean and standard deviation."""
        from bayesift.filtering.topic_words import topic_words

        return topic_words(self._state.topic(name), self._state.terms, max_terms)

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
        self._record(msgspec.structs.replace(added, who=who, time=time or now()))

    def rename_topic(self, name: str, new: str, *, who: str | None = None, time: str | None = None) -> None:
        """Give a topic another name."""
        check_name(new)
        self._record(TopicRenamed(name, new, who=who, time=time or now()))

    def pause_topic(self, name: str, *, who: str | None = None, time: str | None = None) -> None:
        """Show nothing to a topic until it is resumed; it can still be judged."""
        self._record(TopicPaused(name, who=who, time=time or now()))

    def resume_topic(self, name: str, *, who: str | None = None, time: str | None = None) -> None:
        """Let a paused topic go on."""
        self._record(TopicResumed(name, who=who, time=time or now()))

    def remove_topic(self, name: str, *, who: str | None = None, time: str | None = None) -> None:
        """Remove a topic; `export_topic` keeps a copy."""
        self._record(TopicRemoved(name, who=who, time=time or now()))

    def edit_words(self, name: str, words: Words, *, who: str | None = None, time: str | None = None) -> None:
        """Replace the words of a topic; it is then as if it had started with them.

        Words are prior knowledge: they count from now on, also if they have not occurred yet, and judgements outweigh
        them in time.
        """
        self._state.topic(name)
        edited = WordsEdited(name, checked_words(self._state.terms, words), who=who, time=time or now())
        self._record(edited)

    def export_topic(self, name: str) -> dict[str, Any]:
        """Return a topic as JSON can hold it: statement, words, examples, judgements, without columns."""
        topic, written = self._state.topic(name), self._state.terms.written
        past = (Past(event.document, event.relevant, written(event.row)) for event in topic.surviving)
        return exported_topic(name, self._state.starts[name], past)

    def process(self, documents: Any) -> Iterator[Item]:
        """Yield what is shown, document by document; a document is taken when the iterator comes to it.

        Parameters
        ----------
        documents : documents
            Texts, Documents or dictionaries with text (or title and body), id and date: one, or any iterable. One
            without an id gets one that depends on its text. One whose id came before is not processed again.

        Yields
        ------
        Item
            A document that a topic delivers or asks about.
        """
        for document in documents_of(documents):
            yield from self.process_one(document)

    def process_one(self, document: Document) -> list[Item]:
        """Process one document, and return what is shown."""
        state = self._state
        if document.id in state.ids:
            return []
        time = now()
        self._record(Received(document.id, document.date, time=time), document)
        _, row = state.received
        if not row.columns.size:
            return []
        shown = [outcome for outcome in state.stream.decide(document.id, row) if outcome.kind != "passed"]
        for outcome in shown:
            self._record(_shown(outcome, state.topic(outcome.topic), time))
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
        said = {"who": who, "source": source, "note": note, "time": time or now()}
        answer = judged(topic, document, relevant, Row.of({}), **said)
        for event, given in events_of_answer(self._state, answer, text):
            self._record(event, given)

    def judge_all(self, answers: Iterable[tuple[str, str, bool]], **recorded: Any) -> list[str]:
        """Learn from answers (topic, document, relevant) in their order, and return why some could not be taken."""
        wrong = []
        for topic, document, relevant in answers:
            try:
                self.judge(topic, document, relevant, **recorded)
            except BayesiftError as error:
                wrong.append(str(error))
        return wrong

    def change(
        self, topic: str, document: str, relevant: bool, *, who: str | None = None, note: str | None = None,
        time: str | None = None,
    ) -> None:  # fmt: skip
        """Replace an answer; the topic is then as if this one had been the first."""
        said = {"who": who, "note": note, "time": time or now(), "version": self._state.topic(topic).version}
        self._record(Changed(topic, document, yes_or_no(relevant), **said))  # type: ignore[arg-type]

    def withdraw(
        self, topic: str, document: str, *, who: str | None = None, note: str | None = None, time: str | None = None
    ) -> None:
        """Remove an answer; the topic is then as if it had never come, and the document waits for another one."""
        said = {"who": who, "note": note, "time": time or now(), "version": self._state.topic(topic).version}
        self._record(Withdrawn(topic, document, **said))  # type: ignore[arg-type]

    def undo(self, *, who: str | None = None, note: str | None = None, time: str | None = None) -> Event:
        """Undo the last judgement, changed or withdrawn answer, or edit of words, and return it; repeatable."""
        change, reverse = self._state.undo.last()
        self._record(msgspec.structs.replace(reverse, who=who, note=note, time=time or now()))
        return change

    def ranking(self, topic: str, among: Collection[str] | None = None) -> list[Outcome]:
        """Return how the topic sees the documents that wait for an answer now, the most probable first.

        `among` are ids of documents to which the ranking is limited.
        """
        own = self._state.topic(topic)
        some = (pair for pair in own.waiting.items() if among is None or pair[0] in among)
        return sorted((seen_now(own, *pair) for pair in some), key=lambda outcome: -outcome.probability)

    def inbox(self, topic: str, limit: int | None = None, among: Collection[str] | None = None) -> list[Item]:
        """Return the documents that wait for an answer, the most probable first, as the topic sees them now."""
        state, best = self._state, self.ranking(topic, among)[:limit]
        return [item_of(outcome, state.documents.get(outcome.document), state.terms) for outcome in best]

    def explain(self, topic: str, document: Any) -> Item:
        """Return how a topic sees a document now: one that was shown, whose text is kept, or a text."""
        state, own = self._state, self._state.topic(topic)
        if isinstance(document, str) and (document in own.waiting or document in state.documents):
            outcome = seen_now(own, document, row_of(state, own, document))
            return item_of(outcome, state.documents.get(document), state.terms)
        given = document_of(document)
        return item_of(seen_now(own, given.id, state.terms.row(given)), given, state.terms)

    def apply(self, event: Event, document: Document | None = None) -> None:
        """Apply an event that was recorded before; `document` is that of a `Received` event. The log stays as it is."""
        self._state.apply(event, document)

    def replay(self, events: Iterable[Event], documents: Mapping[str, Document]) -> TextFilter:
        """Apply recorded events, with the documents by id; the filter is then as the one that recorded them."""
        for event in events:
            self.apply(event, documents[event.document] if isinstance(event, Received) else None)
        return self

    def save(self, path: str | Path) -> None:
        """Write the filter to one file, atomically, without its log; the same filter gives the same bytes."""
        from bayesift.filtering.text_saving import save

        save(self, path)

    @classmethod
    def load(cls, path: str | Path, log: Log | None = None) -> TextFilter:
        """Return a saved filter, which goes on as if it had never stopped."""
        from bayesift.filtering.text_saving import load

        return load(path, log)

    def state(self) -> dict[str, Any]:
        """Return the state as nested arrays, numbers and strings (see `bayesift.model_file.codec`)."""
        from bayesift.filtering.text_saving import state_of

        return state_of(self._state)

    @classmethod
    def from_state(
        cls, state: Mapping[str, Any], log: Log | None = None, documents: Texts | None = None
    ) -> TextFilter:
        """Return the filter of a state."""
        from bayesift.filtering.text_saving import restored

        self = cls.__new__(cls)
        self._state, self.log = restored(state, documents), log
        return self

    def _record(self, event: Event, document: Document | None = None) -> None:
        self._state.apply(event, document)
        if self.log is not None:
            self.log.append(event)


def now() -> str:
    """Return the time, as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _shown(outcome: Outcome, topic: Topic, time: str) -> Shown:
    return Shown(
        outcome.topic, outcome.document, outcome.kind == "asked", time=time, source=outcome.source,
        probability=outcome.probability, gain=outcome.gain, version=topic.version,
    )  # fmt: skip
