"""An encoder that does not keep a live stream waiting: words alone decide until the vector of a text is there.

Training waits for vectors as ever. Prediction takes those that are there, and asks for the others, which a thread of
its own computes.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from bayesift.text.meaning.encoder import Encoder
from bayesift.text.meaning.vector_cache import key_of

MOST = 100_000  # vectors that are kept in memory; the oldest go first


class InBackground:
    """An encoder whose vectors may come later.

    Parameters
    ----------
    encoder : the encoder that makes the vectors, for example `MiniLM()`.

    Examples
    --------
    >>> class Lengths:
    ...     def encode(self, texts):
    ...         return [[float(len(text))] for text in texts]
    >>> encoder = InBackground(Lengths())
    >>> encoder.ready(["oil"])
    [None]
    >>> encoder.wait()
    >>> encoder.ready(["oil"])
    [[3.0]]
    """

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._lock = threading.Lock()
        self._found: dict[bytes, Any] = {}
        self._asked: dict[bytes, Future[None]] = {}
        self._thread = ThreadPoolExecutor(1)

    def encode(self, texts: list[str]) -> Any:
        """Return one row of numbers per text, computed now if need be."""
        return self.encoder.encode(texts)

    def ready(self, texts: Sequence[str]) -> list[Any]:
        """Return the vectors that are there, None for the others; these are computed in the background.

        An error of the encoder is raised at the next call for the same text.
        """
        found = []
        for text in texts:
            key = key_of(text)
            with self._lock:
                asked = self._asked.get(key)
                if asked is not None and asked.done():
                    self._asked.pop(key).result()
                if key not in self._found and key not in self._asked:
                    self._asked[key] = self._thread.submit(self._compute, key, text)
                found.append(self._found.get(key))
        return found

    def wait(self) -> None:
        """Wait for all vectors that were asked for."""
        with self._lock:
            asked = list(self._asked.values())
        for task in asked:
            task.exception()

    def _compute(self, key: bytes, text: str) -> None:
        vector = self.encoder.encode([text])[0]
        with self._lock:
            self._found[key] = vector
            while len(self._found) > MOST:
                del self._found[next(iter(self._found))]

    def __getstate__(self) -> dict[str, Any]:
        return {"encoder": self.encoder}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]
