"""Rocchio with feedback, a baseline of adaptive filtering (Rocchio 1971; Schapire, Singer & Singhal 1998).

    u = mean of the relevant x - 0.25 mean of the irrelevant x that were judged,   unit vectors;   score u.x

The cut is the score of the background at rank (size) (wanted - shown) / (documents to come), renewed with each
document, so that the wanted number is shown by the end of the stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
IRRELEVANT = 0.25


def rocchio(
    stream: Any, truth: NDArray[np.bool_], relevant: Sequence[Any], background: Any, wanted: int = 50
) -> tuple[int, int]:
    """Run one topic over a stream, each document shown is judged at once.

    Parameters
    ----------
    stream : csr_matrix
        The documents in their order.
    truth : array of bool
        Which of them are relevant.
    relevant : sequence of csr_matrix
        What the topic starts from, one row each: examples, a statement.
    background : csr_matrix
        Documents that came before, unjudged.
    wanted : int
        Documents to show.

    Returns
    -------
    tuple of int
        Relevant documents shown, and documents shown.

    Examples
    --------
    >>> X = sparse.csr_matrix(np.eye(4)[[0, 1, 2, 0]])
    >>> rocchio(X, np.array([True, False, False, True]), [X[0]], X, wanted=2)
    (2, 2)
    """
    for_it: list[Any] = list(relevant)
    against: list[Any] = []
    n, at, shown, hits = stream.shape[0], 0, 0, 0
    while shown < wanted and at < n:
        u = _mean(for_it) - (IRRELEVANT * _mean(against) if against else 0.0)
        cuts = _cuts(np.sort(background @ u)[::-1], wanted - shown, n - np.arange(at, n))
        above = np.flatnonzero((stream @ u)[at:] > cuts)  # a slice of the matrix would be a copy
        if not above.size:
            break
        i = at + int(above[0])
        (for_it if truth[i] else against).append(stream[i])
        shown, hits, at = shown + 1, hits + int(truth[i]), i + 1
    return hits, shown


def _cuts(background: Floats, wanted: int, left: NDArray[np.int64]) -> Floats:
    """Return the cut at each document to come, from the background's scores, the highest first."""
    rank = (background.size * wanted / left).astype(np.int64)
    return np.where(rank >= background.size, -np.inf, background[np.minimum(rank, background.size - 1)])


def _mean(rows: Sequence[Any]) -> Floats:
    return np.asarray(sparse.vstack(rows).mean(axis=0)).ravel()
