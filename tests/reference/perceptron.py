"""The Bayesian online perceptron as chai2002 3.1.1 prints it: dense, one document after another, nothing clever."""

import math

import numpy as np
from scipy.special import erfc


def gains(kind, spread, y, m, v):
    sigma = math.sqrt(v if kind == "flip" else spread**2 + v)
    u = y * m / sigma
    density = math.exp(-0.5 * u * u) / math.sqrt(2 * math.pi)
    z = 0.5 * erfc(-u / math.sqrt(2))
    if kind == "flip":
        z, density = spread + (1 - 2 * spread) * z, (1 - 2 * spread) * density
    r = density / z
    return y * r / sigma, -r * (u + r) / sigma**2


def learn(X, signs, kind="probit", spread=0.5, passes=1):
    """Mean and covariance over (bias, weights)."""
    X = np.column_stack([np.ones(len(X)), X])
    a, C = np.zeros(X.shape[1]), np.eye(X.shape[1])
    for _ in range(passes):
        for x, y in zip(X, signs):
            s = C @ x
            g1, g2 = gains(kind, spread, y, a @ x, x @ s)
            a = a + g1 * s
            C = C + g2 * np.outer(s, s)
    return a, C
