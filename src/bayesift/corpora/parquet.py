"""Read the rows of a Parquet file, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bayesift.corpora.records import Record
from bayesift.errors import BadInput, NotFound

BATCH = 4096  # rows


def read_parquet(path: str | Path) -> Iterator[Record]:
    """Yield the rows of a file as records.

    Raises
    ------
    NotFound
        If pyarrow is not installed, or there is no such file.
    BadInput
        If it is not a Parquet file, or damaged.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        remedy = "install it: pip install 'bayesift[cluster]'"
        raise NotFound("Parquet files are read by pyarrow, which is missing", path=path, remedy=remedy) from None
    if not Path(path).is_file():
        raise NotFound("no such file", path=path, remedy="Parquet is read from files, not from standard input")
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(BATCH):
                for values in batch.to_pylist():
                    number += 1
                    yield Record(number, None, {name: _plain(value) for name, value in values.items()}, b"")
    except (pyarrow.ArrowException, OSError) as error:
        reason = f"not Parquet, or damaged after row {number}: {str(error).splitlines()[0]}"
        raise BadInput(reason, path=path, remedy="write it again") from None


def _plain(value: Any) -> Any:
    """Return a value as JSON would have it: a date or a time is text."""
    return value.isoformat() if hasattr(value, "isoformat") else value
