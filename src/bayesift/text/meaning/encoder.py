"""Vectors of texts by an encoder: any object with `encode(texts)` that returns one row of numbers per text.

    z = (e - a) / |e - a|,   e the encoder's vector, a the mean over the documents learned

A text without a letter or digit is not sent to the encoder and has z = 0: words alone decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.progress import track

Singles = NDArray[np.float32]
AT_A_TIME = 64  # texts given to an encoder in one call


@runtime_checkable
class Encoder(Protocol):
    """What `meaning=` takes: an object that turns texts into vectors.

    A text must get the same vector alone as among others, and always vectors of the same width.
    """

    def encode(self, texts: list[str]) -> Any:
        """Return one row of numbers per text: (texts, width)."""


def encoded(encoder: Encoder, texts: Sequence[str], width: int | None = None, *, wait: bool = True) -> Singles:
    """Return checked vectors of texts; those of blank texts are 0.

    Parameters
    ----------
    encoder : the encoder.
    texts : the texts.
    width : the width that vectors had before, if any.
    wait : whether to wait for all vectors. If not, and the encoder has a method `ready` (`InBackground`), vectors that
        are still missing are 0.

    Raises
    ------
    BadInput
        If the encoder returns another number of rows, another width, or numbers that are not finite.
    """
    asked = [i for i, text in enumerate(texts) if any(map(str.isalnum, text))]
    parts: list[Singles] = []
    if not wait and hasattr(encoder, "ready"):
        known = list(zip(asked, encoder.ready([texts[i] for i in asked])))
        asked = [i for i, vector in known if vector is not None]
        rows = [vector for _, vector in known if vector is not None]
        parts = [_checked(encoder, rows, [texts[i] for i in asked], width)] if rows else []
    else:
        steps = range(0, len(asked), AT_A_TIME)
        for begin in track(steps, f"encoding, {AT_A_TIME} documents at a time") if len(steps) > 1 else steps:
            some = [texts[i] for i in asked[begin : begin + AT_A_TIME]]
            parts.append(_checked(encoder, encoder.encode(some), some, width))
            width = parts[-1].shape[1]
    found = np.zeros((len(texts), width or 0), np.float32)
    if parts:
        found[asked] = np.concatenate(parts)
    return found


def is_encoder(given: object) -> bool:
    """Return whether an object has a method `encode` for texts; that of a text is another one.

    >>> is_encoder("minilm"), is_encoder(7)
    (False, False)
    """
    return not isinstance(given, str) and callable(getattr(given, "encode", None))


def width_of(encoder: Encoder) -> int:
    """Return how many numbers the vectors of an encoder have: its `width`, or what it returns for a word."""
    known = getattr(encoder, "width", None)
    return known if type(known) is int and known > 0 else int(encoded(encoder, ["word"]).shape[1])


def _checked(encoder: Encoder, returned: Any, texts: list[str], width: int | None) -> Singles:
    name = f"the encoder {type(encoder).__name__}"
    remedy = "encode(texts) must return one row of numbers per text"
    try:
        rows = np.asarray(returned, np.float32)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} returned no array of numbers: {error}", remedy=remedy) from error
    if rows.ndim != 2 or len(rows) != len(texts) or not rows.shape[1]:
        raise BadInput(f"{name}: {len(texts)} texts gave an array of shape {rows.shape}", remedy=remedy)
    if width is not None and rows.shape[1] != width:
        message = f"{name} returned vectors of {rows.shape[1]} numbers, before they had {width}"
        raise BadInput(message, remedy="use the encoder that the model was trained with")
    if not np.isfinite(rows).all():
        bad = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise BadInput(f"{name} returned nan or inf for the text {texts[bad][:40]!r}", remedy="fix the encoder")
    return rows
