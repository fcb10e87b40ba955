"""The sparse classifiers as their users see them."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.learn.priors import FeaturePrior, Jeffreys, Laplace, Normal
from bayesift.learn.sparse_linear.logistic import SparseLogistic
from bayesift.learn.sparse_linear.probit import SparseProbit

both = pytest.mark.parametrize("learner", [SparseLogistic, SparseProbit])


def documents(n=300, d=30, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.3, random_state=seed, format="csr")
    X.data = X.data * 3.0
    beta = np.where(np.arange(d) < 5, 2.0, 0.0) * rng.choice([-1.0, 1.0], d)
    return X, (X @ beta + rng.normal(size=n) > 0.3).astype(int)


@both
def test_keeps_few_weights_and_names_them(learner):
    X, y = documents()
    model = learner(Laplace(60.0)).fit(X, y)
    assert np.array_equal(model.kept_, np.flatnonzero(model.coef_[0]))
    assert 3 <= model.kept_.size < 20
    assert (model.coef_sd_[0] > 0.0).sum() == model.kept_.size
    assert model.score(X, y) > 0.85
    z = X @ model.coef_[0] + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), z)


@both
@pytest.mark.parametrize("prior", [Normal(1e12), Laplace(1e-12)])
def test_separable_data_under_a_flat_prior_end_and_are_told(learner, prior):
    X = np.array([[1.0, 0.0], [2.0, 1.0], [-1.0, 0.5], [-2.0, 0.0]] * 5)
    y = [1, 1, 0, 0] * 5
    if learner is SparseProbit and isinstance(prior, Laplace):
        prior = Laplace(1e-60)
    model = learner(prior)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model.fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.coef_sd_).all()
    assert np.isfinite(model.predict_proba(X)).all()
    assert model.score(X, y) == 1.0
    assert any("separated perfectly" in str(w.message) for w in told)


@both
@pytest.mark.parametrize("prior", ["normal", "laplace", "jeffreys"])
@pytest.mark.filterwarnings("ignore")
def test_one_kind_of_label_only(learner, prior):
    X, _ = documents()
    model = learner(prior).fit_signs(X, np.full(300, -1.0))
    p = model.predict_proba(X)[:, 1]
    assert np.isfinite(p).all()
    assert p.max() < 0.01
    assert np.isfinite(model.coef_sd_).all()
    with pytest.raises(BadInput, match="one class"):
        learner(prior).fit(X, np.zeros(300, int))


@both
def test_knowledge_pulls_weights_without_data_to_its_mean(learner):
    X, y = documents()
    wide = sparse.hstack([X, sparse.csr_matrix((300, 2))]).tocsr()
    mean, sd = np.zeros(32), np.full(32, np.nan)
    mean[30], sd[30] = 1.5, 0.5
    for prior in ("normal", "laplace"):
        model = learner(prior, feature_prior=FeaturePrior(mean, sd)).fit(wide, y)
        assert model.coef_[0, 30:].tolist() == [1.5, 0.0]
        plain = learner(prior).fit(X, y)
        np.testing.assert_allclose(model.coef_[0, :30], plain.coef_[0], atol=1e-5)


def test_jeffreys_says_that_it_is_one_of_many():
    X, y = documents()
    with pytest.warns(UserWarning, match="many modes"):
        SparseLogistic(Jeffreys()).fit(X, y)


@both
@pytest.mark.parametrize("by", ["cv", "evidence"])
def test_the_width_is_chosen_and_reported(learner, by):
    X, y = documents(seed=3)
    grid = [Laplace(g) for g in (1e4, 100.0, 10.0, 1.0)]
    model = learner(choose=by, grid=grid).fit(X, y)
    assert model.prior_ == grid[int(np.argmax(model.scores_))]
    assert model.prior_ != grid[0]
    fixed = learner(model.prior_).fit(X, y)
    np.testing.assert_allclose(model.coef_, fixed.coef_, atol=1e-5)
    again = learner(choose=by, grid=grid).fit(X, y)
    assert np.array_equal(again.scores_, model.scores_)


def test_settings_that_do_not_go_together_are_named():
    X, y = documents()
    for wrong in (SparseProbit(solver="luck"), SparseProbit(solver="em", choose="cv")):
        with pytest.raises(BadInput, match="solver"):
            wrong.fit(X, y)
    with pytest.raises(BadInput, match="no prior"):
        SparseLogistic("cauchy").fit(X, y)


@pytest.mark.parametrize("block", [None, 7])
def test_both_probit_solvers_agree(block):
    X, y = documents(n=150, d=20)
    direct, em = SparseProbit().fit(X, y), SparseProbit(solver="em", block=block).fit(X, y)
    np.testing.assert_allclose(em.coef_, direct.coef_, atol=1e-5)
    np.testing.assert_allclose(em.predict_proba(X), direct.predict_proba(X), atol=1e-5)
