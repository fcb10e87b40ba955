"""Other people's tools: one module per tool, imported only when it is used, each with an extra of its own."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "RiverAdapter": "river",
    "mcp_server": "mcp",
    "predict_frame": "frames",
    "read_annotations": "annotation_tools",
    "write_annotations": "annotation_tools",
    "write_javascript": "javascript",
    "write_onnx": "onnx",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
