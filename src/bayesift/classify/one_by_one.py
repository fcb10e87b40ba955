"""River's verbs around a `TextClassifier`: learn and predict one document at a time.

Targets and answers are those of river's multi-label models, dictionaries from label to bool, or single labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from bayesift.classify.targets import Label
from bayesift.classify.text_classifier import TextClassifier


class OneByOne:
    """A thin adapter; `model` may be fitted already or not.

    >>> stream = OneByOne()
    >>> for text, label in [("wheat rose", "grain"), ("oil fell", "crude"), ("wheat fell", "grain")]:
    ...     _ = stream.learn_one(text, {"grain": label == "grain", "crude": label == "crude"})
    >>> sorted(stream.predict_proba_one("wheat"))
    ['crude', 'grain']
    """

    def __init__(self, model: TextClassifier | None = None) -> None:
        self.model = model or TextClassifier()

    def learn_one(self, x: Any, y: Mapping[Label, bool] | Iterable[Label] | Label) -> Self:
        """Learn one document; y maps labels to bools, or is a set of labels, or the one label."""
        classes = list(y) if isinstance(y, Mapping) else None
        target = tuple(label for label, true in y.items() if true) if isinstance(y, Mapping) else y
        self.model.partial_fit([x], [target], classes)
        return self

    def predict_one(self, x: Any) -> Any:
        """Whether each label applies; or the one label."""
        if not hasattr(self.model, "classifier_"):
            return {}
        if self.model.kind_ == "one":
            return self.model.predict([x])[0]
        return dict(zip(self.model.classes_.tolist(), self.model.decisions([x])[1][0].tolist()))

    def predict_proba_one(self, x: Any) -> dict[Label, Any]:
        """For each label the probability of True and of False; or of each label, where there is one a document."""
        if not hasattr(self.model, "classifier_"):
            return {}
        p = dict(zip(self.model.classes_.tolist(), self.model.predict_proba([x])[0].tolist()))
        return p if self.model.kind_ == "one" else {label: {True: q, False: 1.0 - q} for label, q in p.items()}
