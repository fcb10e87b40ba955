"""The words of a topic with their weights, as people read them."""

from __future__ import annotations

from bayesift.filtering.stream_terms import StreamTerms
from bayesift.filtering.topic import Topic


def topic_words(topic: Topic, terms: StreamTerms, max_terms: int) -> list[tuple[str, float, float]]:
    """Return the words with the largest weights, each with the mean and the standard deviation of its weight."""
    columns, mean, sd = topic.profile.term_weights(max_terms)
    names = terms.vectorizer.written(terms.names(columns))
    return [(name, float(m), float(s)) for name, m, s in zip(names, mean, sd)]

