"""Exact Gaussian-process regression that grows by one row at a time, each row with its own noise variance.

Rows i = 1 .. n have a target t_i, a prior mean m_i and a noise variance d_i; the kernel is given as numbers, so any
kernel will do. With S = K + diag(d) and S = L L^T (Rasmussen & Williams 2006, 2.2 and 5.4.2):

    alpha = S^-1 (t - m)                      mean at x: m(x) + k(x).alpha
    variance at x = k(x, x) - |L^-1 k(x)|^2
    leave-one-out: mean of row i without it   t_i - alpha_i / (S^-1)_ii,  its variance 1 / (S^-1)_ii - d_i
    scale = (t - m).alpha / n                 the factor of kernel and noise together that is most likely

L^-1 is kept, not L: a new row adds one row to it, at the cost of two products with a triangle, and alpha, the
leave-one-out means and the variance are products too. All of them are kernels with sums in a fixed order: rows that
are added one by one, in other places of memory or again after `restore` give the same bytes.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesift.errors import BadInput
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
State = dict[str, NDArray[Any]]
LEAST = 1e-10  # least share of a row's prior variance that the rows before it leave open


class GPRegression:
    """Gaussian-process regression over rows that come one at a time.

    Examples
    --------
    >>> gp = GPRegression()
    >>> gp.add([1.0], target=1.0, noise=0.5)
    >>> gp.add([0.2, 1.0], target=-0.1, noise=1.5)
    >>> gp.alpha.round(3), gp.leave_one_out()[0].round(3)
    (array([ 0.679, -0.094]), array([-0.008,  0.133]))
    >>> k = np.array([0.8, 0.1])
    >>> round(float(k @ gp.alpha), 3), round(gp.variance(k, 1.0), 3)
    (0.534, 0.573)
    """

    def __init__(self) -> None:
        self._take(np.zeros((8, 8)), np.zeros(8), np.zeros(8), np.zeros(8), np.zeros(8), np.zeros(0))

    @classmethod
    def of(
        cls, inverse: Floats, solved: Floats, target: Floats, prior: Floats, noise: Floats, alpha: Floats
    ) -> Self:
        """Return the regression of rows that `add_row` added to these arrays, which it does not change."""
        self = cls.__new__(cls)
        self._take(inverse, solved, target, prior, noise, alpha)
        return self

    def _take(
        self, inverse: Floats, solved: Floats, target: Floats, prior: Floats, noise: Floats, alpha: Floats
    ) -> None:
        self.n = alpha.size
        self._inverse = inverse  # L^-1, lower triangle; there is room for more rows
        self._solved = solved  # L^-1 (t - m)
        self._target, self._prior, self._noise = target, prior, noise
        self.alpha: Floats = alpha

    @property
    def target(self) -> Floats:
        """The rows' targets t."""
        return self._target[: self.n]

    @property
    def noise(self) -> Floats:
        """The rows' noise variances d."""
        return self._noise[: self.n]

    @property
    def inverse(self) -> Floats:
        """L^-1, with room for more rows."""
        return self._inverse

    @property
    def factor(self) -> Floats:
        """L^-1."""
        return self._inverse[: self.n, : self.n]

    def add(self, kernel_row: ArrayLike, target: float, noise: float, prior: float = 0.0) -> None:
        """Add one row.

        Parameters
        ----------
        kernel_row : array of n + 1
            Its kernel with the rows so far, in their order, and with itself.
        target, noise, prior : float
            Its target, its noise variance and its prior mean.

        Raises
        ------
        BadInput
            If the kernel has another size, or a number is not finite, or the noise is not positive.
        """
        row, n = np.asarray(kernel_row, np.float64), self.n
        if row.shape != (n + 1,):
            raise BadInput(f"kernel of shape {row.shape} for row {n}", remedy=f"give {n + 1} numbers")
        if not (noise > 0.0 and np.isfinite(row).all() and np.isfinite([target, noise, prior]).all()):
            raise BadInput("a row of the kernel is not finite, or its noise is not positive", remedy="weigh it again")
        if n == self._solved.size:
            self._widen()
        self._target[n], self._prior[n], self._noise[n] = target, prior, noise
        add_row(self._inverse, self._solved, n, row, target - prior, noise)
        self.n = n + 1
        self.alpha = alpha_of(self._inverse, self._solved, self.n)

    def leave_one_out(self) -> tuple[Floats, Floats]:
        """Return the mean of each row's field without the row, and its variance."""
        return leave_one_out(self._inverse, self.alpha, self.target, self.noise)

    def variance(self, kernel_row: ArrayLike, own: float) -> float:
        """Return the posterior variance of the field at a point: its kernel with the rows, and with itself."""
        return float(variance(self._inverse, np.asarray(kernel_row, np.float64), own))

    def covariance(self, kernel_row: ArrayLike, others: ArrayLike, prior: ArrayLike) -> Floats:
        """Return the posterior covariance of the field at a point and at others.

        Parameters
        ----------
        kernel_row : array of n
            The kernel of the point with the rows.
        others : array of (points, n)
            That of the others.
        prior : array of points
            That of the point with the others.
        """
        weights = solve(self._inverse, np.asarray(kernel_row, np.float64))
        return np.asarray(np.asarray(prior, np.float64) - np.asarray(others, np.float64) @ weights)

    @property
    def scale(self) -> float:
        """The most likely common factor of kernel and noise; it changes variances, and no mean."""
        return float(self._solved[: self.n] @ self._solved[: self.n]) / max(self.n, 1)

    def state(self) -> State:
        """Return the state as arrays; L^-1 as its lower half."""
        lower = self.factor[np.tri(self.n, dtype=bool)]
        rows = np.stack([self.target, self._prior[: self.n], self.noise])
        return {"lower": lower, "rows": rows, "solved": self._solved[: self.n].copy()}

    def restore(self, state: State) -> Self:
        """Replace the state by one that `state` returned."""
        target, prior, noise = np.array(state["rows"], np.float64)
        inverse = np.zeros((target.size, target.size))
        inverse[np.tri(target.size, dtype=bool)] = state["lower"]
        solved = np.array(state["solved"], np.float64)
        self._take(inverse, solved, target, prior, noise, alpha_of(inverse, solved, solved.size))
        return self

    def _widen(self) -> None:
        """Double the room, so that adding n rows copies what is there a few times only."""
        size = max(8, 2 * self._solved.size)
        wide = np.zeros((size, size))
        wide[: self.n, : self.n] = self.factor
        self._inverse = wide
        for name in ("_solved", "_target", "_prior", "_noise"):
            old = getattr(self, name)
            setattr(self, name, np.concatenate([old, np.zeros(size - old.size)]))


@kernel
def dot(a: Floats, b: Floats) -> float:
    """Return the product of two vectors: four sums side by side, always in the same order."""
    even = a.size - a.size % 4
    w = x = y = z = 0.0
    for i in range(0, even, 4):
        w += a[i] * b[i]
        x += a[i + 1] * b[i + 1]
        y += a[i + 2] * b[i + 2]
        z += a[i + 3] * b[i + 3]
    for i in range(even, a.size):
        w += a[i] * b[i]
    return (w + x) + (y + z)


@kernel
def add_row(inverse: Floats, solved: Floats, n: int, row: Floats, residual: float, noise: float) -> None:
    """Add row n to L^-1 and L^-1 (t - m): its kernel with the rows before and itself, t - m, and its noise."""
    total, mean, own = 0.0, 0.0, row[n] + noise
    new = inverse[n]
    new[: n + 1] = 0.0
    for i in range(n):
        part = dot(inverse[i, : i + 1], row[: i + 1])
        total += part * part
        mean += part * solved[i]
        for j in range(i + 1):
            new[j] -= part * inverse[i, j]
    root = np.sqrt(max(own - total, LEAST * own))
    for j in range(n):
        new[j] /= root
    new[n] = 1.0 / root
    solved[n] = (residual - mean) / root


@kernel
def alpha_of(inverse: Floats, solved: Floats, n: int) -> Floats:
    """Return S^-1 (t - m)."""
    out = np.zeros(n)
    for i in range(n):
        for j in range(i + 1):
            out[j] += solved[i] * inverse[i, j]
    return out


@kernel
def solve(inverse: Floats, k: Floats) -> Floats:
    """Return S^-1 k."""
    out = np.zeros(k.size)
    for i in range(k.size):
        part = dot(inverse[i, : i + 1], k[: i + 1])
        for j in range(i + 1):
            out[j] += part * inverse[i, j]
    return out


@kernel
def variance(inverse: Floats, k: Floats, own: float) -> float:
    """Return the posterior variance at a point: its kernel with the rows, and with itself."""
    total = 0.0
    for i in range(k.size):
        part = dot(inverse[i, : i + 1], k[: i + 1])
        total += part * part
    return max(own - total, 0.0)


@kernel
def leave_one_out(inverse: Floats, alpha: Floats, target: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return the mean of each row's field without the row, and its variance."""
    diagonal = np.zeros(alpha.size)  # of S^-1
    for i in range(alpha.size):
        for j in range(i + 1):
            diagonal[j] += inverse[i, j] * inverse[i, j]
    return target - alpha / diagonal, np.maximum(1.0 / diagonal - noise, 0.0)
