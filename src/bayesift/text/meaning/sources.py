"""Sources of meaning by name: what `meaning=` and `--meaning` take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bayesift.errors import BadInput, BayesiftError, NotFound
from bayesift.text.meaning.encoder import Encoder
from bayesift.text.meaning.meaning import CorpusPart, EncoderPart, Meaning, Part

AUTO, CORPUS, MINILM = "auto", "corpus", "minilm"
OWN = "encoder"  # stands for an encoder of the user's in a model file
NAMES = f"use {AUTO}, {CORPUS}, {MINILM}, {MINILM}=FOLDER, or an object with encode(texts)"


def meaning_of(given: Any, seed: int = 0, used: Sequence[int] | None = None) -> Meaning | None:
    """Return unfitted sources of meaning for a name, an encoder, or a list of them; None for None.

    Encoders that are not among those used (None: all are) may be missing.

    >>> [type(part).__name__ for part in meaning_of("corpus").parts]
    ['CorpusPart']
    """
    names = listed(given)
    kinds = [_kind(name) for name in names]
    if twice := next((kind for kind in kinds if kinds.count(kind) > 1), None):
        raise BadInput(f"meaning names {twice!r} twice", remedy="name each source once")
    parts = [_part(name, seed, needed=used is None or k in used) for k, name in enumerate(names)]
    return Meaning(parts) if parts else None


def listed(given: Any, unlabelled: Any = None) -> list[Any]:
    """Return the sources that are asked for as a list; `auto` is the corpus if there is unlabelled text, else none.

    >>> listed("auto"), listed("auto", ["some text"]), listed(["corpus", "minilm"])
    ([], ['corpus'], ['corpus', 'minilm'])
    """
    names = [] if given is None else list(given) if isinstance(given, list | tuple) else [given]
    if names == [AUTO]:
        return [] if unlabelled is None else [CORPUS]
    return names


def source_names(given: Any, unlabelled: Any = None) -> list[str]:
    """Return the sources as names to show: an encoder by its class."""
    return [name if isinstance(name, str) else type(name).__name__ for name in listed(given, unlabelled)]


def saved(given: Any, unlabelled: Any) -> Any:
    """Return what a model file can hold of `meaning`: an encoder of the user's becomes a name."""
    names = [name if isinstance(name, str) else OWN for name in listed(given, unlabelled)]
    return names or (given if isinstance(given, str) else None)


def with_encoder(given: Any, encoder: Encoder | None) -> Any:
    """Return `meaning` of a model file with an encoder in the place of the user's, or of MiniLM; raise if it has none.

    >>> with_encoder(["corpus"], None)
    'corpus'
    """
    names = given if isinstance(given, list) else [given]
    places = [k for k, name in enumerate(names) if name not in (None, AUTO) and _kind(name) in (OWN, MINILM)]
    if encoder is not None and len(places) != 1:
        remedy = "load it without one" if not places else f"name one of {MINILM} and your own when you train"
        raise BadInput(f"the model was trained with {len(places)} encoders", remedy=remedy)
    found = [encoder if encoder is not None and k in places else name for k, name in enumerate(names)]
    return found[0] if len(found) == 1 else found


def _kind(name: Any) -> str:
    """Return the source that a name, or an encoder, stands for."""
    if not isinstance(name, str):
        if not callable(getattr(name, "encode", None)):
            raise BadInput(f"meaning is {name!r}, which has no method encode(texts)", remedy=NAMES)
        return OWN
    kind, _, folder = name.partition("=")
    if kind not in (CORPUS, MINILM, OWN) or (folder and kind != MINILM):
        raise NotFound(f"no meaning {name!r}", remedy=NAMES)
    return kind


def _part(name: Any, seed: int, *, needed: bool) -> Part:
    kind = _kind(name)
    if kind == CORPUS:
        return CorpusPart(seed)
    if kind == OWN:
        return EncoderPart(None if isinstance(name, str) else name)
    from bayesift.text.meaning.minilm import MiniLM

    try:
        return EncoderPart(MiniLM(name.partition("=")[2] or None))
    except BayesiftError:
        if needed:
            raise
        return EncoderPart(None)
