"""The perceptron equals a plain reference after many steps, and survives what no data should contain."""


import numpy as np
import pytest
from scipy import sparse
from tests.reference import perceptron as reference

from bayesift.beliefs import Flip, Probit
from bayesift.errors import BadInput
from bayesift.learn import BayesianPerceptron


def documents(n, d, density, seed, noise=0.1):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=density, random_state=seed, format="csr")
    signs = np.where(X @ rng.normal(size=d) + noise * rng.normal(size=n) > 0.1, 1, -1)
    return X, signs


@pytest.mark.parametrize(
    ("name", "kind", "spread"), [("probit", "probit", 0.5), ("logit", "probit", 1.6474), ("flip", "flip", 0.1)]
)
def test_equals_the_reference_after_30_000_updates(name, kind, spread):
    X, signs = documents(10_000, 37, 0.15, seed=3)
    model = BayesianPerceptron(name, passes=3).fit(X, signs)
    mean, covariance = reference.learn(X.toarray(), signs, kind, spread, passes=3)
    ours = model.belief_.covariance()
    np.testing.assert_allclose(model.belief_.mean, mean, rtol=0, atol=1e-9 * np.abs(mean).max())
    np.testing.assert_allclose(ours, covariance, rtol=0, atol=1e-9 * np.abs(covariance).max())
    assert np.array_equal(ours, ours.T)
    eigenvalues = np.linalg.eigvalsh(ours)
    assert eigenvalues.min() > -1e-10 * eigenvalues.max()


@pytest.mark.parametrize("updates", [1, 3, 31, 32, 33, 64])
def test_waiting_updates_are_taken_into_account(updates):
    X, signs = documents(updates, 9, 0.5, seed=updates)
    model = BayesianPerceptron().partial_fit(X, signs, classes=[-1, 1])
    mean, covariance = reference.learn(X.toarray(), signs)
    np.testing.assert_allclose(model.belief_.mean, mean, atol=1e-12)
    np.testing.assert_allclose(model.belief_.covariance(), covariance, atol=1e-12)
    m, v = model.predict_field(X)
    full = np.column_stack([np.ones(updates), X.toarray()])
    np.testing.assert_allclose(m, full @ mean, atol=1e-12)
    np.testing.assert_allclose(v, np.einsum("ij,jk,ik->i", full, covariance, full), atol=1e-12)
    np.testing.assert_allclose(model.coef_sd_[0], np.sqrt(np.diag(covariance))[1:], atol=1e-12)


@pytest.mark.parametrize("scale", [1e-8, 1e-4, 1.0, 1e4, 1e8])
@pytest.mark.parametrize("likelihood", ["probit", "logit", "flip"])
def test_no_scale_of_input_breaks_it(scale, likelihood):
    X, signs = documents(3_000, 12, 0.4, seed=5)
    model = BayesianPerceptron(likelihood).fit(X * scale, signs)
    p = model.predict_proba(X * scale)
    assert np.isfinite(p).all()
    assert np.isfinite(model.belief_.covariance()).all()
    if scale >= 1.0:
        assert (model.predict(X * scale) == signs).mean() > 0.9


def test_100_000_identical_documents():
    X = sparse.csr_matrix(np.tile([1.0, 0.5], (100_000, 1)))
    model = BayesianPerceptron(passes=1).partial_fit(X, np.ones(100_000, int), classes=[0, 1])
    assert model.predict_proba([[1.0, 0.5]])[0, 1] > 0.999
    eigenvalues = np.linalg.eigvalsh(model.belief_.covariance())
    assert eigenvalues.min() > -1e-10
    assert np.isfinite(model.belief_.mean).all()


def test_contradictory_labels_leave_it_undecided():
    X = np.tile([1.0, -2.0], (20_000, 1))
    # Flips know the sign of the field only, so the belief narrows around 0 and follows the last labels a little.
    for likelihood, width in (("probit", 0.01), ("logit", 0.01), ("flip", 0.2)):
        model = BayesianPerceptron(likelihood).fit(X, np.arange(20_000) % 2)
        assert model.predict_proba(X[:1])[0, 1] == pytest.approx(0.5, abs=width)


def test_features_that_come_later_equal_features_known_from_the_start():
    X, signs = documents(300, 20, 0.3, seed=8)
    X = X.tolil()
    X[:150, 12:] = 0
    X = X.tocsr()
    late = BayesianPerceptron().partial_fit(X[:150, :12], signs[:150], classes=[-1, 1])
    late.partial_fit(X[150:], signs[150:])
    early = BayesianPerceptron().partial_fit(X, signs, classes=[-1, 1])
    assert np.array_equal(late.belief_.mean, early.belief_.mean)
    assert np.array_equal(late.belief_.covariance(), early.belief_.covariance())


def test_the_probability_is_the_mean_over_the_belief():
    X, signs = documents(200, 5, 0.6, seed=2)
    model = BayesianPerceptron().fit(X, signs)
    m, v = model.predict_field(X[:5])
    rng = np.random.default_rng(0)
    from scipy.stats import norm

    for t in range(5):
        sampled = norm.cdf(rng.normal(m[t], np.sqrt(v[t]), 400_000) / 0.5)
        assert model.predict_proba(X[t])[0, 1] == pytest.approx(sampled.mean(), abs=2e-3)


def test_log_evidence_is_the_sum_of_log_probabilities():
    X, signs = documents(100, 5, 0.6, seed=4)
    model = BayesianPerceptron(Flip(0.2)).fit(X, signs)
    p = model.predict_proba(X)
    assert model.log_evidence(X, signs) == pytest.approx(np.log(np.where(signs > 0, p[:, 1], p[:, 0])).sum())


def test_bad_input_is_named():
    X, signs = documents(50, 5, 0.6, seed=4)
    model = BayesianPerceptron(Probit(1.0)).fit(X, signs)
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:, :3])
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :3], signs)
    with pytest.raises(BadInput, match="label 7 of document 0 was not declared"):
        model.partial_fit(X[:1], [7])
    with pytest.raises(BadInput, match="passes"):
        BayesianPerceptron(passes=0).fit(X, signs)
    with pytest.raises(BadInput, match="no likelihood"):
        BayesianPerceptron("cauchy").fit(X, signs)
    with pytest.raises(BadInput, match="50 documents and 49 labels"):
        BayesianPerceptron().fit(X, signs[:-1])
    for bad in (np.nan, np.inf):
        broken = X.toarray()
        broken[3, 2] = bad
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            model.partial_fit(broken, signs)


def test_all_zero_rows_have_the_answer_of_the_bias():
    X, signs = documents(200, 5, 0.6, seed=4)
    model = BayesianPerceptron().fit(X, signs)
    m, v = model.predict_field(sparse.csr_matrix((2, 5)))
    assert m.tolist() == [model.intercept_] * 2
    assert v == pytest.approx([model.belief_.covariance()[0, 0]] * 2)


def test_documents_that_teach_nothing_are_left_out_and_change_little():
    rng = np.random.default_rng(0)
    X = sparse.random(600, 30, density=0.2, random_state=0, format="csr")
    y = (X @ rng.normal(size=30) * 4.0 > 1.0).astype(int)
    whole, some = (BayesianPerceptron(negligible=share).fit(X, y) for share in (0.0, 0.01))
    assert not np.array_equal(whole.coef_, some.coef_)
    assert (whole.predict(X) == some.predict(X)).mean() > 0.97
    nothing = BayesianPerceptron(negligible=1.0).fit(X, y)  # no document lowers a variance by all of it
    assert np.array_equal(nothing.coef_, np.zeros((1, 30)))
