"""Rates of labels: the formula of prior shift, EM on known rates, thresholds at other rates."""

import numpy as np
import pytest
from scipy.special import expit, logit

from bayesift.decide import JointThresholds, MaxF1, Precision, Threshold
from bayesift.decide.label_rates import as_rates, check_rates, check_sum, estimated_rates, rate_shift, reweighted
from bayesift.errors import BadInput


def normal_scores(rate, n, seed=0):
    """One score per document, N(1, 1) with the label and N(-1, 1) without: the log-odds are 2 x + logit(rate)."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < rate
    return rng.normal(size=n) + np.where(y, 1.0, -1.0), y


def test_the_shift_is_that_of_the_odds():
    pi, new, p = np.array([0.2, 0.5]), np.array([0.01, 0.9]), np.array([[0.3, 0.7]])
    shifted = expit(logit(p) + rate_shift(new, pi))
    odds = p / (1 - p) * new * (1 - pi) / (pi * (1 - new))
    np.testing.assert_allclose(shifted / (1 - shifted), odds, rtol=1e-12)


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.8])
def test_em_finds_the_rate_of_unlabelled_documents(rate):
    x, y = normal_scores(rate, 20_000)
    found = estimated_rates((2 * x + logit(0.3))[:, None], np.array([0.3]), np.array([10_000.0]))
    assert found[0] == pytest.approx(y.mean(), abs=0.01)


def test_few_training_documents_keep_the_rate():
    x, _ = normal_scores(0.02, 20_000)
    log_odds, base = (2 * x + logit(0.3))[:, None], np.array([0.3])
    few, many = (estimated_rates(log_odds, base, np.array([k]))[0] for k in (3.0, 3000.0))
    assert 0.15 < few < 0.3
    assert many < 0.03


def test_negatives_are_counted_as_often_as_the_odds_ask():
    documents = np.array([[[50, 30, 20]]])
    positives = np.array([[[0, 5, 15]]])
    n, y = reweighted(documents, positives, np.array([-np.log(4.0)]))
    assert (y == positives).all()
    assert (n - y).sum() == 4 * 80
    assert (n >= y).all()
    same, _ = reweighted(documents, positives, np.zeros(1))
    assert (same == documents).all()


@pytest.mark.parametrize("rule", [MaxF1(), Precision(0.6), JointThresholds()])
def test_thresholds_follow_the_rates(rule):
    """A rule fitted at a rate of 0.3 for a rate of 0.05 is near the one that is fitted at 0.05."""
    edges = np.linspace(-6, 6, 193)
    p = expit(2 * (edges[:-1] + edges[1:]) / 2 + logit(0.3))[None]
    x, y = normal_scores(0.3, 20_000)
    counts = [np.histogram(v, edges)[0][None, None] for v in (x, x[y])]
    shift = rate_shift(np.array([0.05]), np.array([0.3]))
    here = rule.fit_counts(p, *counts).thresholds(1)[0]
    moved = rule.fit_shifted_counts(p, *counts, shift).thresholds(1)[0]
    x, y = normal_scores(0.05, 20_000, seed=1)
    there = [np.histogram(v, edges)[0][None, None] for v in (x, x[y])]
    own = rule.fit_counts(expit(logit(p) + shift[:, None]), *there).thresholds(1)[0]
    # as scores x, so that both are on one scale
    scores = [(logit(t) - logit(r)) / 2 for t, r in ((here, 0.3), (moved, 0.05), (own, 0.05))]
    assert scores[1] > scores[0] + 0.1
    assert abs(scores[1] - scores[2]) < 0.35


def test_a_fixed_threshold_stays():
    counts = np.ones((2, 1, 1, 2), int)
    assert Threshold().fit_shifted_counts(np.array([[0.2, 0.8]]), *counts, np.ones(1)) == Threshold()


@pytest.mark.parametrize("rate", [0.0, 1.0, -0.1, 1.5, float("inf"), "often", None, True])
def test_a_rate_is_between_0_and_1(rate):
    with pytest.raises(BadInput, match="the rate of label 'oil'"):
        check_rates([("wheat", 0.1), ("oil", rate)])


def test_rates_that_do_not_fit():
    with pytest.raises(BadInput, match=r"add up to 1\.2"):
        check_sum([0.7, 0.5])
    with pytest.raises(BadInput, match="for 3 labels"):
        as_rates([0.1, 0.2], 3, None)
    with pytest.raises(BadInput, match="no unlabelled documents"):
        as_rates("unlabelled", 3, None)
    with pytest.raises(BadInput, match="label_rates is 'labelled'"):
        as_rates("labelled", 3, None)
