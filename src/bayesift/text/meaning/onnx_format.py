"""Write a network in the ONNX format: the few messages of its protocol buffers that a plain graph needs.

The package onnx would bring protobuf and 100 MB of operators to write one file. Field numbers of the format do not
change (ONNX, "Versioning"), and a message is only tags, lengths and numbers:

    tag = field << 3 | kind,   kind 0: a whole number as varint, 2: length and bytes, 5: four bytes
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

FLOAT, INT64, BOOL, DOUBLE = 1, 7, 9, 11  # TensorProto.DataType
KINDS = {
    np.dtype(np.float32): FLOAT, np.dtype(np.int64): INT64, np.dtype(np.bool_): BOOL, np.dtype(np.float64): DOUBLE,
}  # fmt: skip
IR_VERSION, OPERATORS = 9, 20  # the first operator set with Gelu is 20


@dataclass
class Graph:
    """A graph of operators, built node by node.

    >>> graph = Graph({"x": ("float32", ["n"])})
    >>> y = graph.node("Mul", "x", graph.constant("two", np.array([2.0], np.float32)))
    >>> len(graph.model({y: ("float32", ["n"])})) > 50
    True
    """

    inputs: Mapping[str, tuple[str, Sequence[int | str]]]  # type and shape; a name is a length that may vary
    _nodes: list[bytes] = field(default_factory=list)
    _constants: list[bytes] = field(default_factory=list)

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Add an array under a name, and return the name."""
        kept = np.ascontiguousarray(value)
        dims = b"".join(_whole(1, n) for n in kept.shape)
        self._constants.append(dims + _whole(2, KINDS[kept.dtype]) + _text(8, name) + _bytes(9, kept.tobytes()))
        return name

    def node(self, operator: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        """Add an operator, and return the name of its output, or the names of several."""
        names = [f"{operator}{len(self._nodes)}_{k}" for k in range(outputs)]
        message = b"".join(_text(1, name) for name in inputs) + b"".join(_text(2, name) for name in names)
        message += _text(4, operator) + b"".join(_bytes(5, _attribute(k, v)) for k, v in attributes.items())
        self._nodes.append(message)
        return names[0] if outputs == 1 else names

    def output(self, name: str, value: str) -> None:
        """Name a value, as an output for `model`."""
        self._nodes.append(_text(1, value) + _text(2, name) + _text(4, "Identity"))

    def model(
        self, outputs: Mapping[str, tuple[str, Sequence[int | str]]], about: Mapping[str, str] | None = None
    ) -> bytes:
        """Return the model file of the graph with these outputs; `about` are names and texts of its metadata."""
        graph = b"".join(_bytes(1, node) for node in self._nodes) + _text(2, "graph")
        graph += b"".join(_bytes(5, constant) for constant in self._constants)
        graph += b"".join(_bytes(11, _value(*item)) for item in self.inputs.items())
        graph += b"".join(_bytes(12, _value(*item)) for item in outputs.items())
        noted = b"".join(_bytes(14, _text(1, name) + _text(2, text)) for name, text in (about or {}).items())
        return _whole(1, IR_VERSION) + _text(2, "bayesift") + _bytes(7, graph) + _bytes(8, _whole(2, OPERATORS)) + noted


def _attribute(name: str, value: Any) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _whole(20, 1)
    if isinstance(value, int):
        return _text(1, name) + _whole(3, value) + _whole(20, 2)
    return _text(1, name) + b"".join(_whole(8, n) for n in value) + _whole(20, 7)


def _value(name: str, kind: tuple[str, Sequence[int | str]]) -> bytes:
    """Return the type of an input or output."""
    dtype, shape = kind
    dims = b"".join(_bytes(1, _text(2, n) if isinstance(n, str) else _whole(1, n)) for n in shape)
    tensor = _whole(1, KINDS[np.dtype(dtype)]) + _bytes(2, dims)
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _whole(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value & (1 << 64) - 1)


def _text(number: int, value: str) -> bytes:
    return _bytes(number, value.encode())


def _bytes(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
