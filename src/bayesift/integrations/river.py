"""river: learn and predict one document at a time, with river's verbs.

Where river is installed the adapter is one of its classifiers, for single labels and for label sets, so that
`progressive_val_score`, `clone` and pipelines take it. Without river the verbs work all the same.

What comes first decides what x is. Texts, `Document`s and dictionaries of texts are documents: a `TextClassifier`
learns them. Other dictionaries are river's features, such as what `BagOfWords` returns: a `LabelClassifier` with the
same learner learns them, with a column per feature, and a column per value of a feature that is text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import clone as unfitted

from bayesift.classify.input_labels import Label
from bayesift.classify.label_classifier import LabelClassifier
from bayesift.classify.registry import rule_of
from bayesift.classify.text_classifier import TextClassifier
from bayesift.errors import BadInput
from bayesift.learn.registry import learner_of

try:
    from river.base import Classifier, MultiLabelClassifier
except ImportError:  # river is optional

    class Classifier:  # type: ignore[no-redef]
        """Stands in for river's."""

    class MultiLabelClassifier:  # type: ignore[no-redef]
        """Stands in for river's."""


class RiverAdapter(Classifier, MultiLabelClassifier):  # type: ignore[misc]
    """A `TextClassifier` with river's verbs; it may be fitted already.

    Targets and answers are river's: dictionaries from label to bool, or single labels.

    Parameters
    ----------
    model
        The classifier; by default a new one.

    Examples
    --------
    >>> stream = RiverAdapter()
    >>> for text, label in [("wheat rose", "grain"), ("oil fell", "crude"), ("wheat fell", "grain")]:
    ...     stream.learn_one(text, {"grain": label == "grain", "crude": label == "crude"})
    >>> sorted(stream.predict_proba_one("wheat"))
    ['crude', 'grain']
    """

    def __init__(self, model: TextClassifier | None = None) -> None:
        self.model = TextClassifier() if model is None else model
        self._features: FeatureStream | None = None

    def learn_one(self, x: Any, y: Mapping[Label, bool] | Iterable[Label] | Label) -> None:
        """Learn one document; y maps labels to bools, or is a set of labels, or the one label."""
        if self._features is None and not self._learned and _are_features(x):
            self._features = FeatureStream(self.model)
        classes = list(y) if isinstance(y, Mapping) else None
        target: Any = tuple(label for label, true in y.items() if true) if isinstance(y, Mapping) else y
        if self._features is not None:
            self._features.learn(x, target, classes or ())
        else:
            self.model.partial_fit([x], [target], classes)

    def predict_one(self, x: Any) -> Any:
        """Return whether each label applies, or the one label; None before anything was learned."""
        if not self._learned:
            return None
        if self._single:
            p = self._probabilities(x)
            return max(p, key=p.__getitem__)
        if self._features is not None:
            return self._features.decide(x)
        return dict(zip(self.model.classes_.tolist(), self.model.decisions([x])[1][0].tolist()))

    def predict_proba_one(self, x: Any) -> dict[Label, Any]:
        """Return for each label the probability of True and of False; or of each label, where there is one only."""
        if not self._learned:
            return {}
        p = self._probabilities(x)
        return p if self._single else {label: {True: q, False: 1.0 - q} for label, q in p.items()}

    def clone(self, new_params: Mapping[str, Any] | None = None, include_attributes: bool = False) -> Self:
        """Return an adapter with the same settings that has learned nothing, or with `include_attributes` the same."""
        model = deepcopy(self.model) if include_attributes else unfitted(self.model)
        found = type(self)(**{"model": model, **(new_params or {})})
        if include_attributes:
            found._features = deepcopy(self._features)
        return found

    def _probabilities(self, x: Any) -> dict[Label, float]:
        if self._features is not None:
            return self._features.probabilities(x)
        return dict(zip(self.model.classes_.tolist(), self.model.predict_proba([x])[0].tolist()))

    @property
    def _learned(self) -> bool:
        return self._features is not None or hasattr(self.model, "classifier_")

    @property
    def _single(self) -> bool:
        return self.model.kind_ == "one" if self._features is None else self._features.single

    @property
    def _multiclass(self) -> bool:
        return True

    def _more_tags(self) -> set[str]:
        return {"text input"}


class FeatureStream:
    """A `LabelClassifier` over dictionaries of features; features and labels may be new at any time."""

    def __init__(self, model: TextClassifier) -> None:
        self.classifier = LabelClassifier(learner_of(model.learner), rule_of(model.rule, model.target), seed=model.seed)
        self.columns: dict[Any, int] = {}
        self.labels: list[Label] = []
        self.single = False

    def learn(self, x: Mapping[Any, Any], target: Any, classes: Iterable[Label]) -> None:
        """Learn the features of one document, with its label or its set of labels."""
        single = isinstance(target, str | bool | int | np.generic)
        if self.labels and single != self.single:
            raise BadInput("single labels and label sets in one stream", remedy="keep to one kind")
        self.single = single
        given = [target] if single else list(target)
        self.labels += [label for label in dict.fromkeys([*classes, *given]) if label not in self.labels]
        entries = _entries(x)
        for name in sorted(entries, key=repr):  # in whatever order a dictionary has them
            self.columns.setdefault(name, len(self.columns))
        Y = np.array([[int(label in given) for label in self.labels]])
        self.classifier.partial_fit(self._row(entries), sparse.csr_matrix(Y))

    def probabilities(self, x: Mapping[Any, Any]) -> dict[Label, float]:
        """Return the probability of each label; those of single labels add up to 1."""
        found = self.classifier.single_proba if self.single else self.classifier.predict_proba
        return dict(zip(self.labels, found(self._row(_entries(x)))[0].tolist()))

    def decide(self, x: Mapping[Any, Any]) -> dict[Label, bool]:
        """Return whether each label applies."""
        return dict(zip(self.labels, (self.classifier.predict(self._row(_entries(x)))[0] > 0).tolist()))

    def _row(self, entries: dict[Any, float]) -> sparse.csr_matrix:
        known = sorted((self.columns[name], value) for name, value in entries.items() if name in self.columns)
        columns, values = np.array([c for c, _ in known], np.int64), np.array([v for _, v in known], np.float64)
        return sparse.csr_matrix((values, columns, [0, columns.size]), shape=(1, len(self.columns)))


def _are_features(x: Any) -> bool:
    return isinstance(x, Mapping) and not (x and all(isinstance(value, str) for value in x.values()))


def _entries(x: Any) -> dict[Any, float]:
    """Return the number of each feature; a text is the feature (name, text) with the number 1."""
    if not isinstance(x, Mapping):
        raise BadInput(f"x is {type(x).__name__}, before it was a dictionary of features", remedy="keep to one kind")
    found: dict[Any, float] = {}
    for name, value in x.items():
        if isinstance(value, str):
            found[name, value] = 1.0
        elif value is not None:
            found[name] = float(value)
    return found
