"""The descent ends where the optimality conditions hold, where LIBLINEAR ends, and on what no data should contain."""


import numpy as np
import pytest
from scipy import sparse
from tests.reference import modes as reference

from bayesift.corpora import load_corpus
from bayesift.learn.sparse_linear import quadratic
from bayesift.learn.sparse_linear.descent import (
    ABSOLUTE,
    LOGISTIC,
    PROBIT,
    SQUARE,
    Columns,
    derivatives,
    losses,
    minimise,
)
from bayesift.text import TextVectorizer

LINKS = {"logistic": LOGISTIC, "probit": PROBIT}
PRIORS = {"normal": SQUARE, "laplace": ABSOLUTE}
every_case = pytest.mark.parametrize(("link", "prior"), [(a, b) for a in LINKS for b in PRIORS])


def documents(n=400, d=60, density=0.2, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=density, random_state=seed, format="csr")
    X.data = X.data * 3.0
    telling = np.where(np.arange(d) < 8, rng.normal(size=d) * 3.0, 0.0)
    return X, np.where(X @ telling + noise * rng.normal(size=n) > 0.3, 1.0, -1.0)


def weights(prior, sd):
    return np.sqrt(2.0) / sd if prior == "laplace" else 1.0 / sd**2


def solve(X, y, link, prior, sd, **options):
    return minimise(Columns.of(sparse.csr_matrix(X)), y, LINKS[link], PRIORS[prior], weights(prior, sd), **options)


def check(X, y, link, prior, sd, found, tolerance=1e-6):
    given = (link, prior, X, y, found.intercept, found.beta, np.zeros(sd.size), sd)
    assert reference.violation(*given) <= tolerance
    assert found.violation <= tolerance
    assert found.objective == pytest.approx(reference.objective(*given), rel=1e-12)


@every_case
@pytest.mark.parametrize(("n", "d", "density"), [(400, 60, 0.2), (60, 300, 0.05), (300, 40, 1.0)])
def test_optimality_conditions(link, prior, n, d, density):
    X, y = documents(n, d, density)
    sd = np.random.default_rng(1).uniform(0.1, 3.0, d)
    check(X, y, link, prior, sd, solve(X, y, link, prior, sd))


@every_case
def test_both_ways_through_the_quadratic_model_end_at_the_same_point(link, prior):
    X, y = documents(300, 50, 0.1, seed=4)
    columns, (_, h) = Columns.of(X), derivatives(np.zeros(300), y, LINKS[link])
    g, working, xs = -0.5 * y, np.arange(50), (np.empty(300), np.empty(300))
    weight = np.append(np.full(50, 2.0), 0.0)
    beta = np.append(np.random.default_rng(0).normal(size=50), 0.3)
    region = np.append(np.full(50, 0.2 if prior == "laplace" else 1e3), 1e3)
    parts = (columns.indptr, columns.indices, columns.data, working)
    block = quadratic.block_of(*parts, 300)
    assert block.value.size == X.nnz
    slope = np.append(X.T @ g, g.sum())
    one = quadratic.descend_matrix(block, h, PRIORS[prior], weight, beta, slope, region, 1e-12, xs[0])
    two = quadratic.descend_columns(*parts, g, h, PRIORS[prior], weight, beta, region, 1e-12, xs[1])
    np.testing.assert_allclose(one, two, atol=1e-10)
    np.testing.assert_allclose(xs[0], X @ one[:-1] + one[-1], atol=1e-12)
    np.testing.assert_allclose(xs[1], xs[0], atol=1e-9)
    assert (np.abs(one) <= region).all()
    assert prior == "normal" or (np.abs(one) == region).any()


@every_case
def test_a_start_changes_nothing_beyond_the_tolerance(link, prior):
    X, y = documents(seed=2)
    sd = np.full(60, 0.7)
    cold = solve(X, y, link, prior, sd, tolerance=1e-9)
    rng = np.random.default_rng(3)
    warm = solve(X, y, link, prior, sd, tolerance=1e-9, start=(2.0, rng.normal(size=60)))
    np.testing.assert_allclose(warm.beta, cold.beta, atol=1e-7)
    assert warm.intercept == pytest.approx(cold.intercept, abs=1e-7)
    assert solve(X, y, link, prior, sd, start=(cold.intercept, cold.beta)).rounds == 0


@every_case
def test_an_offset_is_part_of_the_field(link, prior):
    X, y = documents(seed=5)
    sd, offset = np.full(60, 0.7), np.random.default_rng(0).normal(size=400)
    found = solve(X, y, link, prior, sd, offset=offset)
    u = y * (X @ found.beta + found.intercept + offset)
    assert abs((y * reference.first(link, u)).sum()) <= 1e-6
    gradient = -(X.T @ (y * reference.first(link, u)))
    if prior == "normal":
        np.testing.assert_allclose(gradient, -found.beta / sd**2, atol=1e-6)
    else:
        kept = found.beta != 0.0
        assert 0 < kept.sum() < 60
        np.testing.assert_allclose(gradient[kept], -weights(prior, sd)[kept] * np.sign(found.beta[kept]), atol=1e-6)


def test_equal_runs_give_equal_bits():
    X, y = documents(seed=6)
    first, second = (solve(X, y, "logistic", "laplace", np.ones(60)) for _ in range(2))
    assert first.beta.tobytes() == second.beta.tobytes()


def test_nearly_equal_columns():
    X, y = documents(400, 20, 0.5, seed=7)
    rng = np.random.default_rng(0)
    near = sparse.hstack([X, X, X + 1e-5 * sparse.random(400, 20, density=0.5, random_state=1)]).tocsr()
    for link in LINKS:
        for prior in PRIORS:
            sd = rng.uniform(1.0, 30.0, 60)
            check(near, y, link, prior, sd, solve(near, y, link, prior, sd))


@every_case
def test_a_copy_of_a_column_changes_no_field(link, prior):
    X, y = documents(seed=8)
    twice = sparse.hstack([X, X[:, :5]]).tocsr()
    sd = np.full(65, 0.5)
    found = solve(twice, y, link, prior, sd)
    check(twice, y, link, prior, sd, found)
    if prior == "laplace":  # the penalty of the sum is what counts, so the field is that without the copies
        alone = solve(X, y, link, prior, sd[:60])
        assert found.objective == pytest.approx(alone.objective, rel=1e-9)


@every_case
def test_columns_of_zeros_stay_at_zero(link, prior):
    X, y = documents(seed=9)
    empty = sparse.hstack([sparse.csr_matrix((400, 3)), X]).tocsr()
    found = solve(empty, y, link, prior, np.ones(63))
    assert (found.beta[:3] == 0.0).all()
    check(empty, y, link, prior, np.ones(63), found)
    flat = minimise(Columns.of(empty), y, LINKS[link], PRIORS[prior], np.append(np.zeros(3), np.ones(60)))
    assert (flat.beta[:3] == 0.0).all()


@every_case
def test_a_weight_of_zero_leaves_a_column_free(link, prior):
    X, y = documents(seed=10)
    weight = np.append(0.0, np.full(59, 3.0))
    found = minimise(Columns.of(X), y, LINKS[link], PRIORS[prior], weight)
    g = -y * reference.first(link, y * (X @ found.beta + found.intercept))
    assert abs((X.T @ g)[0]) <= 1e-6
    assert found.violation <= 1e-6


@every_case
@pytest.mark.parametrize("scale", [1e-8, 1e-3, 1e3, 1e8])
def test_no_scale_of_input_breaks_it(link, prior, scale):
    X, y = documents(seed=11)
    found = solve(X * scale, y, link, prior, np.ones(60) / scale, tolerance=1e-6 * scale)
    plain = solve(X, y, link, prior, np.ones(60))
    assert np.isfinite(found.beta).all()
    assert found.objective == pytest.approx(plain.objective, rel=1e-5)
    wide = solve(X * scale, y, link, prior, np.ones(60))
    assert np.isfinite(wide.beta).all()
    assert np.isfinite([wide.intercept, wide.objective, wide.violation]).all()


@every_case
def test_hardly_any_data(link, prior):
    one = solve(np.array([[2.0, 0.0]]), np.array([1.0]), link, prior, np.ones(2))
    assert one.violation <= 1e-6
    assert np.isfinite(one.intercept)
    y = np.array([1.0, -1.0, -1.0, -1.0])
    none = solve(np.empty((4, 0)), y, link, prior, np.empty(0))
    share = 1.0 / (1.0 + np.exp(-none.intercept)) if link == "logistic" else np.exp(reference.log_ndtr(none.intercept))
    assert share == pytest.approx(0.25, abs=1e-6)


@every_case
@pytest.mark.parametrize("kind", [1.0, -1.0])
def test_one_class_only_ends_with_a_finite_intercept(link, prior, kind):
    X, _ = documents(seed=12)
    found = solve(X, np.full(400, kind), link, prior, np.ones(60))
    assert found.violation <= 1e-6
    assert 5.0 < kind * found.intercept < 100.0


@every_case
def test_separable_data_without_a_prior_end(link, prior):
    X = np.array([[1.0, 0.0], [2.0, 1.0], [-1.0, 0.5], [-2.0, 0.0]])
    found = minimise(
        Columns.of(sparse.csr_matrix(X)), np.array([1.0, 1.0, -1.0, -1.0]), LINKS[link], PRIORS[prior], np.zeros(2)
    )
    assert found.violation <= 1e-6
    assert found.objective < 1e-5
    assert np.isfinite(found.beta).all()


@pytest.mark.parametrize("link", LINKS)
def test_losses_and_derivatives_are_those_of_the_formulas(link):
    z = np.concatenate([np.linspace(-40.0, 40.0, 81), [0.0, 1e-9]])
    for sign in (1.0, -1.0):
        y = np.full(z.size, sign)
        g, h = derivatives(z, y, LINKS[link])
        np.testing.assert_allclose(losses(z, y, LINKS[link]), -reference.log_likelihood(link, y * z), 1e-10, 1e-300)
        np.testing.assert_allclose(g, -y * reference.first(link, y * z), 1e-9, 1e-300)
        away = np.abs(z) < 10.0  # the reference's second derivative cancels far out
        np.testing.assert_allclose(h[away], -reference.second(link, y * z)[away], rtol=1e-6)


def liblinear_objective(X, y, prior, C):
    """LIBLINEAR's optimum, in units of ours: the penalty has the weight 1/C."""
    util = pytest.importorskip("liblinear.liblinearutil", reason="needs liblinear-official (extra dev)")
    solver = 6 if prior == "laplace" else 0
    e = 1e-9 if prior == "laplace" else 1e-10
    model = util.train(util.problem(y, sparse.csr_matrix(X), bias=1), f"-s {solver} -c {C} -B 1 -R -e {e} -q")
    w, b = model.get_decfun()
    w = np.array(w)
    penalty = np.abs(w).sum() if prior == "laplace" else 0.5 * w @ w
    return -reference.log_likelihood("logistic", y * (X @ w + b)).sum() + penalty / C


def check_against_liblinear(X, y, C=10.0):
    for prior, kind in PRIORS.items():
        found = minimise(Columns.of(X), y, LOGISTIC, kind, np.full(X.shape[1], 1.0 / C))
        assert found.violation <= 1e-6
        assert found.objective == pytest.approx(liblinear_objective(X, y, prior, C), rel=1e-6)


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_the_objective_is_liblinears(C):
    X, y = documents(500, 80, 0.1, seed=13, noise=2.0)
    check_against_liblinear(X, y, C)


def test_the_objective_is_liblinears_on_reuters(corpus_folder):
    corpus = load_corpus("reuters21578", split="modapte", data=corpus_folder("reuters21578").parent)
    train, _ = corpus.split()
    X = TextVectorizer(weight="ltc", numbers=False).fit_transform(train)
    for label in ("wheat", "ship", "gold"):
        check_against_liblinear(X, np.array([1.0 if label in (d.labels or ()) else -1.0 for d in train]))


def test_the_objective_is_liblinears_on_rcv1(corpus_folder):
    vectors = load_corpus("rcv1", data=corpus_folder("rcv1").parent).vectors()
    rows = slice(0, 8_000)
    X, Y = sparse.csr_matrix(vectors.X[rows], dtype=float), sparse.csc_matrix(vectors.Y[rows])
    for label in np.argsort(-np.asarray(Y.sum(axis=0)).ravel())[[10, 40]]:
        check_against_liblinear(X, np.where(Y[:, [label]].toarray().ravel() > 0, 1.0, -1.0), C=1.0)
