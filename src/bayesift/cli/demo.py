"""`bayesift demo`: the main job on data that is on every machine, the docstrings of numpy, scipy and scikit-learn."""

from __future__ import annotations

import time

SHOWN = ("numpy.linalg", "scipy.optimize", "scipy.signal", "scipy.stats", "sklearn.cluster", "sklearn.linear_model")
TERMS = 8


def demo() -> None:
    """Show the main job on data that is already on this machine."""
    from rich.console import Console
    from rich.table import Table
    from sklearn.preprocessing import MultiLabelBinarizer

    from bayesift.corpora import load_corpus
    from bayesift.text import TermCounts, TextVectorizer

    words = Console(stderr=True, highlight=False)
    words.print("Reading the docstrings of numpy, scipy and scikit-learn ...")
    documents = list(load_corpus("docstrings").documents())
    vectorizer = TextVectorizer(numbers=False, min_df=3)
    start = time.perf_counter()
    matrix = vectorizer.fit_transform(documents)
    seconds = time.perf_counter() - start
    size = sum(len(d.title) + len(d.body) for d in documents) / 1e6
    words.print(
        f"{matrix.shape[0]:,} documents ({size:.1f} MB) to {matrix.shape[1]:,} terms in {seconds:.2f} s, "
        "compiling included."
    )
    binarizer = MultiLabelBinarizer(sparse_output=True)
    labels = binarizer.fit_transform([d.labels or () for d in documents])
    counts = TermCounts().add(matrix, labels)
    names = vectorizer.get_feature_names_out()
    table = Table("label", "documents", "most telling terms (likelihood ratio)", title="What tells the labels apart")
    for label in SHOWN:
        category = binarizer.classes_.tolist().index(label)
        together = counts.both[[category]].toarray()[0] * matrix.shape[0]
        speaks_for = together > counts.relevant[category] * counts.with_term  # more often than by chance
        best = (-counts.scores(category) * speaks_for).argsort(kind="stable")[:TERMS]
        table.add_row(label, str(counts.relevant[category]), ", ".join(names[best]))
    Console().print(table)
