"""Independent Gaussian weights, one for each feature and label, and a bias: the belief of BOMC (zhang2010 2).

Two numbers per weight, in single precision, laid out [feature][label] with the labels side by side. Rows and columns
are added as features and labels appear, with room to spare, so that adding one is cheap. The number of columns in
store is a multiple of `BLOCK`: kernels and threads take whole blocks, so that the result does not depend on how labels
are shared out.

The column after the last label is the *unseen label*: the belief about a label that no document has had so far. It
learns every document as a negative. A label that first appears after n documents starts from a copy of it, which is
what it would have learned from these n documents had its name been known from the start.

With very many labels a weight of a term that never occurred with the label is nearly the unseen label's. Where `own` is
in use, a bit for each feature and label, a label has weights of its own for the terms that occurred with it, and the
unseen label's elsewhere; only its own weights are stored in a file.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
BLOCK = 16
LINE = 64  # bytes
ALL_OWN = np.zeros((0, 0), np.uint8)


@dataclass
class DiagonalBelief:
    """N(mean, variance) for each weight; `bias` is one for each label, or a single one that all labels share."""

    prior_variance: float
    n_features: int
    n_labels: int
    mean: Singles  # (rows in store, columns in store)
    variance: Singles
    touched: NDArray[np.int64]  # the step at which a row's variance was last brought up to date (drift)
    bias: Floats  # (2, columns in store or 1): means and variances
    positives: NDArray[np.int64]  # documents of each label so far
    seen: int = 0  # documents so far
    own: NDArray[np.uint8] = field(default_factory=ALL_OWN.copy)  # (rows, columns / 8 in store), or empty: all are

    @classmethod
    def prior(cls, prior_variance: float, bias_variance: float, shared_bias: bool) -> DiagonalBelief:
        """No features and no labels yet."""
        columns = 1 if shared_bias else 0
        bias = np.array([np.zeros(columns), np.full(columns, bias_variance)])
        empty = np.zeros((0, 0), np.float32)
        return cls(prior_variance, 0, 0, empty, empty.copy(), np.zeros(0, np.int64), bias, np.zeros(0, np.int64))

    def grow(self, features: int, labels: int, bias_variance: float) -> None:
        """Make room for this many features and labels: new features at their prior, new labels as the unseen one."""
        rows, columns = self.mean.shape
        if features > rows or labels >= columns:
            rows = max(rows, features + features // 2 if rows else features)
            columns = max(columns, -(-(labels + 1) // BLOCK) * BLOCK)  # one more, for the unseen label
            old = self.mean.shape
            self.mean = _enlarged(self.mean, (rows, columns), 0.0)
            self.variance = _enlarged(self.variance, (rows, columns), self.prior_variance)
            self.touched = np.pad(self.touched, (0, rows - old[0]))
            self.positives = _enlarged(self.positives, (columns,), 0)
            if self.own.size:
                self.own = _enlarged(self.own, (rows, columns // 8), 0)
            if not self.shared_bias:
                self.bias = _enlarged(self.bias, (2, columns), 0.0)
                self.bias[1, old[1] :] = bias_variance
        if self.seen and labels > self.n_labels:  # new labels, and the unseen one in its new place, start from it
            unseen, new = slice(self.n_labels, self.n_labels + 1), slice(self.n_labels + 1, labels + 1)
            for array in (self.mean, self.variance) if self.shared_bias else (self.mean, self.variance, self.bias):
                array[:, new] = array[:, unseen]
        self.n_features, self.n_labels = max(self.n_features, features), max(self.n_labels, labels)

    @property
    def shared_bias(self) -> bool:
        """Whether all labels have one bias; otherwise there are as many in store as columns."""
        return bool(self.bias.shape[1] == 1)

    def add(self, other: DiagonalBelief) -> None:
        """Add another belief's means and variances to these, number by number; `divide` makes their average of it."""
        for name in ("mean", "variance", "bias"):
            array = getattr(self, name)
            array += getattr(other, name)

    def divide(self, count: int) -> None:
        """Divide means and variances: after `count` beliefs were added up, this is their average."""
        for name in ("mean", "variance", "bias"):
            array = getattr(self, name)
            array /= count

    def copy(self) -> DiagonalBelief:
        """A belief of its own."""
        arrays = {name: value.copy() for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return replace(self, **cast(dict[str, Any], arrays))

    def own_pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the features and labels whose weights are not the unseen label's, feature by feature."""
        found = np.unpackbits(self.own[: self.n_features], axis=1, bitorder="little", count=self.n_labels).nonzero()
        return found[0], found[1]

    def own_only(self, features: NDArray[Any], labels: NDArray[Any]) -> None:
        """Note which weights are the labels' own; the caller sets all others to the unseen label's."""
        self.own = np.zeros((self.mean.shape[0], self.mean.shape[1] // 8), np.uint8)
        np.bitwise_or.at(self.own, (features, labels >> 3), (1 << (labels & 7)).astype(np.uint8))

    def state(self) -> dict[str, Any]:
        """What is known, without the spare room; the last column is the unseen label's."""
        d, c = self.n_features, self.n_labels + 1
        return {
            "prior_variance": float(self.prior_variance),
            "n_labels": int(self.n_labels),
            **(self._own_state() if self.own.size else self._whole_state()),
            "touched": self.touched[:d].copy(),
            "bias": self.bias.copy() if self.shared_bias else self.bias[:, :c].copy(),
            "shared_bias": self.shared_bias,
            "positives": self.positives[: self.n_labels].copy(),
            "seen": int(self.seen),
        }

    def _whole_state(self) -> dict[str, Any]:
        some = slice(self.n_features), slice(self.n_labels + 1)
        return {"mean": self.mean[some].copy(), "variance": self.variance[some].copy()}

    def _own_state(self) -> dict[str, Any]:
        features, labels = self.own_pairs()
        some = slice(self.n_features), self.n_labels
        return {
            "own_counts": np.bincount(features, minlength=self.n_features).astype(np.uint32),  # of each feature
            "own_labels": labels.astype(np.min_scalar_type(self.n_labels)),
            "own_mean": self.mean[features, labels],
            "own_variance": self.variance[features, labels],
            "unseen": np.stack([self.mean[some], self.variance[some]]),
        }

    @classmethod
    def restored(cls, state: dict[str, Any], bias_variance: float) -> DiagonalBelief:
        """From what `state` gave; files of version 1 have no column of the unseen label, which is then at its prior."""
        belief = cls.prior(state["prior_variance"], bias_variance, state["shared_bias"])
        d = len(state["touched"])
        labels = int(state["n_labels"]) if "n_labels" in state else state["mean"].shape[1]
        belief.grow(d, labels, bias_variance)
        if "unseen" in state:
            of = np.repeat(np.arange(d), state["own_counts"]), state["own_labels"].astype(np.int64)
            belief.own_only(*of)
            for array, unseen, own in zip((belief.mean, belief.variance), state["unseen"], ("mean", "variance")):
                array[:d, : labels + 1] = unseen[:, None]
                array[of] = state[f"own_{own}"]
        else:
            c = state["mean"].shape[1]
            belief.mean[:d, :c], belief.variance[:d, :c] = state["mean"], state["variance"]
        belief.touched[:d], belief.positives[:labels] = state["touched"], state["positives"]
        belief.seen = state["seen"]
        belief.bias[:, : state["bias"].shape[1]] = state["bias"]
        return belief


def aligned(shape: tuple[int, ...], dtype: Any) -> Any:
    """An array of unknown content that begins at a cache line, so that blocks of labels are whole lines."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.empty(size + LINE, np.uint8)
    begin = -raw.ctypes.data % LINE
    return raw[begin : begin + size].view(dtype).reshape(shape)


def _enlarged(array: Any, shape: tuple[int, ...], fill: float) -> Any:
    """A larger array with this one in its corner."""
    larger = aligned(shape, array.dtype)
    larger[...] = fill
    larger[tuple(slice(n) for n in array.shape)] = array
    return larger
