"""A learning curve: how good the same settings are with fewer documents to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from bayesift.classify import TextClassifier
from bayesift.classify.evaluation import measure
from bayesift.classify.input_documents import labels_of
from bayesift.corpora import Document
from bayesift.errors import BadInput
from bayesift.progress import track

SHARES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)


@dataclass(frozen=True)
class LearningCurve:
    """Micro and macro F1 after so many documents."""

    documents: tuple[int, ...]
    micro: tuple[float, ...]
    macro: tuple[float, ...]


def learning_curve(
    model: TextClassifier, training: Sequence[Document], test: Sequence[Document], seed: int = 0
) -> LearningCurve:
    """Fit copies of the model on growing parts of the training documents, drawn once, and measure each on the test."""
    order = np.random.default_rng(seed).permutation(len(training)).tolist()
    targets = labels_of(training, model.kind_ == "one")
    points = []
    for share in track(SHARES, "learning curve"):
        part = sorted(order[: max(2, round(share * len(training)))])
        try:
            fitted = clone(model).fit([training[i] for i in part], [targets[i] for i in part])
        except BadInput:  # too few documents to learn from
            continue
        whole = len(part) == len(training)  # a model of a part has not learned all labels, as is to be expected
        summary = measure(fitted, test, notice_unlearned=whole).report().summary
        points.append((len(part), summary["micro F1"], summary["macro F1"]))
    documents, micro, macro = zip(*points) if points else ((), (), ())
    return LearningCurve(documents, micro, macro)
