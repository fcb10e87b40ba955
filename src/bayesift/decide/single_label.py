"""The probabilities of labels of which each document has exactly one, from those of each label on its own.

    P(c | x) = w_c / sum_d w_d,   w_c = p_c^a (1 - p_c)^-b

With (a, b) = (1, 0) these are shares of the probabilities, with (1, 1) of the odds, as where labels exclude each other
and each p_c was calibrated alone. a and b have the greatest likelihood of the labels of documents that were not
learned, under a normal prior around (1, 0): log P is linear in both but for the sum, so Newton's method finds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import logsumexp

from bayesift.arrays import BoolArray, FloatArray, IntArray

Powers = tuple[float, float]  # a and b
SHARES: Powers = (1.0, 0.0)
WORTH = 20.0  # precision of the prior
STEPS, CLOSE = 30, 1e-6
ENOUGH = 1 << 17  # documents times labels that are looked at, at most


def single_shares(log_odds: FloatArray, powers: Powers = SHARES, plain: BoolArray | None = None) -> FloatArray:
    """Return the probability of each label, (documents, labels), given that a document has exactly one.

    `plain` are documents of which the probabilities are shares as they are: those without words, which have base rates.

    >>> single_shares(np.array([[0.0, 0.0, -1.0986]])).round(2)
    array([[0.4, 0.4, 0.2]])
    """
    log_p, log_not = _logs(log_odds)
    u = powers[0] * log_p - powers[1] * log_not
    if plain is not None and plain.any():
        u[plain] = log_p[plain]
    return np.asarray(np.exp(u - logsumexp(u, axis=1, keepdims=True)))


def fit_powers(log_odds: FloatArray, label: IntArray) -> Powers:
    """Return a and b for the log-odds of documents, (documents, labels), and the label of each.

    >>> odd = np.array([[2.0, -2.0], [-2.0, 2.0]] * 50)
    >>> a, b = fit_powers(odd, np.array([0, 1] * 50))
    >>> a > 1.0, b > 0.0
    (True, True)
    """
    if not len(label):
        return SHARES
    every = -(-log_odds.size // ENOUGH)  # two numbers need no more
    log_p, log_not = _logs(log_odds[::every])
    features, label = np.stack([log_p, -log_not]), label[::every]
    a, b = _newton(features, label)
    if a > 0.0 and b > 0.0:
        return a, b
    (a,) = _newton(features[:1], label)  # else w would fall with p somewhere, and the order of labels change
    return (a, 0.0) if a > 0.0 else SHARES


def powers_of(state: Mapping[str, Any]) -> Powers:
    """Return a and b of a saved classifier; earlier versions have none.

    >>> powers_of({"powers": [0.9, 0.5]}), powers_of({})
    ((0.9, 0.5), (1.0, 0.0))
    """
    a, b = state.get("powers", SHARES)
    return float(a), float(b)


def _newton(features: FloatArray, label: IntArray) -> list[float]:
    """Return the powers of features, (powers, documents, labels), with the greatest posterior density."""
    of_label, flat = features[:, np.arange(len(label)), label].sum(axis=1), features.reshape(len(features), -1)
    w = centre = np.array(SHARES[: len(features)])

    def loss(w: FloatArray) -> tuple[float, FloatArray]:
        u = np.tensordot(w, features, 1)
        top = u.max(axis=1, keepdims=True)
        q = np.exp(u - top)
        total = q.sum(axis=1, keepdims=True)
        found = (top + np.log(total)).sum() - w @ of_label + 0.5 * WORTH * ((w - centre) ** 2).sum()
        return float(found), q / total

    now, q = loss(w)
    for _ in range(STEPS):
        weighted = q * features
        mean = weighted.sum(axis=2)
        bend = weighted.reshape(len(w), -1) @ flat.T - mean @ mean.T + WORTH * np.eye(len(w))
        step = np.linalg.solve(bend, of_label - mean.sum(axis=1) - WORTH * (w - centre))
        while (then := loss(w + step))[0] > now and np.abs(step).max() >= CLOSE:
            step = step / 2.0
        w, (now, q) = w + step, then
        if np.abs(step).max() < CLOSE:
            break
    return [float(power) for power in w]


def _logs(log_odds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return log p and log(1 - p)."""
    return -np.logaddexp(0.0, -log_odds), -np.logaddexp(0.0, log_odds)
