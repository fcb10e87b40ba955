"""Texts in Arrow's memory: the scanner reads their bytes where they are, without a Python string or a copy.

Arrow keeps the texts of a column one after the other in UTF-8, with the offset of each, which is what the scanner reads
(`tokens`). Only texts with markup are decoded, to remove it; where they are many, the texts around them are copied too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.numba_kernel import kernel
from bayesift.text.markup import strip_markup

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
BLOCK = 1 << 20  # bytes at a time
LESS, AMPERSAND = ord("<"), ord("&")
MOST_RUNS = 32  # of texts without markup in a block; with more of them the block is copied
OFFSETS = {"string": np.int32, "large_string": np.int64}


class ArrowTexts(Sequence[str]):
    """The texts of a column of Arrow.

    Parameters
    ----------
    column : pyarrow.Array or pyarrow.ChunkedArray
        Of strings; those of a dictionary are decoded.

    Raises
    ------
    BadInput
        If it does not hold strings, or one is missing.

    Examples
    --------
    >>> import pyarrow
    >>> ArrowTexts(pyarrow.array(["Wheat rose", "Oil fell"]))[1]
    'Oil fell'
    """

    def __init__(self, column: Any) -> None:
        if str(column.type).startswith("dictionary"):
            column = column.cast(column.type.value_type)
        chunks = column.chunks if hasattr(column, "chunks") else [column]
        self._parts = [_part(chunk) for chunk in chunks if len(chunk)]
        if column.null_count:
            missing = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0]) if len(column) else 0
            raise BadInput(f"document {missing} is missing", remedy="fill missing texts first, or leave them out")
        self._ends = np.cumsum([offsets.size - 1 for _, offsets in self._parts], dtype=np.int64)

    def __len__(self) -> int:
        return int(self._ends[-1]) if self._ends.size else 0

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        """Return a text, or several."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(index)
        number = int(np.searchsorted(self._ends, place, side="right"))
        data, offsets = self._parts[number]
        row = place - (int(self._ends[number - 1]) if number else 0)
        return _decoded(data, offsets, row)

    def __iter__(self) -> Iterator[str]:
        for data, offsets in self._parts:
            for row in range(offsets.size - 1):
                yield _decoded(data, offsets, row)

    def blocks(self, strip: bool) -> Iterator[tuple[Bytes, Longs]]:
        """Yield the bytes of some texts, one after the other, and their ends; with `strip` without HTML."""
        for data, offsets in self._parts:
            begin, last = 0, offsets.size - 1
            while begin < last:
                end = int(np.searchsorted(offsets, offsets[begin] + BLOCK))
                end = min(max(end, begin + 1), last)
                yield from _runs(data, offsets[begin : end + 1], strip)
                begin = end


def arrow_column(X: Any) -> Any:
    """Return the Arrow array of a column, without a copy where its library keeps one, or None if it has none.

    A column is an Arrow array, a Series of pandas with strings in Arrow's memory, or a Series of Polars with strings.
    """
    library = type(X).__module__.partition(".")[0]
    if library == "pyarrow" and hasattr(X, "type"):
        return X if "string" in str(X.type) else None
    if library == "polars" and hasattr(X, "to_arrow") and str(getattr(X, "dtype", "")) == "String":
        return X.to_arrow()
    if library == "pandas" and hasattr(X, "array") and hasattr(X.array, "__arrow_array__"):
        kind = X.dtype
        in_arrow = getattr(kind, "storage", "") == "pyarrow" or "string" in str(getattr(kind, "pyarrow_dtype", ""))
        return X.array.__arrow_array__() if in_arrow else None
    return None


def _part(chunk: Any) -> tuple[Bytes, NDArray[Any]]:
    """Return views of the bytes and the offsets of a chunk."""
    if str(chunk.type) == "string_view":
        chunk = chunk.cast("large_string")
    if str(chunk.type) not in OFFSETS:
        raise BadInput(f"a column of {chunk.type}, not of texts", remedy="give a column of strings")
    _, places, data = chunk.buffers()
    offsets = np.frombuffer(places, OFFSETS[str(chunk.type)])[chunk.offset : chunk.offset + len(chunk) + 1]
    return (np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)), offsets


def _decoded(data: Bytes, offsets: NDArray[Any], row: int) -> str:
    return data[offsets[row] : offsets[row + 1]].tobytes().decode("utf-8", "surrogatepass")


def _runs(data: Bytes, offsets: NDArray[Any], strip: bool) -> Iterator[tuple[Bytes, Longs]]:
    """Yield texts where they are, run by run between those with markup, or all of them copied."""
    marked = np.flatnonzero(_have_markup(data, offsets)) if strip else np.empty(0, np.intp)
    if marked.size > MOST_RUNS:
        yield _copied(data, offsets, marked)
        return
    begin = 0
    for row in [*marked.tolist(), offsets.size - 1]:
        if begin < row:
            ends = offsets[begin + 1 : row + 1].astype(np.int64) - int(offsets[begin])
            yield data[offsets[begin] : offsets[row]], ends
        if row < offsets.size - 1:
            yield _copied(data, offsets[row : row + 2], np.zeros(1, np.intp))
        begin = row + 1


def _copied(data: Bytes, offsets: NDArray[Any], marked: NDArray[np.intp]) -> tuple[Bytes, Longs]:
    """Return the bytes of texts, without the markup of those that have some, and the end of each."""
    length = np.diff(offsets).astype(np.int64)
    plain: dict[int, bytes] = {}
    for row in marked.tolist():
        plain[row] = strip_markup(_decoded(data, offsets, row)).encode("utf-8", "surrogatepass")
        length[row] = len(plain[row])
    ends = np.cumsum(length)
    out = np.empty(int(ends[-1]), np.uint8)
    skip = np.zeros(length.size, np.bool_)
    skip[marked] = True
    _copy(data, offsets, ends, skip, out)
    for row, text in plain.items():
        end = int(ends[row])
        out[end - len(text) : end] = np.frombuffer(text, np.uint8)
    return out, ends


@kernel
def _have_markup(data: Bytes, offsets: Any) -> Any:
    found = np.zeros(offsets.size - 1, np.bool_)
    for row in range(found.size):
        for i in range(offsets[row], offsets[row + 1]):
            if data[i] == LESS or data[i] == AMPERSAND:
                found[row] = True
                break
    return found


@kernel
def _copy(data: Bytes, offsets: Any, ends: Longs, skip: Any, out: Bytes) -> None:
    for row in range(ends.size):
        if not skip[row]:
            size = offsets[row + 1] - offsets[row]
            out[ends[row] - size : ends[row]] = data[offsets[row] : offsets[row + 1]]
