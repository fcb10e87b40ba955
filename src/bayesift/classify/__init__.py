"""The everyday classifier: texts and label sets in, label sets, probabilities, confidence and explanations out.

>>> from bayesift import TextClassifier
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesift.classify.compare_learners import LearnerComparison, compare_learners
from bayesift.classify.explanation import Contribution, Explanation
from bayesift.classify.label_classifier import LabelClassifier
from bayesift.classify.label_terms import LabelTerms
from bayesift.classify.saving import load
from bayesift.classify.text_classifier import TextClassifier

if TYPE_CHECKING:
    from bayesift.classify.river import RiverAdapter

__all__ = [
    "Contribution", "Explanation", "LabelClassifier", "LabelTerms", "LearnerComparison", "RiverAdapter",
    "TextClassifier", "compare_learners", "load",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the adapter when it is first used: it imports river, where river is installed."""
    if name == "RiverAdapter":
        from bayesift.classify.river import RiverAdapter

        return RiverAdapter
    raise AttributeError(f"module 'bayesift.classify' has no attribute {name!r}")
