"""Label sets that respect a hierarchy: the best ones in a tree, consistent ones in any hierarchy."""

from itertools import product

import numpy as np
import pytest

from bayesift.decide.consistent import consistent, contradicted

LABELS = 7


def hierarchies():
    rng = np.random.default_rng(0)
    for number in range(20):
        most = 1 if number < 10 else 3
        sizes = [0, *(min(c, rng.integers(0, most + 1)) for c in range(1, LABELS))]
        pairs = [(c, p) for c in range(1, LABELS) for p in rng.choice(c, size=sizes[c], replace=False)]
        names = rng.permutation(LABELS)  # parents may come after their children
        found = names[np.array(pairs, np.int64).reshape(-1, 2)].T
        yield pytest.param(found, most == 1, id=f"{'tree' if most == 1 else 'several parents'} {number}")


@pytest.mark.parametrize(("pairs", "tree"), list(hierarchies()))
def test_label_sets_are_consistent_and_in_a_tree_the_best(pairs, tree):
    excess = np.random.default_rng(1).normal(size=(40, LABELS))
    given = excess > 0
    found = consistent(given, excess, pairs)
    assert not contradicted(found, pairs).any()
    same = ~contradicted(given, pairs)
    assert np.array_equal(found[same], given[same])
    every = np.array(list(product([False, True], repeat=LABELS)))
    every = every[~contradicted(every, pairs)]
    if tree:
        np.testing.assert_allclose((excess * found).sum(axis=1), (excess @ every.T).max(axis=1))
    one = [consistent(given[[i]], excess[[i]], pairs)[0] for i in range(len(given))]
    assert np.array_equal(one, found)


@pytest.mark.parametrize(("pairs", "tree"), list(hierarchies()))
def test_labels_may_be_added_only_or_dropped_only(pairs, tree):
    excess = np.random.default_rng(2).normal(size=(40, LABELS))
    given = excess > 0
    more, fewer = consistent(given, excess, pairs, may_drop=False), consistent(given, excess, pairs, may_add=False)
    assert (more >= given).all()
    assert (fewer <= given).all()
    assert not contradicted(more, pairs).any()
    assert not contradicted(fewer, pairs).any()


def test_a_decision_that_its_threshold_does_not_explain_gives_way_first():
    given, excess = np.array([[True, False]]), np.array([[-3.0, -1.0]])
    assert consistent(given, excess, np.array([[0], [1]])).tolist() == [[False, False]]


def test_no_documents_and_no_pairs():
    pairs = np.empty((2, 0), np.int64)
    assert consistent(np.zeros((0, 2), bool), np.zeros((0, 2)), np.array([[0], [1]])).shape == (0, 2)
    assert consistent(np.array([[True, False]]), np.array([[1.0, -1.0]]), pairs).tolist() == [[True, False]]
    assert contradicted(np.array([[True, False]]), pairs).tolist() == [False]
