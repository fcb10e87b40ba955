"""Documents drawn label by label are recognised, and the shift of rates is found from those with several labels."""

import numpy as np
import pytest

from bayesift.decide import JointThresholds, rule_from_dict
from bayesift.decide.drawn_per_label import drawn, raised_thresholds, rate_shift


def population(n=20_000, seed=0):
    """One label that half of the documents have, and nine rare ones; most documents with a rare one have it too."""
    rng = np.random.default_rng(seed)
    Y = np.zeros((n, 10), bool)
    Y[np.arange(n), rng.choice(10, n, p=[0.55] + [0.05] * 9)] = True
    Y[:, 0] |= rng.random(n) < 0.4
    return Y


def per_label(Y, n, seed=0):
    rng = np.random.default_rng(seed)
    return np.unique(np.concatenate([rng.permutation(np.flatnonzero(column))[:n] for column in Y.T]))


@pytest.mark.parametrize(("n", "agrees"), [(10, 0.7), (50, 0.9)])
def test_the_shift_of_rates_is_found(n, agrees):
    Y = population()
    Z = Y[per_label(Y, n)]
    found, belief = drawn(Z)
    assert belief == 1.0
    assert n <= found <= n + 3
    true = np.log(Y.mean(axis=0) / (1 - Y.mean(axis=0))) - np.log(Z.mean(axis=0) / (1 - Z.mean(axis=0)))
    shift = rate_shift(Z, found)
    assert shift[0] > 0.2 > shift[1:].max()  # the common label is more common than in the draw, the others rarer
    assert np.corrcoef(shift, true)[0, 1] > agrees
    raised = raised_thresholds(Z)
    assert raised[0] < 0 < np.median(raised[1:])


def test_documents_as_they_come_raise_nothing():
    Y = population()[:1000]
    assert drawn(Y)[1] == 0.0
    assert not raised_thresholds(Y).any()


@pytest.mark.parametrize("Y", [
    np.repeat(np.eye(4, dtype=bool), 20, axis=0),  # one label each
    np.zeros((3, 4), bool),
    np.vstack([np.ones((9, 4), bool), np.zeros((1, 4), bool)]),  # a document without a label was drawn for none
])  # fmt: skip
def test_where_draws_cannot_be_told_apart_nothing_rises(Y):
    assert not raised_thresholds(Y).any()


def test_the_rule_keeps_what_rises_and_new_labels_have_none():
    Y = population()
    Z = Y[per_label(Y, 20)]
    z = np.where(Z, 1.0, -2.0) + np.random.default_rng(0).normal(size=Z.shape)
    p = 1 / (1 + np.exp(-z))
    rule = JointThresholds().fit(p, Z)
    assert len(rule.raised_) == 10
    expected = 1 / (1 + np.exp(-np.log(np.divide(rule.thresholds_, 1 - np.array(rule.thresholds_))) - rule.raised_))
    np.testing.assert_allclose(rule.thresholds(10), expected)
    np.testing.assert_allclose(rule.raised_, raised_thresholds(Z))
    assert rule_from_dict(rule.to_dict()) == rule
    wide = JointThresholds(thresholds_=(0.5,) * 11).keeping(rule)
    assert wide.thresholds(11)[-1] == pytest.approx(0.5)
