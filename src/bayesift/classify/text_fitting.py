"""How a `TextClassifier` learns from scratch: in memory, from disk block by block, or on a cluster.

Each way counts terms first, then names labels and columns, and hands counts and labels to the classifier of vectors.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from bayesift.classify.blocks.counted import CountedDocuments, are_many
from bayesift.classify.blocks.stream import LabelledStream, is_stream
from bayesift.classify.completion import Completion
from bayesift.classify.hierarchy import Hierarchy
from bayesift.classify.input_labels import Kind, Label, new_labels
from bayesift.classify.inputs import check_names, check_terms, labelled, some
from bayesift.classify.label_rates import check_rates_of
from bayesift.classify.registry import character_vectorizer_of, vectorizer_of
from bayesift.classify.rows import RowMaker, more_text
from bayesift.classify.wide.choice import wide_if_needed
from bayesift.decide.label_rates import UNLABELLED
from bayesift.errors import BadInput, Notice
from bayesift.learn.ensemble import LARGEST, Ensemble
from bayesift.text import TextVectorizer
from bayesift.text.meaning.sources import listed, meaning_of

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier


def fit_documents(
    model: TextClassifier, X: Any, y: Any, classes: Iterable[Label] = (), begins_stream: bool = False
) -> None:
    """Learn documents from scratch; `classes` are labels to come, where a stream begins with them."""
    learner = model.check()
    vectorizer, completed = clone(vectorizer_of(model.vectorizer, learner)), Completion(Hierarchy.of(model.hierarchy))
    if not begins_stream and is_stream(X, y) and model.learns_blocks(learner):
        stream = LabelledStream(X, y)
        completed.hierarchy.check_kind(stream.kind)
        model._remember_columns(None)
        counted = CountedDocuments.read(vectorizer, completed.pairs(stream))
        return _fit_counted(model, counted, None, stream.kind, learner, completed)
    documents, sets, kind, y = labelled(X, y)
    completed.hierarchy.check_kind(kind)
    sets = [completed(labels) for labels in sets]
    names = new_labels([*sets, completed.hierarchy.complete(tuple(classes))], (), kind, y)
    if not begins_stream:
        numbers = [len(labels) for labels in sets]
        check_names(names, kind, len(sets), min(numbers, default=0), max(numbers, default=0))
    _check_targets(model, names, kind, begins_stream, completed)
    more = more_text(vectorizer, documents, model.unlabelled)
    if model.label_rates == UNLABELLED and not more:
        raise BadInput("no unlabelled documents to estimate rates from", remedy="give some, or the rates")
    model._remember_columns(X)
    if not begins_stream and are_many(len(sets), len(names)) and model.learns_blocks(learner):
        counted = CountedDocuments.read(vectorizer, zip(documents, sets))
        return _fit_counted(model, counted, names, kind, learner, completed)
    texts = [*documents, *more] if more else documents
    counts = _count(vectorizer, texts, model.vectorizer is None)
    characters = character_vectorizer_of(learner, vectorizer)
    check_terms(counts.shape[1], begins_stream)
    most = _most_terms(learner, len(names))
    counts = _most_frequent(vectorizer, counts, most, "terms")
    learner = wide_if_needed(model, learner, len(names), counts.shape[1])
    model._begin(vectorizer, names, kind, learner, completed.hierarchy)
    meaning = meaning_of(listed(model.meaning, model.unlabelled), model.seed)
    model.rows_ = RowMaker(vectorizer, meaning, bool(more), characters, names)
    raw = counts[: len(documents)]
    if characters is None:
        raw = model.rows_.beside(raw, documents)
    else:
        seen = _most_frequent(characters, _count(characters, texts, True), most, "character n-grams")
        raw = model.rows_.with_characters(raw, seen[: len(documents)])
    if isinstance(learner, Ensemble):
        model.classifier_.learner = clone(learner).set_params(views=model.rows_.views)
    model.rows_.fit(counts, raw)
    if not begins_stream:
        model.rows_.notice_none()
    model.classifier_.fit(raw, model._count(sets), model.rows_)
    if model.label_rates == UNLABELLED:
        found = model.classifier_.estimated_rates(model.rows_.of_documents(more, model.classifier_.vectors_))
        model.classifier_.use_rates(found / max(1.0, found.sum()) if kind == "one" else found)


def _count(vectorizer: Any, texts: Any, is_ours: bool) -> Any:
    """Fit a vectorizer and return counts; with ours, also those of texts so few that no term is in two of them."""
    counts = vectorizer.fit_count(texts)
    if counts.shape[1] or not is_ours or vectorizer.min_df == 1:
        return counts
    return vectorizer.set_params(min_df=1).fit_count(texts)


def _most_terms(learner: Any, labels: int) -> int:
    """Return how many terms a learner has room for."""
    return LARGEST // max(labels, 1) if isinstance(learner, Ensemble) else sys.maxsize


def _most_frequent(vectorizer: TextVectorizer, counts: Any, most: int, what: str) -> Any:
    """Return the columns of the most frequent terms, if there are more; the vectorizer forgets the others."""
    if counts.shape[1] <= most:
        return counts
    kept = np.sort(np.argsort(-vectorizer.document_frequency_, kind="stable")[:most])
    warnings.warn(f"of {counts.shape[1]:,} {what} the {most:,} most frequent are used", Notice, stacklevel=4)
    vectorizer.vocabulary_.keep_columns(kept)
    vectorizer.restore(vectorizer.state())
    return counts[:, kept]


def _fit_counted(
    model: TextClassifier, counted: CountedDocuments, names: list[Label] | None, kind: Kind, learner: Any,
    completed: Completion,
) -> None:  # fmt: skip
    """Learn documents that were counted to disk: in memory if they fit, else block by block."""
    with counted:
        found = new_labels([tuple(counted.names)], (), kind, None) if names is None else names
        if names is None:
            check_names(found, kind, counted.n_documents, counted.fewest_labels, counted.most_labels)
            _check_targets(model, found, kind, False, completed)
        terms = counted.vectorizer.vocabulary_.n_columns
        check_terms(terms)
        chosen = wide_if_needed(model, learner, len(found), terms)
        model._begin(counted.vectorizer, found, kind, chosen, completed.hierarchy)
        model.rows_ = RowMaker(counted.vectorizer, labels=found)
        if counted.are_many and chosen is learner:
            counted.use_columns(found)
            for block in range(len(counted.sizes)):
                model._count_labels(counted.labels(block))
            model.classifier_.fit_blocks(counted)
        else:
            counts, sets = counted.in_memory()
            model.classifier_.fit(counts, model._count(sets), model.rows_)


def fit_cluster(model: TextClassifier, documents: Any, learner: Any) -> None:
    """Learn documents that are counted on the workers of a cluster (`cluster.documents`)."""
    summaries = documents.summaries
    kinds = {summary.kind for summary in summaries if summary.kind}
    if len(kinds) > 1:
        raise BadInput("some documents have label sets and others single labels", remedy="keep to one kind")
    kind: Kind = next(iter(kinds), "sets")
    names = new_labels([tuple(summary.labels) for summary in summaries], (), kind, None)
    check_names(names, kind, sum(documents.sizes), documents.fewest_labels, documents.most_labels)
    completed: Completion = documents.completed
    _check_targets(model, names, kind, False, completed)
    check_terms(documents.vectorizer.vocabulary_.n_columns)
    model._remember_columns(None)
    model._begin(documents.vectorizer, names, kind, learner, completed.hierarchy)
    model.rows_ = RowMaker(documents.vectorizer, labels=names)
    documents.use_labels(names)
    model.n_documents_ = sum(documents.sizes)
    have = Counter[Label]()
    for summary in summaries:
        have.update(dict(zip(summary.labels, summary.label_documents)))
    model.label_documents_ = np.array([have[name] for name in names], np.int64)
    model.classifier_.fit_blocks(documents)


def _check_targets(
    model: TextClassifier, names: Sequence[Label], kind: Kind, begins_stream: bool, completed: Completion
) -> None:
    """Raise if settings do not go with the labels, and warn about labels that documents lacked."""
    if kind == "one" and model.rule is not None:
        raise BadInput(
            f"the rule {model.rule!r} is for label sets; a single label is the most probable one",
            remedy="leave the rule out, or give sets of labels",
        )
    if isinstance(model.target, Mapping) and not begins_stream and (unknown := set(model.target) - set(names)):
        wrong = min(map(str, unknown))
        raise BadInput(f"a target for {wrong!r}, which is not a label", remedy=f"labels are: {some(names)}")
    check_rates_of(model.label_rates, names, kind, begins_stream)
    completed.hierarchy.check_labels(names, kind, begins_stream)
    completed.notice()
