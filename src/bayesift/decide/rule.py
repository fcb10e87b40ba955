"""What every decision rule is: a frozen dataclass of settings (and fitted thresholds) that fits, decides and is saved.

A `ThresholdRule` has one threshold per label: it decides one document as it decides many, and it can be fitted to
counts of documents instead of the documents themselves, so that it follows a model that learns online. Other rules
(`BatchRule`) decide all documents at hand together; `one_by_one` names the threshold rule of the same aim for single
documents.

All fields of a rule are numbers or (nested) tuples of numbers, or settings that are a word or a bool, which is what
makes saving it one small function. Settings have plain names; what `fit` found ends in `_`.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from bayesift.arrays import BoolArray, FloatArray, IntArray, LabelMatrix, above, as_scores
from bayesift.decide.label_rates import reweighted
from bayesift.errors import BadInput, NotFound

_KINDS: dict[str, type[Rule]] = {}  # every subclass by its name, which is what `to_dict` saves


class Rule(ABC):
    """A way to turn scores (documents, labels) into labels, each label on its own."""

    aim: ClassVar[str] = ""  # what its thresholds are best for, in words

    def __init_subclass__(cls) -> None:
        _KINDS[cls.__name__] = cls

    @abstractmethod
    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule fitted to labelled documents.

        `folds` is the fold in which each document was held out, for out-of-fold scores. Only `SCut` and `SCutFBR` use
        it; the others ignore it, so that any rule can be fitted by the same call.
        """

    @abstractmethod
    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return True where the document gets the label."""

    def one_by_one(self) -> ThresholdRule | None:
        """Return the rule with the same aim that decides each document on its own; None if there is none."""
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as a dictionary for JSON; an infinite threshold, which gives the label to nobody, is None."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        return {"rule": type(self).__name__} | {name: _freeze(value) for name, value in values.items()}


class BatchRule(Rule):
    """A rule that decides all documents at hand together, by their probabilities alone."""

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule itself: there is nothing to fit."""
        return self


class ThresholdRule(Rule):
    """A label is given where its score is above the label's threshold."""

    needs_folds: ClassVar[bool] = False  # whether counts must be kept fold by fold
    needs_documents: ClassVar[bool] = False  # whether `fit_documents` has something to fit
    each_label_alone: ClassVar[bool] = False  # whether the number of labels of a document is of no concern
    may_add: ClassVar[bool] = True  # whether a label below its threshold may be given where another one implies it
    may_drop: ClassVar[bool] = True  # whether one above it may be left out where it implies another one

    @abstractmethod
    def fit_counts(self, p: FloatArray, documents: IntArray, positives: IntArray) -> Self:
        """Return the rule fitted to counted documents.

        p (labels, levels) are rising probabilities; documents and positives (folds, labels, levels) say how many
        documents of each fold have that probability, and how many of them have the label.
        """

    def fit_shifted_counts(self, p: FloatArray, documents: IntArray, positives: IntArray, shift: FloatArray) -> Self:
        """Return the rule fitted to counted documents, for use where the labels have other rates (`label_rates`).

        p are the probabilities at the rates of these documents; those to be decided have their log-odds shifted.
        """
        counts = reweighted(documents, positives, shift)
        return self.fit_counts(np.asarray(expit(logit(p) + shift[:, None])), *counts)

    @abstractmethod
    def thresholds(self, labels: int) -> FloatArray:
        """Return the threshold of each of so many labels."""

    def fit_documents(self, log_odds: FloatArray, truth: BoolArray) -> Self:
        """Return the rule with what it learns from whole documents, which counts of each label do not show.

        log_odds and truth are (documents, labels). Most rules learn nothing from them.
        """
        return self

    def keeping(self, before: Rule) -> Self:
        """Return the rule with what the rule before it learned from whole documents."""
        return self

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return True where the score is above the threshold of the label in that document."""
        found = as_scores(scores)
        return np.asarray(found > self.document_thresholds(found))

    def document_thresholds(self, p: FloatArray) -> FloatArray:
        """Return the threshold of each label in each of these documents, both (documents, labels)."""
        thresholds = self.thresholds(p.shape[1])
        above(p[:0], thresholds)  # the labels are those that were fitted
        return np.broadcast_to(thresholds, p.shape)

    def one_by_one(self) -> ThresholdRule | None:
        """Return the rule itself."""
        return self

    def together(self) -> Rule | None:
        """Return the rule with the same aim that decides many documents together; None if there is none."""
        return None


@dataclasses.dataclass(frozen=True)
class FittedRule(ThresholdRule):
    """A threshold rule that finds one threshold per label in the data."""

    thresholds_: tuple[float, ...] = dataclasses.field(default=(), repr=False, kw_only=True)

    def thresholds(self, labels: int) -> FloatArray:
        """Return the threshold of each label."""
        return fitted(self.thresholds_, self)


def rule_kinds() -> dict[str, type[Rule]]:
    """Return all rules that can be used, by name."""
    return {name: kind for name, kind in _KINDS.items() if not inspect.isabstract(kind)}


def rule_from_dict(saved: Mapping[str, Any]) -> Rule:
    """Return the rule that `to_dict` saved.

    >>> from bayesift.decide import Threshold
    >>> Threshold(0.3).to_dict()
    {'rule': 'Threshold', 'threshold': 0.3}
    >>> rule_from_dict({"rule": "Threshold", "threshold": 0.3})
    Threshold(threshold=0.3)
    """
    values = dict(saved)
    name = values.pop("rule", None)
    kinds = rule_kinds()
    if name not in kinds:
        raise NotFound(f"no such decision rule {name!r}", remedy=f"rules are: {', '.join(sorted(kinds))}")
    kind = kinds[name]
    expected = {field.name: field.default for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    if not values.keys() <= expected.keys():  # those that are missing are as they were before there was such a setting
        raise BadInput(f"{name} has the fields {sorted(expected)}, but {sorted(values)} came", remedy="save it again")
    return kind(**{field: _setting(value, expected[field], f"{name}.{field}") for field, value in values.items()})


def threshold_rule(rule: Rule) -> ThresholdRule:
    """Return the rule of the same aim that decides documents one by one; raise if there is none."""
    found = rule.one_by_one()
    if found is None:
        raise BadInput(
            f"the rule {type(rule).__name__} cannot decide documents one by one",
            remedy="use a rule with thresholds here; this one takes scores of many documents: bayesift.decide",
        )
    return found


def positive(value: object, what: str) -> None:
    """Raise unless the value is a positive number; `what` names it in the error."""
    if not isinstance(value, int | float | np.number) or not 0 < value < math.inf:
        raise BadInput(f"{what} must be a positive number, but is {value!r}", remedy=f"give e.g. {what}=1")


def fitted(thresholds: tuple[float, ...], rule: Rule) -> npt.NDArray[np.float64]:
    """Return the thresholds of a fitted rule as an array; raise if it is not fitted."""
    if not isinstance(thresholds, tuple) or not thresholds:
        raise BadInput(
            f"this {type(rule).__name__} is not fitted", remedy="decide with the rule that fit(scores, truth) returns"
        )
    return np.asarray(thresholds, np.float64)


def _freeze(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_freeze(x) for x in value]
    if isinstance(value, bool | str):
        return value
    return None if value == math.inf else float(value)


def _setting(value: Any, default: Any, what: str) -> Any:
    if not isinstance(default, bool | str):
        return _thaw(value, what)
    if type(value) is not type(default):
        raise BadInput(f"{what} must be like {default!r}, but is {value!r}", remedy="save it again")
    return value


def _thaw(value: Any, what: str) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_thaw(x, what) for x in value)
    if value is None:
        return math.inf
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise BadInput(f"{what} must be a number, but is {value!r}", remedy="save it again")
    return float(value)
