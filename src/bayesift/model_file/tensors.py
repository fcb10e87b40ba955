"""Safetensors: eight bytes of length, a JSON header, and the arrays one after another.

The safetensors library copies every array, when it reads and when it writes: a model, which copies what it keeps, would
need its memory twice, and while the library writes, no other thread goes on. So files are read by memory map here, and
written part by part, to the byte as the library writes them. All that the format promises is checked: the arrays fill
the rest of the file, without gaps and without overlap.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput, NotFound

DTYPES = {
    "BOOL": "?", "U8": "u1", "I8": "i1", "U16": "u2", "I16": "i2", "F16": "f2", "U32": "u4", "I32": "i4", "F32": "f4",
    "U64": "u8", "I64": "i8", "F64": "f8",
}  # fmt: skip
ORDER = ("U64", "I64", "F64", "F32", "U32", "I32", "F16", "U16", "I16", "I8", "U8", "BOOL")  # of the arrays in a file
LONGEST = 100_000_000  # bytes of a header, as the safetensors library has it
FOREIGN = "bayesift train DATA MODEL makes a model file"
INCOMPLETE = "copy it again, or train again"


def open_tensors(path: str | Path) -> tuple[Mapping[str, str], dict[str, NDArray[Any]]]:
    """Return the metadata and the arrays of a safetensors file; the arrays are read-only."""
    return parse_tensors(_map(Path(path)), path)


def parse_tensors(data: memoryview, path: str | Path) -> tuple[Mapping[str, str], dict[str, NDArray[Any]]]:
    """Return the metadata and the arrays of the bytes of a safetensors file; errors name `path`."""
    size = int.from_bytes(data[:8], "little")
    if len(data) < 10 or size > LONGEST or bytes(data[8:9]) != b"{":
        raise BadInput("is not a model file", path=path, remedy=FOREIGN)
    if 8 + size > len(data):
        raise BadInput("is cut off within its header", path=path, remedy=INCOMPLETE)
    try:
        header = json.loads(bytes(data[8 : 8 + size]).decode())
        metadata = header.pop("__metadata__", {})
        if not all(isinstance(x, str) for x in metadata.values()):
            raise ValueError("metadata that is not text")
    except (ValueError, AttributeError, RecursionError) as error:
        raise BadInput("is not a model file, or its header is damaged", path=path, remedy=FOREIGN) from error
    try:
        return metadata, _arrays(data, 8 + size, header)
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise BadInput(error.reason, path=path, remedy=INCOMPLETE) from None
        raise BadInput("has a damaged header", path=path, remedy=INCOMPLETE) from error


def tensor_parts(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]) -> list[bytes | memoryview]:
    """Return the bytes of a safetensors file in parts: the header, then array by array.

    >>> parts = tensor_parts({"a": np.ones(2, np.int8)}, {"about": "ones"})
    >>> parse_tensors(memoryview(b"".join(parts)), "")[1]["a"].tolist()
    [1, 1]
    """
    kinds = {np.dtype(code): kind for kind, code in DTYPES.items()}
    entries = [(ORDER.index(kinds[array.dtype]), name.encode(), name, array) for name, array in arrays.items()]
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    parts: list[bytes | memoryview] = []
    end = 0
    for place, _, name, array in sorted(entries, key=lambda entry: entry[:2]):
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": ORDER[place], "shape": list(array.shape), "data_offsets": [begin, end]}
        plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        parts.append(memoryview(plain.reshape(-1).view(np.uint8)))
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return [len(text).to_bytes(8, "little") + text, *parts]


def _arrays(data: memoryview, start: int, header: dict[str, Any]) -> dict[str, NDArray[Any]]:
    end = 0
    arrays = {}
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        dtype, shape, (begin, stop) = np.dtype(DTYPES[entry["dtype"]]), entry["shape"], entry["data_offsets"]
        if not all(type(n) is int and n >= 0 for n in (*shape, begin, stop)) or begin != end:
            raise ValueError(f"array {name!r} is out of place")
        count = 1
        for n in shape:
            count *= n
        if stop - begin != count * dtype.itemsize:
            raise ValueError(f"array {name!r} has another size")
        if start + stop > len(data):
            raise BadInput(f"is cut off: {len(data):,} bytes of at least {start + stop:,}")
        arrays[name] = np.frombuffer(data, dtype, count, start + begin).reshape(shape)
        end = stop
    if start + end != len(data):
        raise BadInput(f"has {len(data) - start - end:,} bytes more than it should")
    return arrays


def _map(path: Path) -> memoryview:
    try:
        with path.open("rb") as file:
            if file.seek(0, 2) == 0:
                raise BadInput("is empty", path=path, remedy=FOREIGN)
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except FileNotFoundError:
        raise NotFound("no such model file", path=path, remedy=FOREIGN) from None
    except IsADirectoryError:
        raise BadInput("is a directory, not a model file", path=path, remedy=FOREIGN) from None
    except (OSError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"cannot be read: {error}", path=path, remedy=FOREIGN) from error
