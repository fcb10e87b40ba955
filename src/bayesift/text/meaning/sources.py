"""Sources of meaning by name: what `meaning=` and `--meaning` take."""

from __future__ import annotations

from typing import Any

from bayesift.errors import BadInput, NotFound
from bayesift.text.meaning.encoder import Encoder
from bayesift.text.meaning.meaning import CorpusPart, EncoderPart, Meaning, Part

AUTO, CORPUS, MINILM = "auto", "corpus", "minilm"
OWN = "encoder"  # stands for an encoder of the user's in a model file
NAMES = f"use {AUTO}, {CORPUS}, {MINILM}, {MINILM}=FOLDER, or an object with encode(texts)"


def meaning_of(given: Any, seed: int = 0, encoder: Encoder | None = None) -> Meaning | None:
    """Return unfitted sources of meaning for a name, an encoder, or a list of them; None for None.

    `encoder` takes the place of the user's own one in settings that come from a model file.

    >>> [type(part).__name__ for part in meaning_of("corpus").parts]
    ['CorpusPart']
    """
    names = listed(given)
    kinds = [_kind(name) for name in names]
    if twice := next((kind for kind in kinds if kinds.count(kind) > 1), None):
        raise BadInput(f"meaning names {twice!r} twice", remedy="name each source once")
    return Meaning([_part(name, seed, encoder) for name in names]) if names else None


def listed(given: Any, unlabelled: Any = None) -> list[Any]:
    """Return the sources that are asked for as a list; `auto` is the corpus if there is unlabelled text, else none.

    >>> listed("auto"), listed("auto", ["some text"]), listed(["corpus", "minilm"])
    ([], ['corpus'], ['corpus', 'minilm'])
    """
    names = [] if given is None else list(given) if isinstance(given, list | tuple) else [given]
    if names == [AUTO]:
        return [] if unlabelled is None else [CORPUS]
    return names


def saved(given: Any, unlabelled: Any) -> Any:
    """Return what a model file can hold of `meaning`: an encoder of the user's becomes a name."""
    names = [name if isinstance(name, str) else OWN for name in listed(given, unlabelled)]
    return names or (given if isinstance(given, str) else None)


def with_encoder(given: Any, encoder: Encoder | None) -> Any:
    """Return `meaning` of a model file with the user's encoder in its place; raise if it has no place.

    >>> with_encoder(["corpus"], None)
    'corpus'
    """
    names = given if isinstance(given, list) else [given]
    if encoder is not None and OWN not in names:
        raise BadInput("the model was trained without an encoder of its own", remedy="load it without one")
    found = [encoder if name == OWN and encoder is not None else name for name in names]
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


def _part(name: Any, seed: int, encoder: Encoder | None) -> Part:
    kind = _kind(name)
    if kind == CORPUS:
        return CorpusPart(seed)
    if kind == OWN:
        return EncoderPart(encoder if isinstance(name, str) else name)
    from bayesift.text.meaning.minilm import MiniLM

    return EncoderPart(MiniLM(name.partition("=")[2] or None))
