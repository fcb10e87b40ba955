"""Cohen's kappa of two reviewers, with its interval (Fleiss, Cohen & Everitt 1969)."""

from __future__ import annotations

import math
from dataclasses import dataclass

Z95 = 1.959963984540054


@dataclass(frozen=True)
class Agreement:
    """How far two reviewers agree about the records that both decided to include or exclude.

    Attributes
    ----------
    first, second : str
        The reviewers.
    both_include, first_only, second_only, both_exclude : int
        Records that both include, that one includes, and that both exclude.
    """

    first: str
    second: str
    both_include: int
    first_only: int
    second_only: int
    both_exclude: int

    @property
    def records(self) -> int:
        """Number of records that both decided."""
        return self.both_include + self.first_only + self.second_only + self.both_exclude

    @property
    def agree(self) -> float:
        """Share of the records about which they agree; nan without records."""
        return (self.both_include + self.both_exclude) / self.records if self.records else math.nan

    @property
    def kappa(self) -> float:
        """Cohen's kappa; nan if chance alone would always agree.

        >>> round(Agreement("ada", "bob", 20, 5, 10, 15).kappa, 2)
        0.4
        """
        expected = self._expected()
        return (self.agree - expected) / (1.0 - expected) if expected < 1.0 else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of kappa with 95 % confidence, for large samples.

        >>> tuple(round(end, 2) for end in Agreement("ada", "bob", 20, 5, 10, 15).interval)
        (0.15, 0.65)
        """
        kappa, half = self.kappa, Z95 * self._error()
        return max(kappa - half, -1.0), min(kappa + half, 1.0)

    def _expected(self) -> float:
        if not self.records:
            return math.nan
        (a, b), (c, d) = self._shares()
        return (a + b) * (a + c) + (c + d) * (b + d)

    def _shares(self) -> tuple[tuple[float, float], tuple[float, float]]:
        n = self.records
        return (self.both_include / n, self.first_only / n), (self.second_only / n, self.both_exclude / n)

    def _error(self) -> float:
        """Return the standard error of kappa."""
        expected, kappa = self._expected(), self.kappa
        if math.isnan(kappa):
            return math.nan
        p = self._shares()
        rows = [sum(p[0]), sum(p[1])]
        columns = [p[0][0] + p[1][0], p[0][1] + p[1][1]]
        same = sum(p[i][i] * (1.0 - (rows[i] + columns[i]) * (1.0 - kappa)) ** 2 for i in (0, 1))
        other = sum(p[i][1 - i] * (columns[i] + rows[1 - i]) ** 2 for i in (0, 1)) * (1.0 - kappa) ** 2
        variance = (same + other - (kappa - expected * (1.0 - kappa)) ** 2) / (self.records * (1.0 - expected) ** 2)
        return math.sqrt(max(variance, 0.0))
