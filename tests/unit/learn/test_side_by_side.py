"""BOMC with a dense vector beside the words is BOMC on both stacked to one sparse matrix."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from bayesift.errors import BadInput
from bayesift.learn import BOMC
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.side_by_side import SideBySide


def task(n=300, terms=80, width=11, labels=21, seed=0):
    rng = np.random.default_rng(seed)
    words = sparse.random(n, terms, density=0.1, format="csr", random_state=rng)
    dense = rng.normal(size=(n, width)).astype(np.float32)
    dense /= np.linalg.norm(dense, axis=1, keepdims=True)
    Y = (dense[:, rng.integers(width, size=labels)] + words[:, :labels].toarray() > 0.35).astype(int)
    return SideBySide(words, dense), Y


def stacked_prior(model, width, terms, labels, weight):
    """The same prior for BOMC on stacked rows: weights of the vector have another variance."""
    sd = np.concatenate([np.full(width, (weight * model.prior_variance) ** 0.5), np.full(terms, np.nan)])
    return [FeaturePrior(np.zeros(width + terms), sd)] * labels


@pytest.mark.parametrize(
    ("variant", "n", "width"),  # few documents one by one, many in slabs of labels
    [(v, n, w) for v in ("independent", "coupled") for n in (30, 300) for w in (1, 4, 11, 64)] + [("pairwise", 30, 11)],
)
def test_it_is_bomc_on_the_stacked_matrix(variant, n, width):
    rows, Y = task(n, width=width)
    model = BOMC(variant)
    one, two = clone(model).fit(rows, Y), clone(model).fit(rows.stacked(), Y)
    assert np.allclose(one.mean_, two.mean_, atol=2e-5)
    assert np.allclose(one.variance_, two.variance_, rtol=1e-4)
    assert np.allclose(one.decision_function(rows), two.decision_function(rows.stacked()), atol=2e-4)


def test_the_weight_scales_the_prior_variance():
    rows, Y = task()
    width, terms = rows.dense.shape[1], rows.words.shape[1]
    one = BOMC(dense_weights=[0.25]).fit(rows, Y)
    two = BOMC(feature_priors=stacked_prior(one, width, terms, Y.shape[1], 0.25)).fit(rows.stacked(), Y)
    assert np.allclose(one.mean_, two.mean_, atol=2e-5)
    assert np.allclose(one.variance_, two.variance_, rtol=1e-4)
    nothing = BOMC(dense_weights=[0.0]).fit(rows, Y)
    words = BOMC().fit(rows.words, Y)
    assert np.array_equal(nothing.decision_function(rows), words.decision_function(rows.words))


def test_two_vectors_have_weights_of_their_own():
    rows, Y = task()
    both = SideBySide(rows.words, rows.dense, widths=(4, 7))
    model = BOMC(dense_weights=[0.0, 0.5]).fit(both, Y)
    assert not model.mean_[:4].any()
    second = BOMC(dense_weights=[0.5]).fit(SideBySide(rows.words, rows.dense[:, 4:]), Y)
    assert np.allclose(model.mean_[4:], second.mean_, atol=2e-5)
    with pytest.raises(BadInput, match="2 dense vectors and 1 weights"):
        BOMC(dense_weights=[0.5]).fit(both, Y)


@pytest.mark.parametrize("settings", [{}, {"compact": True}])
def test_threads_and_batches_do_not_matter(settings):
    rows, Y = task(n=400, labels=40)
    one, two = (BOMC(threads=t, **settings).fit(rows, Y) for t in (1, 3))
    assert np.array_equal(one.mean_, two.mean_)
    many = BOMC(**settings).partial_fit(rows, Y)
    few = BOMC(**settings)
    for begin in range(0, 400, 50):
        few.partial_fit(rows[begin : begin + 50], Y[begin : begin + 50])
    assert np.array_equal(many.mean_, few.mean_)
    assert np.array_equal(many.variance_, few.variance_)


@pytest.mark.parametrize("settings", [{}, {"compact": True}, {"drift": 0.01}, {"variant": "coupled"}])
def test_new_terms_labels_and_a_saved_state(settings):
    rows, Y = task(labels=15)
    narrow = SideBySide(rows.words[:150, :60], rows.dense[:150])
    model = BOMC(**settings).partial_fit(narrow, Y[:150, :9])
    again = BOMC(**settings).restore(model.state())
    for m in (model, again):
        m.partial_fit(rows[150:], Y[150:])
        m.rehearse(rows[150:], Y[150:], np.array([3, 12]))
    assert np.array_equal(model.decision_function(rows), again.decision_function(rows))
    one = np.vstack([model.decision_function(rows[[i]]) for i in range(9)])
    assert np.array_equal(one, model.decision_function(rows[:9]))


def test_compact_labels_own_the_weights_of_the_vector():
    rows, Y = task(n=300, labels=12)
    compact, whole = BOMC(compact=True).fit(rows, Y), BOMC().fit(rows, Y)
    assert np.corrcoef(compact.mean_[:11].ravel(), whole.mean_[:11].ravel())[0, 1] > 0.95
    # with all terms owned from the start both are the same model
    every = sparse.csr_matrix(np.ones((1, 80)))
    first = SideBySide(every, np.zeros((1, 11))), np.ones((1, 12), int)
    a, b = (BOMC(compact=c).partial_fit(*first).partial_fit(rows, Y) for c in (True, False))
    assert np.allclose(a.mean_, b.mean_, atol=1e-6)


def test_priors_of_words_stay_with_their_words():
    rows, Y = task()
    prior = FeaturePrior(np.array([0.0, 2.0]), np.array([np.nan, 0.1]))
    model = BOMC(feature_priors=[prior] + [None] * 20).fit(rows, Y)
    assert model.mean_[11 + 1, 0] > 1.0


def test_bad_input():
    rows, Y = task()
    model = BOMC().fit(rows, Y)
    with pytest.raises(BadInput, match="features"):
        model.predict(SideBySide(rows.words, rows.dense[:, :5]))
    with pytest.raises(BadInput, match="before they had 11"):
        model.partial_fit(SideBySide(sparse.hstack([rows.words, rows.words]), rows.dense[:, :5]), Y)
    with pytest.raises(BadInput, match="not finite"):
        SideBySide(rows.words, np.full((300, 2), np.nan))
    with pytest.raises(BadInput, match="300 documents"):
        SideBySide(rows.words, rows.dense[:7])
    with pytest.raises(BadInput, match="dense_weights"):
        BOMC(dense_weights=[-1.0]).fit(rows, Y)
