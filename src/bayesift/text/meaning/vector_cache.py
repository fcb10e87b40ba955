"""Vectors of texts on disk, by the hash of the text: a text is encoded once. No text is stored.

A SQLite file in the user's cache directory, which several processes can share. Where it cannot be written, vectors are
kept in memory.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
AT_A_TIME = 500  # keys in one query
WAIT = 30.0  # seconds for another process that is writing


def key_of(text: str) -> bytes:
    """Return the key of a text: 16 bytes of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


class VectorCache:
    """Vectors by key.

    >>> import tempfile
    >>> cache = VectorCache(Path(tempfile.mkdtemp(), "vectors.sqlite"))
    >>> cache.put([(key_of("oil"), np.ones(2, np.float32))])
    >>> {key == key_of("oil"): vector.tolist() for key, vector in cache.get([key_of("oil"), key_of("corn")]).items()}
    {True: [1.0, 1.0]}
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._memory: dict[bytes, Singles] = {}

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Singles]:
        """Return the vectors that are there."""
        wanted = list(dict.fromkeys(keys))
        found = {key: self._memory[key] for key in wanted if key in self._memory}
        missing = [key for key in wanted if key not in found]
        try:
            if missing and self._path.is_file():
                with closing(sqlite3.connect(self._path, timeout=WAIT)) as file:
                    for begin in range(0, len(missing), AT_A_TIME):
                        some = missing[begin : begin + AT_A_TIME]
                        places = ",".join("?" * len(some))
                        rows = file.execute(f"SELECT key, vector FROM vectors WHERE key IN ({places})", some)
                        found |= {key: np.frombuffer(vector, "<f4").astype(np.float32) for key, vector in rows}
        except sqlite3.Error:  # damaged, or of another kind: encode again
            pass
        return found

    def put(self, vectors: Iterable[tuple[bytes, Singles]]) -> None:
        """Keep vectors."""
        kept = list(vectors)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=WAIT)) as file, file:
                file.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
                rows = [(key, vector.astype("<f4").tobytes()) for key, vector in kept]
                file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
        except (sqlite3.Error, OSError):  # not writable
            self._memory.update(kept)
