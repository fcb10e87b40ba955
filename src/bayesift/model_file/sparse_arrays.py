"""Arrays that are mostly one value, kept as that value and the places where they differ, if that is smaller.

Values are compared bit by bit, so that expanding gives back the very same array.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput

WORTH = 1 << 16  # bytes of an array below which nothing is gained
SAMPLE = 1 << 10
SMALLER = 0.8  # of the size, or it stays as it is
MOST = 1 << 33  # entries of an expanded array: a bound on what a small file can ask for


def pack(value: NDArray[Any], arrays: dict[str, NDArray[Any]], name: str) -> dict[str, Any] | None:
    """Return the parts of an array that is mostly one value, or None if they are not smaller.

    >>> arrays = {}
    >>> most = np.ones((300, 300)); most[7, 7] = 2.0
    >>> parts = pack(most, arrays, "w")
    >>> arrays["w.place"], arrays["w.value"], bool((expand(parts, arrays) == most).all())
    (array([2107], dtype=uint32), array([2.]), True)
    """
    if value.nbytes < WORTH or value.size >= 1 << 32:
        return None
    flat = np.ascontiguousarray(value).reshape(-1)
    bits = flat.view(f"u{flat.itemsize}")
    sample = bits[:: max(1, bits.size // SAMPLE)]
    found, count = np.unique(sample, return_counts=True)
    usual = found[count.argmax()]
    place = np.flatnonzero(bits != usual)
    if place.size * (4 + flat.itemsize) > SMALLER * value.nbytes:
        return None
    names = {"place": f"{name}.place", "value": f"{name}.value", "usual": f"{name}.usual"}
    arrays[names["place"]] = place.astype(np.uint32)
    arrays[names["value"]] = flat[place]
    arrays[names["usual"]] = np.array([usual]).view(flat.dtype)
    return names | {"shape": list(value.shape)}


def expand(parts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Return the array that was packed."""
    place, value, usual = (arrays[parts[key]] for key in ("place", "value", "usual"))
    shape = tuple(int(n) for n in parts["shape"])
    size = int(np.prod(shape, dtype=object))
    if min(shape) < 0 or size > MOST or usual.size != 1 or place.shape != value.shape or place.max(initial=0) >= size:
        raise BadInput("its arrays do not fit together")
    flat = np.full(size, usual[0], usual.dtype)
    flat[place] = value
    return flat.reshape(shape)
