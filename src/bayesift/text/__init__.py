"""Text to vectors: words, a vocabulary that can grow, weights, and the selection of telling terms."""

from bayesift.text.selection import TermCounts
from bayesift.text.vectorizer import TextVectorizer

__all__ = ["TermCounts", "TextVectorizer"]
