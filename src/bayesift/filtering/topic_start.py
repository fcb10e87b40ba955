"""What a topic starts from: a statement, words with weights, examples, a label of a classifier, an exported topic.

All of them become one event (`TopicAdded`) that has all it needs: texts and words, no columns. Applying it gives a
`TopicStart`, vectors of one filter's vocabulary, from which the profile is made; and made again when the words change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
from scipy import sparse

from bayesift.corpora.names import flaw_of
from bayesift.errors import BadInput
from bayesift.filtering.events import Example, Past, TopicAdded
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.incoming import documents_of, id_of, valid_text
from bayesift.filtering.profile import Profile
from bayesift.filtering.profile_settings import GP, ProfileSettings
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.rows import Batch, Floats, Row
from bayesift.filtering.stream_terms import StreamTerms
from bayesift.filtering.topic_counts import background_of
from bayesift.filtering.topic_kernel import TopicKernel
from bayesift.learn.priors import FeaturePrior, PriorTerms

FORMAT = "bayesift topic"
LABEL_TERMS = 100  # terms for and against a label that a topic takes over
MOST_NAME = 200  # characters of a topic's name; those of earlier versions may be longer
MOST_WEIGHT = 1e6  # of a word, so that no sum is infinite
UNLIKE = 100  # documents of the background that a topic's examples are compared with

Words = Mapping[str, tuple[float, float]]


def topic_added(
    terms: StreamTerms, name: str, about: str | None, examples: Any, words: Words | None, label: Any, exported: Any
) -> TopicAdded:
    """Return the event of a new topic; raise BadInput if it has nothing to start from."""
    check_name(name)
    if not isinstance(about, str | None):
        raise BadInput(f"the statement of topic {name!r} is {about!r}", remedy="give a text")
    past = TopicAdded(name) if exported is None else checked_export(exported)
    checked_words(terms, past.words)
    given = checked_words(terms, words or {})
    if label is not None:
        if not isinstance(label, tuple) or len(label) != 2 or not hasattr(label[0], "label_terms"):
            raise BadInput("label is not a pair", remedy="give (classifier, label)")
        given = {word: pair for word, pair in label_words(terms, *label).items() if word not in given} | given
    found = tuple(Example(d.id, d.title, d.body) for d in documents_of(examples))
    added = TopicAdded(
        name, past.about if about is None else valid_text(about), {**past.words, **given},
        (*past.examples, *found), past.judgements,
    )  # fmt: skip
    if not (added.about or added.words or added.examples):
        raise BadInput(f"topic {name!r} has nothing to start from", remedy="give a statement, examples or words")
    _check_texts(terms, added)
    _check_judgements(terms, added)
    return added


def _check_texts(terms: StreamTerms, added: TopicAdded) -> None:
    """Raise BadInput if the statement or an example has no words."""
    for example in added.examples:
        if not terms.has_words(example):
            what = f"the example {example.id!r} of topic {added.topic!r} has no words"
            raise BadInput(what, remedy="give another one")
    if added.about is not None and not terms.has_words(added.about):
        reason = f"the statement of topic {added.topic!r} has no words, or only stop words: {added.about!r}"
        raise BadInput(reason, remedy="say what the topic is about, or give examples")


def _check_judgements(terms: StreamTerms, added: TopicAdded) -> None:
    """Raise BadInput if a document is judged twice, or is an example and judged, or if a word of one is invalid."""
    known = {example.id for example in added.examples}
    for past in added.judgements:
        for word in past.words:
            terms.check_columns(word)
        if past.document in known:
            what = f"document {past.document!r} is twice among the examples and judgements of topic {added.topic!r}"
            raise BadInput(what, remedy="give each document once")
        known.add(past.document)


def check_name(name: object) -> None:
    """Raise BadInput if a name cannot be that of a topic."""
    if not isinstance(name, str) or not name.strip():
        raise BadInput(f"{name!r} is not a name of a topic", remedy="give a text")
    if len(name) > MOST_NAME:
        reason = f"the name {name[:20]!r}... has {len(name):,} characters"
        raise BadInput(reason, remedy=f"choose one of at most {MOST_NAME}")
    if flaw := flaw_of(name):
        raise BadInput(f"the name {name!r} has {flaw}", remedy="leave it out or choose another name")
    if name != name.strip():
        raise BadInput(f"the name {name!r} begins or ends with a space", remedy="leave the space out")


def checked_words(terms: StreamTerms, words: Words) -> dict[str, tuple[float, float]]:
    """Return words with mean and deviation as floats, or raise BadInput."""
    if not isinstance(words, Mapping) or not all(isinstance(word, str) for word in words):
        raise BadInput("words is not a mapping", remedy="give {word: (mean, standard deviation), ...}")
    terms_of: dict[str, str] = {}
    return dict(checked_word(terms, valid_text(word), pair, terms_of) for word, pair in words.items())


def checked_word(
    terms: StreamTerms, word: str, pair: tuple[float, float], others: dict[str, str]
) -> tuple[str, tuple[float, float]]:
    """Return a word with mean and deviation as floats, or raise BadInput; `others` are the words before, by term."""
    terms.check_word(word, others)
    try:
        mean, sd = pair
        mean, sd = float(mean), float(sd)
    except (TypeError, ValueError):
        remedy = "give each word (mean, standard deviation)"
        raise BadInput(f"the weight of {word!r} is not a pair of numbers", remedy=remedy) from None
    PriorTerms({word: (mean, sd)})  # raises
    if abs(mean) > MOST_WEIGHT or not 1.0 / MOST_WEIGHT <= sd <= MOST_WEIGHT:
        raise BadInput(f"{word!r} has mean {mean}, scale {sd}", remedy="usual weights are between -10 and 10")
    return word, (mean, sd)


def label_words(terms: StreamTerms, classifier: Any, label: Any) -> dict[str, tuple[float, float]]:
    """Return the single words among the most informative terms of a classifier's label, with their weights."""
    found = classifier.label_terms(label, LABEL_TERMS)
    words: dict[str, tuple[float, float]] = {}
    stems: set[str] = set()
    for term in (*found.positive, *found.negative):
        own = terms.stems(term.name)
        if len(own) == 1 and own[0] not in stems and " " not in term.name and ":" not in term.name:
            stems.add(own[0])
            words[term.name] = (term.mean, term.sd)
    if not words:
        known = "informative words" if found.positive or found.negative else "weights of words in this classifier"
        raise BadInput(f"the label {label!r} has no {known}", remedy="give a statement or examples instead")
    return words


def checked_export(exported: Any) -> TopicAdded:
    """Return what `export_topic` returned as an event; raises if it is anything else."""
    if not isinstance(exported, Mapping) or exported.get("format") != FORMAT:
        raise BadInput("not an exported topic", remedy="give what export_topic returned")
    try:
        past = {name: exported[name] for name in ("topic", "about", "words", "examples", "judgements")}
        found = _storable(msgspec.convert({"type": "topic-added", **past}, TopicAdded))
        for judgement in found.judgements:
            if not all(abs(weight) <= MOST_WEIGHT for weight in judgement.words.values()):
                raise BadInput(f"document {judgement.document!r} of an exported topic has a weight that is not finite")
        return found
    except (KeyError, msgspec.ValidationError) as error:
        raise BadInput(f"not an exported topic: {error}", remedy="give what export_topic returned") from None


def _storable(added: TopicAdded) -> TopicAdded:
    """Return the start of an exported topic with ids and texts as files and databases can hold them."""
    examples = (Example(_id_in(e.id), valid_text(e.title), valid_text(e.body)) for e in added.examples)
    past = (Past(_id_in(p.document), p.relevant, p.words) for p in added.judgements)
    about = None if added.about is None else valid_text(added.about)
    words = {valid_text(word): pair for word, pair in added.words.items()}
    return msgspec.structs.replace(added, about=about, words=words, examples=tuple(examples), judgements=tuple(past))


def _id_in(given: str) -> str:
    """Return the id of a document of an exported topic; raise BadInput if it has none."""
    if not (own := id_of(given)):
        raise BadInput("a document of an exported topic has no id", remedy="give what export_topic returned")
    return own


@dataclass(frozen=True)
class TopicStart:
    """The start of a topic in the vocabulary of one filter."""

    added: TopicAdded  # without judgements: those are the topic's from then on
    columns: tuple[int, ...]  # of its words
    statement: Row | None
    examples: tuple[Row, ...]
    unlike: tuple[Row, ...]  # for a perceptron, documents of the background when it started

    @classmethod
    def of(
        cls, added: TopicAdded, terms: StreamTerms, background: Iterable[Row], meanings: Iterable[Floats | None]
    ) -> TopicStart:  # fmt: skip
        """Learn the texts of a new topic, and return its start; `meanings` are their vectors by an encoder."""
        columns = terms.columns(added.words)
        rows = [terms.learn(text, meaning) for text, meaning in zip(texts_of(added), meanings, strict=True)]
        statement = None if added.about is None else rows.pop(0)
        examples = tuple(rows)
        bare = TopicAdded(added.topic, added.about, added.words, added.examples)
        return cls(bare, columns, statement, examples, tuple(background)[:UNLIKE])

    def check_edit(self, words: Words) -> None:
        """Raise BadInput if with other words there were nothing to start from."""
        if not words and self.statement is None and not self.examples:
            reason = f"topic {self.added.topic!r} would have nothing to start from"
            raise BadInput(reason, remedy="leave a word, or remove the topic")

    def edited(self, words: Words, terms: StreamTerms) -> TopicStart:
        """Return the same start with other words; new ones get a column."""
        added = msgspec.structs.replace(self.added, words=dict(words))
        return replace(self, added=added, columns=terms.columns(words))

    def profile(self, name: str, settings: ProfileSettings, kernel: Callable[[], TopicKernel]) -> TopicProfile:
        """Return a profile that starts so; `kernel` returns the one that GP topics share."""
        if settings.learner == GP:
            return GPProfile.start(
                name, kernel(), statement=self.statement, examples=self.examples, feature_prior=self.prior()
            )
        rows = (*self.examples, *self.unlike) if self.examples else ()
        statement = self.statement if self.unlike else mean_row(self.statement, *self.examples)
        return Profile.start(
            name, settings, training=as_matrix(rows), relevant=range(len(self.examples)), statement=statement,
            feature_prior=self.prior(),
        )  # fmt: skip

    def empty_profile(self, name: str, settings: ProfileSettings, shared: TopicKernel | None) -> TopicProfile:
        """Return a profile of this start that `restore` will fill."""
        if settings.learner == GP:
            return GPProfile(name, shared or TopicKernel(), self.prior())
        rows = (*self.examples, *self.unlike) if self.examples else ()
        return Profile(name, settings, background_of(as_matrix(rows)), self.prior())

    def prior(self) -> FeaturePrior:
        """Return what the words say of single columns."""
        columns = dict(zip(self.added.words, self.columns, strict=True))
        return PriorTerms(self.added.words).to_features(columns, max(self.columns, default=-1) + 1)


def texts_of(added: TopicAdded) -> list[Any]:
    """Return the statement, if there is one, and the examples of a topic."""
    return [*([] if added.about is None else [added.about]), *added.examples]


def as_matrix(rows: Iterable[Row]) -> sparse.csr_matrix | None:
    """Return rows as a matrix, or None if there are none."""
    batch = Batch.of(list(rows))
    if batch.indptr.size == 1:
        return None
    width = int(batch.indices.max(initial=-1)) + 1
    return sparse.csr_matrix((batch.data, batch.indices, batch.indptr), (batch.indptr.size - 1, width))


def mean_row(*rows: Row | None) -> Row | None:
    """Return the sum of rows, divided by its length; None if there are none."""
    given = [row for row in rows if row is not None]
    if not given:
        return None
    columns = np.unique(np.concatenate([row.columns for row in given]))
    total = np.zeros(columns.size)
    for row in given:
        total[np.searchsorted(columns, row.columns)] += row.weights
    return Row(columns, total / (np.sqrt(total @ total) or 1.0))


def exported_topic(name: str, start: TopicStart, judgements: Iterable[Past]) -> dict[str, Any]:
    """Return a topic as JSON can hold it."""
    added = start.added
    return {
        "format": FORMAT, "topic": name, "about": added.about,
        "words": {word: list(pair) for word, pair in added.words.items()},
        "examples": msgspec.to_builtins(added.examples), "judgements": msgspec.to_builtins(tuple(judgements)),
    }  # fmt: skip
