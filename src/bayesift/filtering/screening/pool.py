"""Screening of a finite pool: read the most promising document, learn from the judgement, and repeat.

A pool is finite, so the belief can be about the field h of each of its documents instead of the weights: prior
N(0, K) with K = x.x' + 1, the Gaussian process GP-1 of chai2002 3.2, exactly and over all terms. A judgement of
document i is one step, s = V e_i, m += g1 s, V += g2 s s^T, with Probit(0.5); the next to read has the largest m. V
takes the square of the pool; beyond `LARGEST` documents the weights are independent (`beliefs.vector`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs import Probit
from bayesift.beliefs.likelihoods import Code, moments
from bayesift.beliefs.protocol import State
from bayesift.beliefs.vector import VectorBelief
from bayesift.errors import BadInput
from bayesift.evaluate import average_time_to_discovery, recall_curve, work_saved
from bayesift.filtering.rows import Batch, rows_of
from bayesift.filtering.screening.remaining import Remaining, remaining
from bayesift.numba_kernel import kernel
from bayesift.progress import track

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]
LARGEST = 8000  # documents; 0.5 GB


class PoolBelief(Protocol):
    """What screening asks of its learner."""

    def learn(self, inputs: Numbers, y: Floats, passes: int = 1) -> None:
        """Learn judgements (+1 or -1) of documents, in their order."""

    def scores(self) -> Floats:
        """Return how promising each document is."""


class FieldBelief:
    """N(m, V) over the fields of the pool's documents; an input is a document's number."""

    def __init__(self, X: sparse.csr_matrix) -> None:
        self.code = Probit(0.5).code
        self._documents, self._y = np.empty(0, np.intp), np.empty(0)
        self._start(sparse.csr_matrix(X))

    def grow(self, size: sparse.csr_matrix) -> None:
        """Know all documents of a larger pool, which begins with those of this one; judgements are learned again."""
        self._start(sparse.csr_matrix(size))
        self._steps(self._documents, self._y)

    def learn(self, inputs: Numbers, y: Floats, passes: int = 1) -> None:
        """Learn judgements (+1 or -1) of documents, in their order."""
        inputs, y = np.tile(np.asarray(inputs, np.intp), passes), np.tile(y, passes)
        self._documents, self._y = np.append(self._documents, inputs), np.append(self._y, y)
        self._steps(inputs, y)

    def field(self, inputs: Numbers) -> tuple[Floats, Floats]:
        """Return mean and variance of the field of each document."""
        return self._m[inputs], self._V[inputs, inputs]

    def scores(self) -> Floats:
        """Return the means."""
        return self._m.copy()

    def state(self) -> State:
        """Return the pool and the judgements: V follows from them, and takes far more room."""
        X = self._X
        rows = {"indptr": X.indptr.copy(), "indices": X.indices.copy(), "data": X.data.copy(), "terms": X.shape[1]}
        return rows | {"documents": self._documents.copy(), "signs": self._y.copy()}

    def restore(self, state: State) -> Self:
        """Replace the pool and the judgements by those of a state."""
        shape = state["indptr"].size - 1, state["terms"]
        self._documents, self._y = state["documents"].copy(), state["signs"].copy()
        self.grow(sparse.csr_matrix((state["data"], state["indices"], state["indptr"]), shape=shape, copy=True))
        return self

    def _start(self, X: sparse.csr_matrix) -> None:
        self._X, self._m = X, np.zeros(X.shape[0])
        self._V = np.ascontiguousarray((X @ X.T).toarray()) + 1.0

    def _steps(self, documents: Numbers, y: Floats) -> None:
        for document, sign in zip(documents.tolist(), y.tolist()):
            _step(self._m, self._V, document, sign, self.code)


class WeightsBelief:
    """Independent weights, for large pools."""

    def __init__(self, X: sparse.csr_matrix) -> None:
        self._X, self._rows = X, list(rows_of(X))
        self._belief = VectorBelief(Probit(0.5).code)
        self._belief.grow(X.shape[1])

    def learn(self, inputs: Numbers, y: Floats, passes: int = 1) -> None:
        """Learn judgements (+1 or -1) of documents, in their order."""
        self._belief.learn(Batch.of([self._rows[i] for i in inputs.tolist()]), y, passes)

    def scores(self) -> Floats:
        """Return the means, without the bias, which all documents share."""
        return np.asarray(self._X @ self._belief.mean[1:])


@dataclass(frozen=True)
class Screening:
    """The order of reading, without the documents judged beforehand, and whether each is relevant."""

    order: Numbers
    relevant: NDArray[np.bool_]

    @property
    def recall(self) -> Floats:
        """Recall after 1, 2, .. documents."""
        return recall_curve(self.relevant)

    @property
    def atd(self) -> float:
        """Average time to discovery, as a share of the pool."""
        return average_time_to_discovery(self.relevant)

    @property
    def wss(self) -> float:
        """Work saved over sampling at a recall of 95 %."""
        return work_saved(self.relevant)

    def remaining(self, read: int) -> Remaining:
        """Estimate how many relevant documents are unread after the first `read` documents."""
        return remaining(self.relevant[:read], self.relevant.size)


def screen(
    X: sparse.csr_matrix, truth: NDArray[np.bool_], *, known: Sequence[int] | None = None, seed: int = 0,
    label: str = "pool",
) -> Screening:  # fmt: skip
    """Simulate the reading of a whole pool, the most promising document first.

    Parameters
    ----------
    X : csr_matrix
        The documents of the pool.
    truth : array of bool
        Whether each document is relevant.
    known : sequence of int, optional
        Documents judged beforehand (default: one relevant and one irrelevant document, chosen at random).
    seed : int
        Random seed of that choice.
    label : str
        Name of the progress bar.

    Returns
    -------
    Screening
        The order of reading and what was found.

    Raises
    ------
    BadInput
        If the pool does not have both relevant and irrelevant documents, or an argument is out of range.

    Examples
    --------
    >>> X = sparse.csr_matrix([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 0.9]])
    >>> screen(X, np.array([True, True, False, False]), known=[0, 2]).order
    array([1, 3])
    """
    truth = np.asarray(truth)
    if truth.dtype != np.bool_ or truth.shape != (X.shape[0],):
        remedy = f"give {X.shape[0]} booleans, one per document"
        raise BadInput(f"truth has type {truth.dtype} and shape {truth.shape}", remedy=remedy)
    if not truth.any() or truth.all():
        raise BadInput(
            f"{int(truth.sum())} of {truth.size} documents are relevant", remedy="a pool needs both relevant and others"
        )
    if seed < 0:
        raise BadInput(f"the random seed is {seed}", remedy="give a whole number from 0 on")
    rng = np.random.default_rng(seed)
    if known is None:
        known = [int(rng.choice(np.flatnonzero(truth))), int(rng.choice(np.flatnonzero(~truth)))]
    if len(set(known)) < len(known) or not all(0 <= document < truth.size for document in known):
        raise BadInput(f"known documents {list(known)[:5]}", remedy=f"give row numbers below {truth.size}, each once")
    belief: PoolBelief = FieldBelief(X) if truth.size <= LARGEST else WeightsBelief(X)
    read, signs = np.zeros(truth.size, bool), np.where(truth, 1.0, -1.0)
    for document in known:
        belief.learn(np.array([document]), signs[[document]])
        read[document] = True
    order = np.empty(int((~read).sum()), np.intp)
    for n in track(range(order.size), label, order.size):
        scores = belief.scores()
        scores[read] = -np.inf
        order[n] = best = int(scores.argmax())
        belief.learn(np.array([best]), signs[[best]])
        read[best] = True
    return Screening(order, truth[order])


@kernel
def _step(m: Floats, V: Floats, i: int, y: float, code: Code) -> None:
    _, g1, g2 = moments(code, y, m[i], V[i, i])
    s = V[i].copy()
    for a in range(m.size):
        m[a] += g1 * s[a]
        w, row = g2 * s[a], V[a]
        if w != 0.0:
            for b in range(m.size):
                row[b] += w * s[b]
