"""What can be asked of a `TextFilter`; nothing here changes it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bayesift.filtering.answers import row_of, seen_now
from bayesift.filtering.events import Past
from bayesift.filtering.imagined_terms import ImaginedTerms
from bayesift.filtering.incoming import document_of, documents_of, id_of, is_document
from bayesift.filtering.items import Item, item_of
from bayesift.filtering.recall_estimate import RecallEstimate
from bayesift.filtering.strategies import LONGEST
from bayesift.filtering.stream_terms import StreamTerms
from bayesift.filtering.text_settings import TextSettings, whole_number
from bayesift.filtering.text_state import Texts, TextState
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_info import TopicInfo, info_of
from bayesift.filtering.topic_start import TopicStart, Words, checked_words, exported_topic, texts_of, topic_added
from bayesift.filtering.waiting_scores import Ranked


class FilterViews:
    """The part of a `TextFilter` that only looks at its state."""

    _state: TextState

    def __str__(self) -> str:
        n = self.n_topics
        head = f"TextFilter: {self.n_documents:,} documents, {n:,} topic{'' if n == 1 else 's'}"
        return "\n".join([head, *map(str, self._state.stream.topics)])

    @property
    def topics(self) -> list[str]:
        """The names of the topics, in the order in which they were added."""
        return [topic.name for topic in self._state.stream.topics]

    @property
    def n_topics(self) -> int:
        """The number of topics."""
        return len(self._state.stream.topics)

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

    @property
    def problem_kinds(self) -> dict[str, tuple[int, str]]:
        """The number of problems of each kind, such as "out of date order", and the last one."""
        return dict(self._state.stream.problem_kinds)

    def topic(self, name: str) -> Topic:
        """Return a topic with its history; raise BadInput if there is none of this name."""
        return self._state.topic(name)

    def topic_info(self, name: str) -> TopicInfo:
        """Return what is known about a topic: statement, words, settings and counts."""
        return info_of(self._state.topic(name), self._state.starts[name], self._state.settings)

    def topic_words(self, name: str, max_terms: int = 50) -> list[tuple[str, float, float, bool]]:
        """Return the words with the largest weights, the largest first.

        Each is the word as the stream has it, the mean and the standard deviation of its weight, and whether a person
        gave it.
        """
        profile, terms = self._state.topic(name).profile, self._state.terms
        columns, mean, sd = profile.strongest(whole_number("max_terms", max_terms, 0, LONGEST))
        given = set(self._state.starts[name].columns)
        words = terms.vectorizer.written(terms.names(columns))
        by_hand = [column in given for column in columns.tolist()]
        return list(zip(words, mean.tolist(), sd.tolist(), by_hand))

    def estimates(self, name: str) -> RecallEstimate:
        """Return how many relevant documents a topic found, and an estimate of those it missed."""
        return self._state.topic(name).estimate()

    def words(self, name: str) -> dict[str, tuple[float, float]]:
        """Return the words that were given for a topic, each with mean and standard deviation of its weight."""
        self._state.topic(name)
        return dict(self._state.starts[name].added.words)

    def export_topic(self, name: str) -> dict[str, Any]:
        """Return a topic as JSON can hold it: statement, words, examples, judgements, without columns."""
        topic, written = self._state.topic(name), self._state.terms.written
        past = (Past(event.document, event.relevant, written(event.row)) for event in topic.surviving)
        return exported_topic(name, self._state.starts[name], past)

    def ranking(
        self, topic: str, among: Collection[str] | None = None, limit: int | None = None
    ) -> list[Ranked]:  # fmt: skip
        """Return the documents that wait for an answer, the most probable first, without their texts.

        This takes a small part of the time of `inbox`, which says what `among` and `limit` are.
        """
        state = self._settled()
        own = state.topic(topic)
        n = None if limit is None else whole_number("the limit", limit, 0, LONGEST)
        wanted = own.waiting if among is None else own.waiting.keys() & set(map(id_of, among))
        return state.scores.ranking(own, [id for id in own.waiting if id in wanted])[:n]

    def inbox(self, topic: str, limit: int | None = None, among: Collection[str] | None = None) -> list[Item]:
        """Return the documents that wait for an answer, the most probable first, as the topic sees them now.

        Parameters
        ----------
        topic : str
            The topic's name.
        limit : int, optional
            How many (default: all).
        among : collection of str, optional
            The ids to choose from (default: all that wait).
        """
        state, own = self._state, self._state.topic(topic)
        seen = [seen_now(own, r.document, own.waiting[r.document]) for r in self.ranking(topic, among, limit)]
        best = sorted(seen, key=lambda outcome: -outcome.probability)
        return [item_of(outcome, state.documents.get(outcome.document), state.terms) for outcome in best]

    def explain(self, topic: str, document: Any) -> Item:
        """Return how a topic sees a document now: one that was shown, whose text is kept, or a text."""
        state = self._settled()
        own = state.topic(topic)
        known = "" if is_document(document) else id_of(document)
        if known and (known in own.waiting or known in state.documents):
            outcome = seen_now(own, known, row_of(state, own, known))
            return item_of(outcome, state.documents.get(known), state.terms)
        given = document_of(document)
        return item_of(seen_now(own, given.id, state.terms.row(given)), given, state.terms)

    def score(self, topic: str | None, documents: Any) -> list[Item]:
        """Return how a topic, or with None every topic, sees documents now; nothing is stored."""
        state = self._settled()
        topics = state.stream.topics if topic is None else [state.topic(topic)]
        return [
            item_of(seen_now(own, document.id, row), document, state.terms)
            for document, row in ((document, state.terms.row(document)) for document in documents_of(documents))
            for own in topics
        ]

    def preview(
        self, documents: Any, about: str | None = None, examples: Any = (), words: Words | None = None, *,
        label: tuple[Any, Any] | None = None,
    ) -> list[Item]:  # fmt: skip
        """Return how a topic with this start would see documents, the most probable first; nothing is stored."""
        state = self._settled()
        added = topic_added(state.terms, "preview", about, examples, words, label, None)
        terms = ImaginedTerms(state.terms)
        start = TopicStart.of(added, terms, state.unlike(), terms.meanings(texts_of(added)))
        return _seen_by(Topic(state.profile(start, "preview")), documents, terms)

    def preview_words(self, name: str, words: Words, documents: Any) -> list[Item]:
        """Return how a topic would see documents with other words, the most probable first; nothing is stored."""
        state, own = self._state, self._state.topic(name)
        checked = checked_words(state.terms, words)
        state.starts[name].check_edit(checked)
        terms = ImaginedTerms(state.terms)
        start = state.starts[name].edited(checked, terms)
        imagined = Topic(state.profile(start, name))
        for event in own.surviving:
            imagined.profile.apply(event)
        state.stream.refresh()
        state.stream.decisions.imagine(state.stream.find(name), imagined.profile)
        return _seen_by(imagined, documents, terms)

    def _settled(self) -> TextState:
        """Return the state; probabilities follow the topics that were added or removed."""
        self._state.stream.settle()
        return self._state


def _seen_by(topic: Topic, documents: Any, terms: StreamTerms) -> list[Item]:
    items = [item_of(seen_now(topic, d.id, terms.row(d)), d, terms) for d in documents_of(documents)]
    return sorted(items, key=lambda item: -item.probability)
