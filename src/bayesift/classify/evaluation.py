"""A model's answers beside the truth, over every label that was learned or that a document has.

`score`, `evaluate`, cross-validation, comparisons and the evaluation page all measure these arrays, so that they give
the same number for the same documents. A label that was never learned is never given and has the probability
`UNLEARNED`: it counts as missed, and the log-evidence stays finite. Where the model has a hierarchy, the true labels of
a document bring their ancestors, as in training.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import check_room, label_matrix
from bayesift.classify.alike_labels import notice_case
from bayesift.classify.input_labels import Label, new_labels
from bayesift.classify.inputs import labelled
from bayesift.decide.confidence import confidence_in
from bayesift.errors import BadInput, Notice
from bayesift.evaluate import Report

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
UNLEARNED = 1e-6  # the probability of a label that was never learned


@dataclass(frozen=True, eq=False)
class Measured:
    """Predictions and truth of labelled documents; arrays are (documents, labels) unless stated otherwise."""

    documents: Sequence[Any]
    labels: Sequence[Label]  # those learned, then others that the documents have
    truth: sparse.csr_matrix
    probabilities: Floats
    decisions: Bools
    confidence: Floats  # (documents,)
    rows: Any = None  # the documents' vectors, where one model answered all
    together: bool = False  # whether all documents were decided at once
    folds: NDArray[np.int64] | None = None  # (documents,): the fold of each document, in cross-validation

    def report(self, name: str = "evaluation") -> Report:
        """Return all measures of these answers; Q, whose ROC curves need one model, not of a cross-validation."""
        return Report.of(
            self.truth,
            self.decisions,
            self.probabilities,
            confidences=None if self.folds is not None else confidence_in(self.decisions, self.probabilities),
            document_confidence=self.confidence,
            folds=self.folds,
            labels=[str(label) for label in self.labels],
            name=name,
        )


def measure(
    model: TextClassifier, X: Any, y: Any = None, *, together: bool = False, notice_unlearned: bool = True
) -> Measured:
    """Return the model's answers on labelled documents, each vectorised and predicted once.

    Labels that were never learned are noted, unless `notice_unlearned` is False.
    """
    check_is_fitted(model, "classifier_")
    documents, sets, _, _ = labelled(X, y, model._columns)
    if not documents:
        raise BadInput("there are no labelled documents to measure", remedy="give documents with labels")
    learned, sets = model.classes_.tolist(), model.hierarchy_.complete_all(sets)
    unlearned = new_labels(sets, learned, "sets", None)
    labels = [*learned, *unlearned]
    if unlearned and notice_unlearned:
        _notice_unlearned(unlearned, labels)
    check_room(len(documents), len(labels))
    rows = model.vectorize(documents)
    answers = model.predictions_of(rows, together=together)
    p, decisions = widened(answers.probabilities, answers.decisions, learned, labels)
    truth = label_matrix(sets, labels)
    return Measured(documents, labels, truth, p, decisions, answers.confidence, rows, together)


def _notice_unlearned(unlearned: Sequence[Label], labels: Sequence[Label]) -> None:
    """Warn about labels of documents that were never learned."""
    number = f"{len(unlearned):,} labels were" if len(unlearned) > 1 else "1 label was"
    counts = "count" if len(unlearned) > 1 else "counts"
    message = f"{number} never learned and {counts} as missed, e.g. {unlearned[0]!r}"
    warnings.warn(message, Notice, stacklevel=4)
    notice_case(labels)


def widened(p: Floats, decisions: Bools, learned: Sequence[Label], labels: Sequence[Label]) -> tuple[Floats, Bools]:
    """Place the columns of the labels learned among all labels; the others are unlikely and never given.

    >>> p, given = widened(np.array([[0.9]]), np.array([[True]]), ["b"], ["a", "b"])
    >>> p, given
    (array([[1.e-06, 9.e-01]]), array([[False,  True]]))
    """
    number = {label: c for c, label in enumerate(labels)}
    places = [number[label] for label in learned]
    wide_p, wide = np.full((len(p), len(labels)), UNLEARNED), np.zeros((len(p), len(labels)), bool)
    wide_p[:, places], wide[:, places] = p, decisions
    return wide_p, wide
