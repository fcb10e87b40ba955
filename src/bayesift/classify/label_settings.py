"""Checks of the settings of a `LabelClassifier`, made before anything is learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

from bayesift.classify.inputs import check_seed
from bayesift.errors import BadInput
from bayesift.learn.priors import FeaturePrior

if TYPE_CHECKING:
    from bayesift.classify.label_classifier import LabelClassifier


def check_settings(model: LabelClassifier) -> None:
    """Raise if a setting does not have the expected form."""
    check_seed(model.seed)
    _check_rounds(model.rounds)
    _check_priors(model.feature_priors)
    _check_names(model.names)
    if isinstance(model.label_rates, Mapping):
        raise BadInput(
            f"label_rates is {model.label_rates!r}",
            remedy="give a sequence with one rate per label, nan where it is as in training; TextClassifier takes rates"
            " by name",
        )


def _check_rounds(given: Any) -> None:
    if isinstance(given, bool) or not isinstance(given, Integral) or given < 1:
        raise BadInput(f"rounds is {given!r}", remedy="give a whole number from 1 on")


def _check_priors(given: Any) -> None:
    if given is None:
        return
    priors = isinstance(given, Sequence) and not isinstance(given, str)
    if not (priors and all(one is None or isinstance(one, FeaturePrior) for one in given)):
        remedy = "give a sequence with one FeaturePrior per label, None where nothing is known"
        raise BadInput(f"feature_priors is {given!r}", remedy=remedy)


def _check_names(given: Any) -> None:
    if given is not None and len(getattr(given, "shape", ())) != 2:
        remedy = "give a sparse matrix (labels, features), each name as a document; TextClassifier reads names as text"
        raise BadInput(f"names is {given!r}", remedy=remedy)
