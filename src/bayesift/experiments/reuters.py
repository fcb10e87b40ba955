"""Reuters-21578 ready for an experiment: weighted vectors and label matrices of both sides of a split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.arrays import label_matrix
from bayesift.corpora import load_corpus
from bayesift.experiments.result import Options
from bayesift.text import TextVectorizer

R10 = ["earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "wheat", "ship", "corn"]  # the most frequent


@dataclass(frozen=True)
class Task:
    """A training and a test side over one vocabulary."""

    corpus: str
    labels: list[str]
    X: sparse.csr_matrix
    Y: NDArray[np.int8]
    X_test: sparse.csr_matrix
    Y_test: NDArray[np.int8]
    document_frequency: NDArray[np.int64]
    names: sparse.csr_matrix | None = None  # of the labels, each read as the title of a document


def load(options: Options, split: str, **vectorizer: Any) -> Task:
    """Load one of Reuters' splits; with `options.categories`, only the most frequent categories."""
    corpus = load_corpus("reuters21578", split=split, data=options.data)
    train, test = corpus.split()
    labels = corpus.labels
    Y, Y_test = (label_matrix([d.labels or () for d in side], labels).toarray() for side in (train, test))
    if options.categories is not None:
        kept = np.sort(np.argsort(-Y.sum(axis=0), kind="stable")[: options.categories])
        labels, Y, Y_test = [labels[c] for c in kept], Y[:, kept], Y_test[:, kept]
    terms = TextVectorizer(**vectorizer)
    X = terms.fit_transform(train)
    size = f"{len(train):,}/{len(test):,}, {len(labels)} categories"
    return Task(
        f"reuters21578 ({split}, {size})", labels, X, Y, terms.transform(test), Y_test, terms.document_frequency_,
        terms.transform([{"title": label} for label in labels]),
    )  # fmt: skip
