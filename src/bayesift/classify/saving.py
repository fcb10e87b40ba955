"""A `TextClassifier` in a model file, and back: the same predictions, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesift import learn
from bayesift.beliefs import likelihoods
from bayesift.classify.input_labels import KINDS
from bayesift.classify.inputs import as_names
from bayesift.classify.label_classifier import LabelClassifier
from bayesift.classify.old_files import with_new_names
from bayesift.decide.rule import rule_kinds
from bayesift.errors import BadInput
from bayesift.learn import kernels, priors
from bayesift.model_file import read_model, write_model
from bayesift.model_file.file import ALTERED
from bayesift.text import TextVectorizer

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

KIND = "TextClassifier"


def classes() -> dict[str, type]:
    """Return the classes that a model file may hold, by name."""
    from bayesift.classify.text_classifier import TextClassifier

    parts: list[type] = [TextClassifier, TextVectorizer, LabelClassifier]
    parts += [x for name in learn.__all__ if hasattr(x := getattr(learn, name), "get_params")]
    parts += [getattr(priors, name) for name in ("Normal", "Laplace", "Jeffreys", "FeaturePrior", "PriorTerms")]
    for module in (likelihoods, kernels):
        parts += [x for x in vars(module).values() if isinstance(x, type) and x.__module__ == module.__name__]
    return rule_kinds() | {part.__name__: part for part in parts}


def save(model: TextClassifier, path: str | Path) -> None:
    """Write the model atomically; the same model gives the same bytes."""
    names = model.classes_.tolist()
    content = {
        "settings": model,
        "vectorizer": model.vectorizer_,
        "classifier": model.classifier_,
        "state": {
            "kind": model.kind_,
            "columns": model._columns,
            "waiting": model._waiting,
            "documents": model.n_documents_,
            "label_documents": model.label_documents_,
            "reading": dict(getattr(model, "reading_", {})),
            "vectorizer": model.vectorizer_.state(),
            "classifier": model.classifier_.state(),
        },
    }
    training = {
        "documents": model.n_documents_,
        "label_documents": model.label_documents_.tolist(),
        "terms": int(model.vectorizer_.vocabulary_.n_columns),
        "targets": model.kind_,
        "learner": type(model.classifier_.learner_).__name__,
        "rule": type(model.classifier_.rule_).__name__,
    }
    write_model(path, content, classes(), kind=KIND, labels=names, training=training)


def load(path: str | Path) -> TextClassifier:
    """Read a model file.

    >>> import tempfile
    >>> from bayesift import TextClassifier
    >>> model = TextClassifier().fit(["wheat rose", "oil fell"] * 9, ["grain", "crude"] * 9)
    >>> file = Path(tempfile.mkdtemp(), "news.model")
    >>> model.save(file)
    >>> load(file).predict(["wheat"]).tolist()
    ['grain']
    """
    return load_with_manifest(path)[0]


def load_with_manifest(path: str | Path) -> tuple[TextClassifier, Mapping[str, Any]]:
    """Read a model file, and return its manifest too."""
    saved = read_model(path, classes(), kind=KIND, upgrade=with_new_names)
    try:
        return _restored(saved.model, saved.manifest["labels"]), saved.manifest
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, MemoryError) as error:
        reason = error.reason if isinstance(error, BadInput) else f"{type(error).__name__} {error}"
        raise BadInput(f"does not fit together: {reason}", path=path, remedy=ALTERED) from error


def _restored(content: dict[str, Any], names: list[Any]) -> TextClassifier:
    model, state = content["settings"], content["state"]
    model.vectorizer_ = content["vectorizer"].restore(state["vectorizer"])
    model.classifier_ = content["classifier"].restore(state["classifier"])
    model.kind_, model._waiting, model.n_documents_ = state["kind"], state["waiting"], state["documents"]
    model.label_documents_ = state["label_documents"].copy()
    model.reading_ = dict(state.get("reading", {}))  # older files have none
    model.classes_ = as_names(names)
    if columns := state.get("columns"):  # files of earlier versions have none
        model.feature_names_in_ = as_names(columns)
    if model.kind_ not in KINDS or model.label_documents_.shape != model.classes_.shape:
        raise BadInput("labels and their counts differ")
    found: TextClassifier = model
    return found
