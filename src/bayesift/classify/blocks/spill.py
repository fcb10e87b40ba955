"""Arrays on disk, written once, one block after the other, and read as memory-mapped arrays.

The file has no name from the start, so nothing is left behind, however the process ends.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BayesiftError

ALIGNMENT = 64  # bytes
Place = tuple[int, int, np.dtype[Any]]  # offset in the file, numbers, type


class SpillFailed(BayesiftError, OSError):
    """Vectors that could not be written to disk or read from there; also an OSError."""


class Spill:
    """Blocks of arrays in one file of a temporary folder.

    >>> with Spill() as spill:
    ...     number = spill.add(np.arange(3), np.ones(2, np.float32))
    ...     [array.tolist() for array in spill.block(number)]
    [[0, 1, 2], [1.0, 1.0]]
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = Path(tempfile.gettempdir() if folder is None else folder)
        self.size = 0  # bytes
        self._places: list[list[Place]] = []
        try:
            self._file: IO[bytes] = tempfile.TemporaryFile(dir=self.folder)  # noqa: SIM115  (closed by `close`)
        except OSError as error:
            raise self._failed(error) from error

    def __len__(self) -> int:
        return len(self._places)

    def add(self, *arrays: NDArray[Any]) -> int:
        """Write the arrays of one more block; return its number."""
        places = []
        try:
            for array in arrays:
                data = np.ascontiguousarray(array)
                self._file.write(bytes(-self.size % ALIGNMENT))
                self.size += -self.size % ALIGNMENT
                self._file.write(memoryview(data).cast("B") if data.size else b"")
                places.append((self.size, data.size, data.dtype))
                self.size += data.nbytes
        except OSError as error:
            self.close()
            raise self._failed(error) from error
        self._places.append(places)
        return len(self._places) - 1

    def block(self, number: int) -> list[NDArray[Any]]:
        """Return the arrays of a block, which must not be changed.

        Only this block is mapped, and only as long as its arrays are used: pages of a map of the whole file would count
        as memory of the process, and be all of it in the end.
        """
        places = self._places[number]
        begin, (last, size, kind) = places[0][0], places[-1]
        end = last + size * kind.itemsize
        try:
            self._file.flush()
            whole = np.memmap(self._file, np.uint8, "r", begin, (end - begin,)) if end > begin else NOTHING
        except OSError as error:
            raise self._failed(error) from error
        return [
            whole[at - begin : at - begin + size * kind.itemsize].view(kind).view(np.ndarray)
            for at, size, kind in places
        ]

    def close(self) -> None:
        """Free the disk space."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _failed(self, error: OSError) -> SpillFailed:
        return SpillFailed(
            f"cannot keep vectors on disk: {(error.strerror or str(error)).lower()}",
            path=self.folder,
            remedy="make room there, or set TMPDIR to a folder on a larger disk",
        )


NOTHING = np.empty(0, np.uint8)
