"""River's verbs around a `TextClassifier`: learn and predict one document at a time.

Where river is installed the adapter is one of its classifiers, for single labels and for label sets, so that
`progressive_val_score`, `clone` and pipelines take it. Without river the verbs work all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Self

from sklearn.base import clone as unfitted

from bayesift.classify.input_labels import Label
from bayesift.classify.text_classifier import TextClassifier

try:
    from river.base import Classifier, MultiLabelClassifier
except ImportError:  # river is optional

    class Classifier:  # type: ignore[no-redef]
        """Stands in for river's."""

    class MultiLabelClassifier:  # type: ignore[no-redef]
        """Stands in for river's."""


class RiverAdapter(Classifier, MultiLabelClassifier):  # type: ignore[misc]
    """A `TextClassifier` with river's verbs; `model` may be fitted already.

    Targets and answers are river's: dictionaries from label to bool, or single labels.

    >>> stream = RiverAdapter()
    >>> for text, label in [("wheat rose", "grain"), ("oil fell", "crude"), ("wheat fell", "grain")]:
    ...     stream.learn_one(text, {"grain": label == "grain", "crude": label == "crude"})
    >>> sorted(stream.predict_proba_one("wheat"))
    ['crude', 'grain']
    """

    def __init__(self, model: TextClassifier | None = None) -> None:
        self.model = TextClassifier() if model is None else model

    def learn_one(self, x: Any, y: Mapping[Label, bool] | Iterable[Label] | Label) -> None:
        """Learn one document; y maps labels to bools, or is a set of labels, or the one label."""
        classes = list(y) if isinstance(y, Mapping) else None
        target = tuple(label for label, true in y.items() if true) if isinstance(y, Mapping) else y
        self.model.partial_fit([x], [target], classes)

    def predict_one(self, x: Any) -> Any:
        """Return whether each label applies, or the one label; None before anything was learned."""
        if not self._learned:
            return None
        if self.model.kind_ == "one":
            return self.model.predict([x]).tolist()[0]
        return dict(zip(self.model.classes_.tolist(), self.model.decisions([x])[1][0].tolist()))

    def predict_proba_one(self, x: Any) -> dict[Label, Any]:
        """Return for each label the probability of True and of False; or of each label, where there is one only."""
        if not self._learned:
            return {}
        p = dict(zip(self.model.classes_.tolist(), self.model.predict_proba([x])[0].tolist()))
        return p if self.model.kind_ == "one" else {label: {True: q, False: 1.0 - q} for label, q in p.items()}

    def clone(self, new_params: Mapping[str, Any] | None = None, include_attributes: bool = False) -> Self:
        """Return an adapter with the same settings that has learned nothing, or with `include_attributes` the same."""
        model = deepcopy(self.model) if include_attributes else unfitted(self.model)
        return type(self)(**{"model": model, **(new_params or {})})

    @property
    def _learned(self) -> bool:
        return hasattr(self.model, "classifier_")

    @property
    def _multiclass(self) -> bool:
        return True

    def _more_tags(self) -> set[str]:
        return {"text input"}
