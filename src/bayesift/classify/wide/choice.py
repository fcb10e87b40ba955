"""When a model is made for very many labels, and what goes with it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesift.classify.label_classifier import LabelClassifier
from bayesift.classify.wide.classifier import ALL_AT_ONCE, WideClassifier
from bayesift.decide import Rule
from bayesift.errors import BadInput, Notice
from bayesift.learn import BOMC
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.wide.wide import WideLabels

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

MOST = 1 << 29  # weights, labels times terms, which BOMC learns in 12 GB; with more of them the default is wide
AT_ONCE = 24  # bytes per weight while BOMC learns: two beliefs, and their sum
USE_WIDE = "use the learner wide: TextClassifier('wide')"


def wide_if_needed(model: TextClassifier, learner: Any, labels: int, terms: int) -> Any:
    """Return the learner, or `WideLabels` with a notice where it is the default and its weights would be too many."""
    weights = labels * terms
    dense = learner is None or (isinstance(learner, BOMC) and not learner.compact)
    if weights <= MOST or not dense:
        return learner
    size = f"{labels:,} labels x {terms:,} terms take {AT_ONCE * weights / 1e9:,.0f} GB"
    refused = [name for name in ("prior_terms", "label_rates", "unlabelled") if getattr(model, name) is not None]
    if learner is not None or refused:
        remedy = f"{USE_WIDE}, without {refused[0]}" if refused else USE_WIDE
        raise BadInput(f"{size} with the learner {model.learner!r}", remedy=remedy)
    warnings.warn(f"{size} with the default learner; the learner wide is used instead", Notice, stacklevel=4)
    return WideLabels(seed=model.seed)


def check_wide(learner: Any, label_rates: Any) -> None:
    """Raise if a setting does not go with very many labels."""
    if isinstance(learner, WideLabels) and label_rates is not None:
        raise BadInput("the learner 'wide' takes no label rates", remedy="leave label_rates out, or use multilabel")


def classifier_for(
    learner: Any, rule: Rule | None, known: Sequence[FeaturePrior | None] | None, seed: int, rates: Any
) -> LabelClassifier:
    """Return the classifier of vectors that a learner needs."""
    if isinstance(learner, WideLabels):
        return WideClassifier(learner, rule, seed)
    return LabelClassifier(learner, rule, known, seed=seed, label_rates=rates)


def check_more(classifier: LabelClassifier) -> None:
    """Raise if a model cannot learn more documents, before anything is changed."""
    if isinstance(classifier, WideClassifier):
        raise BadInput(ALL_AT_ONCE, remedy="call fit with all documents")


def check_candidates(classifier: LabelClassifier) -> None:
    """Raise if a model scores all labels."""
    if not isinstance(classifier, WideClassifier):
        raise BadInput("this model scores every label", remedy="use predict_proba; candidates are of the learner wide")


def in_blocks(classifier: LabelClassifier, rows: Any, answer: Callable[[Any], Any]) -> Any:
    """Return the answers to all rows, asked for at once, or of very many labels a few rows at a time."""
    if not isinstance(classifier, WideClassifier):
        return answer(rows)
    parts = [answer(rows[some]) for some in classifier.blocks(rows.shape[0])]
    if not parts:
        return answer(rows)
    found: Any = type(parts[0])
    return found(x for part in parts for x in part) if isinstance(parts[0], list) else np.concatenate(parts)
