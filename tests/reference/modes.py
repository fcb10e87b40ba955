"""Posterior modes by the book: objective, optimality conditions and curvature, dense and straight from the formulas.

beta_0 is the intercept, without a prior. y is +1 or -1. The penalty is on delta = beta - mean:
Normal delta^2 / (2 sd^2), Laplace sqrt(2) |delta| / sd.
"""

import numpy as np
from scipy.special import log_ndtr


def log_likelihood(link, u):
    return -np.logaddexp(0.0, -u) if link == "logistic" else log_ndtr(u)


def first(link, u):
    """Of ln p(y | z) by u = y z."""
    if link == "logistic":
        return 1.0 / (1.0 + np.exp(np.minimum(u, 700.0)))
    return np.exp(-0.5 * u**2 - 0.5 * np.log(2.0 * np.pi) - log_ndtr(u))


def second(link, u):
    r = first(link, u)
    return -r * (1.0 - r) if link == "logistic" else -r * (u + r)


def objective(link, prior, X, y, intercept, beta, mean, sd):
    delta = beta - mean
    penalty = delta**2 / (2.0 * sd**2) if prior == "normal" else np.sqrt(2.0) * np.abs(delta) / sd
    return -log_likelihood(link, y * (X @ beta + intercept)).sum() + penalty.sum()


def violation(link, prior, X, y, intercept, beta, mean, sd):
    """The largest distance of a subgradient of the objective from 0, the intercept's included."""
    u = y * (X @ beta + intercept)
    by_z = -y * first(link, u)
    by_beta, delta = X.T @ by_z, beta - mean
    if prior == "normal":
        distance = np.abs(by_beta + delta / sd**2)
    else:
        pull = np.sqrt(2.0) / sd
        at_zero = np.maximum(np.abs(by_beta) - pull, 0.0)
        distance = np.where(delta == 0.0, at_zero, np.abs(by_beta + pull * np.sign(delta)))
    return max(distance.max(initial=0.0), abs(by_z.sum()))


def deviations(link, X, y, intercept, beta, curvature):
    """Square roots of the inverse Hessian's diagonal, the intercept first; curvature: of each weight's penalty."""
    full = np.column_stack([np.ones(len(y)), X])
    h = -second(link, y * (X @ beta + intercept))
    hessian = full.T @ (h[:, None] * full) + np.diag(np.append(0.0, curvature))
    return np.sqrt(np.diag(np.linalg.inv(hessian)))
