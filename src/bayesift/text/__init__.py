"""From text to vectors: words, a vocabulary that can grow, and weights."""

from bayesift.text.vectorizer import TextVectorizer

__all__ = ["TextVectorizer"]
