"""Few labelled documents: bayesift beside linear classifiers, as many documents per label, and as they come.

Reuters (R90), OHSUMED-91 and arXiv 2025. A training set has n documents of each label (or all, where there are fewer),
drawn label by label, or n documents drawn at random. Of arXiv the earlier half of the stream is drawn from, and the
later half tested; its labels are those with `COMMON` papers in the earlier half. All test documents are `TEST` drawn
once. Vocabulary and weights come from the training set; `UNLABELLED` other documents of the training side are given to
the system "corpus" without their labels. The linear classifiers have the vectors of ours.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from bayesift.arrays import label_matrix
from bayesift.classify import TextClassifier
from bayesift.classify.registry import vectorizer_of
from bayesift.corpora import Document, load_corpus
from bayesift.decide import SCutFBR, cross_validated_scores
from bayesift.errors import Notice
from bayesift.evaluate import f_measure
from bayesift.experiments.comparators import OneVsRest
from bayesift.experiments.result import Options, Result, Row
from bayesift.progress import track

DRAWS = range(5)
PER_LABEL, AS_THEY_COME = (5, 10, 20, 50), (100, 300, 1000)
TEST, UNLABELLED = 1500, 1500
FEWER = 300  # test documents that are encoded
COMMON = 100
Longs = NDArray[np.int64]
Found = dict[str, dict[str, float]]  # system: metric: value


@dataclass(frozen=True)
class Task:
    """A corpus: documents to draw from, test documents, and their labels as matrices of bools."""

    name: str
    pool: list[Document]
    Y: NDArray[np.bool_]
    test: list[Document]
    Y_test: NDArray[np.bool_]
    labels: list[str]

    def draw(self, setting: str, seed: int) -> Longs:
        """Return the training documents of a setting, in a random order."""
        rng, n = np.random.default_rng(seed), int(setting.split()[0].replace(",", ""))
        if not setting.endswith("per label"):
            return rng.permutation(len(self.pool))[:n]
        drawn = [rng.permutation(np.flatnonzero(column))[:n] for column in self.Y.T]
        return rng.permutation(np.unique(np.concatenate(drawn)))

    def targets(self, rows: Longs, named: bool) -> list[tuple[str | int, ...]]:
        """Return the label sets of training documents; labels that are not named are numbers."""
        names: Sequence[str | int] = self.labels if named else range(len(self.labels))
        return [tuple(names[c] for c in np.flatnonzero(row).tolist()) for row in self.Y[rows]]

    def columns(self, labels: Iterable[str | int]) -> list[int]:
        """Return the columns of labels, named or not."""
        column = {name: c for c, name in enumerate(self.labels)}
        return [column[label] if isinstance(label, str) else int(label) for label in labels]


def settings() -> list[str]:
    """Return the names of all training sets."""
    return [f"{n} per label" for n in PER_LABEL] + [f"{n:,} documents" for n in AS_THEY_COME]


def table(options: Options) -> Result:
    """Compute micro F1, macro F1 and mean average precision of every system for every training set."""
    result = Result("few-labels", CORPORA, notes=[*NOTES, UNLABELLED_NOTE])
    return _computed(result, tasks(options), settings(), DRAWS, SYSTEMS)


def minilm(options: Options) -> Result:
    """Compute the same with the encoder, which takes a second for 13 to 30 documents, on fewer of everything."""
    result = Result("few-labels-minilm", CORPORA, notes=[*NOTES, UNLABELLED_NOTE, MINILM_NOTE])
    fewer = (replace(task, test=task.test[:FEWER], Y_test=task.Y_test[:FEWER]) for task in tasks(options))
    return _computed(result, fewer, ["5 per label", "100 documents"], DRAWS[:2], (words, corpus, *encoded))


def _computed(
    result: Result, on: Iterable[Task], sizes: Sequence[str], draws: Sequence[int], systems: Sequence[System]
) -> Result:
    start = time.monotonic()
    for task in on:
        for setting in track(sizes, f"{result.name}, {task.name}"):
            add(result, task.name, setting, [run(task, setting, seed, systems) for seed in draws])
    result.notes.append(f"Each training set was drawn {len(draws)} times.")
    result.seconds = time.monotonic() - start
    return result


def add(result: Result, corpus: str, setting: str, found: Sequence[Found]) -> None:
    """Add mean and standard deviation over draws."""
    for system, metrics in found[0].items():
        for metric in metrics:
            values = [each[system][metric] for each in found]
            for name, value in ((metric, np.mean(values)), (f"{metric} sd", np.std(values, ddof=1))):
                result.rows.append(Row(system, f"{corpus}, {setting}", name, None, float(value)))


def tasks(options: Options) -> Iterator[Task]:
    """Yield the corpora."""
    for name, corpus, split in (("Reuters", "reuters21578", "r90"), ("OHSUMED-91", "ohsumed91", "split20000")):
        train, test = load_corpus(corpus, split=split, data=options.data).split()
        yield _task(name, train, test, sorted({label for d in train for label in d.labels or ()}))
    papers = list(load_corpus("arxiv", data=options.data).documents())
    earlier, later = papers[: len(papers) // 2], papers[len(papers) // 2 :]
    have = [label for d in earlier for label in d.labels or ()]
    yield _task("arXiv", earlier, later, sorted(x for x in set(have) if have.count(x) >= COMMON))


def _task(name: str, train: list[Document], test: list[Document], labels: list[str]) -> Task:
    known = set(labels)

    def labelled(side: list[Document]) -> tuple[list[Document], NDArray[np.bool_]]:
        kept = [d for d in side if known.intersection(d.labels or ())]
        return kept, label_matrix([known.intersection(d.labels or ()) for d in kept], labels).toarray() > 0

    pool, Y = labelled(train)
    others, Y_test = labelled(test)
    some = np.sort(np.random.default_rng(0).permutation(len(others))[:TEST])
    return Task(name, pool, Y, [others[i] for i in some.tolist()], Y_test[some], labels)


def run(task: Task, setting: str, seed: int, systems: Sequence[System]) -> Found:
    """Return the metrics of every system for one draw."""
    rows = task.draw(setting, seed)
    return {name: metrics for system in systems for name, metrics in system(task, rows, seed).items()}


def measured(truth: NDArray[np.bool_], scores: NDArray[Any], labels: NDArray[Any]) -> dict[str, float]:
    """Return the metrics of one system, over the labels that test documents have."""
    from sklearn.metrics import average_precision_score

    present = truth.any(axis=0)
    return {
        "micro_f1": 100.0 * f_measure(truth, labels > 0),
        "macro_f1": 100.0 * f_measure(truth[:, present], labels[:, present] > 0, "macro"),
        "map": 100.0 * float(average_precision_score(truth[:, present], scores[:, present], average="macro")),
    }


def ours(task: Task, rows: Longs, seed: int, name: str, named: bool = True, **parameters: Any) -> Found:
    """Train `TextClassifier`; decide document by document, which is the default, and all together."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)
        model = TextClassifier(seed=seed, **parameters)
        model.fit([task.pool[i] for i in rows.tolist()], task.targets(rows, named))
    vectors = model.vectorize(task.test)
    found: Found = {}
    for how, together in (("", False), (", together", True)):
        answers = model.predictions_of(vectors, together=together)
        wide = np.zeros((2, *task.Y_test.shape))
        wide[:, :, task.columns(model.classes_.tolist())] = answers.probabilities, answers.decisions
        found[f"bayesift, {name}{how}"] = measured(task.Y_test, wide[0], wide[1])
    return found


def words(task: Task, rows: Longs, seed: int) -> Found:
    """Words alone."""
    return ours(task, rows, seed, "words", meaning=None)


def corpus(task: Task, rows: Longs, seed: int) -> Found:
    """Words and the latent semantic analysis of unlabelled documents."""
    return ours(task, rows, seed, "corpus", meaning="corpus", unlabelled=_others(task, rows))


def _encoded(name: str, meaning: Any, more: bool) -> System:
    def system(task: Task, rows: Longs, seed: int) -> Found:
        return ours(task, rows, seed, name, meaning=meaning, unlabelled=_others(task, rows) if more else None)

    return system


def numbered(task: Task, rows: Longs, seed: int) -> Found:
    """Words alone, with numbers for labels: their names say nothing."""
    return _one_by_one(ours(task, rows, seed, "words, names not read", named=False, meaning=None))


def rates(task: Task, rows: Longs, seed: int) -> Found:
    """Words, and rates of labels estimated from unlabelled documents."""
    more: dict[str, Any] = {"unlabelled": _others(task, rows), "label_rates": "unlabelled"}
    return _one_by_one(ours(task, rows, seed, "words, rates of unlabelled", meaning=None, **more))


def _one_by_one(found: Found) -> Found:
    return {name: metrics for name, metrics in found.items() if not name.endswith("together")}


def _others(task: Task, rows: Longs) -> list[Document]:
    """Return documents of the training side that were not drawn."""
    drawn = set(rows.tolist())
    others = [i for i in range(len(task.pool)) if i not in drawn]
    some = np.random.default_rng(0).permutation(others)[:UNLABELLED]
    return [task.pool[i] for i in some.tolist()]


def linear(name: str, make: Callable[[str | None], Any]) -> System:
    """Return a linear classifier: plain, balanced, and with SCutFBR.1 thresholds of three folds."""

    def system(task: Task, rows: Longs, seed: int) -> Found:
        vectorizer = clone(vectorizer_of(None, None))
        X = vectorizer.fit_transform([task.pool[i] for i in rows.tolist()])
        X_test, Y = vectorizer.transform(task.test), task.Y[rows]

        def scores(X_train: Any, Y_train: Any, X_held: Any, weight: str | None = None) -> Any:
            return OneVsRest(lambda: make(weight)).fit(X_train, Y_train).decision_function(X_held)

        plain, balanced = scores(X, Y, X_test), scores(X, Y, X_test, "balanced")
        held = cross_validated_scores(scores, X, Y, 3, seed)
        rule = SCutFBR().fit(held.scores, Y, held.folds)
        return {
            name: measured(task.Y_test, plain, plain > 0.0),
            f"{name}, balanced": measured(task.Y_test, balanced, balanced > 0.0),
            f"{name}, SCutFBR.1": measured(task.Y_test, plain, rule.decide(plain)),
        }

    return system


def _svc(weight: str | None) -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC(C=1.0, class_weight=weight)


def _logistic(weight: str | None) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=10.0, class_weight=weight, solver="liblinear")


System = Callable[[Task, Longs, int], Found]
SYSTEMS: tuple[System, ...] = (
    words, numbered, corpus, rates, linear("LinearSVC", _svc), linear("LogisticRegression C=10", _logistic)
)  # fmt: skip
encoded = (_encoded("minilm", "minilm", False), _encoded("corpus + minilm", ["corpus", "minilm"], True))
CORPORA = "Reuters R90, OHSUMED-91, arXiv 2025"
NOTES = [
    "Means and standard deviations over draws. Macro F1 and mean average precision are means over the labels that a"
    " test document has; labels without a training document count as missed.",
    "SCutFBR.1 has thresholds of three folds. All bayesift rows have the default settings; together decides all test"
    " documents at once. They read the names of labels, which are words on Reuters and codes on the others, but for the"
    " row that says so; linear classifiers do not read them.",
]
UNLABELLED_NOTE = f"corpus and the rates of labels have {UNLABELLED:,} unlabelled documents of the training side."
MINILM_NOTE = f"All systems of this experiment are tested on {FEWER} documents."
