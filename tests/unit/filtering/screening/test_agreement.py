"""Cohen's kappa and its interval."""

import math

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from bayesift.filtering.screening.store.agreement import Agreement


@pytest.mark.parametrize("table", [(20, 5, 10, 15), (1, 0, 3, 90), (0, 4, 5, 0), (7, 1, 0, 2)])
def test_kappa_is_that_of_scikit_learn(table):
    both, first, second, none = table
    ada = [1] * (both + first) + [0] * (second + none)
    bob = [1] * both + [0] * first + [1] * second + [0] * none
    found = Agreement("ada", "bob", *table)
    assert found.kappa == pytest.approx(cohen_kappa_score(ada, bob))
    assert -1.0 <= found.interval[0] <= found.kappa <= found.interval[1] <= 1.0
    assert found.agree == pytest.approx(np.mean(np.array(ada) == np.array(bob)))


def test_the_interval_holds_in_95_of_100_cases():
    shares = np.array([0.15, 0.05, 0.08, 0.72])
    truth = Agreement("a", "b", *(shares * 100_000).astype(int).tolist()).kappa
    tables = np.random.default_rng(0).multinomial(300, shares, size=2000)
    ends = np.array([Agreement("a", "b", *table).interval for table in tables.tolist()])
    assert np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1])) == pytest.approx(0.95, abs=0.015)


def test_where_kappa_is_not_defined():
    assert math.isnan(Agreement("a", "b", 0, 0, 0, 5).kappa)
    assert math.isnan(Agreement("a", "b", 0, 0, 0, 0).kappa)
    assert math.isnan(Agreement("a", "b", 0, 0, 0, 0).agree)
    assert all(math.isnan(end) for end in Agreement("a", "b", 3, 0, 0, 0).interval)
    assert Agreement("a", "b", 3, 0, 0, 4).interval == (1.0, 1.0)
