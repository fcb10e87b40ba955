"""Axes: from values to places on the drawing, linear or logarithmic, with ticks at round numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
FEW_DECADES = 2.5  # below it a logarithmic axis also has ticks at 2 and 5


@dataclass(frozen=True)
class Axis:
    """A range of values; `ticks` are those that get a label.

    >>> axis = Axis.over([1, 100], log=True)
    >>> axis.place(10.0), axis.labels()
    (0.5, ['1', '2', '5', '10', '20', '50', '100'])
    """

    low: float
    high: float
    log: bool = False
    ticks: tuple[float, ...] = ()

    @classmethod
    def over(
        cls, values: Iterable[float], limits: tuple[float, float] | None = None, *, log: bool = False,
        ticks: Sequence[float] | None = None, count: int = 5, whole: bool = False,
    ) -> Axis:  # fmt: skip
        """Return an axis for the values; `whole` extends it to the next ticks, `limits` fixes it instead."""
        known = [v for v in values if math.isfinite(v) and (v > 0.0 or not log)]
        low, high = limits or (min(known, default=1.0 if log else 0.0), max(known, default=10.0 if log else 1.0))
        if high <= low:
            reach = 0.5 * (abs(low) or 1.0)
            low, high = (low / 2.0, low * 2.0) if log else (low - reach, low + reach)
        if log:
            marks = _log_ticks(low, high)
        else:
            step = _step((high - low) / count)
            if whole and limits is None:
                low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
            first = math.ceil(low / step - 1e-9)
            marks = [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]
        return cls(low, high, log, tuple(marks if ticks is None else [t for t in ticks if low <= t <= high]))

    def place(self, value: float) -> float:
        """Return where a value lies: 0 at the low end, 1 at the high end."""
        if self.log:
            return math.log(max(value, 1e-300) / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def labels(self) -> list[str]:
        """Return the text of each tick, with as many decimals as the ticks need."""
        if self.log:
            return [number(tick) for tick in self.ticks]
        gaps = [b - a for a, b in zip(self.ticks, self.ticks[1:])]
        decimals = next((d for d in range(7) if all(_is_round(gap, d) for gap in gaps)), 6)
        largest = max((abs(t) for t in self.ticks), default=0.0)
        for limit, unit in ((1e6, "M"), (1e5, "k")):
            scale = 1e6 if unit == "M" else 1e3
            if largest >= limit:
                return [f"{t / scale:,.4g}{unit}" if t else "0" for t in self.ticks]
        return [f"{0.0 if abs(t) < 1e-12 else t:,.{decimals}f}" for t in self.ticks]


def number(value: float) -> str:
    """Return a number as a tick or a note shows it.

    >>> number(20000.0), number(0.125), number(2e6)
    ('20,000', '0.125', '2M')
    """
    if abs(value) >= 1e6:
        return f"{value / 1e6:,.4g}M"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.4g}"


def _is_round(gap: float, decimals: int) -> bool:
    return bool(abs(gap * 10.0**decimals - round(gap * 10.0**decimals)) < 1e-6)


def _step(rough: float) -> float:
    """Return the round step next above a rough one."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(s * power for s in STEPS if s * power >= rough * (1.0 - 1e-9))


def _log_ticks(low: float, high: float) -> list[float]:
    multiples = (1.0, 2.0, 5.0) if math.log10(high / low) < FEW_DECADES else (1.0,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    marks = [m * 10.0**k for k in powers for m in multiples]
    return [t for t in marks if low * (1 - 1e-9) <= t <= high * (1 + 1e-9)]
