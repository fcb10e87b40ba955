"""The measures against scikit-learn, scipy and plain loops, on random data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.stats import binomtest
from sklearn import metrics
from sklearn.calibration import calibration_curve

from bayesift import evaluate as ev

shapes = st.tuples(st.integers(1, 12), st.integers(2, 5))
AVERAGES = {"micro": "micro", "macro": "macro", "example": "samples"}
# Few different values, so that ties and the edges of bins occur.
coarse = st.sampled_from([0.0, 0.05, 0.1, 0.3, 0.5, 0.7, 0.95, 1.0]) | st.floats(0, 1)


@st.composite
def decisions(draw, matrices=2):
    shape = draw(shapes)
    return [draw(hnp.arrays(bool, shape)) for _ in range(matrices)]


@st.composite
def beliefs(draw):
    shape = draw(shapes)
    return draw(hnp.arrays(bool, shape)), draw(hnp.arrays(np.float64, shape, elements=coarse))


@given(
    decisions(), st.sampled_from(sorted(AVERAGES)), st.sampled_from([0.0, 1.0]), st.sampled_from([0.5, 1, 2])
)
def test_averages_equal_scikit_learn(pair, average, empty, beta):
    t, y = pair
    theirs = {"average": AVERAGES[average], "zero_division": empty}
    assert ev.precision(t, y, average, empty) == pytest.approx(metrics.precision_score(t, y, **theirs))
    assert ev.recall(t, y, average, empty) == pytest.approx(metrics.recall_score(t, y, **theirs))
    f = metrics.fbeta_score(t, y, beta=beta, **theirs)
    assert ev.f_measure(t, y, average, beta, empty) == pytest.approx(f)
    assert ev.hamming_loss(t, y) == pytest.approx(metrics.hamming_loss(t, y))


@given(decisions())
def test_counts_equal_scikit_learn_dense_or_sparse(pair):
    t, y = pair
    for per, by_row in (("label", False), ("document", True)):
        theirs = metrics.multilabel_confusion_matrix(t, y, samplewise=by_row)
        for first, second in ((t, y), (sparse.csr_matrix(t), y), (sparse.coo_array(t), sparse.csc_array(y))):
            c = ev.counts(first, second, per)
            assert np.array_equal(np.stack([c.tn, c.fp, c.fn, c.tp], axis=1), theirs.reshape(-1, 4))


@given(st.integers(0, 400), st.integers(0, 400))
def test_p_value_is_the_exact_binomial(wins, losses):
    test = ev.SignTest(wins, losses)
    if wins + losses == 0:
        assert test.p_value == 1
    else:
        greater = binomtest(max(wins, losses), wins + losses, alternative="greater").pvalue
        assert test.p_value == pytest.approx(greater, rel=1e-9)
    assert ev.SignTest(losses, wins).sign == test.sign.translate(str.maketrans("<>", "><"))


@given(decisions(matrices=3))
def test_sign_tests_count_as_a_loop_does(three):
    t, a, b = three
    micro = ev.micro_sign_test(t, sparse.csr_array(a), b)
    assert micro.wins == ((a == t) & (b != t)).sum()
    assert micro.losses == ((a != t) & (b == t)).sum()
    f_a, f_b = (metrics.f1_score(t, x, average=None, zero_division=0) for x in (a, b))
    macro = ev.macro_sign_test(t, a, b)
    assert macro.wins == sum(x > y and not np.isclose(x, y) for x, y in zip(f_a, f_b))
    assert macro.losses == sum(x < y and not np.isclose(x, y) for x, y in zip(f_a, f_b))


@given(beliefs())
def test_roc_areas_equal_scikit_learn(pair):
    t, p = pair
    ours = ev.roc_areas(t, p)
    for c in range(t.shape[1]):
        if 0 < t[:, c].sum() < len(t):
            assert ours[c] == pytest.approx(metrics.roc_auc_score(t[:, c], p[:, c]))
        else:
            assert np.isnan(ours[c])


@given(beliefs())
def test_log_evidence_and_brier_equal_scikit_learn(pair):
    t, p = pair
    p = np.clip(p, 1e-9, 1 - 1e-9)
    mean = ev.log_evidence(t, p).mean() / len(t)
    assert -mean == pytest.approx(metrics.log_loss(t.ravel(), p.ravel(), labels=[0, 1]))
    theirs = metrics.brier_score_loss(t.ravel(), p.ravel(), pos_label=True)
    assert ev.brier_score(sparse.csr_array(t), p) == pytest.approx(theirs)


@given(beliefs(), st.integers(1, 12), st.sampled_from(["width", "count"]))
def test_reliability_equals_scikit_learn(pair, bins, by):
    t, p = pair
    curve = ev.reliability(t, p, bins, by)
    strategy = {"width": "uniform", "count": "quantile"}[by]
    true, mean = calibration_curve(t.ravel(), p.ravel(), n_bins=bins, strategy=strategy, pos_label=True)
    assert curve.fraction_true == pytest.approx(true)
    assert curve.mean_probability == pytest.approx(mean)
    assert curve.count.sum() == p.size
    assert 0 <= curve.expected_error <= curve.maximal_error + 1e-12


@given(beliefs(), st.integers(0, 2**32 - 1))
def test_q_is_equation_6(pair, seed):
    t, q = pair
    y = np.random.default_rng(seed).random(t.shape) < 0.5
    sign_t, sign_y = np.where(t, 1, -1), np.where(y, 1, -1)
    total = 0.0
    for c in range(t.shape[1]):
        one_class = t[:, c].all() or not t[:, c].any()
        area = 0.5 if one_class else metrics.roc_auc_score(t[:, c], q[:, c] * sign_y[:, c])
        total += (2 * area - 1) + np.mean(q[:, c] * sign_t[:, c] * sign_y[:, c])
    assert ev.q_score(t, sparse.csr_array(y), q) == pytest.approx(total / t.shape[1], abs=1e-12)


@given(hnp.arrays(bool, st.integers(1, 60)), st.floats(0.01, 1))
def test_ranking_equals_a_loop(relevant, wanted):
    n, total = len(relevant), int(relevant.sum())
    if total == 0:
        assert np.isnan(ev.work_saved(relevant, wanted))
        assert np.isnan(ev.average_time_to_discovery(relevant))
        assert np.isnan(ev.recall_at(relevant, n))
        assert np.isnan(ev.recall_loss(relevant))
        return
    read = next(k for k in range(1, n + 1) if relevant[:k].sum() >= wanted * total - 1e-9)
    assert ev.work_saved(relevant, wanted) == pytest.approx((n - read) / n - (1 - wanted))
    places = [i + 1 for i in range(n) if relevant[i]]
    if total < n:  # of all pairs, those with the irrelevant document first
        behind = sum((~relevant[: place - 1]).sum() for place in places)
        assert ev.recall_loss(relevant) == pytest.approx(behind / (total * (n - total)))
    assert ev.average_time_to_discovery(relevant) == pytest.approx(sum(places) / total / n)
    assert [ev.recall_at(relevant, k) for k in range(n + 2)] == [
        relevant[:k].sum() / total for k in range(n + 2)
    ]


@settings(max_examples=30)
@given(beliefs())
def test_average_time_to_discovery_is_the_roc_area_in_other_units(pair):
    """With R relevant of N and no ties, the mean place is (R+1)/2 + (N-R)(1-A): both see the same order."""
    t = pair[0][:, 0]
    scores = np.random.default_rng(len(t)).permutation(len(t)).astype(float)
    r, n = t.sum(), len(t)
    if 0 < r < n:
        area = ev.roc_areas(t, scores)[0]
        place = ev.average_time_to_discovery(ev.by_score(t, scores), absolute=True)
        assert place == pytest.approx((r + 1) / 2 + (n - r) * (1 - area))
