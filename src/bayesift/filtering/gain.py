"""The expected information gain of a judgement, in bits (chai2002 4.2; MacKay 1992).

A field h ~ N(m, v) and a label y with likelihood p(y | h). Learning y moves the belief to N(m', v') by moment matching:
m' = m + g1 v, v' = v + g2 v^2. The gain is the divergence of the new belief from the old one; since the rest of the
weights follow h linearly, it is that of h alone. With Z_y = E[p(y | h)]:

    flip:              IG(y) = log2 kappa + Phi(y m' / sqrt v') log2((1 - kappa) / kappa) - log2 Z_y
    probit, margin:    IG(y) = (v'/v - 1 - ln(v'/v) + (m' - m)^2 / v) / (2 ln 2)
    expected gain      = sum_y Z_y IG(y):  one virtual update per possible label

The flip formula is the paper's approximation: it takes the new belief for Gaussian, is 0.2 bits at most for kappa 0.1,
depends on |m| / sqrt v alone, falls with it, and is slightly negative from 1.7 on. So "gain at least theta" is "|m| at
most `reach(theta)` sqrt v", and most documents are settled by a bound on v.
"""

from __future__ import annotations

import math

from bayesift.beliefs.likelihoods import FLIP, Code, moments
from bayesift.numba_kernel import kernel

LOG_2 = math.log(2.0)
FARTHEST = 40.0  # |m| / sqrt v beyond which nothing is gained in double precision


@kernel
def gain_of(code: Code, y: float, m: float, v: float) -> tuple[float, float]:
    """Return Z_y and IG(y), in bits."""
    log_z, g1, g2 = moments(code, y, m, v)
    z = math.exp(log_z)
    if v <= 0.0:
        return z, 0.0
    kind, kappa, _ = code
    m_new, v_new = m + g1 * v, max(v * (1.0 + g2 * v), 1e-300)
    if kind == FLIP:
        right = 0.5 * math.erfc(-y * m_new / math.sqrt(2.0 * v_new))
        return z, (math.log(kappa) + right * math.log((1.0 - kappa) / kappa) - log_z) / LOG_2
    ratio = v_new / v
    return z, (ratio - 1.0 - math.log(ratio) + (m_new - m) ** 2 / v) / (2.0 * LOG_2)


@kernel
def expected_gain(code: Code, m: float, v: float) -> float:
    """Return the mean of IG over the two labels."""
    z_plus, plus = gain_of(code, 1.0, m, v)
    z_minus, minus = gain_of(code, -1.0, m, v)
    return (z_plus * plus + z_minus * minus) / (z_plus + z_minus)


@kernel
def reach(code: Code, theta: float) -> float:
    """Return the largest |m| / sqrt v with a gain of at least theta for flip, and inf for other likelihoods."""
    if code[0] != FLIP:
        return math.inf
    if expected_gain(code, 0.0, 1.0) < theta:
        return -1.0
    low, high = 0.0, FARTHEST
    for _ in range(60):
        middle = 0.5 * (low + high)
        if expected_gain(code, middle, 1.0) >= theta:
            low = middle
        else:
            high = middle
    return high
