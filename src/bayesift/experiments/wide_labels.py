"""Thousands of labels made from real text: the terms of a title, predicted from the abstract.

A label is a stemmed word that `LEAST` training titles or more have, and at most a tenth of them. Documents are split at
random. All systems have the same ltc vectors of the abstracts. P@k is the share of right labels
among the k that score highest. Every system is trained and asked in a process of its own, whose peak memory, above what
the vectors take, is noted.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.classify.wide.classifier import WideClassifier
from bayesift.corpora import Document, load_corpus
from bayesift.experiments.result import Options, Result, Row
from bayesift.learn import WideLabels
from bayesift.progress import track
from bayesift.text import TextVectorizer

LEAST, SHARE = 4, 0.1  # titles, and share of titles, that have a label
MOST = 15_000  # documents: one-vs-rest takes two minutes
TRAIN = 0.7  # of all documents
AT_A_TIME = 500  # documents that one-vs-rest scores
TOP = 5
CORPORA = {"OHSUMED-91 titles": "ohsumed91"}


@dataclass(frozen=True)
class Task:
    """Training and test documents as vectors and labels."""

    X: sparse.csr_matrix
    Y: sparse.csr_matrix
    X_test: sparse.csr_matrix
    Y_test: sparse.csr_matrix


@dataclass(frozen=True)
class Found:
    """What a system answers: its best labels (documents, TOP), the best first, and its decisions; and its cost."""

    top: NDArray[np.int64]
    decisions: sparse.csr_matrix
    seconds: float
    predict_seconds: float
    skipped: float = 0.0  # labels that were not scored, and the labels missed among them, in expectation
    missed: float = 0.0
    truly_missed: float = 0.0  # labels of a test document among those that were not scored


def table(options: Options) -> Result:
    """Compute P@k, F1, seconds and memory of every system."""
    result = Result("wide-labels", ", ".join(CORPORA), notes=list(NOTES))
    start = time.monotonic()
    for name in track(list(CORPORA), "wide-labels"):
        task = made(name, options)
        shape = f"{task.X.shape[0]:,} training documents, {task.Y.shape[1]:,} labels, {task.X.shape[1]:,} terms"
        result.notes.append(f"{name}: {shape}, {task.X_test.shape[0]:,} test documents.")
        for system in SYSTEMS:
            if system != TREE or find_spec("napkinxc") is not None:
                found = alone(SYSTEMS[system], task)
                result.rows += [Row(system, name, metric, None, value) for metric, value in found.items()]
    result.seconds = time.monotonic() - start
    return result


def made(name: str, options: Options) -> Task:
    """Return a corpus whose labels are the terms of its titles; without documents that have none."""
    documents = [d for d in load_corpus(CORPORA[name], data=options.data).documents() if d.title and d.body]
    order = np.random.default_rng(0).permutation(len(documents))[:MOST]
    return split([documents[i] for i in order.tolist()], int(TRAIN * order.size))


def split(documents: list[Document], cut: int) -> Task:
    """Return the first documents for training and the others for testing."""
    titles = TextVectorizer(weight="raw").fit_transform([d.title for d in documents])
    titles.data[:] = 1
    have = np.bincount(titles[:cut].indices, minlength=titles.shape[1])
    Y = sparse.csr_matrix(titles[:, np.flatnonzero((have >= LEAST) & (have <= SHARE * cut))], dtype=np.int64)
    vectorizer = TextVectorizer()
    X = vectorizer.fit_transform([d.body for d in documents[:cut]])
    X_test = vectorizer.transform([d.body for d in documents[cut:]])
    labelled = np.diff(Y.indptr) > 0
    train, test = labelled[:cut], labelled[cut:]
    return Task(X[train], Y[:cut][train], X_test[test], Y[cut:][test])


def wide(task: Task, learner: Any = None) -> Found:
    """Learn with the learner wide; P@k by candidates, and the decisions of the default rule."""
    learner = WideLabels(threads=1) if learner is None else learner
    start = time.perf_counter()
    model = WideClassifier(learner).fit(task.X, task.Y)
    fitted = time.perf_counter()
    found = model.candidates(task.X_test)
    top = np.full((task.X_test.shape[0], TOP), -1, np.int64)
    for row, best in zip(top, found.top(TOP)):
        row[: len(best)] = [c for c, _ in best]
    blocks = [sparse.csr_matrix(model.predict(task.X_test[some])) for some in model.blocks(task.X_test.shape[0])]
    spent = time.perf_counter() - fitted
    scored = found.probabilities > 0.0
    truly = float((task.Y_test.sum() - task.Y_test.multiply(scored).sum()) / task.Y_test.shape[0])
    skipped, missed = float(found.skipped.mean()), float(found.missed.mean())
    return Found(top, sparse.vstack(blocks, "csr"), fitted - start, spent, skipped, missed, truly)


def one_vs_rest(task: Task) -> Found:
    """scikit-learn's one-vs-rest LinearSVC, by blocks of test documents."""
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.svm import LinearSVC

    start = time.perf_counter()
    model = OneVsRestClassifier(LinearSVC(C=1.0)).fit(task.X, task.Y)
    fitted = time.perf_counter()
    tops, decisions = [], []
    for begin in range(0, task.X_test.shape[0], AT_A_TIME):
        scores = model.decision_function(task.X_test[begin : begin + AT_A_TIME])
        best = np.argpartition(-scores, TOP, axis=1)[:, :TOP]
        order = np.argsort(-np.take_along_axis(scores, best, 1), axis=1, kind="stable")
        tops.append(np.take_along_axis(best, order, 1))
        decisions.append(sparse.csr_matrix(scores > 0.0))
    return Found(np.vstack(tops), sparse.vstack(decisions, "csr"), fitted - start, time.perf_counter() - fitted)


def label_tree(task: Task) -> Found:
    """napkinXC's probabilistic label tree, which is Parabel's kind of tree, with its defaults."""
    from napkinxc.models import PLT

    def sets(Y: sparse.csr_matrix) -> list[list[int]]:
        return [row.tolist() for row in np.split(Y.indices, Y.indptr[1:-1])]

    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        model = PLT(folder, seed=0, threads=1)
        model.fit(task.X, sets(task.Y))
        fitted = time.perf_counter()
        top = np.full((task.X_test.shape[0], TOP), -1, np.int64)
        for row, best in zip(top, model.predict(task.X_test, top_k=TOP)):
            row[: len(best)] = best
        given = model.predict(task.X_test, threshold=0.5)
        spent = time.perf_counter() - fitted
    ends = np.append(0, np.cumsum([len(labels) for labels in given]))
    columns = np.array([c for labels in given for c in labels], np.int64)
    decisions = sparse.csr_matrix((np.ones(columns.size), columns, ends), shape=task.Y_test.shape)
    return Found(top, decisions, fitted - start, spent)


def measures(found: Found, truth: sparse.csr_matrix) -> dict[str, float]:
    """Return all figures of a system; macro F1 is over the labels that a test document has."""
    given, y = found.decisions.astype(np.int64), truth.astype(np.int64)
    tp, k, n = (np.asarray(part.sum(axis=0)).ravel().astype(float) for part in (given.multiply(y), given, y))
    f1 = 2.0 * tp / np.maximum(k + n, 1.0)
    rows = np.arange(truth.shape[0])[:, None]
    best: Any = truth[rows, np.maximum(found.top, 0)]
    right = best.toarray() * (found.top >= 0)
    at = {f"p{k}": 100.0 * float(right[:, :k].mean()) for k in (1, 3, 5)}
    f = {"micro_f1": float(200.0 * tp.sum() / max(k.sum() + n.sum(), 1.0)), "macro_f1": 100.0 * float(f1[n > 0].mean())}
    cost = {"seconds": found.seconds, "predict_ms": 1e3 * found.predict_seconds / truth.shape[0]}
    return at | f | cost | {"skipped": found.skipped, "missed": found.missed, "truly_missed": found.truly_missed}


def alone(system: Callable[[Task], Found], task: Task) -> dict[str, float]:
    """Return the figures of a system that runs in a process of its own."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("spawn").Process(target=_measured, args=(theirs, system, task))
    child.start()
    theirs.close()
    found: dict[str, float] = ours.recv()
    child.join()
    return found


def _measured(pipe: Any, system: Callable[[Task], Found], task: Task) -> None:
    before = _status_mb("VmRSS")
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    found = system(task)
    peak = _status_mb("VmHWM") - before
    pipe.send(measures(found, task.Y_test) | {"memory": peak})


def _status_mb(name: str) -> float:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:  # not Linux
        return math.nan
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024.0


TREE = "napkinXC label tree"
SYSTEMS: dict[str, Callable[[Task], Found]] = {"wide": wide, "one-vs-rest LinearSVC": one_vs_rest, TREE: label_tree}
NOTES = [
    "Labels are the stemmed words of titles, predicted from abstracts. Seconds are those of training, without making"
    " vectors; memory is the peak above the vectors. All systems have one core.",
    "wide decides by its default rule, one-vs-rest at 0, the label tree at a probability of 1/2.",
]
