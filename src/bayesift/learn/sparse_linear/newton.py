"""Modes of many labels under a Gaussian penalty: Newton's method with conjugate gradients (Lin, Weng & Keerthi 2008).

    minimise  F(beta) = sum_i loss(y_i z_i) + sum_j weight_j beta_j^2 / 2,   z = offset + X beta,   for each label

The last entry of beta is the intercept, of a column of ones. A round solves H step = -gradient, H = X^T diag(h) X +
diag(weight), by conjugate gradients, the better the nearer the mode is; then the step is halved until F falls enough.
The preconditioner is weight + sqrt(weight * diagonal of X^T diag(h) X): the diagonal itself takes more turns, since it
is large where words are frequent, and these are correlated.

All that looks at the documents is X^T (c (X p) + e): with c = h and e = 0 it is a product with H, with c = 0 and e = g
the gradient. One pass over the rows computes it for `LANES` labels at once, which takes little longer than for one. A
lane goes its own way through its label's rounds, and takes the next label when it has ended.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.learn.sparse_linear.losses import expand, line_search
from bayesift.learn.sparse_linear.quadratic import FLAT, SQUARE
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LANES = 16
CARE = 0.3  # the residual of the first steps, as a share of the gradient; later ones are solved better
TURNS = 500  # of conjugate gradients in a round, at most
DONE, GRADIENT, TURNING = 0, 1, 2  # what a lane needs of the next pass


class Modes(NamedTuple):
    """Where each label ended: one column, or entry, per label."""

    beta: Floats  # (features + 1, labels); the last row are the intercepts
    objective: Floats
    violation: Floats  # the largest violation of an optimality condition
    rounds: Ints


class Lanes(NamedTuple):
    """The state of the labels under way, one per lane.

    What a turn of conjugate gradients changes is kept side by side: (features + 1, lanes) or (documents, lanes).
    """

    label: Ints  # of each lane
    need: Ints
    beta: Floats  # (lanes, features + 1)
    gradient: Floats  # of the loss: (lanes, features + 1)
    weight: Floats
    inverse: Floats  # of the preconditioner
    left: Floats  # the residual of the conjugate gradients
    along: Floats  # their direction
    turned: Floats  # what a pass returns
    step: Floats
    c: Floats
    e: Floats
    x_along: Floats
    x_step: Floats


def minimise_many(
    rows: sparse.csr_matrix, signs: Floats, link: int, weight: Floats, beta: Floats, offset: Floats | None = None, *,
    tolerance: float = 1e-6, max_rounds: int = 500,
) -> Modes:  # fmt: skip
    """Return the modes of all labels.

    signs: (documents, labels). weight: (features + 1, labels), or one column for all. beta: where to start. offset: of
    the fields, (documents, labels).
    """
    (n, d), labels = rows.shape, signs.shape[1]
    result = Modes(beta.copy(), np.zeros(labels), np.zeros(labels), np.zeros(labels, np.int64))
    if labels:
        fields = np.zeros((n, labels)) if offset is None else offset
        width = min(LANES, labels)
        own = [np.zeros((width, d + 1)) for _ in range(2)]
        words = [np.zeros((d + 1, width)) for _ in range(6)]
        documents = [np.zeros((n, width)) for _ in range(4)]
        lanes = Lanes(np.zeros(width, np.int64), np.zeros(width, np.int64), *own, *words, *documents)
        indices = rows.indices.astype(np.uint32)  # unsigned: no check for negative places
        _run(rows.indptr, indices, rows.data, signs, link, weight, fields, lanes, result, tolerance, max_rounds)
    return result


@kernel
def _run(
    indptr: Any, indices: Any, data: Floats, signs: Floats, link: int, weight: Floats, offset: Floats, lanes: Lanes,
    result: Modes, tolerance: float, max_rounds: int,
) -> None:  # fmt: skip
    n, labels, width = signs.shape[0], signs.shape[1], lanes.need.size
    here = np.empty((width, 3, n))  # loss, g and h of each document
    z = np.empty((width, n))
    before, enough, first = np.zeros(width), np.zeros(width), np.zeros(width)
    turns, rounds = np.zeros(width, np.int64), np.zeros(width, np.int64)
    waiting = 0
    while True:
        busy = False
        for b in range(width):
            if lanes.need[b] == DONE and waiting < labels:
                _begin(
                    indptr, indices, data, signs, link, weight, offset, lanes, result.beta, b, waiting, z[b], here[b]
                )
                waiting, rounds[b], first[b] = waiting + 1, 0, 0.0
            busy |= lanes.need[b] != DONE
        if not busy:
            return
        _pass(indptr, indices, data, lanes.along, lanes.c, lanes.e, lanes.x_along, lanes.turned)
        ready = _turn(lanes, before, enough, turns)
        for b in range(width):
            y = signs[:, lanes.label[b]]
            if lanes.need[b] == TURNING and ready[b]:
                if not _take_step(link, lanes, b, y, z[b], here[b]):
                    _end(lanes, result, b, here[b], result.violation[lanes.label[b]], rounds[b])
            elif lanes.need[b] == GRADIENT:
                worst, size = _new_round(indptr, indices, data, lanes, b, here[b])
                result.violation[lanes.label[b]] = worst
                if worst <= tolerance or rounds[b] >= max_rounds:
                    _end(lanes, result, b, here[b], worst, rounds[b])
                    continue
                rounds[b], turns[b], before[b], first[b] = rounds[b] + 1, 0, size, max(first[b], size)
                enough[b] = size * min(CARE * CARE, size / first[b])


@kernel
def _begin(
    indptr: Any, indices: Any, data: Floats, signs: Floats, link: int, weight: Floats, offset: Floats, lanes: Lanes,
    start: Floats, b: int, label: int, z: Floats, here: Floats,
) -> None:  # fmt: skip
    """Put a label into a lane, which needs its gradient next."""
    lanes.label[b] = label
    beta = lanes.beta[b]
    beta[:] = start[:, label]
    lanes.weight[:, b] = weight[:, min(label, weight.shape[1] - 1)]
    for i in range(z.size):
        s = offset[i, label] + beta[beta.size - 1]
        for k in range(indptr[i], indptr[i + 1]):
            s += data[k] * beta[indices[k]]
        z[i] = s
    expand(z, signs[:, label].copy(), link, here)
    _need_gradient(lanes, b, here)


@kernel
def _need_gradient(lanes: Lanes, b: int, here: Floats) -> None:
    lanes.need[b] = GRADIENT
    for i in range(here.shape[1]):
        lanes.c[i, b], lanes.e[i, b] = 0.0, here[1, i]


@kernel
def _end(lanes: Lanes, result: Modes, b: int, here: Floats, worst: float, rounds: int) -> None:
    """Keep what a lane has found."""
    label, objective = lanes.label[b], here[0].sum()
    for j in range(lanes.beta.shape[1]):
        result.beta[j, label] = lanes.beta[b, j]
        objective += 0.5 * lanes.weight[j, b] * lanes.beta[b, j] ** 2
    result.objective[label], result.violation[label], result.rounds[label] = objective, worst, rounds
    lanes.need[b] = DONE


@kernel(fastmath={"contract", "reassoc"})
def _pass(
    indptr: Any, indices: Any, data: Floats, p: Floats, c: Floats, e: Floats, xp: Floats, result: Floats
) -> None:
    """Set xp to X p, and the result to X^T (c xp + e), for all lanes."""
    d, width = p.shape[0] - 1, p.shape[1]
    result[:] = 0.0
    of_ones, t = result[d], np.empty(width)
    for i in range(c.shape[0]):
        s, c_i, e_i = xp[i], c[i], e[i]
        for b in range(width):
            s[b] = p[d, b]
        for k in range(indptr[i], indptr[i + 1]):
            x, own = data[k], p[indices[k]]
            for b in range(width):
                s[b] += x * own[b]
        for b in range(width):
            t[b] = c_i[b] * s[b] + e_i[b]
            of_ones[b] += t[b]
        for k in range(indptr[i], indptr[i + 1]):
            x, own = data[k], result[indices[k]]
            for b in range(width):
                own[b] += x * t[b]


@kernel(fastmath={"contract", "reassoc"})
def _turn(lanes: Lanes, before: Floats, enough: Floats, turns: Ints) -> Any:
    """Take a step of conjugate gradients in the lanes that turn; return which of these have come near enough."""
    d, width = lanes.along.shape
    bend, after, share, ratio = np.zeros(width), np.zeros(width), np.zeros(width), np.zeros(width)
    for j in range(d):
        along, turned, weight = lanes.along[j], lanes.turned[j], lanes.weight[j]
        for b in range(width):
            bend[b] += along[b] * (turned[b] + weight[b] * along[b])
    turning = lanes.need == TURNING
    for b in range(width):
        if turning[b] and bend[b] > 0.0:
            share[b] = before[b] / bend[b]
    for j in range(d):
        along, turned, weight = lanes.along[j], lanes.turned[j], lanes.weight[j]
        step, left, inverse = lanes.step[j], lanes.left[j], lanes.inverse[j]
        for b in range(width):
            step[b] += share[b] * along[b]
            left[b] -= share[b] * (turned[b] + weight[b] * along[b])
            after[b] += left[b] * left[b] * inverse[b]
    for i in range(lanes.x_step.shape[0]):
        x_step, x_along = lanes.x_step[i], lanes.x_along[i]
        for b in range(width):
            x_step[b] += share[b] * x_along[b]
    ready = np.zeros(width, np.bool_)
    for b in range(width):
        if turning[b]:
            turns[b] += 1
            ready[b] = after[b] <= enough[b] or share[b] == 0.0 or turns[b] >= TURNS
            ratio[b] = after[b] / before[b]
            before[b] = after[b]
    for j in range(d):
        along, left, inverse = lanes.along[j], lanes.left[j], lanes.inverse[j]
        for b in range(width):
            along[b] = left[b] * inverse[b] + ratio[b] * along[b]
    return ready


@kernel
def _take_step(link: int, lanes: Lanes, b: int, y: Floats, z: Floats, here: Floats) -> bool:
    """Move a lane's label along its step, as far as F falls; return whether it falls at all."""
    z_there, there = np.empty(z.size), np.empty(here.shape)
    weight, step, x_step = lanes.weight[:, b].copy(), lanes.step[:, b].copy(), lanes.x_step[:, b].copy()
    share = line_search(
        z, y.copy(), link, lanes.beta[b], SQUARE, weight, lanes.gradient[b], step, x_step, here, z_there, there
    )
    if share == 0.0:
        return False  # as near as doubles can tell
    lanes.beta[b] += share * step
    z[:] = z_there
    here[:] = there
    _need_gradient(lanes, b, here)
    return True


@kernel
def _new_round(
    indptr: Any, indices: Any, data: Floats, lanes: Lanes, b: int, here: Floats
) -> tuple[float, float]:
    """Begin the conjugate gradients of a lane that has its gradient; return the largest violation, and the size."""
    d, beta, gradient = lanes.beta.shape[1] - 1, lanes.beta[b], lanes.gradient[b]
    diagonal = np.zeros(d + 1)
    for i in range(here.shape[1]):
        h = here[2, i]
        diagonal[d] += h
        for k in range(indptr[i], indptr[i + 1]):
            diagonal[indices[k]] += data[k] * data[k] * h
        lanes.c[i, b], lanes.e[i, b], lanes.x_step[i, b] = h, 0.0, 0.0
    weight = lanes.weight[:, b].copy()
    usual = weight[:d].sum() / max(d, 1)
    worst, size = 0.0, 0.0
    for j in range(d + 1):
        gradient[j] = lanes.turned[j, b]
        pull = -(gradient[j] + weight[j] * beta[j])
        between = math.sqrt(diagonal[j] * (weight[j] if weight[j] > 0.0 else usual))
        inverse = 1.0 / (weight[j] + (between if between > 0.0 else max(diagonal[j], FLAT)))
        worst, size = max(worst, abs(pull)), size + pull * pull * inverse
        lanes.inverse[j, b], lanes.left[j, b], lanes.step[j, b] = inverse, pull, 0.0
        lanes.along[j, b] = pull * inverse
    lanes.need[b] = TURNING
    return worst, size
