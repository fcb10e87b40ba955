"""Decision rules against brute force on random data."""

from __future__ import annotations

import itertools
import json

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesift import decide
from bayesift.decide import expected_f
from bayesift.decide.folds import stratified_folds
from bayesift.evaluate import counts, f_measures

# Few different values, so that ties occur, and any others.
coarse = st.sampled_from([-1.5, 0.0, 0.1, 0.5, 2.0]) | st.floats(-1e6, 1e6)
chances = st.sampled_from([0.0, 0.01, 0.3, 0.5, 0.9, 1.0]) | st.floats(0, 1)
untimed = settings(deadline=None)  # kernels are compiled on their first call, and machines are shared
betas = st.sampled_from([0.5, 0.7, 1.0, 2.0])


@st.composite
def labelled(draw):
    shape = draw(st.tuples(st.integers(1, 12), st.integers(1, 3)))
    return draw(hnp.arrays(np.float64, shape, elements=coarse)), draw(hnp.arrays(bool, shape))


def sides(scores):
    """Every threshold that matters, the highest first."""
    return [*np.unique(scores)[::-1], np.unique(scores)[0] - 1.0]


@untimed
@given(labelled(), betas)
def test_no_threshold_has_a_better_f(pair, beta):
    scores, truth = pair
    rule = decide.MaxF1(beta).fit(scores, truth)
    reached = f_measures(counts(truth, rule.decide(scores)), beta)
    for label in range(scores.shape[1]):
        others = [f_measures(counts(truth[:, label], scores[:, label] > t), beta)[0] for t in sides(scores[:, label])]
        assert reached[label] == max(others)
        first = sides(scores[:, label])[int(np.argmax(others))]  # of equals, the one that gives fewest
        assert rule.decide(scores)[:, label].sum() == (scores[:, label] > first).sum()


@untimed
@given(labelled())
def test_no_threshold_makes_fewer_errors(pair):
    scores, truth = pair
    decided = decide.MinError().fit(scores, truth).decide(scores)
    for label in range(scores.shape[1]):
        errors = [((scores[:, label] > t) != truth[:, label]).sum() for t in sides(scores[:, label])]
        assert (decided[:, label] != truth[:, label]).sum() == min(errors)
        first = sides(scores[:, label])[int(np.argmin(errors))]
        assert decided[:, label].sum() == (scores[:, label] > first).sum()


@untimed
@given(labelled(), st.data())
def test_rules_outlive_json_exactly(pair, data):
    scores, truth = pair
    folds = data.draw(hnp.arrays(np.int64, len(scores), elements=st.integers(0, 2)))
    for unfitted in (decide.Threshold(1 / 3), decide.MaxF1(0.7), decide.MinError(), decide.SCut(), decide.SCutFBR(0.3)):
        for rule in (unfitted, unfitted.fit(scores, truth, folds)):
            assert decide.rule_from_dict(json.loads(json.dumps(rule.to_dict(), allow_nan=False))) == rule
            assert decide.rule_from_dict(msgspec.json.decode(msgspec.json.encode(rule.to_dict()))) == rule


def worth_of_every_set(p, beta):
    """E[F_beta] of every set of documents, by adding up all outcomes; the sets are rows of 0 and 1."""
    sets = np.array(list(itertools.product([0.0, 1.0], repeat=len(p))))
    chance = np.where(sets == 1, p, 1 - np.asarray(p)).prod(axis=1)
    below = sets.sum(axis=1)[:, None] + beta**2 * sets.sum(axis=1)  # (set, outcome)
    f = np.divide((1 + beta**2) * (sets @ sets.T), below, out=np.ones(below.shape), where=below > 0)
    return sets, f @ chance


@untimed
@given(st.lists(chances, min_size=1, max_size=8), betas)
def test_no_set_has_a_higher_expected_f(p, beta):
    sets, worth = worth_of_every_set(p, beta)
    found = expected_f.maximise_expected_f(p, beta)
    assert found.value == pytest.approx(worth.max(), abs=1e-12)
    given = decide.ExpectedF(beta).decide(p).ravel()
    assert given.sum() == found.k
    assert worth[(sets == given).all(axis=1)] == pytest.approx(worth.max(), abs=1e-12)


@settings(max_examples=3, deadline=None)
@given(st.lists(chances, min_size=11, max_size=12), betas)
def test_no_set_of_twelve_has_a_higher_expected_f(p, beta):
    best = worth_of_every_set(p, beta)[1].max()
    assert expected_f.maximise_expected_f(p, beta).value == pytest.approx(best, abs=1e-12)


@untimed
@given(st.lists(chances, min_size=1, max_size=12), betas)
def test_expected_f1_is_the_best_threshold_of_its_formula(p, beta):
    p = np.array(p)

    def value(given):  # chai2002 4.1.2
        return (1 + beta**2) * p[given].sum() / (given.sum() + beta**2 * p.sum()) if given.any() else (1 - p).prod()

    given = decide.ExpectedF1(beta).decide(p).ravel()
    assert value(given) == pytest.approx(max(value(p > t) for t in [*p, -1.0]), abs=1e-12)
    assert not given.any() or p[given].min() > p[~given].max(initial=-1.0)  # a threshold: no tie is split


@untimed
@given(hnp.arrays(bool, st.tuples(st.integers(4, 40), st.integers(1, 4))), st.integers(2, 4), st.integers(0, 9))
def test_folds_are_of_one_size_and_repeatable(truth, folds, seed):
    fold = stratified_folds(truth, folds, seed)
    assert set(fold.tolist()) <= set(range(folds))
    assert np.array_equal(fold, stratified_folds(truth, folds, seed))
    rarest = truth.sum(axis=0)[truth.any(axis=0)]
    if rarest.size:  # the label that is shared out first differs by at most one
        first = truth[:, np.flatnonzero(truth.any(axis=0))[rarest.argmin()]]
        shares = np.bincount(fold[first], minlength=folds)
        assert shares.max() - shares.min() <= 1
