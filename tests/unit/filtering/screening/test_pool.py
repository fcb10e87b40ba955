"""Screening a pool, the most promising document first."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.beliefs import Probit
from bayesift.errors import BadInput
from bayesift.filtering.screening import pool as pools
from bayesift.filtering.screening.pool import FieldBelief, screen


def pool(seed=0, n=300):
    rng = np.random.default_rng(seed)
    X = sparse.csr_matrix(sparse.random(n, 80, 0.1, "csr", rng=rng))
    X.sort_indices()
    return X, np.asarray(X[:, :3].sum(axis=1)).ravel() > 0.7


@pytest.mark.parametrize("largest", [10**6, 0])
def test_every_document_is_read_once_and_relevant_ones_early(monkeypatch, largest):
    monkeypatch.setattr(pools, "LARGEST", largest)
    X, y = pool()
    run = screen(X, y, seed=1)
    assert len(set(run.order.tolist())) == run.order.size == 298
    assert (run.relevant == y[run.order]).all()
    assert run.atd < 0.35
    assert run.recall[-1] == 1.0


def test_what_is_known_beforehand_can_be_named_and_chance_has_a_seed():
    X, y = pool()
    known = [int(np.flatnonzero(y)[0]), int(np.flatnonzero(~y)[0])]
    assert not set(known) & set(screen(X, y, known=known).order.tolist())
    assert (screen(X, y, seed=5).order == screen(X, y, seed=5).order).all()


def test_the_belief_is_that_of_the_weights():
    X, y = pool(n=40)
    belief = FieldBelief(X)
    D = np.hstack([np.ones((40, 1)), X.toarray()])
    a, C = np.zeros(81), np.eye(81)
    for i in (3, 7, 3, 20):
        belief.learn(np.array([i]), np.where(y[[i]], 1.0, -1.0))
        s = C @ D[i]
        _, g1, g2 = Probit(0.5).moments(1 if y[i] else -1, a @ D[i], D[i] @ s)
        a, C = a + g1 * s, C + g2 * np.outer(s, s)
    assert belief.scores() == pytest.approx(D @ a, abs=1e-10)


def test_a_pool_of_one_kind_is_refused():
    X, y = pool()
    with pytest.raises(BadInput, match="0 of 300 documents are relevant"):
        screen(X, np.zeros_like(y))


def test_what_a_pool_is_given_is_checked():
    X, y = pool()
    for wrong, reason in [
        ({"truth": y.astype(int)}, "truth has type int64"),
        ({"truth": y[:-1]}, r"shape \(299,\); give 300 booleans"),
        ({"seed": -5}, "the random seed is -5"),
        ({"known": [3, 3]}, "each once"),
        ({"known": [300]}, "row numbers below 300"),
    ]:
        with pytest.raises(BadInput, match=reason):
            screen(X, **({"truth": y} | wrong))
