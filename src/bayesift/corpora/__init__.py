"""Corpora: documents with labels, from known corpora and from the user's files.

>>> from bayesift.corpora import load_corpus
"""

from bayesift.corpora.corpus import Corpus, load_corpus
from bayesift.corpora.document import Document, Vectors
from bayesift.corpora.jsonl import write_jsonl
from bayesift.corpora.skipped import Skipped
from bayesift.corpora.user_files import read_documents

__all__ = ["Corpus", "Document", "Skipped", "Vectors", "load_corpus", "read_documents", "write_jsonl"]
