"""What an answer is worth: several topics at once, against the two answers followed one by one."""

import numpy as np
from scipy.special import expit, ndtr, ndtri
from scipy.stats import multivariate_normal
from tests.unit.filtering.gp_streams import made, run

from bayesift.beliefs import Probit
from bayesift.filtering.answer_value import REGION, answer_values


def reference(profile, score, t, belief_after):
    """Follow both answers: what they make of the probabilities of the region, and how probable they are."""
    line, tail = profile.calibration.line, profile.calibration.tail

    def field(score):
        u = np.log(max(tail.place(score), 1.0)) - 2.0
        inputs = np.array([u, 1.0])
        v = 0.36 * inputs @ line.covariance @ inputs
        return u, ndtri(expit(line.logit(u))) * np.sqrt(1.0 + v), v

    u, m, v = field(score)
    total = 0.0
    for other in profile.usual[:REGION].astype(np.float64):
        z, m_z, v_z = field(other)
        c = 0.36 * np.array([u, 1.0]) @ line.covariance @ np.array([z, 1.0])
        after = [(p_y, max(p - t, 0.0)) for p_y, p in belief_after(m, v, m_z, v_z, c)]
        total += sum(p_y * gain for p_y, gain in after) - max(ndtr(m_z / np.sqrt(1.0 + v_z)) - t, 0.0)
    return total / profile.usual.size


def by_moments(m, v, m_z, v_z, c):
    for y in (-1, 1):
        log_z, g1, g2 = Probit(1.0).moments(y, m, v)
        yield np.exp(log_z), ndtr((m_z + g1 * c) / np.sqrt(1.0 + v_z + g2 * c * c))


def by_integrals(m, v, m_z, v_z, c):
    for y in (-1, 1):
        p_y = ndtr(y * m / np.sqrt(1.0 + v))
        both = multivariate_normal(cov=[[1.0 + v, y * c], [y * c, 1.0 + v_z]]).cdf([y * m, m_z])
        yield p_y, both / p_y


def test_the_value_of_an_answer_is_what_both_answers_would_change():
    stream, rows, Y = made(balance=0.8)
    run(stream, rows, Y, end=150)
    lines, n = stream.decisions.lines, len(stream.topics)
    topics, t = np.arange(n), np.linspace(0.2, 0.6, n)
    scores = np.array([topic.profile.usual[5] for topic in stream.topics], np.float64)
    values = answer_values(lines, topics, scores, t)
    assert (values > 1e-5).sum() > 1
    each = list(zip([topic.profile for topic in stream.topics], scores, t))
    np.testing.assert_allclose(values, [reference(*one, by_moments) for one in each], atol=1e-12)
    np.testing.assert_allclose(values, [reference(*one, by_integrals) for one in each], rtol=0.02, atol=1e-5)
    for i in range(n):  # one by one, to the byte
        assert answer_values(lines, topics[i : i + 1], scores[i : i + 1], t[i : i + 1])[0] == values[i]
