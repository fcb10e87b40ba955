"""The most informative terms for and against a label, and whether there is enough evidence for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr

from bayesift.classify.input_labels import Label
from bayesift.learn.weights import Weights

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

FEW = 3  # documents of a label below which little can be said about it


@dataclass(frozen=True)
class Term:
    """A term's weight; certainty is the probability that its sign is right."""

    term: str
    mean: float
    sd: float
    certainty: float
    word: str = ""  # the term as training documents have it

    @property
    def name(self) -> str:
        """Return the term as training documents have it."""
        return self.word or self.term


@dataclass(frozen=True)
class LabelTerms:
    """The most informative terms for and against one label.

    `weak_evidence` states why there is too little evidence; it is empty where there is enough.
    """

    label: Label
    documents: int
    positive: tuple[Term, ...]
    negative: tuple[Term, ...]
    weak_evidence: str

    def to_dict(self) -> dict[str, Any]:
        """Return the terms as a dictionary for JSON."""
        return asdict(self)


def label_terms(model: TextClassifier, labels: Sequence[Label], max_terms: int) -> list[LabelTerms]:
    """Return for each label the terms whose weight is farthest from 0 after two deviations, the farthest first."""
    numbers = label_numbers(model, labels)
    sides = [
        None if weights is None else [_farthest(weights, sign, max_terms) for sign in (1.0, -1.0)]
        for weights in model.classifier_.learner_.weights(numbers)
    ]
    columns = [j for both in sides for side in both or () for j, _, _ in side]
    vocabulary = model.vectorizer_.vocabulary_
    names = vocabulary.names(vocabulary.columns[columns]) if columns else []
    named = zip(names, model.vectorizer_.written(names))
    found = []
    for label, c, both in zip(labels, numbers, sides):
        positive, negative = (
            tuple(
                Term(term, mean, sd, float(ndtr(abs(mean) / sd)) if sd else 1.0, word)
                for (_, mean, sd), (term, word) in zip(side, named)
            )
            for side in both or ((), ())
        )
        documents = int(model.label_documents_[c])
        weak_evidence = _weak_evidence(documents, both is None or bool(positive))
        found.append(LabelTerms(label, documents, positive, negative, weak_evidence))
    return found


def weak_labels(model: TextClassifier) -> dict[Label, str]:
    """Return the labels with too little evidence, and why."""
    documents, names = model.label_documents_.tolist(), model.classes_.tolist()
    enough = [c for c in range(len(names)) if documents[c] >= FEW]
    sure = dict(zip(enough, map(_any_sure, model.classifier_.learner_.weights(enough))))
    reasons = {names[c]: _weak_evidence(documents[c], sure.get(c, True)) for c in range(len(names))}
    return {label: why for label, why in reasons.items() if why}


def label_numbers(model: TextClassifier, labels: Sequence[Label]) -> list[int]:
    """Return the columns of labels."""
    number = {label: c for c, label in enumerate(model.classes_.tolist())}
    return [number[label] if label in number else model.label_number(label) for label in labels]


def _farthest(weights: Weights, sign: float, max_terms: int) -> list[tuple[int, float, float]]:
    sure = sign * weights.mean - 2.0 * weights.sd
    some = np.flatnonzero(sure > 0.0)
    top = some[np.argsort(-sure[some], kind="stable")[:max_terms]]
    return list(zip(top.tolist(), weights.mean[top].tolist(), weights.sd[top].tolist()))


def _any_sure(weights: Weights | None) -> bool:
    return weights is None or bool((weights.mean > 2.0 * weights.sd).any())


def _weak_evidence(documents: int, sure: bool) -> str:
    if documents < FEW:
        return f"{documents} document{'' if documents == 1 else 's'} only"
    return "" if sure else "no term is certain to be positive"
