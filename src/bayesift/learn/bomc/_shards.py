"""The arithmetic of shards: natural parameters of all weights, number by number, without arrays in between.

Arrays are (features + 1, labels + 1), the biases in the last row. `rows` are the features of a shard among all, and the
row of the biases.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]


@kernel
def add_factor(rows: Longs, precision: Floats, shift: Floats, to_precision: Floats, to_shift: Floats) -> None:
    """Add what a shard says to a belief."""
    for i in range(rows.size):
        j = rows[i]
        for c in range(precision.shape[1]):
            to_precision[j, c] += precision[i, c]
            to_shift[j, c] += shift[i, c]


@kernel
def make_proper(precision: Floats, shift: Floats, prior: Floats, least: float) -> None:
    """Raise precisions to at least a share of the prior's, and keep the means."""
    for i in range(precision.shape[0]):
        for c in range(precision.shape[1]):
            known, lowest = precision[i, c], least * prior[i, c]
            if known < lowest:
                shift[i, c] = shift[i, c] / (known if known > 0.0 else lowest) * lowest
                precision[i, c] = lowest


@kernel
def start_of(
    rows: Longs, merged_precision: Floats, merged_shift: Floats, own_precision: Floats, own_shift: Floats,
    mean: Singles, variance: Singles, bias: Floats, least: float, precision: Floats, shift: Floats,
) -> None:  # fmt: skip
    """Set what the others say, precision and shift, and a learner's prior moments to it.

    That is what is merged without the shard's own factor, with at least a share of the prior's precision.
    """
    last = rows.size - 1
    for i in range(rows.size):
        j = rows[i]
        for c in range(precision.shape[1]):
            known, said = merged_precision[j, c] - own_precision[i, c], merged_shift[j, c] - own_shift[i, c]
            lowest = least / (bias[1, c] if i == last else np.float64(variance[i, c]))
            if known < lowest:
                said = said / (known if known > 0.0 else lowest) * lowest
                known = lowest
            precision[i, c], shift[i, c] = known, said
            if i == last:
                bias[0, c], bias[1, c] = said / known, 1.0 / known
            else:
                mean[i, c], variance[i, c] = said / known, 1.0 / known


@kernel
def factor_of(
    mean: Singles, variance: Singles, bias: Floats, start_precision: Floats, start_shift: Floats, step: Floats,
    precision: Floats, shift: Floats,
) -> None:  # fmt: skip
    """Set a factor, precision and shift, to its mixture with what a learner has learned since its start.

    `step` is the share of the new one, for each label.
    """
    last = precision.shape[0] - 1
    for i in range(precision.shape[0]):
        for c in range(precision.shape[1]):
            v = bias[1, c] if i == last else np.float64(variance[i, c])
            m = bias[0, c] if i == last else np.float64(mean[i, c])
            said, moved = 1.0 / v - start_precision[i, c], m / v - start_shift[i, c]
            precision[i, c] = (1.0 - step[c]) * precision[i, c] + step[c] * said
            shift[i, c] = (1.0 - step[c]) * shift[i, c] + step[c] * moved
