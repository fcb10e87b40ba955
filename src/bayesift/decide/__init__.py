"""From probabilities (or any scores) to labels: decision rules that are fitted, applied and saved on their own.

A rule knows nothing of learners or text. `fit` gives a fitted rule and leaves the first one as it was, `decide`
gives a bool matrix (documents, labels), `to_dict` and `rule_from_dict` carry a rule through a model file. Which
rule does what: `docs/decisions.md`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bayesift.decide.calibration import CalibratedConfidence
from bayesift.decide.combine import Combiner
from bayesift.decide.confidence import (
    Confidence,
    ConfidenceLayer,
    ThresholdConfidence,
    confidence_in,
    cross_validated_q,
    document_confidence,
)
from bayesift.decide.expected_f import BestCut, ExpectedCut, ExpectedF, ExpectedF1, maximise_expected_f
from bayesift.decide.folds import OutOfFold, cross_validated_scores, stratified_folds
from bayesift.decide.joint import ExpectedJointF, JointCut
from bayesift.decide.mass import ClassMass
from bayesift.decide.rule import Rule, ThresholdRule, rule_from_dict
from bayesift.decide.scut import SCut, SCutFBR
from bayesift.decide.targets import Precision, Recall
from bayesift.decide.thresholds import Fixed, MaxF1, MinError

if TYPE_CHECKING:
    from bayesift.decide.classifier import LabelClassifier
    from bayesift.decide.margins import MarginCalibration
    from bayesift.decide.sampled import SampledF1
    from bayesift.decide.stack import LabelStack

__all__ = [
    "BestCut",
    "CalibratedConfidence",
    "ClassMass",
    "Combiner",
    "Confidence",
    "ConfidenceLayer",
    "ExpectedCut",
    "ExpectedF",
    "ExpectedF1",
    "ExpectedJointF",
    "Fixed",
    "JointCut",
    "LabelClassifier",
    "LabelStack",
    "MarginCalibration",
    "MaxF1",
    "MinError",
    "OutOfFold",
    "Precision",
    "Recall",
    "Rule",
    "SCut",
    "SCutFBR",
    "SampledF1",
    "ThresholdConfidence",
    "ThresholdRule",
    "confidence_in",
    "cross_validated_q",
    "cross_validated_scores",
    "document_confidence",
    "maximise_expected_f",
    "rule_from_dict",
    "stratified_folds",
]

_COMPILED = {
    "LabelClassifier": "classifier",
    "LabelStack": "stack",
    "MarginCalibration": "margins",
    "SampledF1": "sampled",
}


def __getattr__(name: str) -> Any:
    """What needs numba is imported when it is first used."""
    if name in _COMPILED:
        return getattr(import_module(f"bayesift.decide.{_COMPILED[name]}"), name)
    raise AttributeError(f"module 'bayesift.decide' has no attribute {name!r}")
