"""What the topics of a stream tell each other: how much a high score means there.

The line of each topic, logit p = a u + c (`topic_calibration`), has a prior whose offset c has the mean c_t and the
variance V. Where topics are broad that mean is too low, where they are rare too high, and it is so for all topics of a
stream alike. So the mean is c_t + d, with a shift d ~ N(0, S^2) that the answers of all topics give. With m_t and v_t
the mean and the variance of topic t's offset for d = 0, and k_t = 1 - v_t / V what its answers tell of it,

    E[d] = sum_t (m_t - c_t) / (V / S^2 + sum_t k_t),     var(d) = V / (V / S^2 + sum_t k_t)

(empirical Bayes; Morris 1983). A prior moved by d moves the line of topic t by g_t d, and widens its covariance by
var(d) g_t g_t^T, with g_t = Cov_t (0, 1 / V): the line of a topic with many answers hardly moves. Before any answer,
V + S^2 is the variance of an offset.

Answers are not normal measurements: one step from d = 0 goes too far where they contradict the prior much. So E[d] is
limited to `MOST`, beyond what the first thirds of three streams came to. Mean and deviation are rounded, so that they
do not change with every answer of a long stream.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesift.decide.platt import LEAST_SLOPE, Line
from bayesift.filtering.topic_calibration import LINE_SD

Floats = NDArray[np.float64]
SHIFT_SD = 0.9375  # S, a multiple of STEP
STEP = 1.0 / 16.0  # of mean and deviation
MOST = 4.0
VARIANCE = LINE_SD[1] ** 2  # V


class SharedPrior(NamedTuple):
    """The shift d: its mean and deviation."""

    shift: float = 0.0
    sd: float = SHIFT_SD

    @classmethod
    def of(cls, offsets: Floats, variances: Floats, priors: Floats) -> SharedPrior:
        """Return the shift that the offsets of topics give, with their variances and prior means.

        Three topics that turned out better than expected, and one without an answer:

        >>> offsets, variances = np.array([-1.4, -1.0, -1.6, -2.4]), VARIANCE * np.array([0.4, 0.3, 0.6, 1.0])
        >>> SharedPrior.of(offsets, variances, priors=np.full(4, -2.4))
        SharedPrior(shift=1.25, sd=0.5625)
        """
        known = VARIANCE / SHIFT_SD**2 + float((1.0 - variances / VARIANCE).sum())
        mean, sd = float((offsets - priors).sum()) / known, (VARIANCE / known) ** 0.5
        return cls(round(min(max(mean, -MOST), MOST) / STEP) * STEP, round(sd / STEP) * STEP)

    def moved(self, line: Line) -> Line:
        """Return the line of a topic with this prior."""
        a, both, b = line.entries
        slope, offset, a, both, b = (float(part) for part in self.moved_parts(line.slope, line.offset, a, both, b))
        return Line(slope, offset, np.array([[a, both], [both, b]]))

    def moved_parts(self, slope: Any, offset: Any, a: Any, both: Any, b: Any) -> tuple[Any, ...]:
        """Return slopes, offsets and the entries of their covariance with this prior."""
        by, wider = self.shift / VARIANCE, (self.sd / VARIANCE) ** 2
        return (
            np.maximum(slope + both * by, LEAST_SLOPE), offset + b * by,
            a + wider * both * both, both + wider * both * b, b + wider * b * b,
        )  # fmt: skip
