"""Every public learner is found by itself and put through one contract: adding a learner adds no test file."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import roc_auc_score

import bayesift.learn
from bayesift.errors import BadInput
from bayesift.learn.base import Learner

SETTINGS = {  # where the defaults would make a property depend on the size of batches, by design
    "PerLabel": {"min_statistic": -1.0, "max_terms": None},
}


def learners():
    for name in bayesift.learn.__all__:
        found = getattr(bayesift.learn, name)
        if inspect.isclass(found) and issubclass(found, BaseEstimator) and hasattr(found, "predict_proba"):
            yield pytest.param(found(**SETTINGS.get(name, {})), id=name)


every_learner = pytest.mark.parametrize("learner", list(learners()))


def many_labels(learner):
    return learner.__sklearn_tags__().classifier_tags.multi_label


def data(learner, n=120, d=12):
    rng = np.random.default_rng(7)
    X = sparse.random(n, d, density=0.35, random_state=7, format="csr")
    Y = (X.toarray()[:, :3] + 0.1 * rng.normal(size=(n, 3)) > 0.2).astype(int)
    return (X, Y) if many_labels(learner) else (X, Y[:, 0])


def learn_some(learner, X, y):
    if not hasattr(learner, "partial_fit"):
        pytest.skip("learns from all documents at once by design")
    return learner.partial_fit(X, y) if many_labels(learner) else learner.partial_fit(X, y, classes=[0, 1])


def same(first, second, X):
    return np.array_equal(first.predict_proba(X), second.predict_proba(X))


def test_learners_are_found():
    assert {"BayesianPerceptron", "GaussianProcess", "PerLabel"} <= {p.id for p in learners()}


@every_learner
def test_learners_of_many_labels_have_one_protocol(learner):
    if not many_labels(learner):
        assert learner.online in (True, False)
        assert learner.takes_prior_terms == ("feature_prior" in learner.get_params())
        return
    X, y = data(learner)
    model = clone(learner).fit(X, y)
    assert isinstance(model, Learner)
    assert model.online == hasattr(model, "partial_fit")
    assert model.prequential == hasattr(model, "learn_prequential")
    assert model.takes_prior_terms == ("feature_priors" in model.get_params())


@every_learner
def test_weights_make_the_field(learner):
    X, y = data(learner)
    model = clone(learner).fit(X, y)
    found = list(model.weights(range(3))) if many_labels(learner) else [model.weights()]
    if None in found:
        assert not hasattr(model, "coef_")
        return
    fields = [np.reshape(part, (X.shape[0], -1)) for part in model.predict_field(X)]
    for c, weights in enumerate(found):
        variance = [weights.variance(row.indices, row.data, prior=True) for row in X]
        np.testing.assert_allclose(X @ weights.mean + weights.prior, fields[0][:, c], rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(variance, fields[1][:, c], rtol=1e-4, atol=1e-6)


@every_learner
def test_learns(learner):
    X, y = data(learner)
    p = clone(learner).fit(X, y).predict_proba(X)
    assert roc_auc_score(y, p if many_labels(learner) else p[:, 1]) > 0.85


@every_learner
def test_predicting_changes_nothing(learner):
    X, y = data(learner)
    model = clone(learner).fit(X, y)
    before = pickle.dumps(model.state())
    for method in ("predict", "predict_proba", "predict_field", "decision_function"):
        if hasattr(model, method):
            getattr(model, method)(X)
    assert pickle.dumps(model.state()) == before


@every_learner
def test_one_by_one_equals_all_at_once(learner):
    X, y = data(learner)
    at_once, one_by_one = learn_some(clone(learner), X, y), clone(learner)
    for i in range(X.shape[0]):
        learn_some(one_by_one, X[i], y[i : i + 1])
    assert same(at_once, one_by_one, X)


@every_learner
def test_predicting_one_by_one_equals_all_at_once(learner):
    X, y = data(learner)
    model = clone(learner).fit(X, y)
    singly = np.vstack([model.predict_proba(X[i]) for i in range(20)])
    assert np.array_equal(singly, model.predict_proba(X[:20]))


@every_learner
def test_the_same_again(learner):
    X, y = data(learner)
    model = clone(learner).fit(X, y)
    assert same(model, clone(model).fit(X, y), X)
    assert same(model, model.fit(X, y), X)


@every_learner
def test_sparse_and_dense_are_the_same(learner):
    X, y = data(learner)
    from_sparse, from_dense = clone(learner).fit(X, y), clone(learner).fit(X.toarray(), y)
    assert same(from_sparse, from_dense, X)
    assert np.array_equal(from_sparse.predict_proba(X), from_sparse.predict_proba(X.toarray()))
    columns = sparse.csc_array(X)
    assert np.array_equal(from_sparse.predict_proba(columns), from_sparse.predict_proba(X))


@every_learner
def test_features_may_come_at_any_time(learner):
    X, y = data(learner)
    model = learn_some(clone(learner), X[:60, :8], y[:60])
    learn_some(model, X[60:], y[60:])
    p = model.predict_proba(X)
    assert np.isfinite(p).all()
    assert p.min() >= 0
    assert p.max() <= 1
    with pytest.raises(ValueError, match="features"):
        learn_some(model, X[:, :8], y)


@every_learner
def test_state_is_saved_and_restored_exactly(learner):
    X, y = data(learner)
    fitted = clone(learner).fit(X, y)
    assert same(fitted, clone(learner).restore(fitted.state()), X)
    model = learn_some(clone(learner), X[:77], y[:77])
    copy = clone(learner).restore(model.state())
    assert same(model, copy, X)
    learn_some(model, X[77:], y[77:])
    learn_some(copy, X[77:], y[77:])
    assert same(model, copy, X)
    assert pickle.dumps(model.state()) == pickle.dumps(copy.state())


@every_learner
def test_a_state_is_a_copy(learner):
    X, y = data(learner)
    model = learn_some(clone(learner), X[:50], y[:50])
    saved = pickle.dumps(model.state())
    state = model.state()
    learn_some(model, X[50:], y[50:])
    assert pickle.dumps(state) == saved


@every_learner
def test_a_wrong_number_of_threads_is_an_error(learner):
    if "threads" not in learner.get_params():
        pytest.skip("has one thread")
    for threads in (-1, 0, 1.5, "two"):
        with pytest.raises(BadInput, match=f"threads is {threads!r}; give a whole number"):
            clone(learner).set_params(threads=threads).fit(*data(learner))


@every_learner
def test_a_column_that_is_twice_in_a_row_has_the_sum(learner):
    X, y = data(learner)
    wide = sparse.csr_matrix((np.repeat(X.data / 2.0, 2), np.repeat(X.indices, 2), 2 * X.indptr), X.shape)
    learned = clone(learner).fit(wide, y)
    assert same(learned, clone(learner).fit(X, y), X)
    assert np.array_equal(learned.predict_proba(wide), learned.predict_proba(X))


@every_learner
def test_names_of_columns_are_those_of_the_last_fit(learner):
    X, y = data(learner)
    names = [f"column {j}" for j in range(X.shape[1])]
    learned = clone(learner).fit(pd.DataFrame(X.toarray(), columns=names), y).fit(X[:, :6], y)
    assert not hasattr(learned, "feature_names_in_")
    assert learned.n_features_in_ == 6
