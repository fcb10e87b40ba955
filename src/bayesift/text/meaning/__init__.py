"""Meaning of a document as a dense vector beside its words: from the corpus itself, or from an encoder."""

from bayesift.text.meaning.corpus import CorpusMeaning
from bayesift.text.meaning.encoder import Encoder

__all__ = ["CorpusMeaning", "Encoder"]
