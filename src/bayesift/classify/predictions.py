"""What `TextClassifier.predictions` returns: probabilities, decisions and confidence of some documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesift.arrays import BoolArray, FloatArray


@dataclass(frozen=True)
class Predictions:
    """Predictions of a model for some documents; see docs/guides/probabilities.md for what the numbers mean."""

    probabilities: FloatArray  # (documents, labels), calibrated
    decisions: BoolArray  # (documents, labels), True where the label is given
    confidence: FloatArray  # (documents,): how probable it is that the document's labels are right
    known_words: NDArray[np.int64]  # (documents,): distinct terms of the document that the model has learned
