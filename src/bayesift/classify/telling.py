"""What a model has learned of a label: the terms that surely speak for it or against it, and whether that is enough."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesift.classify.targets import Label
from bayesift.classify.weights import weights_of

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


@dataclass(frozen=True)
class TellingTerms:
    """Of one label. `thin` says in words why there is too little evidence, and is empty where there is enough."""

    label: Label
    documents: int
    speak_for: tuple[Term, ...]
    speak_against: tuple[Term, ...]
    thin: str

    def to_dict(self) -> dict[str, Any]:
        """What JSON can hold."""
        return asdict(self)


def telling_terms(model: TextClassifier, label: Label, most: int) -> TellingTerms:
    """The terms whose weight is farthest from 0 after two deviations are taken off, the most telling first."""
    c = model.label_number(label)
    documents = int(model.label_documents_[c])
    weights = weights_of(model.classifier_.learner_, c)
    if weights is None:
        return TellingTerms(label, documents, (), (), _thin(documents, sure=1))
    certainty = weights.certainty()
    vocabulary = model.vectorizer_.vocabulary_

    def best(sign: float) -> tuple[Term, ...]:
        sure = sign * weights.mean - 2.0 * weights.sd
        top = np.argsort(-sure, kind="stable")[:most]
        top = top[(sign * weights.mean[top] > 0.0) & (sure[top] > 0.0)]
        names = vocabulary.names(vocabulary.columns[top])
        return tuple(
            Term(name, float(weights.mean[j]), float(weights.sd[j]), float(certainty[j]))
            for name, j in zip(names, top.tolist())
        )

    speak_for = best(1.0)
    return TellingTerms(label, documents, speak_for, best(-1.0), _thin(documents, len(speak_for)))


def thin_labels(model: TextClassifier) -> dict[Label, str]:
    """The labels with too little evidence, and why."""
    told = [telling_terms(model, label, 1) for label in model.classes_.tolist()]
    return {entry.label: entry.thin for entry in told if entry.thin}


def _thin(documents: int, sure: int) -> str:
    if documents < FEW:
        return f"{documents} document{'' if documents == 1 else 's'} only"
    return "" if sure else "no term surely speaks for it"
