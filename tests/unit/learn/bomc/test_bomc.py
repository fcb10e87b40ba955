"""BOMC's promises: threads, growth, drift, priors, pruning, shards, and answers to odd input."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BayesiftError
from bayesift.learn import BOMC
from bayesift.learn.bomc.shards import learn_in_shards
from bayesift.learn.priors import FeaturePrior


def data(n=300, d=40, c=37, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.2, random_state=seed, format="csr")
    Y = (X.toarray()[:, :c] + 0.1 * rng.normal(size=(n, c)) > 0.4).astype(int)
    return X, Y


def test_threads_change_nothing():
    X, Y = data()
    one = BOMC(threads=1).fit(X, Y)
    for threads in (2, 3, 7):
        other = BOMC(threads=threads).fit(X, Y)
        assert np.array_equal(one.mean_, other.mean_)
        assert np.array_equal(one.variance_, other.variance_)


def test_labels_may_be_learned_apart():
    X, Y = data()
    whole = BOMC().fit(X, Y)
    parts = [BOMC().fit(X, Y[:, k]) for k in (slice(0, 16), slice(16, 37))]
    assert np.array_equal(whole.mean_, np.hstack([part.mean_ for part in parts]))


def test_a_new_label_is_one_that_the_documents_before_did_not_have():
    X, Y = data()
    Y[:100, 3:5] = 0
    late = BOMC().partial_fit(X[:100], Y[:100, :3]).partial_fit(X[100:], Y[100:, :5])
    early = BOMC().partial_fit(X[:100], Y[:100, :5]).partial_fit(X[100:], Y[100:, :5])
    assert np.array_equal(late.mean_, early.mean_)
    assert np.array_equal(late.predict_proba(X), early.predict_proba(X))


@pytest.mark.parametrize("variant", ["coupled", "pairwise"])
def test_a_new_label_of_other_variants_is_near_to_that(variant):
    X, Y = data()
    Y[:100, 3:5] = 0
    late = BOMC(variant).partial_fit(X[:100], Y[:100, :3]).partial_fit(X[100:], Y[100:, :5])
    early = BOMC(variant).partial_fit(X[:100], Y[:100, :5]).partial_fit(X[100:], Y[100:, :5])
    assert np.abs(late.predict_proba(X) - early.predict_proba(X)).mean() < 0.02  # they share a bias with all others


def test_drift_widens_what_was_not_seen():
    X, Y = sparse.csr_matrix([[1.0, 0.0], [0.0, 1.0]] * 20), [[1], [0]] * 20
    still, drifting = BOMC(seed=None).fit(X, Y), BOMC(drift=0.1, seed=None).fit(X, Y)
    assert (drifting.variance_ > still.variance_).all()
    _, v = drifting.predict_field([[1.0, 0.0]])
    drifting.partial_fit(sparse.csr_matrix([[0.0, 1.0]] * 10), [[0]] * 10)
    _, later = drifting.predict_field([[1.0, 0.0]])
    bias = drifting.bias_variance_[0]
    assert later[0, 0] - bias > v[0, 0] - bias + 0.05  # 10 steps of 0.01


def test_drift_one_by_one_equals_all_at_once():
    X, Y = data(60)
    at_once, singly = BOMC(drift=0.05).partial_fit(X, Y), BOMC(drift=0.05)
    for t in range(60):
        singly.partial_fit(X[t], Y[[t]])
    assert np.array_equal(at_once.mean_, singly.mean_)


def test_what_is_known_of_weights_is_where_they_start():
    known = [None, FeaturePrior(np.array([0.0, 2.0]), np.array([np.nan, 0.5]))]
    model = BOMC(feature_priors=known)
    model._start()
    model._grow(3, 2)
    assert model.mean_[1].tolist() == [0.0, 2.0]
    assert model.variance_[1, 1] == 0.25
    assert model.variance_[0, 1] == np.float32(0.1)


def test_margins_ahead_are_those_before_learning():
    X, Y = data(50)
    order = np.random.default_rng(1).permutation(50)
    ahead = BOMC().learn_prequential(X, Y, order, skip=10)
    model = BOMC()
    for step, t in enumerate(order):
        if step >= 10:
            np.testing.assert_allclose(model.margins(X[t])[0], ahead[t], rtol=1e-5)
        model.partial_fit(X[t], Y[[t]])
    assert not ahead[order[:10]].any()


def test_pruning_what_never_moved_changes_nothing():
    X, Y = data()
    model = BOMC().fit(X[:, :30], Y)
    model._grow(60, 37)
    before = model.decision_function(sparse.csr_matrix((5, 30)))
    assert model.prune(0.0) > 0.4  # half of the features were never seen
    assert np.array_equal(model.decision_function(sparse.csr_matrix((5, 30))), before)
    assert model.prune(1e9) == 1.0
    assert not model.mean_.any()


def test_one_shard_is_like_no_shards():
    X, Y = data()
    whole = learn_in_shards(BOMC(), X, Y, shards=1, rounds=1)
    assert (whole.predict(X) == BOMC().fit(X, Y).predict(X)).mean() > 0.97


def test_shards_in_rounds_agree_with_one_pass():
    X, Y = data(600, 40, 5)
    whole = BOMC().fit(X, Y).predict(X)
    rounds = learn_in_shards(BOMC(), X, Y, shards=4).predict(X)
    assert (rounds == whole).mean() > 0.93


def test_many_shards_keep_a_label_that_few_of_them_have():
    X, Y = data(600, 40, 5)
    rare = np.zeros((600, 1))
    rare[:6] = 1.0  # six documents, which all have a word of their own
    X = sparse.hstack([X, sparse.csr_matrix(rare)]).tocsr()
    Y = np.hstack([np.asarray(Y), rare])
    one = BOMC().fit(X, Y).decision_function(X)[:, -1]
    by_label = learn_in_shards(BOMC(), X, Y, shards=16).decision_function(X)[:, -1]
    alike = learn_in_shards(BOMC(), X, Y, shards=16, damping=1.5 / 16).decision_function(X)[:, -1]
    assert by_label[:6].mean() > alike[:6].mean() + 0.3
    assert by_label[:6].mean() > one[:6].mean() - 0.3


def test_documents_without_terms_without_and_with_all_labels():
    X = sparse.csr_matrix([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    model = BOMC().fit(X, [[0, 0], [1, 1], [0, 0], [1, 1]])
    p = model.predict_proba(X)
    assert np.isfinite(p).all()
    assert (p[0] < 0.9).all()  # nothing is known of a document without terms but the biases
    assert p[1, 0] > p[2, 0]


@pytest.mark.parametrize("variant", ["coupled", "pairwise"])
def test_odd_documents_in_other_variants(variant):
    X = sparse.csr_matrix([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    p = BOMC(variant).fit(X, [[0, 0], [1, 1], [0, 1]]).predict_proba(X)
    assert np.isfinite(p).all()


def test_a_label_never_told_is_never_likely():
    X, Y = data()
    Y[:, 7] = 0
    assert BOMC().fit(X, Y).predict_proba(X)[:, 7].max() < 0.5


def test_ten_thousand_labels():
    X = sparse.random(50, 30, density=0.2, random_state=0, format="csr")
    labels = sparse.csr_matrix((np.ones(50), (range(50), range(0, 10_000, 200))), shape=(50, 10_000))
    model = BOMC().fit(X, labels)
    assert model.predict_proba(X).shape == (50, 10_000)


@pytest.mark.parametrize(
    ("settings", "X", "Y", "says"),
    [
        ({"variant": "odd"}, [[1.0]], [[1]], "variant"),
        ({"noise": 0.0}, [[1.0]], [[1]], "noise"),
        ({"prior_variance": float("nan")}, [[1.0]], [[1]], "prior_variance"),
        ({"label_noise": 0.6}, [[1.0]], [[1]], "label_noise"),
        ({"passes": 0}, [[1.0]], [[1]], "passes"),
        ({}, [[1e30]], [[1]], "weight"),
        ({}, [[1.0]], [[2]], "Y must hold only 0 and 1, but holds 2"),
        ({"variant": "multiclass"}, [[1.0]], [[1, 1]], "exactly one"),
    ],
)
def test_absurd_input_is_named(settings, X, Y, says):
    with pytest.raises(BayesiftError, match=says):
        BOMC(**settings).fit(X, Y)


def test_large_weights_stay_finite():
    model = BOMC().fit([[1e6], [-1e6], [1e-30]], [[1], [0], [1]])
    assert np.isfinite(model.predict_proba([[1e6], [0.0]])).all()
