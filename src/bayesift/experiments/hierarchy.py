"""Labels that imply others: label sets as the rule decides them, and four ways to make them respect the hierarchy.

RCV1 (a random draw of 20,000 documents to learn; the parent of a topic follows from its code), docstrings (`scipy` is
the parent of `scipy.stats`) and arXiv (the archive `cs` is the parent of `cs.LG`, and a label of its papers; the
earlier half of the stream is learned, and the later half tested). All ways have the same model and probabilities.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesift.arrays import label_matrix
from bayesift.classify import LabelClassifier, TextClassifier, implied_labels
from bayesift.classify.hierarchy import Hierarchy
from bayesift.corpora import Document, load_corpus
from bayesift.decide.consistent import consistent, contradicted
from bayesift.evaluate import f_measure
from bayesift.experiments.result import Options, Result, Row
from bayesift.learn.base import log_odds
from bayesift.learn.ensemble import Ensemble
from bayesift.progress import track

SEEDS = 2
COMMON = 100  # papers of an arXiv category in the earlier half, from which on it is a label
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
LabelSets = Sequence[Sequence[Any]]
NOTES = [
    "No hierarchy: each label is decided on its own. Ancestors added, labels dropped: contradictions are resolved one"
    " way only. Consistent: what `TextClassifier(hierarchy=...)` predicts. Consistent, found: the same with the labels"
    " that imply others in the training documents (`implied_labels`).",
    f"Means of {SEEDS} seeds: draws of RCV1, orders of documents elsewhere. Contradictions: documents with a label that"
    " lacks one of its ancestors. Training documents have all ancestors of their labels, with and without a hierarchy.",
]


class Task(NamedTuple):
    """What is learned and what is asked, as texts or vectors, with the label sets of both and the parents of labels."""

    train: Any
    test: Any
    sets: LabelSets
    truth: LabelSets
    parents: dict[str, str]


def table(options: Options) -> Result:
    """Compute F1, exact match and contradictions of every way to decide, for the default and for best."""
    result, start = Result("hierarchy", "RCV1 sample, docstrings, arXiv", notes=list(NOTES)), time.monotonic()
    for corpus, (draw, learners) in CORPORA.items():
        found = [(seed, learner) for learner in learners for seed in range(SEEDS)]
        answers: dict[str, list[dict[str, float]]] = {}
        for seed, learner in track(found, f"hierarchy, {corpus}"):
            for way, metrics in measured(draw(options, seed), learner, seed):
                answers.setdefault(f"{learner}, {way}", []).append(metrics)
        for system, each in answers.items():
            for metric in each[0]:
                mean = float(np.mean([metrics[metric] for metrics in each]))
                result.rows.append(Row(system, corpus, metric, None, mean))
    result.seconds = time.monotonic() - start
    return result


def measured(task: Task, learner: str, seed: int) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the metrics of each way to decide by one model."""
    names = sorted({label for labels in task.sets for label in labels})
    others = sorted({label for labels in task.truth for label in labels} - set(names))  # never learned: missed
    truth = label_matrix(task.truth, [*names, *others]).toarray() > 0
    classifier, p = fitted(task, learner, seed, names)
    hierarchy = Hierarchy(task.parents)
    for way, decisions in ways(classifier, p, hierarchy, Hierarchy(implied_labels(task.sets)), names).items():
        given = np.pad(decisions, ((0, 0), (0, len(others))))
        metrics = {
            "micro_f1": f_measure(truth, given),
            "macro_f1": f_measure(truth, given, "macro"),
            "exact_match": float((truth == given).all(axis=1).mean()),
            "contradictions": float(contradicted(decisions, hierarchy.pairs(names)).mean()),
        }
        yield way, {metric: 100.0 * value for metric, value in metrics.items()}


def fitted(task: Task, learner: str, seed: int, names: Sequence[str]) -> tuple[LabelClassifier, Floats]:
    """Return a classifier of vectors that has learned, and the probabilities of test documents."""
    if isinstance(task.train, list):
        model = TextClassifier({DEFAULT: "multilabel"}.get(learner, learner), seed=seed).fit(task.train, task.sets)
        return model.classifier_, model.predict_proba(task.test)
    classifier = LabelClassifier(None if learner == DEFAULT else Ensemble(seed=seed), seed=seed)
    classifier.fit(task.train, label_matrix(task.sets, names))
    return classifier, classifier.predict_proba(task.test)


def ways(
    classifier: LabelClassifier, p: Floats, hierarchy: Hierarchy, found: Hierarchy, names: Sequence[str]
) -> dict[str, Bools]:
    """Return the decisions of every way."""
    own, pairs = classifier.labels_of(p), hierarchy.pairs(names)
    excess = log_odds(p) - log_odds(classifier.rule_.document_thresholds(p))
    return {
        "no hierarchy": own,
        "ancestors added": consistent(own, excess, pairs, may_drop=False),
        "labels dropped": consistent(own, excess, pairs, may_add=False),
        "consistent": hierarchy.consistent(classifier, p, own, names),
        "consistent, found": found.consistent(classifier, p, own, names),
    }


def rcv1(options: Options, seed: int) -> Task:
    """Return vectors of RCV1; the parent of a topic is the longest part of its code that is one, else its root."""
    train, test = load_corpus("rcv1", data=options.data).vectors().draw(train=20_000, seed=seed)
    names = list(train.labels)
    sets, truth = ([[names[c] for c in row.indices] for row in side.Y] for side in (train, test))
    return Task(train.X, test.X, sets, truth, topic_parents(names))


def topic_parents(names: Sequence[str]) -> dict[str, str]:
    """Return the parent of each topic of RCV1 but the roots.

    >>> topic_parents(["CCAT", "C15", "C151", "GCAT", "GPOL"])
    {'C15': 'CCAT', 'C151': 'C15', 'GPOL': 'GCAT'}
    """
    known = set(names)
    above = {name: [name[:k] for k in range(len(name) - 1, 1, -1) if name[:k] in known] for name in names}
    return {name: (*parts, f"{name[0]}CAT")[0] for name, parts in above.items() if not name.endswith("CAT")}


def docstrings(options: Options, seed: int) -> Task:
    """Return the docstrings; the parent of a sub-package is its package."""
    train, test = load_corpus("docstrings", data=options.data).split()
    return _by_name(train, test, {label for d in [*train, *test] for label in d.labels or ()})


def arxiv(options: Options, seed: int) -> Task:
    """Return arXiv papers with their common categories; the parent of a category is its archive."""
    papers = list(load_corpus("arxiv", data=options.data).documents())
    earlier, later = papers[: len(papers) // 2], papers[len(papers) // 2 :]
    have = Counter(label for d in earlier for label in d.labels or ())
    common = {label for label, n in have.items() if n >= COMMON}
    train, test = ([d for d in side if common.intersection(d.labels or ())] for side in (earlier, later))
    return _by_name(train, test, common)


def _by_name(train: list[Document], test: list[Document], known: set[str]) -> Task:
    parents = {label: label.split(".")[0] for label in known if "." in label}
    hierarchy = Hierarchy(parents)
    sets, truth = (
        [hierarchy.complete(sorted(known.intersection(d.labels or ()))) for d in side] for side in (train, test)
    )
    return Task([d.zones() for d in train], [d.zones() for d in test], sets, truth, parents)


DEFAULT = "default"
CORPORA: dict[str, tuple[Callable[[Options, int], Task], tuple[str, ...]]] = {  # best takes long on arXiv
    "RCV1 sample": (rcv1, (DEFAULT, "best")),
    "docstrings": (docstrings, (DEFAULT, "best")),
    "arXiv": (arxiv, (DEFAULT,)),
}
