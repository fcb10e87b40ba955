"""Curves that are given by their values at evenly spaced points: straight lines between them and beyond the ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from bayesift.numba_kernel import kernel

FARTHEST = 4.0  # times the distance of the ends from 0, beyond which a curve no longer rises


@kernel
def interpolate(z: Any, values: Any, reach: float, per_unit: float) -> Any:
    """Return the value at z of the curve of each column: (rows, columns).

    `values` (columns, points) are those at the middles of steps of 1 / per_unit from -reach to reach.
    """
    out = np.empty(z.shape)
    points = values.shape[1]
    for t in range(z.shape[0]):
        for c in range(z.shape[1]):
            place = (min(max(z[t, c], -FARTHEST * reach), FARTHEST * reach) + reach) * per_unit - 0.5
            b = int(min(max(place, 0.0), points - 2.0))
            row = values[c]
            out[t, c] = row[b] + (place - b) * (row[b + 1] - row[b])
    return out
