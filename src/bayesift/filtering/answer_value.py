"""What the answer about a document would add to the utility of the documents to come (MacKay 1992).

The region of interest is where a topic's decisions are made: the documents z of the background with the highest scores.
An answer tells how far the topic's scores can be trusted: the log-odds of x and z are on one line, which is not known
(`topic_calibration`), so their fields are jointly Gaussian. An answer y about x, with probability p(y), moves the field
of z to m_z + g1 c, v_z + g2 c^2 (`beliefs.likelihoods`), and with it the utility max(0, p_z - t) of showing z. That an
answer also makes the scores better is not counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from bayesift.beliefs.likelihoods import moments
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.topic_lines import TopicLines
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
CODE = GPProfile.code
REGION = 24  # documents of the background that stand for those to come


def answer_values(lines: TopicLines, topics: Longs, scores: Floats, t: Floats) -> Floats:
    """Return the expected rise of max(0, p_z - t), as a sum over the region, per document of the background.

    Parameters
    ----------
    lines : TopicLines
        The calibrations of all topics.
    topics : array of int
        The topics that an answer is for, which have a background.
    scores : array of float
        The score of x for each of them.
    t : array of float
        The probability from which on each of them shows a document.
    """
    region = np.array([lines.usual[i][:REGION] for i in topics.tolist()], np.float64)
    here, there = lines.positions(topics, scores[:, None]), lines.positions(topics, region)
    m, v = lines.fields_at(topics, here)
    region_m, region_v = lines.fields_at(topics, there)
    c, least = lines.covariances(topics, here, there), t[:, None]
    log_z, g1, g2 = _moments(m[:, 0], v[:, 0])
    value = -np.maximum(ndtr(region_m / np.sqrt(1.0 + region_v)) - least, 0.0)
    for y in range(2):
        v_new = np.maximum(region_v + g2[y][:, None] * c * c, 0.0)
        p = ndtr((region_m + g1[y][:, None] * c) / np.sqrt(1.0 + v_new))
        value += np.exp(log_z[y])[:, None] * np.maximum(p - least, 0.0)
    return np.asarray(value.sum(axis=1) / lines.sizes[topics])


@kernel
def _moments(m: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
    """Return log Z, g1 and g2 of both answers: (2, fields) each."""
    log_z, g1, g2 = np.empty((2, m.size)), np.empty((2, m.size)), np.empty((2, m.size))
    for y in range(2):
        for i in range(m.size):
            log_z[y, i], g1[y, i], g2[y, i] = moments(CODE, 2.0 * y - 1.0, m[i], v[i])
    return log_z, g1, g2
