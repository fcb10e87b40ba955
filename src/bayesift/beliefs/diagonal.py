"""Independent Gaussian weights, one for each feature and label, and a bias: the belief of BOMC (zhang2010 2).

Two numbers per weight, in single precision, laid out [feature][label] with the labels side by side. Rows and columns
are added as features and labels appear, with room to spare, so that adding one is cheap; spare rows hold nothing yet.
The number of columns in store is a multiple of `BLOCK`: kernels and threads take whole blocks, so that the result does
not depend on how labels are shared out.

The column after the last label is the *unseen label*: the belief about a label that no document has had so far. It
learns every document as a negative. A label that first appears after n documents starts from a copy of it, which is
what it would have learned from these n documents had its name been known from the start.

In a `compact` belief a label has weights of its own only for the terms that have occurred with it (a bit in `own` for
each), and the unseen label's elsewhere. With very many labels this takes a fraction of the room in a file.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.numba_kernel import kernel

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
BLOCK = 16
LINE = 64  # bytes


class DiagonalBelief:
    """N(mean, variance) for each weight; `bias` is one for each label, or a single one that all labels share."""

    def __init__(
        self, prior_variance: float, bias_variance: float, shared_bias: bool = False, compact: bool = False
    ) -> None:
        self.prior_variance, self.bias_variance, self.compact = prior_variance, bias_variance, compact
        self._clear(shared_bias)

    def _clear(self, shared_bias: bool) -> None:
        """Forget all features and labels."""
        self.n_features = self.n_labels = self.seen = 0  # seen: documents so far
        self.mean: Singles = np.zeros((0, 0), np.float32)  # (rows in store, columns in store)
        self.variance: Singles = np.zeros((0, 0), np.float32)
        self.touched: Longs = np.zeros(0, np.int64)  # the step at which a row's variance was last up to date (drift)
        self.positives: Longs = np.zeros(0, np.int64)  # documents of each label so far
        columns = 1 if shared_bias else 0
        self.bias: Floats = np.array([np.zeros(columns), np.full(columns, self.bias_variance)])  # means and variances
        self.own = np.zeros((0, 0), np.uint8)  # of a compact belief: (rows, columns / 8)

    def grow(self, size: int, labels: int = 0) -> None:
        """Know this many features and labels: new features at their prior, new labels as the unseen one."""
        d, features = self.n_features, size
        self._make_room(features, labels)
        self.mean[d:features], self.variance[d:features] = 0.0, self.prior_variance
        if self.seen and labels > self.n_labels:  # new labels, and the unseen one in its new place, start from it
            unseen, new = slice(self.n_labels, self.n_labels + 1), slice(self.n_labels + 1, labels + 1)
            known = slice(max(d, features))
            arrays: list[Any] = [self.mean[known], self.variance[known], *([] if self.shared_bias else [self.bias])]
            for array in arrays:
                array[:, new] = array[:, unseen]
        self.n_features, self.n_labels = max(d, features), max(self.n_labels, labels)

    def _make_room(self, features: int, labels: int) -> None:
        d, (rows, columns) = self.n_features, self.mean.shape
        if features <= rows and labels < columns:
            return
        rows = max(rows, features + features // 2 if rows else features)
        wide = max(columns, -(-(labels + 1) // BLOCK) * BLOCK)  # one more, for the unseen label
        self.mean = _enlarged(self.mean, (rows, wide), d, 0.0)
        self.variance = _enlarged(self.variance, (rows, wide), d, self.prior_variance)
        self.touched = np.pad(self.touched, (0, rows - self.touched.size))
        self.positives = np.pad(self.positives, (0, wide - columns))
        if self.compact:
            self.own = np.pad(self.own, ((0, rows - len(self.own)), (0, wide // 8 - self.own.shape[1])))
        if not self.shared_bias:
            self.bias = np.pad(self.bias, ((0, 0), (0, wide - columns)))
            self.bias[1, columns:] = self.bias_variance

    @property
    def shared_bias(self) -> bool:
        """Whether all labels have one bias; otherwise there are as many in store as columns."""
        return bool(self.bias.shape[1] == 1)

    def add(self, other: DiagonalBelief) -> None:
        """Add another belief's means and variances to these, number by number; `divide` makes their average of it."""
        for mine, others in zip(self._numbers(), other._numbers()):
            mine += others

    def divide(self, count: int) -> None:
        """Divide means and variances: after `count` beliefs were added up, this is their average."""
        for array in self._numbers():
            array /= count

    def _numbers(self) -> list[Any]:
        return [self.mean[: self.n_features], self.variance[: self.n_features], self.bias]

    def own_pairs(self) -> tuple[Longs, Longs]:
        """Return the features and labels whose weights are not the unseen label's, feature by feature."""
        found = np.unpackbits(self.own[: self.n_features], axis=1, bitorder="little", count=self.n_labels).nonzero()
        return found[0], found[1]

    def claim(self, features: NDArray[Any], labels: Any) -> None:
        """Mark the weights of labels for these features as their own; they begin with their present values."""
        np.bitwise_or.at(self.own, (features, labels >> 3), np.left_shift(1, labels & 7).astype(np.uint8))

    def state(self) -> State:
        """Return what is known, without the spare room; the last column is the unseen label's."""
        d, c = self.n_features, self.n_labels + 1
        return {
            "prior_variance": float(self.prior_variance),
            "n_labels": int(self.n_labels),
            **(self._own_state() if self.compact else self._whole_state()),
            "touched": self.touched[:d].copy(),
            "bias": self.bias.copy() if self.shared_bias else self.bias[:, :c].copy(),
            "shared_bias": self.shared_bias,
            "positives": self.positives[: self.n_labels].copy(),
            "seen": int(self.seen),
        }

    def _whole_state(self) -> State:
        some = slice(self.n_features), slice(self.n_labels + 1)
        return {"mean": self.mean[some].copy(), "variance": self.variance[some].copy()}

    def _own_state(self) -> State:
        features, labels = self.own_pairs()
        some = slice(self.n_features), self.n_labels
        return {
            "own_counts": np.bincount(features, minlength=self.n_features).astype(np.uint32),  # of each feature
            "own_labels": labels.astype(np.min_scalar_type(self.n_labels)),
            "own_mean": self.mean[features, labels],
            "own_variance": self.variance[features, labels],
            "unseen": np.stack([self.mean[some], self.variance[some]]),
        }

    def restore(self, state: State) -> Self:
        """Replace what is known by a state.

        Files of version 1 have no column of the unseen label, which is then at its prior.
        """
        self.prior_variance, self.compact = state["prior_variance"], "unseen" in state
        self._clear(state["shared_bias"])
        d = len(state["touched"])
        labels = int(state["n_labels"]) if "n_labels" in state else state["mean"].shape[1]
        self._make_room(d + d // 2, labels)  # spare memory that is not written to costs nothing
        self.n_features, self.n_labels = d, labels
        c = labels + 1 if self.compact else state["mean"].shape[1]
        self.mean[:d, c:], self.variance[:d, c:] = 0.0, self.prior_variance
        if self.compact:
            self._restore_own(state, d, c)
        else:
            self.mean[:d, :c], self.variance[:d, :c] = state["mean"], state["variance"]
        self.touched[:d], self.positives[:labels] = state["touched"], state["positives"]
        self.seen = state["seen"]
        self.bias[:, : state["bias"].shape[1]] = state["bias"]
        return self

    def _restore_own(self, state: State, d: int, c: int) -> None:
        count, own = state["own_counts"], state["own_labels"]
        shapes = [state[name].shape for name in ("own_counts", "unseen", "own_mean", "own_variance")]
        if shapes != [(d,), (2, d), own.shape, own.shape] or count.sum() != own.size or own.max(initial=0) >= c:
            raise BadInput("weights and their labels differ in number")
        for array, unseen, name in zip((self.mean, self.variance), state["unseen"], ("mean", "variance")):
            _spread(count, own, state[f"own_{name}"], unseen, array, c)
        self.claim(np.repeat(np.arange(d), count), own.astype(np.int64))


@kernel
def _spread(count: Any, labels: Any, values: Any, unseen: Any, out: Singles, columns: int) -> None:
    """Fill each row with the weight of the unseen label, and put the labels' own weights in their places."""
    k = 0
    for j in range(count.size):
        row = out[j]
        row[:columns] = unseen[j]
        for _ in range(count[j]):
            row[labels[k]] = values[k]
            k += 1


def aligned(shape: tuple[int, ...], dtype: Any) -> Any:
    """Return an array of unknown content that begins at a cache line, so that blocks of labels are whole lines."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.empty(size + LINE, np.uint8)
    begin = -raw.ctypes.data % LINE
    return raw[begin : begin + size].view(dtype).reshape(shape)


def _enlarged(array: Any, shape: tuple[int, int], rows: int, fill: float) -> Any:
    """Return a larger array with the first rows of this one in its corner; the rows after them are not filled yet."""
    larger = aligned(shape, array.dtype)
    larger[:rows, : array.shape[1]] = array[:rows]
    larger[:rows, array.shape[1] :] = fill
    return larger
