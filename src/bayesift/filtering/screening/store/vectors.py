"""The vectors of a review's records, in the database: to make them from many texts takes longer than to open all else.

They are a model file (never pickle), compressed and cut into parts that every database takes. They only save time:
without them, or if this bayesift cannot read them, they are made from the texts.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
import zstandard

from bayesift.errors import BayesiftError
from bayesift.filtering.store.schema import screening_vectors as table
from bayesift.model_file import decode_model, encode_model

KIND = "screening-vectors"
PART = 4 << 20  # bytes
LEVEL = 1


def save(connection: sa.Connection, size: int, vectors: dict[str, Any]) -> None:
    """Write the vectors of the first `size` records instead of those that are there."""
    data = zstandard.compress(encode_model(vectors, {}, kind=KIND, labels=[], training={}), LEVEL)
    connection.execute(table.delete())
    for part, begin in enumerate(range(0, len(data), PART)):
        connection.execute(table.insert(), {"records": size, "part": part, "data": data[begin : begin + PART]})


def load(connection: sa.Connection, name: str) -> dict[str, Any] | None:
    """Return the vectors that are there, or None."""
    parts = connection.execute(sa.select(table.c.data).order_by(table.c.records, table.c.part)).scalars().all()
    if not parts:
        return None
    try:
        plain = zstandard.decompress(b"".join(bytes(part) for part in parts))
        found: dict[str, Any] = decode_model(plain, {}, kind=KIND, name=name).model
    except (zstandard.ZstdError, BayesiftError):
        return None
    return found
