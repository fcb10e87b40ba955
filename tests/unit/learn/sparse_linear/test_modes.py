"""Modes under each prior hold the stated conditions, and what is reported around them is the curvature's."""


import numpy as np
import pytest
from scipy import sparse
from tests.reference import modes as reference

from bayesift.errors import BadInput
from bayesift.learn.prior_width import choose, grid_of
from bayesift.learn.priors import FeaturePrior, Jeffreys, Laplace, Normal
from bayesift.learn.sparse_linear.descent import LOGISTIC, PROBIT, Columns
from bayesift.learn.sparse_linear.modes import find_mode, path, solve

LINKS = {"logistic": LOGISTIC, "probit": PROBIT}
SHAPES = {"normal": Normal(0.5), "laplace": Laplace(8.0)}  # standard deviations sqrt(1/2) and 1/2
DEVIATION = {"normal": np.sqrt(0.5), "laplace": 0.5}
every_case = pytest.mark.parametrize(("link", "prior"), [(a, b) for a in LINKS for b in SHAPES])


def documents(n=400, d=40, seed=0, noise=1.0, telling=6, strength=2.0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.25, random_state=seed, format="csr")
    X.data = X.data * 3.0
    beta = np.zeros(d)
    beta[:telling] = strength * rng.choice([-1.0, 1.0], telling)
    return X, np.where(X @ beta + noise * rng.logistic(size=n) > 0.5, 1.0, -1.0)


def weights(mode, d):
    beta = np.zeros(d)
    beta[mode.index] = mode.weight
    return beta


def knowledge(d, seed=0):
    """Of every other feature: a mean, and a deviation of its own."""
    rng = np.random.default_rng(seed)
    mean, sd = np.zeros(d), np.full(d, np.nan)
    mean[::2], sd[::2] = rng.normal(size=d)[::2], rng.uniform(0.1, 2.0, d)[::2]
    return FeaturePrior(mean, sd)


@every_case
@pytest.mark.parametrize("informed", [False, True])
def test_optimality_conditions(link, prior, informed):
    X, y = documents()
    known = knowledge(40) if informed else None
    mode = find_mode(Columns.of(X), y, LINKS[link], SHAPES[prior], known, 1e-6)
    mean = known.mean if informed else np.zeros(40)
    sd = np.where(np.isnan(known.sd), DEVIATION[prior], known.sd) if informed else np.full(40, DEVIATION[prior])
    given = (link, prior, X, y, mode.intercept, weights(mode, 40), mean, sd)
    assert reference.violation(*given) <= 1e-6
    assert mode.objective == pytest.approx(reference.objective(*given), rel=1e-12)
    if prior == "laplace":  # exactly at what was known beforehand, for some
        assert (weights(mode, 40) == mean).sum() >= 3


@every_case
def test_the_intercept_is_not_shrunk(link, prior):
    X, _ = documents()
    y = np.where(np.arange(400) % 20 == 0, 1.0, -1.0)
    narrow = {"normal": Normal(1e-10), "laplace": Laplace(1e10)}[prior]
    mode = find_mode(Columns.of(X), y, LINKS[link], narrow, None, 1e-8)
    assert np.abs(weights(mode, 40)).max() < 1e-6
    p = 1.0 / (1.0 + np.exp(-mode.intercept)) if link == "logistic" else np.exp(reference.log_ndtr(mode.intercept))
    assert p == pytest.approx(0.05, abs=1e-6)


@every_case
def test_deviations_are_those_of_the_inverse_hessian(link, prior):
    X, y = documents(seed=1)
    mode = find_mode(Columns.of(X), y, LINKS[link], SHAPES[prior], None, 1e-8)
    curvature = np.full(mode.index.size, 2.0 if prior == "normal" else 0.0)
    kept = X.toarray()[:, mode.index]
    expected = reference.deviations(link, kept, y, mode.intercept, mode.weight, curvature)
    np.testing.assert_allclose(mode.sd, expected[1:], rtol=1e-6)
    assert mode.intercept_sd == pytest.approx(expected[0], rel=1e-6)
    m, v = mode.field(X[:9])
    np.testing.assert_allclose(m, kept[:9] @ mode.weight + mode.intercept)
    np.testing.assert_allclose(v, kept[:9] ** 2 @ mode.sd**2 + mode.intercept_sd**2)


@pytest.mark.parametrize("link", LINKS)
def test_the_evidence_is_the_integral_of_the_posterior(link):
    X, y = documents(n=300, d=1, seed=2, telling=1)
    mode = find_mode(Columns.of(X), y, LINKS[link], Normal(2.0), None, 1e-8)
    b = mode.intercept + mode.intercept_sd * np.linspace(-8, 8, 161)
    w = mode.weight[0] + mode.sd[0] * np.linspace(-8, 8, 161)
    cells = (b[1] - b[0]) * (w[1] - w[0])
    given = (link, "normal", X, y)
    logs = np.array([[-reference.objective(*given, i, np.array([j]), 0.0, np.sqrt(2.0)) for j in w] for i in b])
    exact = np.log(np.exp(logs - logs.max()).sum() * cells) + logs.max() - 0.5 * np.log(2.0 * np.pi * 2.0)
    assert mode.log_evidence + 0.5 * np.log(2.0 * np.pi) == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("link", LINKS)
def test_jeffreys_ends_at_a_local_optimum(link):
    X, y = documents(n=600, seed=3)
    mode = find_mode(Columns.of(X), y, LINKS[link], Jeffreys(), None, 1e-8)
    beta = weights(mode, 40)
    assert 0 < mode.index.size < 20
    u = y * (X @ beta + mode.intercept)
    g = -y * reference.first(link, u)
    np.testing.assert_allclose((X.T @ g)[mode.index], -1.0 / mode.weight, rtol=1e-4)
    assert abs(g.sum()) < 1e-6
    laplace = find_mode(Columns.of(X), y, LINKS[link], Laplace(1.0), None, 1e-6)
    assert mode.index.size < laplace.index.size


@every_case
def test_the_path_equals_separate_fits(link, prior):
    X, y = documents(seed=4)
    columns, shapes = Columns.of(X), grid_of(SHAPES[prior], 8)[::-1]
    together = path(columns, y, LINKS[link], shapes, None, 1e-8)
    for shape, found in zip(shapes, together):
        alone = solve(columns, y, LINKS[link], shape, None, 1e-8)
        assert found.objective == pytest.approx(alone.objective, rel=1e-10)
        np.testing.assert_allclose(found.beta, alone.beta, atol=1e-5)
    kept = [np.count_nonzero(found.beta) for found in together]
    assert prior == "normal" or kept[0] > kept[-1]


@pytest.mark.parametrize("by", ["cv", "evidence"])
@pytest.mark.parametrize("prior", SHAPES)
def test_the_width_chosen_is_neither_end_and_predicts_well(by, prior):
    X, y = documents(n=500, d=80, seed=5, strength=1.5)
    fresh, fresh_y = documents(n=500, d=80, seed=5, strength=1.5, noise=0.0)
    shapes = grid_of(SHAPES[prior], 10)
    mode, shape, scores = choose(X, y, LOGISTIC, shapes, None, by, 3, 0, 1e-6)
    best = shapes.index(shape)
    assert 0 < best < 9
    assert best == int(np.argmax(scores))
    swept = path(Columns.of(X), y, LOGISTIC, shapes, None, 1e-6)
    right = [(np.sign(fresh @ s.beta + s.intercept) == fresh_y).mean() for s in swept]
    assert right[best] >= max(right) - 0.05
    assert right[best] > right[0] + 0.1
    np.testing.assert_allclose(weights(mode, 80), swept[best].beta)


def test_a_choice_that_cannot_be_made_is_named():
    X, y = documents()
    with pytest.raises(BadInput, match="Jeffreys"):
        grid_of(Jeffreys())
    with pytest.raises(BadInput, match="Jeffreys"):
        choose(X, y, LOGISTIC, [Jeffreys()], None, "cv", 3, 0, 1e-6)
    with pytest.raises(BadInput, match="choose is 'luck'"):
        choose(X, y, LOGISTIC, grid_of(Normal()), None, "luck", 3, 0, 1e-6)
