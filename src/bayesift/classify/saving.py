"""A `TextClassifier` in a model file, and back: the same predictions, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from bayesift import learn
from bayesift.beliefs import likelihoods
from bayesift.classify.hierarchy import Hierarchy, restored_hierarchy, saved_hierarchy
from bayesift.classify.input_labels import KINDS
from bayesift.classify.inputs import as_names
from bayesift.classify.label_classifier import LabelClassifier
from bayesift.classify.label_rates import restored_rates, saved_rates
from bayesift.classify.old_files import with_new_names
from bayesift.classify.rows import RowMaker
from bayesift.classify.wide.classifier import WideClassifier
from bayesift.decide.rule import rule_kinds
from bayesift.errors import BadInput, BayesiftError
from bayesift.learn import kernels, priors
from bayesift.model_file import read_model, write_model
from bayesift.model_file.file import ALTERED
from bayesift.text import TextVectorizer
from bayesift.text.characters import CharacterVectorizer
from bayesift.text.meaning.encoder import Encoder
from bayesift.text.meaning.sources import OWN, listed, meaning_of, saved, with_encoder

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

KIND = "TextClassifier"


def classes() -> dict[str, type]:
    """Return the classes that a model file may hold, by name."""
    from bayesift.classify.text_classifier import TextClassifier

    parts: list[type] = [TextClassifier, TextVectorizer, LabelClassifier, WideClassifier]
    parts += [x for name in learn.__all__ if hasattr(x := getattr(learn, name), "get_params")]
    parts += [getattr(priors, name) for name in ("Normal", "Laplace", "Jeffreys", "FeaturePrior", "PriorTerms")]
    for module in (likelihoods, kernels):
        parts += [x for x in vars(module).values() if isinstance(x, type) and x.__module__ == module.__name__]
    return rule_kinds() | {part.__name__: part for part in parts}


def save(model: TextClassifier, path: str | Path) -> None:
    """Write the model atomically; the same model gives the same bytes."""
    check_is_fitted(model, "classifier_")
    names = model.classes_.tolist()
    content = {
        "settings": _settings(model),
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
            **saved_rates(model.label_rates, names, model.classifier_.rates_),
            **saved_hierarchy(model.hierarchy_),
            **model.rows_.state(),
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


def _settings(model: TextClassifier) -> TextClassifier:
    """Return the settings that a file can hold: without unlabelled text; rates, hierarchy and the encoder apart."""
    kept = {"unlabelled": None, "meaning": saved(model.meaning, model.unlabelled), "label_rates": None}
    kept["hierarchy"] = None
    return type(model)(**model.get_params(deep=False) | kept)


def load(path: str | Path, *, encoder: Encoder | None = None) -> TextClassifier:
    """Read a model file; a model that was trained with an encoder of the user's needs it again, as `encoder`.

    >>> import tempfile
    >>> from bayesift import TextClassifier
    >>> model = TextClassifier().fit(["wheat rose", "oil fell"] * 9, ["grain", "crude"] * 9)
    >>> file = Path(tempfile.mkdtemp(), "news.model")
    >>> model.save(file)
    >>> load(file).predict(["wheat"]).tolist()
    ['grain']
    """
    return load_with_manifest(path, encoder)[0]


def load_with_manifest(
    path: str | Path, encoder: Encoder | None = None
) -> tuple[TextClassifier, Mapping[str, Any]]:
    """Read a model file, and return its manifest too."""
    found = read_model(path, classes(), kind=KIND, upgrade=with_new_names)
    try:
        model = _restored(found.model, found.manifest["labels"])
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, MemoryError) as error:
        reason = error.reason if isinstance(error, BadInput) else f"{type(error).__name__} {error}"
        raise BadInput(f"does not fit together: {reason}", path=path, remedy=ALTERED) from error
    _restore_meaning(model, found.model["state"], encoder, path)
    return model, found.manifest


def _restore_meaning(
    model: TextClassifier, state: dict[str, Any], encoder: Encoder | None, path: str | Path
) -> None:
    """Take over the sources of meaning; raise if the user's encoder is used and not given."""
    kept = state.get("meaning", {})  # files of earlier versions have none
    used = model.classifier_.vectors_
    try:
        model.meaning = with_encoder(model.meaning, encoder)
        names = listed(model.meaning)
        if missing := [name for k, name in enumerate(names) if k in used and name == OWN]:
            width = kept["parts"][names.index(missing[0])]["centre"].size
            what = f"was trained with an encoder that returns {width} numbers per text"
            raise BadInput(what, remedy="load(path, encoder=...) in Python takes it")
        meaning = meaning_of(names, model.seed, used=used) if kept else None
        if meaning is not None:
            meaning.restore(kept["parts"])
    except BayesiftError as error:
        raise type(error)(error.reason, path=path, remedy=error.remedy) from error
    fixed, characters, labels = bool(kept.get("fixed", False)), _characters(model, state), model.classes_.tolist()
    model.rows_ = RowMaker(model.vectorizer_, meaning, fixed, characters, labels)
    width = sum(meaning.widths[k] for k in used) if meaning is not None else 0
    if width != getattr(getattr(model.classifier_.learner_, "belief_", None), "n_dense", 0):
        raise BadInput("does not fit together: vectors of another width", path=path, remedy=ALTERED)


def _characters(model: TextClassifier, state: dict[str, Any]) -> CharacterVectorizer | None:
    """Return the vectoriser of characters, if the model has one; files of earlier versions have none."""
    if "characters" not in state:
        return None
    return CharacterVectorizer(html=model.vectorizer_.html, zones=model.vectorizer_.zones).restore(state["characters"])


def _restored(content: dict[str, Any], names: list[Any]) -> TextClassifier:
    model, state = content["settings"], content["state"]
    model.vectorizer_ = content["vectorizer"].restore(state["vectorizer"])
    model.classifier_ = content["classifier"].restore(state["classifier"])
    model.kind_, model._waiting, model.n_documents_ = state["kind"], state["waiting"], state["documents"]
    model.label_documents_ = state["label_documents"].copy()
    model.reading_ = dict(state.get("reading", {}))  # older files have none
    model.classes_ = as_names(names)
    model.label_rates, model.hierarchy = restored_rates(state), restored_hierarchy(state)
    model.hierarchy_ = Hierarchy(model.hierarchy)
    if columns := state.get("columns"):  # files of earlier versions have none
        model.feature_names_in_ = as_names(columns)
    if model.kind_ not in KINDS or model.label_documents_.shape != model.classes_.shape:
        raise BadInput("labels and their counts differ")
    found: TextClassifier = model
    return found
