"""Basis vectors of a Gaussian process, kept sparse, and their kernel values with a document.

    K(x, z) = shape(x.z) + jitter [x and z are the same document]

The vectors lie one after another in one pair of arrays, so that no document is ever made dense; a vector that is
dropped leaves a gap that is closed when the room is needed. Features that come later are zero in the vectors there are.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel

LINEAR, POLYNOMIAL, RBF = 0, 1, 2
KernelCode = tuple[int, float, int, float]  # kind; constant, or rate of the RBF; degree; jitter

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel(fastmath={"contract"})
def shape(code: KernelCode, dot: float, xx: float, zz: float) -> float:
    """Return K(x, z) without jitter, from x.z, x.x and z.z."""
    kind, constant, degree, _ = code
    if kind == RBF:
        return math.exp(-constant * max(xx + zz - 2.0 * dot, 0.0))
    power = dot + constant
    for _ in range(1, degree):
        power *= dot + constant
    return power


@kernel(fastmath={"contract", "reassoc"})
def against(
    code: KernelCode, index: Any, value: Floats, document: int, dense: Floats,
    n: int, starts: Integers, lengths: Integers, where: Integers, what: Floats, squares: Floats, numbers: Integers,
    k: Floats,
) -> float:  # fmt: skip
    """Set k_i = K(b_i, x) for the n basis vectors and return K(x, x); `dense` is 0 everywhere, before and after."""
    xx = 0.0
    for i in range(index.size):
        dense[index[i]] = value[i]
        xx += value[i] * value[i]
    for i in range(n):
        dot = 0.0
        for j in range(starts[i], starts[i] + lengths[i]):
            dot += what[j] * dense[where[j]]
        k[i] = shape(code, dot, xx, squares[i])
        if numbers[i] == document:
            k[i] += code[3]
    for i in range(index.size):
        dense[index[i]] = 0.0
    return shape(code, xx, xx, xx) + code[3]


@kernel
def append(
    index: Any, value: Floats, document: int, n: int, used: int,
    starts: Integers, lengths: Integers, where: Integers, what: Floats, squares: Floats, numbers: Integers,
) -> int:  # fmt: skip
    """Make x basis vector n; returns how much of the room is used then, or -1 if there is not enough."""
    if used + index.size > what.size:
        used = _close_gaps(n, starts, lengths, where, what)
        if used + index.size > what.size:
            return -1
    starts[n], lengths[n], numbers[n], squares[n] = used, index.size, document, 0.0
    for i in range(index.size):
        where[used + i], what[used + i] = index[i], value[i]
        squares[n] += value[i] * value[i]
    return int(used + index.size)


@kernel
def _close_gaps(n: int, starts: Integers, lengths: Integers, where: Integers, what: Floats) -> int:
    used: int = 0
    for i in np.argsort(starts[:n], kind="mergesort"):  # in place, so front to back
        for j in range(lengths[i]):
            where[used + j], what[used + j] = where[starts[i] + j], what[starts[i] + j]
        starts[i] = used
        used += lengths[i]
    return int(used)
