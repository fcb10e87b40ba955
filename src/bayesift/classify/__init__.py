"""The everyday classifier: texts and label sets in, label sets, probabilities, confidence and explanations out.

>>> from bayesift import TextClassifier
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayesift.classify.explanation import Contribution, Explanation
from bayesift.classify.label_classifier import LabelClassifier
from bayesift.classify.label_terms import TellingTerms
from bayesift.classify.saving import load
from bayesift.classify.text_classifier import TextClassifier

if TYPE_CHECKING:
    from bayesift.classify.river import OneByOne

__all__ = ["Contribution", "Explanation", "LabelClassifier", "OneByOne", "TellingTerms", "TextClassifier", "load"]


def __getattr__(name: str) -> Any:
    """Import the adapter when it is first used: it imports river, where river is installed."""
    if name == "OneByOne":
        from bayesift.classify.river import OneByOne

        return OneByOne
    raise AttributeError(f"module 'bayesift.classify' has no attribute {name!r}")
