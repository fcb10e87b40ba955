"""Likelihoods of a label y = +1 or -1 given a field h ~ N(m, v): log Z and its two derivatives by m.

Every online learner of the library is moment matching with these three numbers (chai2002 3.1, A.1; zhang2010):

| likelihood        | sigma^2    | u                  | Z                            | r                          |
|-------------------|------------|--------------------|------------------------------|----------------------------|
| Probit(sigma0)    | sigma0^2+v | y m / sigma        | Phi(u)                       | phi(u) / Z                 |
| Margin(eps, beta) | beta^2+v   | (y m - eps) / sigma | Phi(u)                      | phi(u) / Z                 |
| Flip(kappa)       | v          | y m / sigma        | kappa + (1 - 2 kappa) Phi(u) | (1 - 2 kappa) phi(u) / Z   |

    Z = E[p(y | h)],   g1 = d log Z / dm = y r / sigma,   g2 = d^2 log Z / dm^2 = -r (u + r) / sigma^2

Probit is Margin without a margin, and the logistic function is close to Probit(1.6474). For these two
0 <= -g2 v < 1, so a variance shrinks and stays positive. For Flip g2 can be positive: an outlier widens the belief.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.numba_kernel import kernel

GAUSSIAN, FLIP = 0, 1  # how the noise enters
Floats = NDArray[np.float64]
Code = tuple[int, float, float]  # what the kernels take: the kind and its two numbers

LOGIT_SIGMA0 = 1.6474  # chai2002 A.1
TAIL = -5.0  # below it, phi / Phi by its continued fraction
TERMS = 48  # of that fraction: enough for double precision at TAIL
LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)
SMALLEST = 1e-300  # keeps sigma from being 0 where a variance is


@dataclass(frozen=True)
class Likelihood:
    """Base of the likelihoods: `code` is what the kernels take, `moments` what the formulas say.

    >>> Probit(0.5).moments(y=1, m=0.0, v=0.75)  # u = 0: log 1/2, 2 phi(0), -4 phi(0)^2
    (-0.6931471805599453, 0.7978845608028654, -0.6366197723675814)
    """

    @property
    def code(self) -> Code:
        """(kind, spread, offset) for the kernels."""
        raise NotImplementedError

    def moments(self, y: int, m: float, v: float) -> tuple[float, float, float]:
        """Return log Z, g1 and g2."""
        return moments(self.code, float(y), float(m), float(v))


@dataclass(frozen=True)
class Margin(Likelihood):
    """The field must exceed the margin `eps` after Gaussian noise of deviation `beta`."""

    eps: float = 1.0
    beta: float = 0.01

    def __post_init__(self) -> None:
        if not (self.beta >= 0.0 and math.isfinite(self.beta) and math.isfinite(self.eps)):
            raise BadInput(f"margin {self.eps}, noise {self.beta}", remedy="give finite numbers, and noise from 0 on")

    @property
    def code(self) -> Code:
        """(kind, spread, offset) for the kernels."""
        return (GAUSSIAN, float(self.beta), float(self.eps))


@dataclass(frozen=True)
class Probit(Likelihood):
    """The sign of the field after Gaussian noise of deviation `sigma0`."""

    sigma0: float = 0.5

    def __post_init__(self) -> None:
        if not (self.sigma0 > 0.0 and math.isfinite(self.sigma0)):
            raise BadInput(f"noise sigma0 is {self.sigma0}", remedy="give a positive number, e.g. 0.5")

    @property
    def code(self) -> Code:
        """(kind, spread, offset) for the kernels."""
        return (GAUSSIAN, float(self.sigma0), 0.0)


@dataclass(frozen=True)
class Flip(Likelihood):
    """The sign of the field, flipped with probability `kappa`."""

    kappa: float = 0.1

    def __post_init__(self) -> None:
        if not 0.0 < self.kappa < 0.5:
            raise BadInput(f"kappa is {self.kappa}", remedy="give a probability above 0 and below 1/2, e.g. 0.1")

    @property
    def code(self) -> Code:
        """(kind, spread, offset) for the kernels."""
        return (FLIP, float(self.kappa), 0.0)


def logit() -> Probit:
    """Return the logistic likelihood, as the probit that is closest to it.

    >>> logit().sigma0
    1.6474
    """
    return Probit(LOGIT_SIGMA0)


def likelihood_of(what: str | Likelihood) -> Likelihood:
    """Return a likelihood by its name, with its usual setting, or the one given.

    >>> likelihood_of("flip")
    Flip(kappa=0.1)
    """
    named: dict[str, Callable[[], Likelihood]] = {"probit": Probit, "logit": logit, "flip": Flip, "margin": Margin}
    if isinstance(what, Likelihood):
        return what
    if what in named:
        return named[what]()
    raise BadInput(f"no likelihood {what!r}", remedy=f"use one of {', '.join(named)}, or one such as Probit(1.0)")


@kernel
def log_phi_and_hazard(u: float) -> tuple[float, float, float]:
    """Return log Phi(u), r = phi(u)/Phi(u), and u + r without cancellation, for any u."""
    if u < TAIL:
        # Mills' ratio: r = x + 1/(x + 2/(x + 3/(x + ...))) with x = -u, so that u + r is the fraction itself.
        x = -u
        fraction = 0.0
        for k in range(TERMS, 0, -1):
            fraction = k / (x + fraction)
        r = x + fraction
        return -0.5 * u * u - LOG_SQRT_2PI - math.log(r), r, fraction
    upper = 0.5 * math.erfc(abs(u) * math.sqrt(0.5))
    log_z = math.log1p(-upper) if u > 0.0 else math.log(upper)
    z = 1.0 - upper if u > 0.0 else upper
    r = math.exp(-0.5 * u * u - LOG_SQRT_2PI) / z
    return log_z, r, u + r


@kernel
def spread_of(code: Code, v: float) -> float:
    """Return sigma^2: the variance of the field together with the noise, never 0; Flip has no noise of the field."""
    return max(v if code[0] == FLIP else code[1] * code[1] + v, SMALLEST)


@kernel
def sigma_of(code: Code, v: float) -> float:
    """Return sigma, the deviation of the field together with the noise."""
    return math.sqrt(spread_of(code, v))


@kernel
def moments(code: Code, y: float, m: float, v: float) -> tuple[float, float, float]:
    """Return log Z, g1 and g2 of the likelihood with this code."""
    kind, spread, offset = code
    sigma = sigma_of(code, v)
    if kind == FLIP:
        u = y * m / sigma
        kappa = spread
        z = kappa + (1.0 - 2.0 * kappa) * 0.5 * math.erfc(-u * math.sqrt(0.5))
        r = (1.0 - 2.0 * kappa) * math.exp(-0.5 * u * u - LOG_SQRT_2PI) / z
        return math.log(z), y * r / sigma, -r * (u + r) / (sigma * sigma)
    u = (y * m - offset) / sigma
    log_z, r, w = log_phi_and_hazard(u)
    return log_z, y * r / sigma, -r * w / (sigma * sigma)


@kernel
def margins(code: Code, m: Floats, v: Floats) -> Floats:
    """Return m / sigma at each (m, v)."""
    u = np.empty(m.size)
    for t in range(m.size):
        u[t] = m[t] / sigma_of(code, v[t])
    return u


@kernel
def probability(code: Code, m: float, v: float) -> float:
    """Return Z for y = +1: the probability that the label is relevant, without a margin."""
    z = 0.5 * math.erfc(-m / math.sqrt(2.0 * spread_of(code, v)))
    return code[1] + (1.0 - 2.0 * code[1]) * z if code[0] == FLIP else z


@kernel
def predictive(code: Code, m: Floats, v: Floats) -> Floats:
    """Return the probability that the label is relevant at each (m, v)."""
    p = np.empty(m.size)
    for t in range(m.size):
        p[t] = probability(code, m[t], v[t])
    return p
