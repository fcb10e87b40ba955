"""Decisions: calibrated probabilities in, labels and confidence out.

A rule does not know learners or text. `fit` returns a fitted rule and does not change the first one, `decide` returns a
bool matrix (documents, labels), `to_dict` and `rule_from_dict` carry a rule through a model file.
"""

from bayesift.decide.document_confidence import document_confidence
from bayesift.decide.expected_f import ExpectedF, ExpectedF1, ExpectedFThresholds
from bayesift.decide.folds import cross_validated_scores
from bayesift.decide.joint import JointThresholds
from bayesift.decide.precision_recall import Precision, Recall
from bayesift.decide.rule import Rule, rule_from_dict
from bayesift.decide.scut import SCut, SCutFBR
from bayesift.decide.thresholds import MaxF1, MinError, Threshold

__all__ = [
    "ExpectedF",
    "ExpectedF1",
    "ExpectedFThresholds",
    "JointThresholds",
    "MaxF1",
    "MinError",
    "Precision",
    "Recall",
    "Rule",
    "SCut",
    "SCutFBR",
    "Threshold",
    "cross_validated_scores",
    "document_confidence",
    "rule_from_dict",
]
