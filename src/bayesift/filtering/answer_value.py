"""What the answer about a document would add to the utility of the documents to come (MacKay 1992).

The region of interest is where a topic's decisions are made: the documents z of the background with the highest scores.
An answer tells how far the topic's scores can be trusted: the log-odds of x and z are on one line, which is not known
(`topic_calibration`), so their fields are jointly Gaussian. An answer y about x, with probability p(y), moves the field
of z to m_z + g1 c, v_z + g2 c^2 (`beliefs.likelihoods`), and with it the utility max(0, p_z - t) of showing z. That an
answer also makes the scores better is not counted.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from bayesift.beliefs.likelihoods import moments
from bayesift.filtering.gp_profile import GPProfile

REGION = 24  # documents of the background that stand for those to come


def answer_value(profile: GPProfile, score: float, t: float) -> float:
    """Return the expected rise of max(0, p_z - t), as a sum over the region, per document of the background."""
    calibration = profile.calibration
    positions = calibration.positions(profile.usual[:REGION])
    here = calibration.position(score)
    (m, v), (region_m, region_v) = calibration.field(score), calibration.fields(positions)
    c = calibration.covariance(here, positions)
    before = np.maximum(ndtr(region_m / np.sqrt(1.0 + region_v)) - t, 0.0)
    after = np.zeros(positions.size)
    for y in (-1.0, 1.0):
        log_z, g1, g2 = moments(profile.code, y, m, v)
        v_new = np.maximum(region_v + g2 * c * c, 0.0)
        after += np.exp(log_z) * np.maximum(ndtr((region_m + g1 * c) / np.sqrt(1.0 + v_new)) - t, 0.0)
    return float((after - before).sum()) / max(profile.usual.size, 1)
