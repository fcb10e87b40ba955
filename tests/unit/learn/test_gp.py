"""The Gaussian process against exact moment matching, the textbook's sparse steps, and the perceptron."""

import copy

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import check_estimator
from tests.reference import gp as reference

from bayesift.beliefs import Flip, Probit
from bayesift.errors import BadInput
from bayesift.learn.gp import GaussianProcess
from bayesift.learn.kernels import Linear, Polynomial, Rbf, kernel_of
from bayesift.learn.perceptron import BayesianPerceptron

KERNELS = ["linear", "poly", "rbf"]
ALL = 10**9


def documents(n, features, seed=0, density=0.3):
    """Sparse rows, and labels that follow a line, a tenth of them turned."""
    rng = np.random.default_rng(seed)
    x = sparse.random(n, features, density, "csr", rng=rng, data_rvs=rng.random)
    signs = np.where(x @ rng.normal(size=features) + 0.1 * rng.normal(size=n) > 0, 1.0, -1.0)
    signs[rng.random(n) < 0.1] *= -1
    signs[:2] = 1.0, -1.0
    return x, signs


def same(a, b):
    """Two beliefs, to the bit."""
    return all(np.array_equal(x, y) for x, y in zip(vars(a).values(), vars(b).values()))


def gram_inverse(belief):
    """Both halves of Q."""
    lower = np.tril(belief.inverse[: belief.n_basis, : belief.n_basis])
    return lower + np.tril(lower, -1).T


def basis_documents(model):
    """The documents that are basis vectors, counted from the first one learned."""
    return model.belief_.numbers[: model.belief_.n_basis].copy()


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("likelihood", [Probit(0.5), Flip(0.1)])
def test_without_a_cap_it_is_exact(kernel, likelihood):
    x, y = documents(120, 15)
    new = documents(40, 15, seed=1)[0]
    model = GaussianProcess(kernel, likelihood, passes=2, max_basis=ALL, tolerance=0.0).fit(x, y)
    assert model.belief_.n_basis == 120
    m, v = reference.exact(kernel, likelihood.moments, x.toarray(), y, new.toarray(), passes=2)
    ours_m, ours_v = model.predict_field(new)
    np.testing.assert_allclose(ours_m, m, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(ours_v, v, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("cap", "tolerance"), [(6, 0.0), (12, 1e-3), (ALL, 0.05)])
def test_equals_the_textbook_with_a_cap_and_a_tolerance(kernel, cap, tolerance):
    x, y = documents(150, 10, seed=2)
    new = documents(30, 10, seed=3)[0]
    m, v, kept = reference.sparse(
        kernel, Probit().moments, x.toarray(), y, new.toarray(), cap, tolerance, passes=2
    )  # fmt: skip
    model = GaussianProcess(kernel, passes=2, max_basis=cap, tolerance=tolerance).fit(x, y)
    assert 0 < len(kept) < 150
    assert sorted(basis_documents(model)) == sorted(kept)
    np.testing.assert_array_equal(model.basis_.toarray(), x[basis_documents(model)].toarray())
    ours_m, ours_v = model.predict_field(new)
    np.testing.assert_allclose(ours_m, m, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(ours_v, v, rtol=1e-6, atol=1e-6)


def test_linear_is_the_perceptron():
    x, y = documents(400, 20, seed=4)
    gp = GaussianProcess(Linear(jitter=0.0), passes=3, max_basis=ALL, tolerance=0.0).fit(x, y)
    perceptron = BayesianPerceptron(passes=3).fit(x, y)
    assert gp.belief_.n_basis == 21
    for ours, theirs in zip(gp.predict_field(x), perceptron.predict_field(x)):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)
    np.testing.assert_allclose(gp.predict_proba(x), perceptron.predict_proba(x), atol=1e-6)


def test_jitter_is_noise_of_each_document():
    x, y = documents(200, 12, seed=5)
    new = documents(50, 12, seed=6)[0]
    gp = GaussianProcess(Linear(jitter=0.01), Probit(0.5), passes=1, max_basis=ALL, tolerance=0.0).fit(x, y)
    perceptron = BayesianPerceptron(Probit(np.sqrt(0.25 + 0.01)), passes=1).fit(x, y)
    np.testing.assert_allclose(gp.predict_proba(new), perceptron.predict_proba(new), atol=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
def test_q_is_the_inverse_after_10_000_steps(kernel):
    x, y = documents(10_000, 60, seed=7, density=0.1)
    y = y * np.where(np.random.default_rng(8).random(y.size) < 0.2, -1.0, 1.0)  # hard: vectors come and go all the time
    model = GaussianProcess(kernel, passes=1, max_basis=40, tolerance=0.0).fit(x, y)
    basis = model.basis_.toarray()
    k = reference.gram(kernel, basis, basis) + 1e-4 * np.eye(40)
    assert basis_documents(model).max() > 9_000
    np.testing.assert_allclose(gram_inverse(model.belief_) @ k, np.eye(40), atol=1e-7)
    covariance = model.belief_.covariance()
    np.testing.assert_array_equal(covariance, covariance.T)
    assert np.linalg.eigvalsh(k + k @ covariance @ k).min() > 0


@pytest.mark.parametrize("kernel", KERNELS)
def test_one_by_one_is_the_same_as_all_at_once(kernel):
    x, y = documents(300, 25, seed=9)
    given = {"max_basis": 20, "tolerance": 1e-4}
    together = GaussianProcess(kernel, **given).partial_fit(x, y)
    alone, in_parts = GaussianProcess(kernel, **given), GaussianProcess(kernel, **given)
    for t in range(300):
        alone.partial_fit(x[t], y[t : t + 1], classes=[-1.0, 1.0])
        alone.predict_proba(x[:3])
    for part in np.split(np.arange(300), [7, 100, 101]):
        in_parts.partial_fit(x[part], y[part], classes=[-1.0, 1.0])
    assert same(together.belief_, alone.belief_)
    assert same(together.belief_, in_parts.belief_)
    assert together.belief_.n_basis == 20


def test_the_same_again():
    x, y = documents(300, 25, seed=10)
    first = GaussianProcess("rbf").fit(x, y).belief_
    assert same(first, GaussianProcess("rbf").fit(x, y).belief_)
    assert not same(first, GaussianProcess("rbf").fit(x[::-1], y[::-1]).belief_)


def test_predicting_changes_nothing():
    x, y = documents(100, 10)
    model = GaussianProcess("rbf").fit(x, y)
    before = copy.deepcopy(model.belief_)
    model.predict_proba(x)
    model.basis_, model.belief_.covariance(), gram_inverse(model.belief_)
    assert same(model.belief_, before)


def test_the_state_is_arrays_and_numbers():
    model = GaussianProcess().fit(*documents(100, 10))
    for name, value in model.belief_.state().items():
        assert isinstance(value, int | np.ndarray), name
        assert isinstance(value, int) or (value.flags.c_contiguous and value.dtype in (np.float64, np.int64)), name


@pytest.mark.parametrize("kernel", KERNELS)
def test_features_may_come_later(kernel):
    x, y = documents(200, 20, seed=11)
    few = x.tolil()
    few[:100, 8:] = 0.0
    few = few.tocsr()
    grown = GaussianProcess(kernel, max_basis=30).partial_fit(few[:100, :8], y[:100]).partial_fit(few[100:], y[100:])
    known = GaussianProcess(kernel, max_basis=30).partial_fit(few[:100], y[:100]).partial_fit(few[100:], y[100:])
    assert same(grown.belief_, known.belief_)
    assert grown.basis_.shape == (30, 20)


def test_the_cap_follows_the_features_and_can_be_lowered():
    x, y = documents(300, 25, seed=12)
    model = GaussianProcess("rbf", tolerance=0.0).partial_fit(x[:100, :10], y[:100])
    assert model.belief_.n_basis == 10
    model.partial_fit(x[100:], y[100:])
    assert model.belief_.n_basis == 25
    model.set_params(max_basis=12).partial_fit(x[:1], y[:1])
    assert model.belief_.n_basis == 12
    assert not model.belief_.alpha[12:].any()
    assert not model.belief_.waiting[:, 12:].any()
    basis = model.basis_.toarray()
    k = reference.gram("rbf", basis, basis) + 1e-4 * np.eye(12)
    np.testing.assert_allclose(gram_inverse(model.belief_) @ k, np.eye(12), atol=1e-9)


def test_a_document_met_again_is_no_new_basis_vector():
    x, y = documents(60, 10, seed=13)
    model = GaussianProcess("rbf", passes=3, max_basis=ALL, tolerance=0.0).fit(x, y)
    assert sorted(basis_documents(model)) == list(range(60))


def test_wide_documents_stay_sparse():
    x, y = documents(500, 300_000, seed=14, density=1e-4)
    model = GaussianProcess("rbf", max_basis=50).fit(x, y)
    assert model.belief_.n_basis == 50
    assert sum(a.nbytes for a in vars(model.belief_).values() if isinstance(a, np.ndarray)) < 200_000


@pytest.mark.parametrize("kernel", [*KERNELS, Linear(jitter=0.0), Polynomial(3, jitter=0.0), Rbf(0.01, jitter=0.0)])
@pytest.mark.parametrize("likelihood", ["probit", "flip"])
def test_extremes_stay_finite(kernel, likelihood):
    x, y = documents(300, 12, seed=15)
    mixed = sparse.diags(10.0 ** np.random.default_rng(16).integers(-8, 9, 300)) @ x
    same_document = sparse.vstack([x[:1]] * 300).tocsr()
    empty = sparse.csr_matrix((300, 12))
    for rows in (1e-8 * x, 1e8 * x, mixed.tocsr(), same_document, empty):
        for labels in (y, np.resize([1.0, -1.0], 300)):
            model = GaussianProcess(kernel, likelihood, tolerance=0.0).fit(rows, labels)
            m, v = model.predict_field(sparse.vstack([rows, x]).tocsr())
            assert np.isfinite(m).all()
            assert np.isfinite(v).all()
            assert (v >= 0).all()
            p = model.predict_proba(rows)
            assert ((p >= 0) & (p <= 1)).all()


def test_a_thousand_like_documents_give_a_sure_answer():
    x = np.tile([[0.6, 0.8]], (3000, 1))
    model = GaussianProcess("rbf").fit(np.vstack([x, [[0.8, -0.6]]]), np.append(np.ones(3000), 0))
    p = model.predict_proba([[0.6, 0.8]])[0, 1]
    assert p > 0.999
    torn = GaussianProcess("rbf", passes=1).fit(x, np.arange(3000) % 2).predict_proba(x[:1])[0, 1]
    assert abs(torn - 0.5) < 0.1


def test_curves_that_no_line_can_follow():
    rng = np.random.default_rng(17)
    x = rng.normal(size=(600, 2))
    y = (x[:, 0] * x[:, 1] > 0).astype(int)
    accuracy = {k: GaussianProcess(k, max_basis=60).fit(x[:400], y[:400]).score(x[400:], y[400:]) for k in KERNELS}
    assert accuracy["linear"] < 0.7
    assert min(accuracy["poly"], accuracy["rbf"]) > 0.9


@pytest.mark.parametrize("kernel", KERNELS)
def test_scikit_learn_conventions(kernel):
    check_estimator(GaussianProcess(kernel))


@pytest.mark.parametrize(
    "settings",
    [{"max_basis": 0}, {"max_basis": 2.5}, {"tolerance": -1.0}, {"tolerance": np.nan}, {"kernel": 7}, {"passes": 0}],
)
def test_bad_settings_are_told(settings):
    with pytest.raises(BadInput):
        GaussianProcess(**settings).fit([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize("make", [lambda: Linear(-1.0), lambda: Polynomial(0), lambda: Rbf(0), lambda: Rbf(jitter=-1)])
def test_bad_kernels_are_told(make):
    with pytest.raises(BadInput):
        make()


def test_kernels_by_name():
    assert kernel_of("linear") == Linear(1.0, 1e-4)
    assert kernel_of("rbf") == Rbf(1.0)
    assert kernel_of(Rbf(2.0)).code[1] == 0.125


@pytest.mark.parametrize("kernel", KERNELS)
def test_one_feature_has_room_for_its_absence(kernel):
    y = np.array([0, 1, 0] * 20)
    model = GaussianProcess(kernel).fit(2.0 * y[:, None], y)
    assert model.basis_.shape[0] == 2
    assert model.predict([[0.0], [2.0]]).tolist() == [0, 1]
    assert GaussianProcess(kernel, max_basis=1).fit(2.0 * y[:, None], y).basis_.shape[0] == 1


def test_the_constant_of_a_kernel_is_a_feature():
    x, y = documents(300, 6, seed=14)
    sizes = [GaussianProcess(kernel, tolerance=0.0).fit(x, y).belief_.n_basis for kernel in KERNELS]
    assert sizes == [7, 7, 6]
