"""The value of an answer for the documents that a topic cares about: its region of interest (MacKay 1992).

The region of interest of a topic is where its future documents are expected: its last relevant documents and the last
ones shown. The answer y at x moves the field at z to m_z + g1 c, v_z + g2 c^2 with c = x.C z. Its value is the mean
rise of max(0, p_z - level) over the region. A document at the edge of the input space has c near 0 and is worth
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayesift.beliefs.likelihoods import Code, moments, probability
from bayesift.filtering.gain import LOG_2
from bayesift.filtering.learners import field_of
from bayesift.filtering.profile import Profile
from bayesift.filtering.rows import Batch, Columns, Row
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
REGION = 16  # last relevant documents, and last ones shown


def region_value(
    profile: Profile, row: Row, m: float, v: float, shown: Sequence[Row], level: float
) -> tuple[float, float]:
    """Return the expected gain about the fields of the region, in bits, and the expected rise of max(0, p_z - level).

    `shown` are the last documents shown to the topic. Both figures are means over the region.
    """
    region = [profile.local(z) for z in [*profile.memory[-REGION:], *shown[-REGION:]]]
    (ends, z_columns, z_weights), belief = Batch.of(region), profile.belief
    columns, weights = profile.local(row)
    gain, value = about_region(
        belief.code, m, v, columns, weights, ends, z_columns, z_weights, belief.mean, belief.table, level
    )
    return float(gain), float(value)


@kernel
def about_region(
    code: Code, m: float, v: float, indices: Columns, data: Floats,
    ends: Columns, z_indices: Columns, z_data: Floats, mean: Floats, table: Floats, level: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the expected gain about h(z), in bits, and the expected rise of max(0, p_z - level), as means."""
    size = ends.size - 1
    if size == 0 or v <= 0.0:
        return 0.0, 0.0
    direction = _times(indices, data, table)
    gain = value = 0.0
    for k in range(size):
        z, w = z_indices[ends[k] : ends[k + 1]], z_data[ends[k] : ends[k + 1]]
        m_z, v_z = field_of(z, w, mean, table)
        if v_z <= 0.0:
            continue
        c = direction[0]
        for i in range(z.size):
            c += w[i] * direction[z[i] + 1]
        value -= max(0.0, probability(code, m_z, v_z) - level)
        for y in (-1.0, 1.0):
            log_z, g1, g2 = moments(code, y, m, v)
            ratio = max(1.0 + g2 * c * c / v_z, 1e-12)
            gain += np.exp(log_z) * (ratio - 1.0 - np.log(ratio) + (g1 * c) ** 2 / v_z) / (2.0 * LOG_2)
            value += np.exp(log_z) * max(0.0, probability(code, m_z + g1 * c, ratio * v_z) - level)
    return gain / size, value / size


@kernel
def _times(indices: Columns, data: Floats, table: Floats) -> Floats:
    """Return C x, with the bias first."""
    d = table.shape[1]
    out = np.zeros(d)
    if table.shape[0] == 1:
        out[0] = table[0, 0]
        for i in range(indices.size):
            out[indices[i] + 1] = data[i] * table[0, indices[i] + 1]
        return out
    out += table[0]
    for i in range(indices.size):
        out += data[i] * table[indices[i] + 1]
    return out
