"""Counting is exact in any order and can be undone; folding in never lowers the likelihood."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.learn import Categoriser

SIZES = st.tuples(st.integers(1, 12), st.integers(1, 8), st.integers(1, 4), st.integers(0, 2**32 - 1))


def data(n, words, labels, seed, real=False):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.8, (n, words)).astype(float)
    if real:
        X *= rng.random((n, words))
    return X, rng.integers(0, 2, (n, labels))


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a.state().values(), b.state().values()))


def plain_fold_in(x, profiles, steps):
    """Equation 5 as it is printed, one document, and the log-likelihood after the last step."""
    known = (profiles.max(axis=1) > 0) & (x > 0)
    x, P = x[known] / x[known].sum(), profiles[known]
    some = profiles.max(axis=0) > 0
    p = some / some.sum()
    for _ in range(steps):
        mixed = P @ p
        use = mixed > 0
        p = p * ((x[use] / mixed[use]) @ P[use])
        p = p / p.sum()
    mixed = P @ p
    use = mixed > 0
    return p, float(x[use] @ np.log(mixed[use]))


def log_likelihood(model, X):
    """sum_w n(w,d)/|d| ln sum_c P(c|d) P(w|c) of each document, over the known words."""
    known = model.profiles().max(axis=1) > 0
    counts = X[:, known]
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    mixed = model.predict_proba(X) @ model.profiles()[known].T
    return (shares * np.log(np.where((shares > 0) & (mixed > 0), mixed, 1.0))).sum(axis=1)


@settings(max_examples=60, deadline=None)
@given(SIZES, st.integers(1, 12))
def test_folding_in_is_equation_5(sizes, steps):
    X, Y = data(*sizes)
    model = Categoriser(steps=steps, tolerance=-1.0).fit(X, Y)
    if not model.counts_.any():
        return
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=1e-12)
    for t in np.flatnonzero(model.knows(X)):
        expected, likelihood = plain_fold_in(X[t], model.profiles(), steps)
        np.testing.assert_allclose(p[t], expected, atol=1e-12)
        assert log_likelihood(model, X)[t] == pytest.approx(likelihood, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(SIZES)
def test_em_never_lowers_the_likelihood(sizes):
    X, Y = data(*sizes, real=True)
    model = Categoriser(tolerance=-1.0).fit(X, Y)
    if not model.counts_.any():
        return
    before = np.full(len(X), -np.inf)
    for steps in (1, 2, 3, 5, 9, 30):
        now = log_likelihood(model.set_params(steps=steps), X)
        assert (now >= before - 1e-12).all()
        before = now


@settings(max_examples=60, deadline=None)
@given(SIZES, st.integers(1, 4))
def test_merging_any_partition_and_forgetting_are_exact(sizes, parts):
    X, Y = data(*sizes, real=True)
    whole = Categoriser().fit(X, Y)
    part = np.random.default_rng(sizes[3]).integers(0, parts, len(X))
    merged = Categoriser().fit(X[part == 0], Y[part == 0])
    for k in range(1, parts):
        merged.merge(Categoriser().fit(X[part == k], Y[part == k]))
    assert same(merged, whole)
    shuffled = Categoriser()
    for t in np.random.default_rng(1).permutation(len(X)):
        shuffled.partial_fit(X[[t]], Y[[t]])
    assert same(shuffled, whole)
    more = data(3, sizes[1], sizes[2], 5, real=True)
    assert same(whole.partial_fit(*more).forget(*more), merged)


def test_a_document_without_a_known_word_has_the_shares_and_is_flagged():
    X, Y = np.array([[1.0, 0, 0], [2, 1, 0], [0, 1, 0]]), np.array([[1, 0], [1, 0], [0, 1]])
    model = Categoriser().fit(X, Y)
    odd = np.array([[0.0, 0, 0], [0, 0, 5], [0, 1, 5]])
    assert model.knows(odd).tolist() == [False, False, True]
    np.testing.assert_allclose(model.predict_proba(odd)[:2], [[2 / 3, 1 / 3]] * 2)


def test_a_category_without_words_gets_nothing():
    X, Y = np.array([[1.0, 0], [0, 1], [0, 0]]), np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    p = Categoriser(steps=50).fit(X, Y).predict_proba(X[:2])
    assert p[:, 2].tolist() == [0.0, 0.0]
    assert p[0, 0] > 0.99


def test_words_and_labels_may_come_later():
    model = Categoriser().partial_fit([[1.0]], [[1]]).partial_fit([[0.0, 2.0]], [[0, 1]])
    assert model.profiles().tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_temperature_and_annealing():
    X, Y = data(40, 12, 3, 0)
    plain = Categoriser(steps=20).fit(X, Y).predict_proba(X)
    warm = Categoriser(steps=20, temperature=3.0).fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(warm, plain ** (1 / 3) / (plain ** (1 / 3)).sum(axis=1, keepdims=True))
    annealed = Categoriser(steps=2000, tolerance=0.0, annealing=(0.5, 0.8)).fit(X, Y)
    reached = Categoriser(steps=2000, tolerance=0.0).fit(X, Y)
    np.testing.assert_allclose(log_likelihood(annealed, X), log_likelihood(reached, X), atol=1e-3)


def test_bad_input():
    X, Y = data(10, 4, 2, 0)
    with pytest.raises(BadInput, match="Negative values"):
        Categoriser().fit(-X - 1, Y)
    with pytest.raises(BadInput, match="no words were learned"):
        Categoriser().fit(sparse.csr_matrix((3, 4)), Y[:3]).predict_proba(X)
    with pytest.raises(BadInput, match="never learned"):
        Categoriser().fit(X[:, :3], Y).forget(X, Y)
    model = Categoriser().fit(X[:5], Y[:5])
    before = model.state()
    with pytest.raises(BadInput, match="not all learned"):
        model.forget(X, Y)
    assert all(np.array_equal(before[k], model.state()[k]) for k in before)
    with pytest.raises(BadInput, match="steps"):
        Categoriser(steps=0).fit(X, Y).predict_proba(X)
    with pytest.raises(ValueError, match="features"):
        model.predict_proba(X[:, :2])
    empty = Categoriser().partial_fit(np.empty((0, 4)), np.empty((0, 2), int))
    assert empty.n_documents_ == 0
    assert same(empty.partial_fit(X, Y), Categoriser().fit(X, Y))
