"""The everyday classifier: texts and label sets in, label sets, probabilities, confidence and explanations out.

>>> from bayesift import TextClassifier
"""

from bayesift.classify.explanation import Contribution, Explanation
from bayesift.classify.one_by_one import OneByOne
from bayesift.classify.saving import load
from bayesift.classify.telling import TellingTerms
from bayesift.classify.text_classifier import TextClassifier

__all__ = ["Contribution", "Explanation", "OneByOne", "TellingTerms", "TextClassifier", "load"]
