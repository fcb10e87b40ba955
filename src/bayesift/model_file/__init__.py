"""Saving and loading: one safetensors file with a sealed manifest, never pickle.

The format: `docs/reference/model-file.md`.
"""

from bayesift.model_file.file import (
    VERSION,
    Saved,
    decode_model,
    encode_model,
    is_model,
    model_parts,
    read_manifest,
    read_model,
    write_model,
)

__all__ = [
    "VERSION",
    "Saved",
    "decode_model",
    "encode_model",
    "is_model",
    "model_parts",
    "read_manifest",
    "read_model",
    "write_model",
]
