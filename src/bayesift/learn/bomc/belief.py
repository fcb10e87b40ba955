"""The belief of BOMC: the weights of all labels (`beliefs.diagonal`), how they learn documents, and their fields.

Kernels are chosen here by the variant. Many documents are learned in slabs of labels, by threads (see `_threads`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.beliefs.diagonal import BLOCK, DiagonalBelief
from bayesift.beliefs.likelihoods import Code, Margin
from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.learn.bomc import _pairwise, _updates
from bayesift.learn.bomc._threads import NO_MASKS, NOT_NOTED, follow, in_order, in_slabs
from bayesift.learn.side_by_side import SideBySide, dense_of, words_of
from bayesift.threads import n_threads

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
NOT_WANTED = np.empty((0, 0), np.float32)
SLABS = 100  # documents from which on slabs of labels are worth their copying


@dataclass(frozen=True)
class Settings:
    """How a belief learns; the names are those of `BOMC`."""

    variant: str = "independent"
    noise: float = 0.25
    margin: float = 1.0
    by_frequency: bool = True
    ratios: Any = None
    label_noise: float = 0.0
    drift: float = 0.0
    threads: int | None = None

    def kernel_arguments(self, share: float = 1.0) -> tuple[_updates.Code, Floats]:
        """Return the numbers that the kernels take, and the ratios where they are given."""
        given = np.empty(0) if self.ratios is None else np.asarray(self.ratios, np.float64)
        noise, drift = float(self.noise) ** 2, float(self.drift) ** 2
        return (noise, float(self.margin), float(self.by_frequency), float(self.label_noise), drift, share), given


class LabelsBelief(DiagonalBelief):
    """A belief about the field w_c.x - b of every label c."""

    def __init__(
        self, settings: Settings, prior_variance: float = 0.1, bias_variance: float = 1.0, compact: bool = False
    ) -> None:
        super().__init__(prior_variance, bias_variance, settings.variant != "independent", compact)
        self.settings = settings
        self.n_dense = 0  # features that are the numbers of a dense vector; they come first

    @property
    def code(self) -> Code:
        """The likelihood of a negative; the margin of positives grows with their rarity."""
        return Margin(self.settings.margin, self.settings.noise).code

    def begin_with_dense(self, widths: Sequence[int], weights: Sequence[float] | None) -> None:
        """Take the first features as the numbers of dense vectors of these widths.

        Before any document, the variances of their weights become the prior's times one number per vector. They are
        always a label's own.
        """
        size = sum(widths)
        if self.seen and size != self.n_dense:
            raise BadInput(f"dense vectors have {size} numbers, before they had {self.n_dense}", remedy="fit again")
        if weights is not None and len(weights) != len(widths):
            raise BadInput(f"{len(widths)} dense vectors and {len(weights)} weights", remedy="give one per vector")
        self.n_dense = size
        if not self.seen:
            shares = np.repeat([1.0] * len(widths) if weights is None else weights, widths)
            self.variance[:size] = (self.prior_variance * shares)[:, None]
        if self.compact:
            self.own[:size] = 255

    def learn(
        self, inputs: Any, y: Any, passes: int = 1, *,
        order: Longs | None = None, prequential: Singles = NOT_WANTED, skip: int = 0, share: float = 1.0,
    ) -> None:  # fmt: skip
        """Learn the rows in their order or in this one; y is sparse, (documents, labels) of 0 and 1.

        `prequential`, where given, gets the margins that each document had before it was learned, in the order from
        `skip` on: (documents, labels + 1), the last column for the unseen label. Each document counts as the `share`
        of one (independent variant).
        """
        self.grow(inputs.shape[1], y.shape[1])
        rows, dense, labels = *self._parts(inputs), y
        if order is not None and self.settings.variant == "independent":
            rows, dense, labels = in_order(rows, order, n_threads(self.settings.threads)), dense[order], labels[order]
        order = np.arange(rows.shape[0]) if order is None else order
        data = rows.data.astype(np.float32, copy=False)
        for _ in range(passes):
            self._step(
                rows.indptr, rows.indices, data, labels.indptr, labels.indices, order, prequential, skip, dense, share
            )  # fmt: skip

    def learn_again(self, inputs: Any, y: Any, labels: Longs, order: Longs) -> None:
        """Learn rows again in this order for some labels only; nothing is counted.

        Labels that share a bias with others cannot be learned alone: with such a variant all are learned again.
        """
        words, dense = self._parts(inputs)
        rows = sparse.csr_matrix(words, dtype=np.float32)
        if self.settings.variant != "independent":
            seen, positives = self.seen, self.positives.copy()
            self._step(rows.indptr, rows.indices, rows.data, y.indptr, y.indices, order, NOT_WANTED, 0, dense)
            self.seen, self.positives = seen, positives
            return
        rows, own = rows[order], y[order][:, labels]
        columns = np.append(labels, np.full(-labels.size % BLOCK, labels[0]))
        mean, variance = (np.ascontiguousarray(array[:, columns]) for array in (self.mean, self.variance))
        bias = np.ascontiguousarray(self.bias[:, columns])
        code, given = replace(self.settings, drift=0.0).kernel_arguments()  # rows drift for all labels, when they come
        given = given[labels] if given.size else given
        d = dense.shape[1]
        _updates.independent(
            rows.indptr, rows.indices, rows.data, own.indptr, own.indices, order, code, given, mean[d:], variance[d:],
            0, self.touched[d:], bias, self.positives[columns], self.seen, NOT_WANTED, 0, 0, labels.size,
            NO_MASKS, NOT_NOTED, dense[order], mean[:d], variance[:d],
        )  # fmt: skip
        some = slice(labels.size)
        self.mean[:, labels], self.variance[:, labels] = mean[:, some], variance[:, some]
        self.bias[:, labels] = bias[:, some]
        if self.compact:
            follow(d + np.unique(rows.indices), self.mean, self.variance, self.own, self.n_labels)

    def field(self, inputs: Any) -> tuple[Singles, Singles]:
        """Return mean and variance of w_c.x - b: two arrays (documents, labels)."""
        m, v = self.field_with_unseen(inputs)
        return m[:, :-1], v[:, :-1]

    def field_with_unseen(self, inputs: Any) -> tuple[Singles, Singles]:
        """Return mean and variance of w_c.x - b of all labels and, in the last column, of the unseen one."""
        drift = float(self.settings.drift**2)
        rows, dense = self._parts(inputs)
        d = dense.shape[1]
        return _updates.fields(
            rows.indptr, rows.indices, rows.data, self.mean[d:], self.variance[d:], self.touched[d:], self.bias,
            self.seen, drift, self.n_labels + 1, dense, self.mean[:d], self.variance[:d],
        )  # fmt: skip

    def _parts(self, inputs: Any) -> tuple[Any, Singles]:
        """Return words and vectors of rows; kernels without a loop for vectors get their numbers as words."""
        side_by_side = self.settings.variant == "independent" and self.settings.drift == 0.0
        rows = inputs if side_by_side or not isinstance(inputs, SideBySide) else inputs.stacked()
        return words_of(rows), dense_of(rows)

    def state(self) -> State:
        """Return what is known, without the spare room; the last column is the unseen label's."""
        return super().state() | ({"n_dense": self.n_dense} if self.n_dense else {})

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state; a file of version 1 knows of its unseen label only the documents."""
        super().restore(state)
        self.n_dense = int(state.get("n_dense", 0))
        if not 0 <= self.n_dense <= self.n_features:
            raise BadInput(f"{self.n_dense} numbers of dense vectors among {self.n_features} features")
        if "n_labels" not in state and self.settings.variant == "independent":
            self._learn_unseen(self.seen)
        return self

    def _step(
        self, indptr: Any, indices: Any, data: Any, label_ptr: Any, label_index: Any, order: Longs,
        prequential: Singles, skip: int, dense: Singles, share: float = 1.0,
    ) -> None:  # fmt: skip
        d = dense.shape[1]
        documents = (indptr, indices, data, label_ptr, label_index, order, *self.settings.kernel_arguments(share))
        belief = (self.mean, self.variance, self.touched, self.bias, self.positives, self.seen)
        if self.settings.variant == "independent":
            if not self.compact and order.size < SLABS:
                _updates.independent(
                    *documents, self.mean[d:], self.variance[d:], 0, self.touched[d:], *belief[3:],
                    prequential, skip, 0, self.n_labels + 1, NO_MASKS, NOT_NOTED,
                    dense, self.mean[:d], self.variance[:d],
                )  # fmt: skip
            else:
                in_slabs(
                    self, indices, d, n_threads(self.settings.threads),
                    lambda local, slab, touched, bias, positives, *part: _updates.independent(  # type: ignore[call-arg]
                        indptr, local, *documents[2:], slab[d:], slab[d:], BLOCK, touched[d:], bias, positives,
                        self.seen, prequential, skip, *part, dense, slab[:d], slab[:d],
                    ),
                )  # fmt: skip
        elif self.settings.variant == "coupled":
            _updates.coupled(*documents, *belief, prequential, skip, self.n_labels)
        else:
            _pairwise.pairwise(*documents, *belief, self.n_labels, self.settings.variant == "pairwise")
        self.seen += order.size

    def _learn_unseen(self, documents: int) -> None:
        """Let the unseen label learn so many documents without a word, which is all that is known of them."""
        empty, place = np.zeros(documents + 1, np.int64), slice(self.n_labels, self.n_labels + 1)
        bias = self.bias[:, place].copy()
        _updates.independent(
            empty, empty[:0], np.empty(0, np.float32), empty, empty[:0], np.arange(documents),
            *self.settings.kernel_arguments(), self.mean, self.variance, 0, self.touched, bias,
            self.positives[place].copy(), 0, NOT_WANTED, 0, 0, 1, NO_MASKS, NOT_NOTED,
            np.empty((documents, 0), np.float32), self.mean[:0], self.variance[:0],
        )  # fmt: skip
        self.bias[:, place] = bias
