"""How long do training, evaluation, inspection and updates take with 3,000 labels, against LIBLINEAR?

30,000 documents of OHSUMED 1991; the labels of a document are the words of its title that are among the 3,000 most
frequent ones, its text is the abstract. LIBLINEAR (LinearSVC, C = 1) learns a sample of the labels one by one on one
core, its time is scaled up to all labels, and its model is taken as 8 bytes per term and label.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import bayesift
from _run import _status_mb, arguments, show
from bayesift import TextClassifier
from bayesift.corpora import load_corpus
from bayesift.text import TextVectorizer

LABELS, TRAIN, TEST, MORE = 3_000, 30_000, 1_000, 100
SAMPLE = 15  # labels that LIBLINEAR learns


def many_labels() -> tuple[list[str], list[tuple[str, ...]]]:
    """Return abstracts, and the frequent title words of each."""
    documents = list(load_corpus("ohsumed91").documents())
    vectorizer = TextVectorizer(stem=None)
    titles = vectorizer.fit_transform([d.title for d in documents])
    vocabulary = vectorizer.vocabulary_
    top = np.argsort(-np.bincount(titles.indices), kind="stable")[:LABELS]
    name = dict(zip(top.tolist(), vocabulary.names(vocabulary.columns[top])))
    rows = np.split(titles.indices, titles.indptr[1:-1])
    return [d.body for d in documents], [tuple(name[j] for j in row.tolist() if j in name) for row in rows]


def timed(task: Any) -> tuple[float, float, Any]:
    """Return seconds by the clock, seconds of all cores, and what the task gave."""
    start, used = time.perf_counter(), time.process_time()
    found = task()
    return time.perf_counter() - start, time.process_time() - used, found


def liblinear(model: TextClassifier, texts: list[str], sets: list[tuple[str, ...]]) -> float:
    """Seconds that LIBLINEAR takes for all labels, estimated by a sample of them."""
    from sklearn.svm import LinearSVC

    X = model.vectorizer_.transform(texts)
    count = Counter(label for labels in sets for label in labels)
    some = sorted(count, key=lambda c: -count[c])[:: LABELS // SAMPLE]
    used = time.process_time()
    for label in some:
        LinearSVC(C=1.0).fit(X, np.array([label in labels for labels in sets]))
    return (time.process_time() - used) * LABELS / len(some)


def main() -> None:
    """Measure and print."""
    options: argparse.Namespace = arguments(__doc__)
    texts, sets = many_labels()
    parts = [slice(0, TRAIN), slice(TRAIN, TRAIN + TEST), slice(TRAIN + TEST, TRAIN + TEST + MORE)]
    (train, Y), (test, Z), (more, W) = ((texts[part], sets[part]) for part in parts)
    TextClassifier().fit(test, Z)  # compile first
    model = TextClassifier()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "many.model")
        tasks = {
            "train": lambda: model.fit(train, Y),
            "save": lambda: model.save(path),
            "load": lambda: bayesift.load(path),
            f"evaluate {TEST:,} documents": lambda: model.evaluate(test, Z),
            "inspect all labels": lambda: _thin(model),
            "predict one document": lambda: model.predict(test[:1]),
            f"update with {MORE} documents": lambda: model.partial_fit(more, W),
        }
        rows, found = [], {}
        for name, task in tasks.items():
            clock, cores, found[name] = timed(task)
            rows.append({"task": name, "ours_s": clock, "ours_cpu_s": cores})
        size = path.stat().st_size / 1e6
    peak, terms = _status_mb("VmHWM"), model.classifier_.n_features_in_
    belief = terms * LABELS * 8 / 1e6
    peer = liblinear(model, train, Y)
    rows[0] |= {"peer": "LIBLINEAR, estimated", "peer_cpu_s": peer, "ratio": peer / rows[0]["ours_cpu_s"]}
    report = found[f"evaluate {TEST:,} documents"]
    notes = [
        "ratio = peer / ours, in seconds of all cores.",
        f"{terms:,} terms; model file {size:.1f} MB, all weights {belief:,.0f} MB; peak memory {peak:,.0f} MB.",
        f"micro F1 {report.summary['micro F1']:.4f}, macro F1 {report.summary['macro F1']:.4f}.",
    ]
    show(rows, notes, options.json)


def _thin(model: TextClassifier) -> Any:
    from bayesift.classify.label_terms import weak_labels

    return weak_labels(model)


if __name__ == "__main__":
    main()
