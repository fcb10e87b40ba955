"""The numbers of a fitted `TextClassifier` that decide a document, for writers of other formats.

Of the row x of a document and a label c:

    z = (x.mean_c - b_c) / sqrt(x^2.variance_c + var b_c + beta^2)       (BOMC)
    logit p = curve_c(z) + shift_c, a straight line between the middles of bins; that of `usual` without any term

and labels follow from p by thresholds, by the competition of labels, and by how many labels documents have.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from bayesift.classify.text_classifier import TextClassifier
from bayesift.decide.joint import JointThresholds
from bayesift.errors import BadInput
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.wide.wide import WideLabels

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
REMEDY = "train with the learner multilabel or bomc, without drift and meaning"


@dataclass(frozen=True)
class LinearModel:
    """What decides a document; arrays have one entry, row or column per label."""

    labels: list[str | int]
    mean: Singles  # (terms, labels)
    variance: Singles
    unseen: Singles  # mean and variance of the unseen label: (2, terms)
    bias: Floats
    bias_variance: Floats
    noise: float  # beta^2
    curves: Floats  # log-odds at the middles of bins: (labels, bins)
    usual: Floats  # log-odds of the base rates, with the shift
    shift: Floats
    thresholds: Floats
    competition: tuple[float, ...]
    implied: NDArray[np.int32]  # labels, and a label that each of them implies: (2, pairs)
    single: bool  # each document has exactly one label
    powers: tuple[float, float]  # of the probabilities then (`decide.single_label`)
    alone: bool  # the number of labels of a document is of no concern
    always_one: bool
    at_most_one: bool


def linear_model(model: TextClassifier) -> LinearModel:
    """Return the numbers of a classifier.

    Raises
    ------
    BadInput
        If its learner is not BOMC with independent or coupled labels, or it uses meaning or a hierarchy.
    """
    classifier = model.classifier_
    learner, calibration, rule = classifier.learner_, classifier.calibration_, classifier.rule_
    if not isinstance(learner, BOMC) or not learner.prequential or learner.drift:
        raise BadInput(f"a model with the learner {_name(model)} cannot be exported", remedy=REMEDY)
    if classifier.vectors_:
        raise BadInput("a model with vectors of meaning cannot be exported", remedy=REMEDY)
    if model.hierarchy_ and model.consistent:
        remedy = "export one that decides label by label: model.set_params(consistent=False)"
        raise BadInput("a model with a hierarchy of labels cannot be exported", remedy=remedy)
    belief, n = learner.belief_, learner.belief_.n_labels
    shift = classifier.label_shift()
    joint = rule if isinstance(rule, JointThresholds) else JointThresholds()
    rows = slice(belief.n_features)
    return LinearModel(
        labels=model.classes_.tolist(),
        mean=learner.mean_,
        variance=learner.variance_,
        unseen=np.stack([belief.mean[rows, n], belief.variance[rows, n]]),
        bias=np.array(learner.bias_mean_, np.float64),
        bias_variance=np.array(learner.bias_variance_, np.float64),
        noise=float(np.float32(learner.noise**2)),
        curves=calibration.logits[:-1],
        usual=logit(calibration.base_rates()[:-1]) + shift,
        shift=shift,
        thresholds=classifier.thresholds_,
        competition=joint.competition_,
        implied=joint.implications,
        single=model.kind_ == "one",
        powers=classifier.powers_,
        alone=rule.each_label_alone,
        always_one=classifier.always_one_,
        at_most_one=classifier.at_most_one_,
    )


def _name(model: TextClassifier) -> str:
    """Return the learner of a model as it is chosen: its name, or the object that was given."""
    if isinstance(model.classifier_.learner_, WideLabels):
        return "wide"  # which the default becomes where there are very many labels
    return str(model.learner)


def most_useful_weights(model: TextClassifier) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the terms and labels of all weights, those first that move a label most in all documents.

    A term moves a label by its weight, beyond that of a label never seen, in the share of documents that have it.
    """
    found, v = linear_model(model), model.vectorizer_
    df = np.maximum(v.document_frequency_, 1)
    n = max(v.vocabulary_.n_documents, 1)
    often = np.sqrt(df / n) * np.log2(1.0 + n / df)
    moves = np.abs(found.mean - found.unseen[0][:, None]) * often[:, None]
    order = np.argsort(-moves, axis=None, kind="stable")
    terms, labels = np.unravel_index(order, moves.shape)
    return terms, labels


def with_weights(model: TextClassifier, terms: NDArray[Any], labels: NDArray[Any]) -> TextClassifier:
    """Return a copy of a model that keeps only these weights.

    Its other weights are those of a label never seen; terms without a weight are unknown words.
    """
    kept, found = np.unique(terms), deepcopy(model)
    found.vectorizer_.vocabulary_.keep_columns(kept)
    found.vectorizer_.restore(found.vectorizer_.state())
    found.rows_.vectorizer = found.vectorizer_
    learner = found.classifier_.learner_
    state, belief = learner.state(), learner.belief_
    own = np.searchsorted(kept, terms), labels
    whole = {}
    for name in ("mean", "variance"):
        values = getattr(belief, name)[kept]
        whole[name] = np.repeat(values[:, belief.n_labels, None], belief.n_labels + 1, axis=1)
        whole[name][own] = values[own]
    plain = {name: value for name, value in state.items() if not name.startswith(("own_", "unseen"))}
    learner.restore(plain | whole | {"touched": state["touched"][kept]})
    found.classifier_.n_features_in_ = learner.n_features_in_
    return found
