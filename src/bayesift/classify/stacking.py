"""Curves and weights of an ensemble, from margins of documents that its members had not learned.

The linear members learn all folds but one and meet the documents of that one, without the words that no other fold has
(`held_out`). So does the network, in fewer folds. The nearest documents of a document are found without itself. Each
member is calibrated on its own, and the weights w of their log-odds z_k have the greatest likelihood of the labels,
p = 1 / (1 + exp(-w.z)), under w_k ~ N(1 / members, 1 / WORTH). A member with a negative weight is left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.base import clone

from bayesift.arrays import FloatArray
from bayesift.classify.held_out import FEW, drops_unknown_words, with_known_words
from bayesift.decide.calibration import REACH, MarginCalibration
from bayesift.decide.folds import stratified_folds
from bayesift.learn.ensemble import Ensemble

WORTH = 20.0
FOLDS, MORE_FOLDS = 5, 10  # the latter where documents are few
FEW_FOLDS = 3  # of the network, which takes longest
LEAST = -7.0  # log-odds below which, by all members, a label has no say
ROUNDS = 1  # of the linear members in a fold: more would take longer and change little
STEPS = 30
Fit = Callable[[Any, Any], Callable[[Any], list[Any]]]  # from rows and labels to the margins of rows


def fit_stacked(learner: Ensemble, rows: Any, Y: Any, truth: Any, seed: int) -> tuple[Ensemble, FloatArray]:
    """Return the ensemble of all documents, and margins of each by members that had not learned it.

    `truth` is Y with one more column, for the unseen label; so have the margins.
    """
    learner.fit(rows, Y)
    if min(Y.shape) < 1 or Y.shape[0] < 2:
        return learner, np.zeros(truth.shape)
    parts = _margins(learner, rows, Y, seed)
    curves = [MarginCalibration().add(part, truth).fit() for part in parts]
    z = np.stack([curve.log_odds(part)[:, :-1] for curve, part in zip(curves, parts)])
    learner.combine(np.stack([curve.logits for curve in curves]), stack_weights(z, Y), REACH)
    return learner, learner.combined(parts)


def _margins(learner: Ensemble, rows: Any, Y: Any, seed: int) -> list[FloatArray]:
    """Return the margins of each member: (documents, labels + 1)."""
    n = Y.shape[0]
    drops = drops_unknown_words(rows)

    def held_out(fit: Fit, folds: int, threads: int) -> list[FloatArray]:
        """Return the margins of some members by those of the other folds."""
        fold = stratified_folds(Y, min(folds, n), seed)

        def one(k: int) -> tuple[Any, list[FloatArray]]:
            others, held = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
            learned = rows[others]
            return held, fit(learned, Y[others])(with_known_words(rows[held], learned) if drops else rows[held])

        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(one, range(int(fold.max()) + 1)))
        found = [np.zeros((n, Y.shape[1] + 1)) for _ in parts[0][1]]
        for held, margins in parts:
            for member, part in zip(found, margins):
                member[held] = part
        return found

    folds = MORE_FOLDS if n <= FEW else FOLDS
    found = held_out(lambda X, T: clone(learner).fit_linear(X, T, ROUNDS).linear_margins, folds, 1)
    if "nearest" in learner.others_:
        found.append(learner.others_["nearest"].leave_one_out(rows))
    if "shared" in learner.others_:
        member = learner.unfitted_others()["shared"]
        found += held_out(
            lambda X, T: _one_of(copy(member).fit(X, T)), FEW_FOLDS, learner.threads or os.cpu_count() or 1
        )
    return found


def _one_of(member: Any) -> Callable[[Any], list[FloatArray]]:
    return lambda rows: [member.margins(rows)]


def stack_weights(z: FloatArray, Y: Any) -> FloatArray:
    """Return the weight of each member, from the log-odds of its labels: (members, documents, labels).

    >>> from scipy import sparse
    >>> good, noise = [[2.0], [1.0], [-1.0], [-2.0]] * 25, [[0.5], [-0.5], [0.5], [-0.5]] * 25
    >>> stack_weights(np.array([good, noise]), sparse.csr_matrix([[1], [1], [0], [0]] * 25)).round(1)
    array([1.4, 0.3])
    """
    say = z.max(axis=0) > LEAST
    x, y = z[:, say], Y.toarray()[say] > 0
    members = len(z)
    weights, used = np.zeros(members), np.ones(members, bool)
    while used.any():
        w = _newton(x[used], y, 1.0 / members)
        if (w >= 0.0).all():
            weights[used] = w
            break
        used[np.flatnonzero(used)[w.argmin()]] = False
    return weights


def _newton(x: FloatArray, y: Any, centre: float) -> FloatArray:
    w = np.full(len(x), centre)
    for _ in range(STEPS):
        q = expit(w @ x)
        bend = (x * (q * (1.0 - q))) @ x.T + WORTH * np.eye(len(x))
        step = np.linalg.solve(bend, x @ (y - q) - WORTH * (w - centre))
        w = w + step
        if np.abs(step).max() < 1e-6:
            break
    return w
