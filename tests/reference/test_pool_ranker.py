"""The pool ranker gives what the formulas give, and its solver what exact Gaussian-process regression gives."""

import numpy as np
import pytest
from scipy import sparse
from tests.reference import pool
from tests.unit.filtering.screening.records_of_two_kinds import records

from bayesift.filtering.screening import directions
from bayesift.filtering.screening.judged_rows import JudgedRows
from bayesift.filtering.screening.pool_kernel import PoolKernel, shared_terms
from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.pool_vectors import PoolVectors
from bayesift.learn.gp_regression import GPRegression


def test_vectors_are_those_of_scikit_learn():
    texts, _ = records(40)
    ours = PoolVectors(texts).weights().toarray()
    theirs = pool.vectors(texts)[:-1]
    assert ours @ ours.T == pytest.approx(theirs @ theirs.T, abs=1e-6)


@pytest.mark.parametrize("question", ["", "word25 word30 in word33"])
def test_scores_are_those_of_the_formulas(question):
    texts, truth = records(150)
    judged = {i: bool(truth[i]) for i in range(0, 150, 3)}
    ranker = PoolRanker(texts, question=question)
    ranker.learn(list(judged), list(judged.values()))
    expected, left_out = pool.scores(texts, judged, question)
    assert ranker.scores() == pytest.approx(expected, abs=2e-5)
    ranker.probabilities()
    assert ranker._left_out == pytest.approx(left_out, abs=0.02)  # the diagonal of A^-1 is approximated


def dense(kernel):
    """The kernel's numbers, from its parts."""
    Y = kernel.rows.toarray().astype(float)
    S = Y @ Y.T + np.diag(kernel.own) + kernel.Z.astype(float) @ kernel.Z.T.astype(float)
    return S / np.outer(kernel.length, kernel.length) + 1.0


def test_the_solver_agrees_with_gaussian_process_regression(monkeypatch):
    monkeypatch.setattr(directions, "DENSE", 100)  # directions by approximation, as in a large pool
    texts, truth = records(300, seed=1)
    kernel = PoolKernel(shared_terms(PoolVectors(texts).weights()), 0, 0)
    k, rows = dense(kernel), np.arange(0, 300, 2)
    y = truth[rows]
    noise, target = np.where(y, 0.25, 12.5), np.where(y, 1.0, -1.0)
    exact = GPRegression()
    for n, i in enumerate(rows):
        exact.add(k[i, rows[: n + 1]], target[n], noise[n])
    system = JudgedRows(kernel, rows, noise, np.flatnonzero(y))
    alpha = system.solve(target)
    assert system(alpha) == pytest.approx(target, abs=1e-6)
    assert alpha == pytest.approx(exact.alpha, abs=1e-6)
    assert kernel.fields(rows, alpha) == pytest.approx(k[:, rows] @ exact.alpha, abs=1e-5)
    diagonal = np.einsum("ij,ij->j", exact.factor, exact.factor)
    assert system.inverse_diagonal() == pytest.approx(diagonal, rel=0.02)


def test_term_weights_are_what_the_scores_are_made_of():
    texts, truth = records(120)
    kernel = PoolKernel(shared_terms(PoolVectors(texts).weights()), 0, 0)
    rows = np.arange(40)
    alpha = np.where(truth[:40], 0.5, -0.1)
    found = kernel.rows @ kernel.term_weights(rows, alpha) / kernel.length + alpha.sum()
    unjudged = np.arange(40, 120)
    own = np.zeros(120)  # terms of a single record have a part in its directions
    own[:] = kernel.own * (kernel.Z @ ((alpha / kernel.length[rows]) @ kernel.Z[rows] / kernel.values)) / kernel.length
    assert (found + own)[unjudged] == pytest.approx(kernel.fields(rows, alpha)[unjudged], abs=1e-5)


def test_directions_of_a_large_pool_are_near_the_exact_ones(monkeypatch):
    rng = np.random.default_rng(0)
    Y = sparse.csc_matrix(sparse.random(500, 30, 0.2, rng=rng) @ sparse.diags(0.8 ** np.arange(30)), dtype=np.float32)
    own = np.full(500, 0.01)
    near, U = directions.leading_directions(Y, own, 500, 0)
    monkeypatch.setattr(directions, "DENSE", 500)
    exact, V = directions.leading_directions(Y, own, 500, 0)
    assert near[:10] == pytest.approx(exact[:10], rel=1e-3)
    assert np.abs(np.einsum("ij,ij->j", U[:, :5], V[:, :5])) == pytest.approx(np.ones(5), abs=1e-3)
    assert (near <= exact * (1.0 + 1e-6)).all()
