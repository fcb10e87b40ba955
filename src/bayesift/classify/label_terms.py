"""What a model has learned of a label: the terms that surely speak for it or against it, and whether that is enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr

from bayesift.classify.input_labels import Label
from bayesift.classify.weights import Weights, weights_of

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


def telling_terms(model: TextClassifier, labels: Sequence[Label], most: int) -> list[TellingTerms]:
    """Return for each label the terms whose weight is farthest from 0 after two deviations, the farthest first."""
    numbers = label_numbers(model, labels)
    sides = [
        None if weights is None else [_farthest(weights, sign, most) for sign in (1.0, -1.0)]
        for weights in weights_of(model.classifier_.learner_, numbers)
    ]
    columns = [j for both in sides for side in both or () for j, _, _ in side]
    vocabulary = model.vectorizer_.vocabulary_
    names = iter(vocabulary.names(vocabulary.columns[columns]) if columns else [])
    found = []
    for label, c, both in zip(labels, numbers, sides):
        speak_for, speak_against = (
            tuple(Term(next(names), mean, sd, float(ndtr(abs(mean) / sd)) if sd else 1.0) for _, mean, sd in side)
            for side in both or ((), ())
        )
        documents = int(model.label_documents_[c])
        thin = _thin(documents, both is None or bool(speak_for))
        found.append(TellingTerms(label, documents, speak_for, speak_against, thin))
    return found


def thin_labels(model: TextClassifier) -> dict[Label, str]:
    """Return the labels with too little evidence, and why."""
    documents, names = model.label_documents_.tolist(), model.classes_.tolist()
    enough = [c for c in range(len(names)) if documents[c] >= FEW]
    sure = dict(zip(enough, map(_any_sure, weights_of(model.classifier_.learner_, enough))))
    reasons = {names[c]: _thin(documents[c], sure.get(c, True)) for c in range(len(names))}
    return {label: why for label, why in reasons.items() if why}


def label_numbers(model: TextClassifier, labels: Sequence[Label]) -> list[int]:
    """Return the columns of labels."""
    number = {label: c for c, label in enumerate(model.classes_.tolist())}
    return [number[label] if label in number else model.label_number(label) for label in labels]


def _farthest(weights: Weights, sign: float, most: int) -> list[tuple[int, float, float]]:
    sure = sign * weights.mean - 2.0 * weights.sd
    some = np.flatnonzero(sure > 0.0)
    top = some[np.argsort(-sure[some], kind="stable")[:most]]
    return list(zip(top.tolist(), weights.mean[top].tolist(), weights.sd[top].tolist()))


def _any_sure(weights: Weights | None) -> bool:
    return weights is None or bool((weights.mean > 2.0 * weights.sd).any())


def _thin(documents: int, sure: bool) -> str:
    if documents < FEW:
        return f"{documents} document{'' if documents == 1 else 's'} only"
    return "" if sure else "no term surely speaks for it"
