"""A model in one file: arrays as safetensors, and all else in a manifest in its metadata, sealed by a digest.

The manifest says what the file is (`format`, `version`), who wrote it (`libraries`), what it holds (`kind`, `labels`,
`training`), and the packed `model` (see `codec`). `digest` is BLAKE2b over the manifest without it and over every
array: reading a file that was changed in any way that matters raises. The same model gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift import __version__
from bayesift.errors import BadInput
from bayesift.files import write_whole
from bayesift.model_file.codec import Classes, pack, unpack
from bayesift.model_file.tensors import FOREIGN, open_tensors, parse_tensors, tensor_parts

FORMAT, VERSION = "bayesift model", 2  # 2: other names of classes and settings
KEY = "bayesift"  # of the metadata; one only, for safetensors writes several in any order
LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn", "PyStemmer")
ALTERED = "take a copy that is whole, or train again"
READERS = {
    "TextClassifier": "bayesift.load reads it", "TextFilter": "TextFilter.load reads it",
    "Filter": "bayesift.filtering.load_filter reads it",
}  # fmt: skip


@dataclass(frozen=True)
class Saved:
    """What a model file holds."""

    manifest: Mapping[str, Any]
    model: Any


def write_model(path: str | Path, model: Any, classes: Classes, *, kind: str, **about: Any) -> None:
    """Write a model (nested values, see `codec`) and its manifest atomically."""
    parts = model_parts(model, classes, kind=kind, **about)
    with write_whole(path) as out:
        for part in parts:
            out.write(part)


def encode_model(model: Any, classes: Classes, *, kind: str, **about: Any) -> bytes:
    """Return the bytes of a model file."""
    return b"".join(model_parts(model, classes, kind=kind, **about))


def model_parts(model: Any, classes: Classes, *, kind: str, **about: Any) -> list[bytes | memoryview]:
    """Return the bytes of a model file in parts."""
    arrays: dict[str, NDArray[Any]] = {}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "libraries": _libraries(),
        "kind": kind,
        **about,
        "model": pack(model, arrays, classes),
    }
    manifest["digest"] = _digest(manifest, arrays)
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return tensor_parts(arrays, {KEY: text})


def is_model(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a model file, whatever follows."""
    return head[8:].startswith(b'{"__metadata__":{"%s":' % KEY.encode())


def read_manifest(path: str | Path) -> dict[str, Any]:
    """Return the manifest of a model file after checking its digest."""
    return _open(path, *open_tensors(path))[0]


def read_model(
    path: str | Path, classes: Classes, *, kind: str, upgrade: Callable[[Any], Any] | None = None
) -> Saved:
    """Return the manifest and the model of a file; arrays are parts of the memory map and cannot be written to.

    `upgrade` turns the packed model of a version 1 file into one of today.
    """
    return _model(path, _open(path, *open_tensors(path)), classes, kind, upgrade)


def decode_model(data: bytes, classes: Classes, *, kind: str, name: str) -> Saved:
    """Return the manifest and the model of the bytes of a model file; errors call them `name`."""
    return _model(name, _open(name, *parse_tensors(memoryview(data), name)), classes, kind, None)


def _model(
    path: str | Path,
    opened: tuple[dict[str, Any], dict[str, NDArray[Any]]],
    classes: Classes,
    kind: str,
    upgrade: Callable[[Any], Any] | None,
) -> Saved:
    manifest, arrays = opened
    if manifest["kind"] != kind:
        remedy = READERS.get(manifest["kind"], FOREIGN)
        raise BadInput(f"holds a {manifest['kind']}, not a {kind}", path=path, remedy=remedy)
    try:
        packed = upgrade(manifest["model"]) if upgrade and manifest["version"] == 1 else manifest["model"]
        return Saved(manifest, unpack(packed, arrays, classes))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise BadInput(_reason(error), path=path, remedy=ALTERED) from error


def _open(
    path: str | Path, metadata: Mapping[str, str], arrays: dict[str, NDArray[Any]]
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    try:
        manifest = json.loads(metadata[KEY])
    except (KeyError, ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BadInput("is a safetensors file of another program", path=path, remedy=FOREIGN)
    found = manifest.get("version")
    if type(found) is not int or found < 1:
        raise BadInput(f"has a format version {found!r}", path=path, remedy=ALTERED)
    if found > VERSION:
        writer = (manifest.get("libraries") or {}).get("bayesift", "?")
        raise BadInput(
            f"has format version {found}, written by bayesift {writer}; this is {__version__}, which knows {VERSION}",
            path=path,
            remedy="upgrade bayesift",
        )
    sealed = manifest.pop("digest", None)
    try:
        right = sealed == _digest(manifest, arrays)
    except (ValueError, RecursionError):
        right = False
    if not right or not {"kind", "model", "labels", "training"} <= manifest.keys():
        raise BadInput("was altered after it was written", path=path, remedy=ALTERED)
    return manifest | {"digest": sealed}, arrays


def _digest(manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Over what is used, not over the bytes of the header: manifest, then name, type, shape and data of each array."""
    seal = hashlib.blake2b(digest_size=32)
    seal.update(json.dumps(manifest, sort_keys=True, separators=(",", ":"), allow_nan=False).encode())
    for name in sorted(arrays):
        array = arrays[name]
        seal.update(f"\n{json.dumps(name)} {array.dtype.str} {array.shape}\n".encode())
        seal.update(memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8)))
    return seal.hexdigest()


def _libraries() -> dict[str, str]:
    return {"bayesift": __version__, "python": platform.python_version()} | {name: version(name) for name in LIBRARIES}


def _reason(error: Exception) -> str:
    return error.reason if isinstance(error, BadInput) else f"does not fit together: {type(error).__name__} {error}"
