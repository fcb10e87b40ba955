"""A sparse belief about the weights of very many labels: each label's own terms, and a background for all others.

It is what a compact belief (`beliefs.diagonal`) holds, without a place for what is not a label's own: memory for the
terms that occur with each label, not for labels times terms. The background is the unseen label, which no document has.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.learn.wide._background import score
from bayesift.learn.wide.index import LabelIndex

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class SparseBelief:
    """Means and variances of the labels' own weights, one label after the other, and of the background's."""

    own_ptr: Longs  # (labels + 1,): where each label begins
    own: Ints  # terms, rising within a label
    mean: Singles
    variance: Singles
    bias: Floats  # (2, labels): means and variances
    unseen: Singles  # (2, terms): means and variances
    unseen_bias: Floats  # (2,)

    @classmethod
    def of(cls, own: list[Any], bias: Floats, unseen: Singles, unseen_bias: Floats) -> SparseBelief:
        """Return the belief where each label has these terms, means and variances."""
        own_ptr = np.cumsum([0, *(terms.size for terms, _, _ in own)], dtype=np.int64)
        terms, mean, variance = (
            np.concatenate([np.empty(0, kind), *(label[k] for label in own)])
            for k, kind in enumerate((np.int32, np.float32, np.float32))
        )
        return cls(own_ptr, terms, mean, variance, bias, unseen, unseen_bias)

    @property
    def n_labels(self) -> int:
        """The number of labels."""
        return int(self.own_ptr.size - 1)

    @property
    def n_features(self) -> int:
        """The number of terms."""
        return int(self.unseen.shape[1])

    @cached_property
    def index(self) -> LabelIndex:
        """The inverted index of the labels' most informative terms."""
        more = self.mean - self.unseen[0][self.own]
        return LabelIndex.of(self.own_ptr, self.own, more, self.bias[0], self.n_features)

    def field(self, rows: Any, begins: Longs, labels: Ints) -> tuple[Singles, Singles]:
        """Return mean and variance of w_c.x - b of some labels of each document: those from `begins` on."""
        m, q = np.empty(labels.size, np.float32), np.empty(labels.size, np.float32)
        score(
            rows.indptr, rows.indices, rows.data, begins, labels, self.own_ptr, self.own, self.mean, self.variance,
            self.bias, self.unseen[0], self.unseen[1], m, q,
        )  # fmt: skip
        return m, q

    def unseen_field(self, rows: Any) -> tuple[Singles, Singles]:
        """Return mean and variance of the field of a label that no document has: (documents,) each."""
        squared = rows.multiply(rows)
        m, v = rows @ self.unseen[0] - self.unseen_bias[0], squared @ self.unseen[1] + self.unseen_bias[1]
        return m.astype(np.float32), v.astype(np.float32)

    def of_label(self, c: int) -> tuple[Floats, Floats]:
        """Return means and variances of the weights of all terms for a label."""
        mean, variance = self.unseen.astype(np.float64)
        some = slice(self.own_ptr[c], self.own_ptr[c + 1])
        mean[self.own[some]], variance[self.own[some]] = self.mean[some], self.variance[some]
        return mean, variance

    def state(self) -> State:
        """Return all arrays."""
        return {f.name: getattr(self, f.name).copy() for f in fields(self)}

    @classmethod
    def restored(cls, state: State) -> SparseBelief:
        """Return the belief of a state; raise if its arrays do not fit together."""
        found = cls(**{f.name: state[f.name].copy() for f in fields(cls)})
        labels, own = found.own_ptr.size - 1, found.own.size
        shapes = [found.mean.shape, found.variance.shape, found.bias.shape, found.unseen_bias.shape]
        rising = labels >= 0 and found.own_ptr[0] == 0 and (np.diff(found.own_ptr) >= 0).all()
        if shapes != [(own,), (own,), (2, labels), (2,)] or not rising or found.own_ptr[-1] != own:
            raise BadInput("weights and their labels differ in number")
        if own and not 0 <= found.own.min() <= found.own.max() < found.n_features:
            raise BadInput("weights of terms that do not exist")
        return found
