"""Nested Python values as JSON and named arrays, and back.

A value is None, a bool, number or string, a list, tuple or dictionary of values, an array, a sparse matrix, or an
object of a known class: an estimator or a dataclass, kept as its class's name and its settings. JSON holds

    None, true, 7, 0.5, "word", [..]     as they are
    {"dict": {..}}, {"tuple": [..]}      containers that JSON has no word for
    {"float": "inf"}                     inf, -inf and nan
    {"array": "a.b"}                     the array named a.b;   {"mostly": ..} see `sparse_arrays`
    {"csr": [data, indices, indptr, shape]}
    {"words": [..], "shape": ..}         an array of strings
    {"object": "Name", "settings": {..}}

Only classes that the caller names can come back, and they come back by their constructors: a file runs no code.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.model_file import sparse_arrays

Arrays = dict[str, NDArray[Any]]
Classes = Mapping[str, type]
KINDS = "biuf"  # arrays of bools, whole numbers and floats


def pack(value: Any, arrays: Arrays, classes: Classes, name: str = "") -> Any:
    """Return a value as JSON can hold it; its arrays are added to `arrays`, named by their path.

    >>> arrays = {}
    >>> pack({"mean": np.zeros(3), "steps": (1, math.inf)}, arrays, {})
    {'dict': {'mean': {'array': 'mean'}, 'steps': {'tuple': [1, {'float': 'inf'}]}}}
    >>> list(arrays)
    ['mean']
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.generic) and value.dtype.kind in KINDS:
        value = value.item()
        return pack(value, arrays, classes, name)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, list | tuple):
        parts = [pack(x, arrays, classes, _join(name, str(i))) for i, x in enumerate(value)]
        return parts if isinstance(value, list) else {"tuple": parts}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: pack(x, arrays, classes, _join(name, key)) for key, x in value.items()}}
    if sparse.issparse(value):
        csr: Any = sparse.csr_matrix(value)  # type: ignore[call-overload]
        parts = [csr.data, csr.indices, csr.indptr, tuple(map(int, csr.shape))]
        return {"csr": [pack(x, arrays, classes, _join(name, str(i))) for i, x in enumerate(parts)]}
    if isinstance(value, np.ndarray):
        return _pack_array(value, arrays, name or "array")
    return _pack_object(value, arrays, classes, name)


def unpack(packed: Any, arrays: Mapping[str, NDArray[Any]], classes: Classes) -> Any:
    """Return the value that `pack` packed; arrays are those given, not copies."""
    if isinstance(packed, list):
        return [unpack(x, arrays, classes) for x in packed]
    if not isinstance(packed, dict):
        return packed
    match packed:
        case {"dict": dict(parts)}:
            return {key: unpack(x, arrays, classes) for key, x in parts.items()}
        case {"tuple": list(parts)}:
            return tuple(unpack(x, arrays, classes) for x in parts)
        case {"float": "inf" | "-inf" | "nan" as word}:
            return float(word)
        case {"array": str(name)}:
            return arrays[name]
        case {"mostly": dict(parts)}:
            return sparse_arrays.expand(parts, arrays)
        case {"words": list(words), "shape": list(shape)}:
            return np.array([str(w) for w in words], dtype=object if packed.get("object") else str).reshape(shape)
        case {"csr": list(parts)}:
            data, indices, indptr, shape = (unpack(x, arrays, classes) for x in parts)
            return sparse.csr_matrix((data, indices, indptr), shape=shape)
        case {"object": str(name), "settings": dict(parts)} if name in classes:
            return classes[name](**{key: unpack(x, arrays, classes) for key, x in parts.items()})
        case {"object": str(name)}:
            raise BadInput(f"it holds a {name!r}, which this bayesift does not know", remedy="upgrade bayesift")
    raise BadInput(f"its content is not understood: {sorted(packed)}")


def _pack_array(value: NDArray[Any], arrays: Arrays, name: str) -> Any:
    if value.dtype.kind in "UO" and all(isinstance(x, str) for x in value.ravel().tolist()):
        words = {"words": value.ravel().tolist(), "shape": list(value.shape)}
        return words | ({"object": True} if value.dtype.kind == "O" else {})
    if value.dtype.kind not in KINDS or value.dtype.itemsize > 8:
        raise BadInput(f"an array of type {value.dtype} cannot be saved", remedy="save numbers or strings")
    if (parts := sparse_arrays.pack(value, arrays, name)) is not None:
        return {"mostly": parts}
    arrays[name] = np.array(value, order="C", dtype=value.dtype.newbyteorder("="))  # keeps no dimensions, too
    return {"array": name}


def _pack_object(value: Any, arrays: Arrays, classes: Classes, name: str) -> Any:
    kind = type(value).__name__
    if classes.get(kind) is not type(value):
        remedy = f"use numbers, strings, arrays and: {', '.join(sorted(classes))}"
        raise BadInput(f"a {type(value).__name__} cannot be saved in a model file", remedy=remedy)
    if hasattr(value, "get_params"):
        settings = value.get_params(deep=False)
    else:
        names = [field.name for field in dataclasses.fields(value)]  # type: ignore[arg-type]
        settings = {field: getattr(value, field) for field in names}
    packed = {key: pack(x, arrays, classes, _join(name, key)) for key, x in settings.items()}
    return {"object": kind, "settings": packed}


def _join(name: str, part: str) -> str:
    return f"{name}.{part}" if name else part
