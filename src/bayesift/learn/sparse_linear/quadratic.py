"""The quadratic model of a penalised loss, minimised by cyclic coordinate descent over a working set of weights.

    minimise  q(s) = g.(X s) + (X s).diag(h).(X s) / 2 + sum_j penalty_j(beta_j + s_j)

The intercept is one more coordinate, of a column of ones and without a penalty. Each step s_j stays within a trust
region of its own. Where columns are nearly alike, single coordinates would need thousands of passes, so between
passes the coordinates that are free to move both ways are moved together, by conjugate gradients, as far as none
reaches a limit. There are two ways that give the same: where documents have few of the working words, the matrix
X^T diag(h) X is made first, and then a coordinate that does not move costs nothing; else the columns are gone through.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
SQUARE, ABSOLUTE = 0, 1
PASSES = 100  # through the coordinates, at most
LARGEST = 1500  # coordinates whose matrix is made
WORTH = 30  # passes through the columns after which building the matrix is cheaper
LEAP = 10  # passes, after which the free coordinates are moved together
TURNS = 200  # of conjugate gradients for that, at most
FLAT = 1e-100  # the least curvature


class Block(NamedTuple):
    """The working columns by rows; empty where their matrix is not worth making."""

    start: Places  # of each row
    place: Places  # of each entry in the working set
    value: Floats


@kernel
def block_of(indptr: Any, indices: Any, data: Floats, working: Places, n: int) -> Block:
    """Return the working columns by rows."""
    start = np.zeros(n + 1, np.int64)
    if working.size <= LARGEST:
        for j in working:
            for k in range(indptr[j], indptr[j + 1]):
                start[indices[k] + 1] += 1
        if (start * start).sum() > WORTH * start.sum():
            start[:] = 0
    if not start.any():
        return Block(start, np.empty(0, np.int64), np.empty(0))
    start = np.cumsum(start)
    free = start[:-1].copy()
    place, value = np.empty(start[n], np.int64), np.empty(start[n])
    for w in range(working.size):
        for k in range(indptr[working[w]], indptr[working[w] + 1]):
            at = free[indices[k]]
            place[at], value[at] = w, data[k]
            free[indices[k]] += 1
    return Block(start, place, value)


@kernel(inline="always")
def _move(penalty: int, weight: float, here: float, slope: float, scale: float) -> float:
    """Return the step to the minimum along one coordinate; scale is the model's curvature with a Gaussian penalty's."""
    if penalty == SQUARE:
        return -(slope + weight * here) / scale
    aim, shrink = here - slope / scale, weight / scale
    return (aim - shrink if aim > shrink else aim + shrink if aim < -shrink else 0.0) - here


@kernel
def descend_matrix(
    block: Block, h: Floats, penalty: int, weight: Floats, beta: Floats, slope: Floats, region: Floats,
    accuracy: float, xs: Floats,
) -> Floats:  # fmt: skip
    """Take the step, with the matrix made first. All vectors are over the working set and then the intercept.

    slope: the gradient of the loss, changed to the model's at the end. xs: set to X step.
    """
    m, n = beta.size, h.size
    matrix = np.zeros((m, m))
    for i in range(n):
        for p in range(block.start[i], block.start[i + 1]):
            a, hv = block.place[p], h[i] * block.value[p]
            for q in range(p, block.start[i + 1]):
                matrix[a, block.place[q]] += hv * block.value[q]
            matrix[a, m - 1] += hv
        matrix[m - 1, m - 1] += h[i]
    for a in range(m):
        for c in range(a):
            matrix[a, c] = matrix[c, a]
    ridge = weight if penalty == SQUARE else np.zeros(m)
    scale = np.maximum(np.diag(matrix), FLAT) + ridge
    step = np.zeros(m)
    for number in range(1, PASSES + 1):
        worst = 0.0
        for a in range(m):
            move = _move(penalty, weight[a], beta[a] + step[a], slope[a], scale[a])
            move = min(max(move, -region[a] - step[a]), region[a] - step[a])
            if move != 0.0:
                worst = max(worst, abs(move) * scale[a])
                step[a] += move
                slope += move * matrix[a]
        if worst <= accuracy:
            break
        if number % LEAP == 0:
            free = _free(penalty, weight, beta + step, step, region)
            left = _pull(penalty, weight, beta + step, slope, free)
            x, along = np.zeros(m), left / scale
            for _ in range(TURNS):
                turned = np.zeros(m)
                for a in range(m):
                    if along[a] != 0.0:
                        turned += along[a] * matrix[a]
                if _turn(ridge, scale, free, turned, x, left, along) <= 0.1 * accuracy:
                    break
            x *= _within(penalty, weight, beta, step, region, x)
            step += x
            for a in range(m):
                if x[a] != 0.0:
                    slope += x[a] * matrix[a]
    for i in range(n):
        s = step[m - 1]
        for p in range(block.start[i], block.start[i + 1]):
            s += block.value[p] * step[block.place[p]]
        xs[i] = s
    return step


@kernel
def descend_columns(
    indptr: Any, indices: Any, data: Floats, working: Places, g: Floats, h: Floats, penalty: int, weight: Floats,
    beta: Floats, region: Floats, accuracy: float, xs: Floats,
) -> Floats:  # fmt: skip
    """Take the same step from the columns themselves."""
    m, n = beta.size, h.size
    q = g.copy()  # the model's gradient by each z: g + h xs
    xs[:] = 0.0
    ridge = weight if penalty == SQUARE else np.zeros(m)
    scale = np.maximum(_gather(indptr, indices, data * data, working, h), FLAT) + ridge
    step = np.zeros(m)
    for number in range(1, PASSES + 1):
        worst = 0.0
        for w in range(m):
            slope = 0.0
            if w == m - 1:
                slope = q.sum()
            else:
                for k in range(indptr[working[w]], indptr[working[w] + 1]):
                    slope += data[k] * q[indices[k]]
            move = _move(penalty, weight[w], beta[w] + step[w], slope, scale[w])
            move = min(max(move, -region[w] - step[w]), region[w] - step[w])
            if move == 0.0:
                continue
            worst = max(worst, abs(move) * scale[w])
            step[w] += move
            if w == m - 1:
                for i in range(n):
                    xs[i] += move
                    q[i] += move * h[i]
            else:
                for k in range(indptr[working[w]], indptr[working[w] + 1]):
                    i, change = indices[k], move * data[k]
                    xs[i] += change
                    q[i] += change * h[i]
        if worst <= accuracy:
            break
        if number % LEAP == 0:
            free = _free(penalty, weight, beta + step, step, region)
            left = _pull(penalty, weight, beta + step, _gather(indptr, indices, data, working, q), free)
            x, along = np.zeros(m), left / scale
            for _ in range(TURNS):
                z_along = _spread(indptr, indices, data, working, along, n)
                turned = _gather(indptr, indices, data, working, h * z_along)
                if _turn(ridge, scale, free, turned, x, left, along) <= 0.1 * accuracy:
                    break
            x *= _within(penalty, weight, beta, step, region, x)
            step += x
            change_z = _spread(indptr, indices, data, working, x, n)
            xs += change_z
            q += h * change_z
    return step


@kernel
def _gather(indptr: Any, indices: Any, data: Floats, working: Places, v: Floats) -> Floats:
    """Return X^T v over the working columns, and the sum of v."""
    result = np.empty(working.size + 1)
    for w in range(working.size):
        s = 0.0
        for k in range(indptr[working[w]], indptr[working[w] + 1]):
            s += data[k] * v[indices[k]]
        result[w] = s
    result[working.size] = v.sum()
    return result


@kernel
def _spread(indptr: Any, indices: Any, data: Floats, working: Places, p: Floats, n: int) -> Floats:
    """Return X p over the working columns, and the intercept."""
    result = np.full(n, p[working.size])
    for w in range(working.size):
        if p[w] != 0.0:
            for k in range(indptr[working[w]], indptr[working[w] + 1]):
                result[indices[k]] += data[k] * p[w]
    return result


@kernel
def _free(penalty: int, weight: Floats, here: Floats, step: Floats, region: Floats) -> Any:
    """Return the coordinates that can move both ways."""
    return (np.abs(step) < region) & ((here != 0.0) | (weight == 0.0) | (penalty == SQUARE))


@kernel
def _pull(penalty: int, weight: Floats, here: Floats, slope: Floats, free: Any) -> Floats:
    """Return minus the gradient of the model and the penalty, over the free coordinates."""
    return np.where(free, -(slope + weight * (here if penalty == SQUARE else np.sign(here))), 0.0)


@kernel
def _turn(ridge: Floats, scale: Floats, free: Any, turned: Floats, x: Floats, left: Floats, p: Floats) -> float:
    """Take one step of conjugate gradients, preconditioned by the diagonal; return the largest residual.

    turned: X^T diag(h) X p. x, the solution, left, the residual, and p, the direction, are changed.
    """
    before, bend, after, most = 0.0, 0.0, 0.0, 0.0
    for a in range(x.size):
        if free[a]:
            turned[a] += (ridge[a] + FLAT) * p[a]
            bend += p[a] * turned[a]
            before += left[a] * left[a] / scale[a]
    if bend <= 0.0:
        return 0.0
    for a in range(x.size):
        if free[a]:
            x[a] += before / bend * p[a]
            left[a] -= before / bend * turned[a]
            most = max(most, abs(left[a]))
            after += left[a] * left[a] / scale[a]
    for a in range(x.size):
        if free[a]:
            p[a] = left[a] / scale[a] + after / before * p[a]
    return most


@kernel
def _within(penalty: int, weight: Floats, beta: Floats, step: Floats, region: Floats, x: Floats) -> float:
    """Return the largest share of x that leaves no region and changes no sign."""
    share = 1.0
    for j in range(x.size):
        here = beta[j] + step[j]
        if abs(step[j] + x[j]) > region[j]:
            share = min(share, ((region[j] if x[j] > 0.0 else -region[j]) - step[j]) / x[j])
        if penalty == ABSOLUTE and weight[j] > 0.0 and here * (here + x[j]) < 0.0:
            share = min(share, -here / x[j])
    return share
