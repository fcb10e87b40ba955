"""The everyday classifier: texts and label sets in, label sets, probabilities, confidence and explanations out.

>>> from bayesift import TextClassifier
"""

from __future__ import annotations

from bayesift.classify.compare_learners import LearnerComparison, compare_learners
from bayesift.classify.explanation import Contribution, Explanation
from bayesift.classify.hierarchy import implied_labels
from bayesift.classify.label_classifier import LabelClassifier
from bayesift.classify.label_terms import LabelTerms
from bayesift.classify.saving import load
from bayesift.classify.text_classifier import TextClassifier
from bayesift.classify.wide.candidates import Candidates

__all__ = [
    "Candidates", "Contribution", "Explanation", "LabelClassifier", "LabelTerms", "LearnerComparison",
    "TextClassifier", "compare_learners", "implied_labels", "load",
]  # fmt: skip
