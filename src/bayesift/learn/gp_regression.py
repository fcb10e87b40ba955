"""Exact Gaussian-process regression that grows by one row at a time, each row with its own noise variance.

Rows i = 1 .. n have a target t_i, a prior mean m_i and a noise variance d_i; the kernel is given as numbers, so any
kernel will do. With S = K + diag(d) and S = L L^T (Rasmussen & Williams 2006, 2.2 and 5.4.2):

    alpha = S^-1 (t - m)                      mean at x: m(x) + k(x).alpha
    variance at x = k(x, x) - |L^-1 k(x)|^2
    leave-one-out: mean of row i without it   t_i - alpha_i / (S^-1)_ii,  its variance 1 / (S^-1)_ii - d_i
    scale = (t - m).alpha / n                 the factor of kernel and noise together that is most likely

L^-1 is kept, not L: a new row adds one row to it, at the cost of two products with a triangle, and alpha, the
leave-one-out means and the variance are products too. Adding rows one by one and adding them again after `restore`
are the same operations in the same order, so they give the same bytes.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesift.errors import BadInput

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
        self.n = 0
        self._inverse = np.zeros((8, 8))  # L^-1, lower triangle
        self._solved = np.zeros(8)  # L^-1 (t - m)
        self._target, self._prior, self._noise = np.zeros(8), np.zeros(8), np.zeros(8)
        self.alpha: Floats = np.zeros(0)

    @property
    def target(self) -> Floats:
        """The rows' targets t."""
        return self._target[: self.n]

    @property
    def noise(self) -> Floats:
        """The rows' noise variances d."""
        return self._noise[: self.n]

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
        inverse = self.factor
        part = inverse @ row[:n]
        left = max(row[n] + noise - float(part @ part), LEAST * (row[n] + noise))
        root = float(np.sqrt(left))
        self._inverse[n, :n] = -(part @ inverse) / root
        self._inverse[n, n] = 1.0 / root
        self._solved[n] = (target - prior - float(part @ self._solved[:n])) / root
        self._target[n], self._prior[n], self._noise[n] = target, prior, noise
        self.n = n + 1
        self.alpha = self._solved[: self.n] @ self.factor

    def leave_one_out(self) -> tuple[Floats, Floats]:
        """Return the mean of each row's field without the row, and its variance."""
        inverse = np.einsum("ij,ij->j", self.factor, self.factor)  # the diagonal of S^-1
        return self.target - self.alpha / inverse, np.maximum(1.0 / inverse - self.noise, 0.0)

    def variance(self, kernel_row: ArrayLike, own: float) -> float:
        """Return the posterior variance of the field at a point: its kernel with the rows, and with itself."""
        part = self.factor @ np.asarray(kernel_row, np.float64)
        return max(own - float(part @ part), 0.0)

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
        weights = (self.factor @ np.asarray(kernel_row, np.float64)) @ self.factor
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
        rows, n = np.asarray(state["rows"], np.float64), state["rows"].shape[1]
        self.n, size = n, max(8, 1 << max(n - 1, 0).bit_length())  # as much room as adding n rows would have made
        self._inverse = np.zeros((size, size))
        self._inverse[:n, :n][np.tri(n, dtype=bool)] = state["lower"]
        self._solved, self._target, self._prior, self._noise = (np.zeros(size) for _ in range(4))
        self._solved[:n] = state["solved"]
        self._target[:n], self._prior[:n], self._noise[:n] = rows
        self.alpha = self._solved[:n] @ self.factor
        return self

    def _widen(self) -> None:
        """Double the room, so that adding n rows copies what is there a few times only."""
        size = 2 * self._solved.size
        wide = np.zeros((size, size))
        wide[: self.n, : self.n] = self.factor
        self._inverse = wide
        for name in ("_solved", "_target", "_prior", "_noise"):
            old = getattr(self, name)
            setattr(self, name, np.concatenate([old, np.zeros(size - old.size)]))
