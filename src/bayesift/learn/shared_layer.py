"""Labels that share a hidden layer: weights of low rank across labels, which rare labels borrow from frequent ones.

    h = max(0, U x + V t + a),   p(label c | x) = sigma(SHARE z_c + w_c.h + b_c)

z are the log-odds of the labels by other models, if they are given, and t = sigma(z)^(1/2) where sigma(z) is
not small. A rare label, of which a network learns little, then keeps the order of documents that those models give, and
h has labels that come together beside words that do. z must be what models say of documents before they learn them, or
the network would trust them too much. Without z, t and SHARE z_c are left out.

U, V, a, w and b minimise the log loss by stochastic gradient steps, document by document, each number with its own step
(AdaGrad, Duchi et al. 2011). In training a part of the inputs x and t and of h is left out at random, and the rest is
multiplied accordingly (dropout, Srivastava et al. 2014). w begins with 0, since what a rare label has at random it
would keep. The log-odds are the mean of several networks, which are kept as one, with their hidden units side by side
and each w divided by their number.

The orders, the first U and what is left out depend on the seed alone, and a sum on nothing else: one document has the
margins that it has among many.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit

from bayesift.beliefs.protocol import State
from bayesift.learn.nearest import UNIT
from bayesift.numba_kernel import kernel
from bayesift.threads import in_threads, n_threads

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
LogOdds = NDArray[Any] | None  # log-odds by other models: (documents, labels)
NAMES = ("inner", "inner_bias", "outer", "outer_bias")
NETWORKS, HIDDEN, EPOCHS = 2, 128, 8  # hidden units of each network
FEW, FEWER = 12, 64  # labels, up to which so many hidden units are as good
RATE = 0.1
LEFT_OUT = 0.3  # of the inputs, and of the hidden units
SHARE, EARLIER_SHARE = 0.2, 0.3  # of the log-odds by other models; the latter in files of earlier versions
SMALL = 0.02  # probabilities up to this are not read
FIRST = 0.05  # U lies within this of 0 before any document
BEFORE = {"inner": 1e-3, "inner_bias": 1e-2, "outer": 1e-2, "outer_bias": 1e-2}  # squared gradients, as if seen


class SharedLayer:
    """Margins by networks with one hidden layer that all labels share.

    Parameters
    ----------
    seed : int
        Random seed.
    networks : int
        The number of networks whose log-odds are averaged.
    threads : int, optional
        Threads, at most one per network; None is one per core. The result is the same for any number.

    Examples
    --------
    >>> from scipy import sparse
    >>> X, Y = sparse.csr_matrix([[1.0, 0.0], [0.0, 1.0]] * 20), sparse.csr_matrix([[1, 0], [0, 1]] * 20)
    >>> SharedLayer().fit(X, Y).margins(X[:2])[:, :2].argmax(axis=1)
    array([0, 1])
    """

    inner: Singles  # U^T, and V^T below it: (features and given log-odds, hidden)
    inner_bias: Singles
    outer: Singles  # w: (hidden, labels)
    outer_bias: Singles
    share: float  # of the log-odds by other models

    def __init__(self, seed: int = 0, networks: int = NETWORKS, threads: int | None = None) -> None:
        self.seed, self.networks, self.threads = seed, networks, threads

    def fit(self, X: Any, Y: Any, log_odds: LogOdds = None) -> Self:
        """Learn documents, (documents, features), and their labels, (documents, labels) of 0 and 1; both are sparse.

        `log_odds` are those by other models; if they are given here, `margins` takes them too.
        """
        part, generators = np.float32(1.0 / self.networks), np.random.default_rng(self.seed).spawn(self.networks)
        self.share = SHARE
        rows, known = _with_roots(X, log_odds), self._known(log_odds)
        found = in_threads(lambda rng: _fitted(rows, Y, rng, known), generators, n_threads(self.threads))
        inner, inner_bias, outer, outer_bias = zip(*found)
        self.inner, self.inner_bias = np.hstack(inner), np.concatenate(inner_bias)
        self.outer, self.outer_bias = part * np.vstack(outer), part * np.sum(outer_bias, axis=0)
        self.documents = Y.shape[0]
        return self

    def margins(self, X: Any, log_odds: LogOdds = None) -> Floats:
        """Return the margin of each label, and of the unseen one: (documents, labels + 1)."""
        X = _with_roots(X, log_odds)
        out = np.empty((X.shape[0], self.outer_bias.size + 1), np.float32)
        out[:, -1] = logit(0.5 / (self.documents + 1.0))
        weights = (self.inner, self.inner_bias, self.outer, self.outer_bias)
        _forward(X.indptr, X.indices, X.data.astype(np.float32, copy=False), *weights, out)
        known = self._known(log_odds)
        if known is not None:
            out[:, :-1] += known
        return np.asarray(out / UNIT, np.float64)

    def state(self) -> State:
        """Return the weights, the number of documents and the share of log-odds by other models."""
        weights = {name: getattr(self, name).copy() for name in NAMES}
        return weights | {"documents": int(self.documents), "share": float(self.share)}

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state."""
        for name in NAMES:
            setattr(self, name, state[name].copy())
        self.documents, self.share = int(state["documents"]), float(state.get("share", EARLIER_SHARE))
        return self

    def _known(self, log_odds: LogOdds) -> Singles | None:
        """Return the log-odds that the network begins with."""
        if log_odds is None:
            return None
        return np.ascontiguousarray(np.float32(self.share) * log_odds.astype(np.float32))


def _with_roots(X: Any, log_odds: LogOdds) -> Any:
    """Return rows with a column for each label after their own: the root of its probability by other models."""
    if log_odds is None:
        return X
    p = expit(log_odds)
    roots = sparse.csr_matrix(np.where(p > SMALL, np.sqrt(p), 0.0))
    return sparse.csr_matrix(sparse.hstack([X, roots]))


def _fitted(X: Any, Y: Any, rng: np.random.Generator, known: Singles | None = None) -> list[Singles]:
    """Return the weights of one network, in the order of `NAMES`; rows have the columns of given log-odds.

    `known` are the log-odds that it begins with.
    """
    n, labels = Y.shape
    have = np.bincount(Y.indices, minlength=labels)
    hidden = FEWER if labels <= FEW else HIDDEN
    weights = [
        _first(rng, (X.shape[1], hidden)),
        np.zeros(hidden, np.float32),
        np.zeros((hidden, labels), np.float32),
        (logit((have + 0.5) / (n + 1.0)) if known is None else np.zeros(labels)).astype(np.float32),
    ]
    squares = [np.full(weight.shape, BEFORE[name], np.float32) for name, weight in zip(NAMES, weights)]
    data = X.data.astype(np.float32, copy=False)
    given = np.zeros((0, labels), np.float32) if known is None else known
    for _ in range(EPOCHS):
        order, start = rng.permutation(n), np.uint32(rng.integers(1, 1 << 32))
        _train(X.indptr, X.indices, data, Y.indptr, Y.indices, order, start, given, *weights, *squares)
    return weights


def _first(rng: np.random.Generator, shape: tuple[int, int]) -> Singles:
    """Return U before any document, made in place: it is large."""
    found = rng.random(shape, np.float32)
    found -= np.float32(0.5)
    found *= np.float32(2.0 * FIRST)
    return found


@kernel(fastmath={"contract", "reassoc"})
def _train(
    indptr: Any, indices: Any, data: Any, label_ends: Any, label_of: Any, order: Any, random: Any,
    known: Singles,
    inner: Singles, inner_bias: Singles, outer: Singles, outer_bias: Singles,
    inner_sq: Singles, inner_bias_sq: Singles, outer_sq: Singles, outer_bias_sq: Singles,
) -> None:  # fmt: skip
    """Learn the documents once in this order; `random` starts the numbers that say what is left out.

    `known` is added to the log-odds of each document, if it has rows.
    """
    hidden, labels = outer.shape
    h, back, keep = np.empty(hidden, np.float32), np.empty(hidden, np.float32), np.empty(hidden, np.float32)
    off = np.empty(labels, np.float32)  # p - y
    longest = np.diff(indptr).max() if order.size else 0
    columns, values = np.empty(longest, np.int64), np.empty(longest, np.float32)  # of the inputs that are kept
    rate, kept = np.float32(RATE), np.float32(1.0 / (1.0 - LEFT_OUT))
    bound, one = np.uint32(LEFT_OUT * 2.0**32), np.float32(1.0)
    for t in order:
        inputs = 0
        for i in range(indptr[t], indptr[t + 1]):
            random = _next(random)
            if random >= bound:
                columns[inputs], values[inputs] = indices[i], kept * data[i]
                inputs += 1
        _hidden(0, inputs, columns, values, inner, inner_bias, h)
        for k in range(hidden):
            random = _next(random)
            keep[k] = np.float32(0.0) if random < bound else kept
            h[k] *= keep[k]
        _outputs(h, outer, outer_bias, off)
        if known.shape[0]:
            for c in range(labels):
                off[c] += known[t, c]
        for c in range(labels):
            off[c] = one / (one + np.exp(-off[c]))
        for e in range(label_ends[t], label_ends[t + 1]):
            off[label_of[e]] -= one
        for k in range(hidden):
            back[k] = 0.0
            if h[k] > 0.0:
                row, squares, total = outer[k], outer_sq[k], np.float32(0.0)
                for c in range(labels):
                    total += row[c] * off[c]
                    g = h[k] * off[c]
                    squares[c] += g * g
                    row[c] -= rate * g / np.sqrt(squares[c])
                back[k] = total * keep[k]
        for c in range(labels):
            outer_bias_sq[c] += off[c] * off[c]
            outer_bias[c] -= rate * off[c] / np.sqrt(outer_bias_sq[c])
        for k in range(hidden):
            inner_bias_sq[k] += back[k] * back[k]
            inner_bias[k] -= rate * back[k] / np.sqrt(inner_bias_sq[k])
        for i in range(inputs):
            row, squares, x = inner[columns[i]], inner_sq[columns[i]], values[i]
            for k in range(hidden):
                g = x * back[k]
                squares[k] += g * g
                row[k] -= rate * g / np.sqrt(squares[k])


@kernel
def _next(random: Any) -> Any:
    """Return the next of a sequence of random numbers (xorshift, Marsaglia 2003)."""
    random ^= np.uint32(random << np.uint32(13))
    random ^= np.uint32(random >> np.uint32(17))
    random ^= np.uint32(random << np.uint32(5))
    return random


@kernel(fastmath={"contract", "reassoc"})
def _forward(
    indptr: Any, indices: Any, data: Any, inner: Singles, inner_bias: Singles, outer: Singles, outer_bias: Singles,
    out: Singles,
) -> None:  # fmt: skip
    """Set the log-odds of all labels of each document."""
    h = np.empty(outer.shape[0], np.float32)
    for t in range(indptr.size - 1):
        _hidden(indptr[t], indptr[t + 1], indices, data, inner, inner_bias, h)
        _outputs(h, outer, outer_bias, out[t])


@kernel(fastmath={"contract", "reassoc"})
def _hidden(begin: int, end: int, indices: Any, data: Any, inner: Singles, inner_bias: Singles, h: Singles) -> None:
    h[:] = inner_bias
    for i in range(begin, end):
        row, x = inner[indices[i]], data[i]
        for k in range(h.size):
            h[k] += x * row[k]
    for k in range(h.size):
        h[k] = max(h[k], np.float32(0.0))


@kernel(fastmath={"contract", "reassoc"})
def _outputs(h: Singles, outer: Singles, outer_bias: Singles, out: Singles) -> None:
    for c in range(outer_bias.size):
        out[c] = outer_bias[c]
    for k in range(h.size):
        if h[k] > 0.0:
            row, x = outer[k], h[k]
            for c in range(row.size):
                out[c] += x * row[c]
