"""What the answer about a document would add to the utility of the documents to come (MacKay 1992).

The region of interest is where a topic's decisions are made: the documents z of the background with the highest scores.
The fields of x and z are jointly Gaussian on the scale of the log-odds: the covariance of the process times the square
of the line's slope, and that of the line itself. An answer y about x, with probability p(y), moves the field of z to
m_z + g1 c, v_z + g2 c^2 (`beliefs.likelihoods`), and with it the utility max(0, p_z - t) of showing z.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from bayesift.beliefs.likelihoods import moments
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.topic_kernel import Point

Floats = NDArray[np.float64]


def answer_value(profile: GPProfile, point: Point, score: float, t: float) -> float:
    """Return the expected rise of max(0, p_z - t), as a sum over the region, per document of the background."""
    region = profile.region()
    if not region.m.size:
        return 0.0
    m, v = profile.field_at(point, score)
    c = profile.joint(point, score, region)
    before = np.maximum(ndtr(region.m / np.sqrt(1.0 + region.v)) - t, 0.0)
    after = np.zeros(region.m.size)
    for y in (-1.0, 1.0):
        log_z, g1, g2 = moments(profile.code, y, m, v)
        v_new = np.maximum(region.v + g2 * c * c, 0.0)
        after += np.exp(log_z) * np.maximum(ndtr((region.m + g1 * c) / np.sqrt(1.0 + v_new)) - t, 0.0)
    return float((after - before).sum()) / max(profile.usual.size, 1)
