"""Covariance functions of Gaussian processes: how alike the field is at two documents (chai2002 table 1).

| kernel                  | K(x, z)                       | in the paper    |
|-------------------------|-------------------------------|-----------------|
| Linear(constant)        | x.z + constant                | GP-1            |
| Polynomial(degree, ...) | (x.z + constant)^degree       | GP-2, degree 2  |
| RBF(width)              | exp(-|x - z|^2 / (2 width^2)) | GP-R1, width 1  |

Each has a `jitter`: that much variance a document has for itself alone (chai2002 A.3). It keeps matrices invertible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from bayesift.beliefs.basis import LINEAR, POLYNOMIAL, RBF, KernelCode
from bayesift.errors import BadInput

JITTER = 1e-4


@dataclass(frozen=True)
class Kernel:
    """Base of the kernels: `code` is what the compiled belief takes."""

    @property
    def code(self) -> KernelCode:
        """(kind, number, degree, jitter)."""
        raise NotImplementedError


@dataclass(frozen=True)
class Linear(Kernel):
    """K = x.z + constant: a linear classifier whose bias has the constant as its variance."""

    constant: float = 1.0
    jitter: float = JITTER

    def __post_init__(self) -> None:
        _check("constant", self.constant, at_least=0.0)
        _check("jitter", self.jitter, at_least=0.0)

    @property
    def code(self) -> KernelCode:
        """(kind, number, degree, jitter)."""
        return (LINEAR, float(self.constant), 1, float(self.jitter))


@dataclass(frozen=True)
class Polynomial(Kernel):
    """K = (x.z + constant)^degree: words and, with degree 2, pairs of words."""

    degree: int = 2
    constant: float = 1.0
    jitter: float = JITTER

    def __post_init__(self) -> None:
        if not (isinstance(self.degree, int) and 1 <= self.degree <= 8):
            raise BadInput(f"degree is {self.degree!r}", remedy="give a whole number from 1 to 8")
        _check("constant", self.constant, at_least=0.0)
        _check("jitter", self.jitter, at_least=0.0)

    @property
    def code(self) -> KernelCode:
        """(kind, number, degree, jitter)."""
        return (POLYNOMIAL, float(self.constant), self.degree, float(self.jitter))


@dataclass(frozen=True)
class Rbf(Kernel):
    """K = exp(-|x - z|^2 / (2 width^2)): documents are alike when near."""

    width: float = 1.0
    jitter: float = JITTER

    def __post_init__(self) -> None:
        _check("width", self.width, at_least=math.ulp(0.0))
        _check("jitter", self.jitter, at_least=0.0)

    @property
    def code(self) -> KernelCode:
        """(kind, number, degree, jitter)."""
        return (RBF, 0.5 / float(self.width) ** 2, 1, float(self.jitter))


def kernel_of(what: str | Kernel) -> Kernel:
    """Return a kernel by its name, with the paper's setting, or the one given.

    >>> kernel_of("poly")
    Polynomial(degree=2, constant=1.0, jitter=0.0001)
    """
    named: dict[str, type[Kernel]] = {"linear": Linear, "poly": Polynomial, "rbf": Rbf}
    if isinstance(what, Kernel):
        return what
    if isinstance(what, str) and what in named:
        return named[what]()
    raise BadInput(f"no kernel {what!r}", remedy=f"use one of {', '.join(named)}, or a Kernel such as Rbf(width=2.0)")


def _check(name: str, value: float, at_least: float) -> None:
    if not (math.isfinite(value) and value >= at_least):
        raise BadInput(f"{name} is {value!r}", remedy=f"give a finite number {'from' if at_least == 0 else 'above'} 0")
