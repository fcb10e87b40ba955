"""Sources of meaning by name: what `meaning=` and `--meaning` take."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any

from bayesift.errors import BadInput, BayesiftError, NotFound
from bayesift.text.meaning.bert_graph import WIDTH
from bayesift.text.meaning.encoder import Encoder, is_encoder
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
    kinds = [kind_of(name) for name in names]
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
    if encoder is not None and not is_encoder(encoder):
        raise BadInput(f"encoder is {encoder!r}", remedy="give an object with encode(texts)")
    names = given if isinstance(given, list) else [given]
    places = [k for k, name in enumerate(names) if name not in (None, AUTO) and kind_of(name) in (OWN, MINILM)]
    if encoder is not None and len(places) != 1:
        remedy = "load it without one" if not places else f"name one of {MINILM} and your own when you train"
        raise BadInput(f"the model was trained with {len(places)} encoders", remedy=remedy)
    found = [encoder if encoder is not None and k in places else name for k, name in enumerate(names)]
    return found[0] if len(found) == 1 else found


def kind_of(name: Any) -> str:
    """Return the source that a name, or an encoder, stands for; raise if there is none.

    >>> kind_of("minilm=some folder")
    'minilm'
    """
    if not isinstance(name, str):
        if not is_encoder(name):
            raise BadInput(f"meaning is {name!r}, which has no method encode(texts)", remedy=NAMES)
        return OWN
    if not is_source(name):
        raise NotFound(f"no meaning {name!r}", remedy=NAMES)
    return name.partition("=")[0]


def is_source(name: object) -> bool:
    """Return whether a name is that of one source; `auto` is none.

    >>> is_source("minilm=some folder"), is_source("corpus=here"), is_source("auto")
    (True, False, False)
    """
    kind, _, folder = name.partition("=") if isinstance(name, str) else ("", "", "")
    return kind in (CORPUS, MINILM, OWN) and (not folder or kind == MINILM)


@cache
def encoder_of(name: str) -> OpenedLater | None:
    """Return the encoder that a name stands for, one for the whole process; None for the corpus."""
    kind = kind_of(name)
    if kind == OWN:
        raise BadInput("the encoder is missing", remedy="give an object with encode(texts); load takes it as encoder=")
    return OpenedLater(name) if kind == MINILM else None


def opened_encoder(name: str) -> OpenedLater | None:
    """Return the encoder that a name stands for; raise if it is not installed, or its weights are missing."""
    encoder = encoder_of(name)
    if encoder is not None:
        encoder.open()
    return encoder


class OpenedLater:
    """MiniLM by its name, opened when it is first needed: what does not encode works without its weights."""

    width = WIDTH

    def __init__(self, name: str) -> None:
        self._name = name
        self._encoder: Encoder | None = None
        self._lock = Lock()

    def open(self) -> Encoder:
        """Return the encoder; raise if it is not installed, or its weights are missing."""
        with self._lock:
            if self._encoder is None:
                from bayesift.text.meaning.minilm import MiniLM

                self._encoder = MiniLM(self._name.partition("=")[2] or None)
        return self._encoder

    def encode(self, texts: list[str]) -> Any:
        """Return one vector per text."""
        return self.open().encode(texts)


def _part(name: Any, seed: int, *, needed: bool) -> Part:
    kind = kind_of(name)
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
