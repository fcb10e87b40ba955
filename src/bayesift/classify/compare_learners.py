"""Compare learners on one's own documents: F1, calibration error, seconds and size of the model, side by side.

Each learner answers the same held-out documents: a fifth of all, or all of them fold by fold.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from bayesift.arrays import label_matrix
from bayesift.classify.cross_validation import check_size, fit_without
from bayesift.classify.evaluation import Measured, widened
from bayesift.classify.hierarchy import Hierarchy
from bayesift.classify.input_labels import new_labels
from bayesift.classify.inputs import labelled
from bayesift.classify.text_classifier import TextClassifier
from bayesift.decide.folds import stratified_folds
from bayesift.display import Cell, Table
from bayesift.errors import BadInput
from bayesift.learn.registry import LEARNERS
from bayesift.progress import track

PARTS = 5  # of which one is held out
CLOSE = 0.005  # F1 by which a faster learner may be behind the best
LARGEST = {"gp": 300_000, "perceptron": 10_000_000, "logistic": 20_000_000, "probit": 20_000_000, "best": 50_000_000}
# documents times labels, beyond which a learner is tried only by name: it would take more than about half an hour


@dataclass(frozen=True)
class LearnerFigures:
    """What one learner reached."""

    learner: str
    micro_f1: float
    macro_f1: float
    calibration_error: float
    training_seconds: float  # per model
    prediction_seconds: float  # per 1,000 documents
    model_bytes: int

    @property
    def f1(self) -> float:
        """The mean of micro and macro F1."""
        return 0.5 * (self.micro_f1 + self.macro_f1)


@dataclass(frozen=True)
class LearnerComparison:
    """The figures of all learners, those skipped with the reason, and the one to choose with the reason."""

    measured_by: str
    learners: Sequence[LearnerFigures]
    skipped: Mapping[str, str]
    choice: str
    reason: str

    def table(self) -> Table:
        """Return the figures as a table, the best F1 first."""
        header = ("learner", "micro F1", "macro F1", "calibration error", "train s", "predict s/1000", "model MB")
        rows: list[list[Cell]] = [
            [f.learner, f.micro_f1, f.macro_f1, f.calibration_error, f"{f.training_seconds:.2f}",
             f"{f.prediction_seconds:.3f}", f"{f.model_bytes / 1e6:.2f}"]
            for f in sorted(self.learners, key=lambda f: -f.f1)
        ]  # fmt: skip
        return Table(f"Learners, measured by {self.measured_by}", header, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as dictionaries, lists, texts and numbers."""
        return {"name": "compare-learners", "documents": self.measured_by, "summary": {"choice": self.choice,
                "reason": self.reason}, "learners": [asdict(f) for f in self.learners],
                "skipped": dict(self.skipped)}  # fmt: skip


def compare_learners(
    X: Any,
    y: Any = None,
    *,
    learners: Sequence[str] | Mapping[str, TextClassifier] | None = None,
    folds: int | None = None,
    seed: int = 0,
) -> LearnerComparison:
    """Return the figures of several learners on the same held-out documents, and which one to choose.

    Parameters
    ----------
    X, y : documents and targets
        As `TextClassifier.fit` takes them.
    learners : sequence of str, or mapping from name to TextClassifier, optional
        The learners to compare. None is all of them, except those that would take very long on so many documents.
    folds : int, optional
        The number of folds of a cross-validation; None holds out a fifth of the documents once.
    seed : int
        Random seed of the folds.

    Examples
    --------
    >>> texts, labels = ["wheat exports", "oil fell", "corn and wheat", "crude oil"] * 10, [("grain",), ("oil",)] * 20
    >>> found = compare_learners(texts, labels, learners=["multilabel", "categoriser"])
    >>> [figures.learner for figures in found.learners], found.measured_by
    (['multilabel', 'categoriser'], 'a held-out fifth: 8 of 40 documents')
    """
    documents, sets, kind, _ = labelled(X, y)
    for model in learners.values() if isinstance(learners, Mapping) else ():
        hierarchy = Hierarchy.of(model.hierarchy)
        hierarchy.check_kind(kind)
        sets = hierarchy.complete_all(sets)
    labels = new_labels(sets, (), "sets", None)
    check_size(len(documents), len(labels), folds or PARTS)
    tried, skipped = _tried(learners, len(documents), len(labels))
    targets: Any = [own[0] for own in sets] if kind == "one" else sets
    fold = stratified_folds(label_matrix(sets, labels), folds or PARTS, seed)
    held = range(folds) if folds else range(1)
    found = []
    for name, model in track(tried.items(), "learners", total=len(tried)):
        found.append(_measured(name, model, documents, targets, sets, labels, fold, held))
    choice, reason = _choice(found)
    number = int(np.isin(fold, held).sum())
    how = f"{folds}-fold cross-validation: {number:,} documents" if folds else (
        f"a held-out fifth: {number:,} of {len(documents):,} documents"
    )  # fmt: skip
    return LearnerComparison(how, found, skipped, choice, reason)


def _tried(
    learners: Sequence[str] | Mapping[str, TextClassifier] | None, documents: int, labels: int
) -> tuple[dict[str, TextClassifier], dict[str, str]]:
    """Return the classifiers to try, and why others are skipped."""
    if isinstance(learners, Mapping):
        tried = dict(learners)
    else:
        tried = {name: TextClassifier(name) for name in (LEARNERS if learners is None else learners)}
    if not tried:
        raise BadInput("no learner to compare", remedy=f"learners are: {', '.join(LEARNERS)}")
    for model in tried.values():
        model.check()
    skipped = {} if learners is not None else too_large(tried, documents, labels)
    return {name: model for name, model in tried.items() if name not in skipped}, skipped


def too_large(names: Iterable[str], documents: int, labels: int) -> dict[str, str]:
    """Return the learners that would take very long on so many documents and labels, with the reason."""
    why = f"{documents:,} documents times {labels:,} labels would take very long; name it to try it"
    return {name: why for name in names if documents * labels > LARGEST.get(name, np.inf)}


def _measured(
    name: str, model: TextClassifier, documents: Any, targets: Any, sets: Any, labels: Any, fold: NDArray[np.int64],
    held: range,
) -> LearnerFigures:  # fmt: skip
    """Return the figures of one learner."""
    truth = label_matrix(sets, labels)
    p, decisions = np.zeros(truth.shape), np.zeros(truth.shape, bool)
    confidence = np.zeros(len(documents))
    training, predicting = 0.0, 0.0
    for k in held:
        train, test = np.flatnonzero(fold != k).tolist(), np.flatnonzero(fold == k).tolist()
        start = time.perf_counter()
        part = [documents[i] for i in train], [targets[i] for i in train]
        fitted = fit_without(clone(model), *part, k + 1, int(fold.max()) + 1)
        middle = time.perf_counter()
        answers = fitted.predictions([documents[i] for i in test])
        training, predicting = training + middle - start, predicting + time.perf_counter() - middle
        learned = fitted.classes_.tolist()
        p[test], decisions[test] = widened(answers.probabilities, answers.decisions, learned, labels)
        confidence[test] = answers.confidence
    rows = np.flatnonzero(np.isin(fold, held))
    measured = Measured(documents, labels, truth, p, decisions, confidence, folds=fold)
    some = [documents[i] for i in rows.tolist()]
    measured = replace(measured, documents=some, truth=truth[rows], probabilities=p[rows], decisions=decisions[rows],
                       confidence=confidence[rows], folds=fold[rows])  # fmt: skip
    summary = measured.report().summary
    with tempfile.TemporaryDirectory() as folder:
        fitted.save(Path(folder, "x.model"))
        size = Path(folder, "x.model").stat().st_size
    return LearnerFigures(
        name, float(summary["micro F1"]), float(summary["macro F1"]), float(summary["calibration error"]),
        training / len(held), 1000.0 * predicting / len(rows), size,
    )  # fmt: skip


def _choice(found: Sequence[LearnerFigures]) -> tuple[str, str]:
    """Return the learner to choose, and why: the fastest to train of those close to the best F1."""
    best = max(found, key=lambda f: f.f1)
    close = [f for f in found if f.f1 >= best.f1 - CLOSE]
    chosen = min(close, key=lambda f: f.training_seconds)
    stated = f"micro F1 {chosen.micro_f1:.4f} and macro F1 {chosen.macro_f1:.4f}"
    if chosen is best:
        others = "" if len(close) == 1 else ", and it trains fastest of those close to it"
        return chosen.learner, f"the largest mean of {stated}{others}"
    return chosen.learner, f"{stated}, close to the best ({best.learner}), and it trains faster"
