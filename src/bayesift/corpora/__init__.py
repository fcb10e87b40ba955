"""Corpora: one reader a file, a frozen description of each corpus, and the user's own data.

>>> from bayesift.corpora import load_corpus
>>> train, test = load_corpus("docstrings").split()
"""

from bayesift.corpora.catalogue import CATALOGUE
from bayesift.corpora.corpus import Corpus, describe, load_corpus
from bayesift.corpora.description import Description
from bayesift.corpora.document import Document, Vectors
from bayesift.corpora.jsonl import write_jsonl, write_vectors_jsonl
from bayesift.corpora.libsvm import read_libsvm
from bayesift.corpora.places import data_folder
from bayesift.corpora.rcv1 import read_rcv1_qrels, read_rcv1_tokens, read_rcv1_vectors
from bayesift.corpora.reuters import read_reuters, reuters_documents
from bayesift.corpora.skipping import Skipped
from bayesift.corpora.trec import read_qrels, read_references, read_topics
from bayesift.corpora.user_files import read_documents

__all__ = [
    "CATALOGUE",
    "Corpus",
    "Description",
    "Document",
    "Skipped",
    "Vectors",
    "data_folder",
    "describe",
    "load_corpus",
    "read_documents",
    "read_libsvm",
    "read_qrels",
    "read_rcv1_qrels",
    "read_rcv1_tokens",
    "read_rcv1_vectors",
    "read_references",
    "read_reuters",
    "read_topics",
    "reuters_documents",
    "write_jsonl",
    "write_vectors_jsonl",
]
