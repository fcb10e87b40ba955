"""JavaScript: a model as one file that classifies texts in a browser and in node, without bayesift.

The file is `scorer.js` (words, stemmer, weights, decisions) with the numbers of the model in it. A model without the
weights that matter least (`with_weights`) is smaller; the file computes what that smaller model computes.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator
from html.entities import html5
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayesift.classify.text_classifier import TextClassifier
from bayesift.errors import BadInput
from bayesift.files import write_whole
from bayesift.integrations.linear_model import LinearModel, linear_model, most_useful_weights, with_weights
from bayesift.text.parameters import stemmer_language

ENGLISH = ("english", "en")
SCORER = Path(__file__).with_name("scorer.js")
FEWEST = 100  # weights of a file that is worth having


def write_javascript(model: TextClassifier, path: str | Path, size: int | None = None) -> TextClassifier:
    """Write a model as one JavaScript file.

    Parameters
    ----------
    model : TextClassifier
        A fitted model with the learner multilabel or bomc, and the English stemmer or none.
    path : str or Path
        The file.
    size : int, optional
        Bytes of the file at most; weights that matter least are left out, and terms without any.

    Returns
    -------
    TextClassifier
        The model that the file computes: `model`, or one with fewer terms.

    Raises
    ------
    BadInput
        If the model is of another kind, or does not fit.

    Examples
    --------
    >>> import tempfile
    >>> model = TextClassifier().fit(["corn rose", "oil fell"] * 10, [("grain",), ("crude",)] * 10)
    >>> write_javascript(model, f"{tempfile.mkdtemp()}/news.js") is model
    True
    """
    text = javascript(model)
    if size is not None and len(text) > size:
        model, text = _pruned(model, size)
    with write_whole(Path(path)) as out:
        out.write(text)
    return model


def _pruned(model: TextClassifier, size: int) -> tuple[TextClassifier, bytes]:
    """Return the model with the most weights whose file has at most so many bytes, and the file."""
    terms, labels = most_useful_weights(model)
    low, high = FEWEST, terms.size
    found = with_weights(model, terms[:low], labels[:low])
    text = javascript(found)
    if len(text) > size:
        raise BadInput(f"a file with {low} weights has {len(text):,} bytes", remedy="allow more, or train fewer labels")
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        model_now = with_weights(model, terms[:middle], labels[:middle])
        text_now = javascript(model_now)
        if len(text_now) <= size:
            low, found, text = middle, model_now, text_now
        else:
            high = middle
    return found, text


def javascript(model: TextClassifier) -> bytes:
    """Return the file of a model."""
    data = msgspec.json.encode(dict(_words(model)) | _numbers(linear_model(model)))
    return SCORER.read_bytes().replace(b"/*DATA*/null", data.replace(b"</", b"<\\/"))


def _words(model: TextClassifier) -> Iterator[tuple[str, Any]]:
    """Yield what makes a row of a text."""
    v = model.vectorizer_
    stem = stemmer_language(v.stem, v.language)
    if stem is not None and stem not in ENGLISH:
        remedy = f"train with stem=None: the file then finds the words of any language, {stem} included, as they are"
        raise BadInput(f"the JavaScript file stems English only, and the model stems {stem}", remedy=remedy)
    yield from (("stem", stem and "english"), ("stopWords", list(v.stop_words_)), ("minLength", int(v.min_length)))
    yield from (("numbers", bool(v.numbers)), ("strip", v.html == "strip"), ("ngrams", int(v.ngrams)))
    yield from (("zones", list(v.vocabulary_.zones)), ("weight", v.weight))
    yield "documents", v.vocabulary_.n_documents
    yield "terms", "\n".join(v.get_feature_names_out())
    yield "df", _base64(np.maximum(v.document_frequency_, 1), np.uint32)
    yield "folds", [(c, f) for c in map(chr, range(128, 0x110000)) if (f := c.casefold()) != c.lower()]
    yield "entities", sorted(html5.items()) if v.html == "strip" else []
    known = html._invalid_charrefs  # type: ignore[attr-defined]
    yield "references", [*known.items(), *((n, "") for n in html._invalid_codepoints if n not in known)]  # type: ignore[attr-defined]


def _numbers(found: LinearModel) -> dict[str, Any]:
    """Return what makes labels of a row; of the weights only those that are not the unseen label's."""
    unseen_mean, unseen_variance = found.unseen
    differs = (found.mean != unseen_mean[:, None]) | (found.variance != unseen_variance[:, None])
    terms, labels = differs.nonzero()
    if len(found.labels) > 1 << 16:
        raise BadInput(f"{len(found.labels):,} labels", remedy="export a model with at most 65,536")
    return {
        "labels": found.labels,
        "unseenMean": _base64(unseen_mean, np.float32),
        "unseenVariance": _base64(unseen_variance, np.float32),
        "ends": _base64(np.cumsum(np.bincount(terms, minlength=len(unseen_mean))), np.uint32),
        "own": _base64(labels, np.uint16),
        "mean": _base64(found.mean[terms, labels], np.float32),
        "variance": _base64(found.variance[terms, labels], np.float32),
        "curves": _base64(found.curves, np.float32),
        "edges": found.curves[:, [0, 1, -2, -1]].tolist(),  # lines go on beyond them, and errors with these
        "bias": found.bias.tolist(),
        "biasVariance": found.bias_variance.tolist(),
        "noise": found.noise,
        "usual": found.usual.tolist(),
        "shift": found.shift.tolist(),
        "thresholds": np.where(np.isfinite(found.thresholds), found.thresholds, 2.0).tolist(),
        "competition": list(found.competition),
        "implied": found.implied.T.tolist(),
        "single": found.single,
        "powers": list(found.powers),
        "alone": found.alone,
        "alwaysOne": found.always_one,
        "atMostOne": found.at_most_one,
    }


def _base64(values: NDArray[Any], kind: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()
