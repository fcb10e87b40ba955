"""Shapes of the rate at which relevant records are found along an order, and what each expects of the unread part.

With T relevant records expected in an order of n places and the density f_b of them at t = place/n, of a shape b, and
F_b its distribution function: having found k at t_1 .. t_k up to t, with p(T) ~ T^(-1/2),

    T is gamma (k + 1/2, F_b(t)),   so (k + 1/2) (1 - F_b(t)) / F_b(t) are expected after t
    p(b | places) ~ prod_i f_b(t_i) / F_b(t)^(k + 1/2)

(a Poisson process; Stevenson & Bin-Hezam 2023 stop a review by one). The densities are exp(-b t), (1 + 50 t)^(-b) and
t exp(-b t), which rises first, for some b each; and each of them mixed with a constant rate, for relevant records of a
kind that the ranker does not know.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

Floats = NDArray[np.float64]
FALLING = np.array([1e-6, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0])
POWER = np.array([0.5, 0.999999, 1.5, 2.0, 3.0, 4.0])  # 1 is a limit
RISING = np.array([8.0, 16.0, 32.0, 64.0])
CONSTANT = np.array([0.0, 0.03, 0.1, 0.3])  # share of the constant rate
SCALE = 50.0


def expected_after(places: Floats, end: float, length: int) -> tuple[Floats, Floats]:
    """Return the posterior probability of each shape, and how many relevant records each expects after `end`.

    Parameters
    ----------
    places : array of float
        Where relevant records were found, as shares of the order, each up to `end`.
    end : float
        The share of the order that was read.
    length : int
        Number of places of the order.

    Examples
    --------
    >>> weights, expected = expected_after(np.array([0.01, 0.02, 0.03, 0.05]), 0.5, 1000)
    >>> bool(weights @ expected < 1.0)
    True
    """
    k = places.size + 0.5
    density, _ = _curves(places)
    reached = np.clip(_curves(np.array([end]))[1][:, 0], 1e-9, 1.0 - 1e-9)
    log_weight = np.log(np.maximum(density, 1e-12)).sum(axis=1) - k * np.log(reached)
    weights: Floats = np.exp(log_weight - logsumexp(log_weight))
    expected: Floats = np.minimum(k * (1.0 - reached) / reached, (1.0 - end) * length)
    return weights, expected


def _curves(t: Floats) -> tuple[Floats, Floats]:
    """Return the density and the distribution function of every shape at each t, one row per shape."""
    b = FALLING[:, None]
    falling = b * np.exp(-b * t) / -np.expm1(-b), np.expm1(-b * t) / np.expm1(-b)
    b = 1.0 - POWER[:, None]
    whole = np.expm1(b * np.log1p(SCALE))
    power = SCALE * b * (1.0 + SCALE * t) ** (b - 1.0) / whole, np.expm1(b * np.log1p(SCALE * t)) / whole
    b = RISING[:, None]
    whole = 1.0 - (1.0 + b) * np.exp(-b)
    rising = b * b * t * np.exp(-b * t) / whole, (1.0 - (1.0 + b * t) * np.exp(-b * t)) / whole
    density, reached = (np.vstack(parts)[:, None, :] for parts in zip(falling, power, rising))
    rest = CONSTANT[None, :, None]
    mixed = (1.0 - rest) * density + rest, (1.0 - rest) * reached + rest * t
    count = density.shape[0] * CONSTANT.size
    return mixed[0].reshape(count, t.size), mixed[1].reshape(count, t.size)
