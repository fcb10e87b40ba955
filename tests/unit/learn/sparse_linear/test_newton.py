"""Modes of many labels at once are those of each label alone, and satisfy the optimality conditions."""

import numpy as np
import pytest
from scipy import sparse
from tests.reference import modes as reference

from bayesift.learn.sparse_linear.descent import LOGISTIC, PROBIT
from bayesift.learn.sparse_linear.newton import minimise_many

LINKS = {"logistic": LOGISTIC, "probit": PROBIT}


def task(n=300, d=400, labels=21, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.1, random_state=seed, format="csr")
    fields = X @ rng.normal(size=(d, labels)) * 3.0 + rng.normal(size=(n, labels)) - np.linspace(0.0, 3.0, labels)
    return X, np.where(fields > 0.0, 1.0, -1.0)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("variance", [0.1, 10.0])
def test_every_label_satisfies_the_optimality_conditions(link, variance):
    X, signs = task()
    d, labels = X.shape[1], signs.shape[1]
    weight = np.append(np.full(d, 1.0 / variance), 0.0)[:, None]
    found = minimise_many(X, signs, LINKS[link], weight, np.zeros((d + 1, labels)))
    assert found.violation.max() <= 1e-6
    for c in range(labels):
        given = (link, "normal", X, signs[:, c], found.beta[d, c], found.beta[:d, c], np.zeros(d))
        sd = np.full(d, variance**0.5)
        assert reference.violation(*given, sd) <= 1.1e-6
        assert found.objective[c] == pytest.approx(reference.objective(*given, sd), rel=1e-10)


@pytest.mark.parametrize("link", LINKS)
def test_labels_do_not_depend_on_those_beside_them(link):
    X, signs = task(labels=19)
    d = X.shape[1]
    rng = np.random.default_rng(1)
    weight = np.vstack([rng.uniform(0.2, 5.0, (d, 19)), np.zeros((1, 19))])
    offset, start = rng.normal(size=signs.shape), rng.normal(size=(d + 1, 19))
    together = minimise_many(X, signs, LINKS[link], weight, start, offset, tolerance=1e-9)
    for c in (0, 7, 18):
        one = [a[:, [c]] for a in (signs, weight, start, offset)]
        alone = minimise_many(X, one[0], LINKS[link], *one[1:], tolerance=1e-9)
        np.testing.assert_allclose(together.beta[:, c], alone.beta[:, 0], atol=1e-8)
        assert together.objective[c] == pytest.approx(alone.objective[0], rel=1e-12)


def test_a_start_at_the_mode_takes_no_round_and_equal_runs_give_equal_bits():
    X, signs = task()
    d, labels = X.shape[1], signs.shape[1]
    weight = np.append(np.ones(d), 0.0)[:, None]
    first = minimise_many(X, signs, LOGISTIC, weight, np.zeros((d + 1, labels)))
    again = minimise_many(X, signs, LOGISTIC, weight, np.zeros((d + 1, labels)))
    assert np.array_equal(first.beta, again.beta)
    assert (minimise_many(X, signs, LOGISTIC, weight, first.beta).rounds == 0).all()
    assert minimise_many(X, signs[:, :0], LOGISTIC, weight, np.zeros((d + 1, 0))).beta.shape == (d + 1, 0)


def test_the_objective_of_many_labels_is_liblinears():
    util = pytest.importorskip("liblinear.liblinearutil", reason="needs liblinear-official (extra dev)")
    X, signs = task(labels=5)
    d, C = X.shape[1], 3.0
    found = minimise_many(X, signs, LOGISTIC, np.append(np.full(d, 1.0 / C), 0.0)[:, None], np.zeros((d + 1, 5)))
    for c in range(5):
        model = util.train(util.problem(signs[:, c], X, bias=1), f"-s 0 -c {C} -B 1 -R -e 1e-10 -q")
        w, b = model.get_decfun()
        objective = np.logaddexp(0.0, -signs[:, c] * (X @ np.array(w) + b)).sum() + 0.5 * np.dot(w, w) / C
        assert found.objective[c] == pytest.approx(objective, rel=1e-6)
