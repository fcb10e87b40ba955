"""The training documents that are nearest in meaning to a document, among the sample that a classifier keeps.

Vectors of meaning have unit length: their product is the similarity. The sample holds no text, so a document is shown
by its words with the largest weights, and by its labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesift.learn.side_by_side import SideBySide

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

NEAREST, WORDS = 2, 3  # documents that are shown, and words of each


class Neighbours:
    """Documents of a model's sample, to be searched by meaning."""

    def __init__(self, model: TextClassifier) -> None:
        self._model = model
        self._rows, self._labels = model.classifier_.sample(model.rows_)

    def line(self, row: SideBySide) -> str:
        """Return one line that names the nearest documents of a document."""
        near = self._rows.dense @ row.dense[0]
        order = np.argsort(-near, kind="stable")[:NEAREST]
        shown = [self._shown(int(i)) for i in order if near[i] > 0.0]
        return f"similar in meaning to {'; '.join(shown)}" if shown else "meaning: no similar document"

    def _shown(self, i: int) -> str:
        row = self._rows.words[[i]]
        top = row.indices[np.argsort(-row.data, kind="stable")[:WORDS]]
        vocabulary, vectorizer = self._model.vectorizer_.vocabulary_, self._model.vectorizer_
        words = vectorizer.written(vocabulary.names(vocabulary.columns[top])) if top.size else ["no known word"]
        names = self._model.classes_.tolist()
        labels = ", ".join(str(names[c]) for c in self._labels[[i]].indices) or "no label"
        return f"{' '.join(words)} ({labels})"
