"""The fast parts of the filter against ten-line versions of their formulas."""

import math

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import norm

from bayesift.beliefs import Flip, Margin, Probit
from bayesift.filtering import Profile, ProfileSettings, Row, background_of, rows_of
from bayesift.filtering.gain import expected_gain, gain_of, reach
from bayesift.filtering.learners import topic_belief
from bayesift.filtering.region import about_region
from bayesift.filtering.rows import Batch
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.thresholds import Thresholds
from bayesift.filtering.topic_counts import TopicCounts
from bayesift.filtering.topic_index import TopicIndex
from bayesift.learn.term_selection import TermCounts


@pytest.mark.parametrize("m", [-3.0, -0.5, 0.0, 1.2])
@pytest.mark.parametrize("v", [0.1, 2.0])
@pytest.mark.parametrize("y", [-1, 1])
def test_gain_of_flip_is_the_papers_formula(m, v, y):
    kappa = 0.1
    z = kappa + (1 - 2 * kappa) * norm.cdf(y * m / math.sqrt(v))
    _, g1, g2 = Flip(kappa).moments(y, m, v)
    m_new, v_new = m + g1 * v, v + g2 * v * v
    paper = math.log2(kappa) + norm.cdf(y * m_new / math.sqrt(v_new)) * math.log2((1 - kappa) / kappa) - math.log2(z)
    assert gain_of(Flip(kappa).code, float(y), m, v) == pytest.approx((z, paper), rel=1e-10)


def test_gain_of_probit_is_the_divergence_of_the_whole_belief():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(4, 4))
    C, mean, x = a @ a.T / 4 + np.eye(4), rng.normal(size=4), rng.normal(size=4)
    s = C @ x
    m, v = mean @ x, x @ s
    _, g1, g2 = Probit(0.5).moments(-1, m, v)
    new, C_new = mean + g1 * s, C + g2 * np.outer(s, s)
    inverse, d = np.linalg.inv(C), new - mean
    kl = 0.5 * (np.trace(inverse @ C_new) - 4 + d @ inverse @ d - np.log(np.linalg.det(C_new) / np.linalg.det(C)))
    assert gain_of(Probit(0.5).code, -1.0, m, v)[1] == pytest.approx(kl / math.log(2), rel=1e-9)


@pytest.mark.parametrize("theta", [0.001, 0.0077, 0.1, 0.2])
def test_reach_is_where_the_gain_meets_theta(theta):
    u = reach(Flip().code, theta)
    assert expected_gain(Flip().code, 1.7 * u, 1.7**2) == pytest.approx(theta, rel=1e-9)
    assert expected_gain(Flip().code, 0.9 * u, 1.0) > theta > expected_gain(Flip().code, 1.1 * u, 1.0)


def test_the_gain_of_flip_falls_with_u_and_is_never_positive_again():
    gains = np.array([expected_gain(Flip().code, u, 1.0) for u in np.linspace(0.0, 8.0, 400)])
    below = int(np.argmax(gains < 0))
    assert (np.diff(gains[:below]) < 0).all()
    assert (gains[below:] < 1e-9).all()


def test_nothing_reaches_a_theta_beyond_one_bit():
    assert reach(Flip().code, 1.0) < 0


def sample(seed, n=120, d=40):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, 0.15, "csr", rng=rng)
    X.sort_indices()
    y = np.asarray(X[:, :3].sum(axis=1)).ravel() > 0.4
    return sparse.csr_matrix(X), y


@pytest.mark.parametrize("seed", range(4))
def test_terms_are_those_of_term_counts(seed):
    X, y = sample(seed)
    start = 80
    counts = TopicCounts(background_of(X[:start]))
    rows = list(rows_of(X))
    for i in range(len(rows)):
        if i < start and y[i]:
            counts.add(rows[i], relevant=True, new=False)
        elif i >= start:
            counts.add(rows[i], relevant=bool(y[i]))
    plain = TermCounts().add(X, y[:, None].astype(int))
    for cut in (0.5, 2.0, 6.0):
        assert np.sort(counts.best(cut, 10**6)).tolist() == plain.select(0, min_statistic=cut, max_terms=None).tolist()
    assert np.sort(counts.best(0.5, 5)).tolist() == plain.select(0, min_statistic=0.5, max_terms=5).tolist()


def test_a_profile_learns_as_the_dense_formulas_say():
    X, y = sample(1)
    profile = Profile.start(
        "t", ProfileSettings(min_statistic=1.0), training=X, relevant=np.flatnonzero(y), statement=next(rows_of(X))
    )
    D = np.hstack([np.ones((121, 1)), np.vstack([X.toarray(), X[[0]].toarray()])[:, profile.terms]])
    mean, C = np.zeros(D.shape[1]), np.eye(D.shape[1])
    for _ in range(3):
        for x, sign in zip(D, [*np.where(y, 1, -1), 1]):
            s = C @ x
            _, g1, g2 = Flip(0.1).moments(sign, mean @ x, x @ s)
            mean, C = mean + g1 * s, C + g2 * np.outer(s, s)
    assert profile.belief.mean == pytest.approx(mean, abs=1e-9)
    assert profile.belief.table == pytest.approx(C, abs=1e-9)


def test_the_diagonal_belief_is_the_full_one_where_terms_never_meet():
    rng = np.random.default_rng(0)
    belief, mean, var = topic_belief("diagonal-perceptron"), np.zeros(4), np.ones(4)
    belief.grow(3)
    for _ in range(30):
        j, x, y = int(rng.integers(3)), float(rng.random()), int(rng.choice([-1, 1]))
        full = np.zeros(4)
        full[[0, j + 1]] = 1.0, x
        _, g1, g2 = Margin(0.0, 0.5).moments(y, mean @ full, full @ (var * full))
        mean, var = mean + var * full * g1, var + (var * full) ** 2 * g2
        belief.learn(Batch.of([Row.of({j: x})]), np.array([float(y)]))
    assert belief.mean == pytest.approx(mean, abs=1e-12)
    assert belief.table[0] == pytest.approx(var, abs=1e-12)


@pytest.mark.parametrize("learner", ["flip-perceptron", "perceptron", "diagonal-perceptron"])
def test_the_index_finds_what_each_profile_says(learner):
    X, y = sample(2)
    rows = list(rows_of(X))
    profiles = [
        Profile.start(str(k), ProfileSettings(learner=learner, min_statistic=1.0), training=X[:60],
                      relevant=np.flatnonzero(y[:60] ^ (np.arange(60) % (k + 2) == 0)))
        for k in range(5)
    ]  # fmt: skip
    index = TopicIndex(profiles)
    thresholds = Thresholds(Strategy("none"), None, [profile.belief.code for profile in profiles])
    u, least = [-1.0, np.inf, -0.2, np.inf, np.inf], [np.inf, 0.3, np.inf, 0.01, np.inf]
    thresholds.restore(np.array([u, [0.0] * 5, least]), np.zeros(5, int))
    for row in rows[60:]:
        topics, m, v = index.near(row)
        everything = {t: (a, b) for t, a, b in zip(topics.tolist(), m, v)}
        for t, profile in enumerate(profiles):
            assert (t in everything) == bool(np.isin(row.columns, profile.terms).any())
            if t in everything:
                assert everything[t] == pytest.approx(profile.field(row), abs=1e-12)
        near = set(index.near(row, thresholds)[0].tolist())
        for t, (a, b) in everything.items():
            code = profiles[t].belief.code
            ours = a / math.sqrt(b + (0.0 if learner == "flip-perceptron" else code[1] ** 2))
            wanted = a > 0 or ours > thresholds.u[t] or expected_gain(code, a, b) >= thresholds.least_gain[t]
            assert (t in near) == wanted


def test_gain_about_the_document_itself_is_its_own_gain():
    X, y = sample(3)
    settings = ProfileSettings(learner="perceptron", min_statistic=1.0)
    profile = Profile.start("t", settings, training=X, relevant=np.flatnonzero(y))
    row = profile.local(list(rows_of(X))[5])
    m, v = profile.field(list(rows_of(X))[5])
    code, mean, table = profile.belief.code, profile.belief.mean, profile.belief.table
    gain, _ = about_region(code, m, v, *row, *Batch.of([row]), mean, table, 0.5)
    assert gain == pytest.approx(expected_gain(code, m, v), rel=1e-9)
    elsewhere = Row(np.array([], np.int32), np.array([]))
    assert about_region(code, m, v, *row, *Batch.of([elsewhere]), mean, table, 0.5)[0] < gain
