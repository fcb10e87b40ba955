"""What topics learn from each other, against the exact posterior of the hierarchical normal model."""

import numpy as np
import pytest
from tests.unit.filtering.gp_streams import made, run

from bayesift.decide.platt import Line
from bayesift.filtering import Filter, GPProfile, Row, TopicKernel, load_filter, save_filter
from bayesift.filtering.shared_prior import MOST, SHIFT_SD, STEP, VARIANCE, SharedPrior


def exact(estimates, precisions, priors):
    """Return mean and covariance of (d, c_1, .., c_n): c_t ~ N(prior_t + d, V), estimates ~ N(c_t, 1 / precision_t)."""
    n = len(estimates)
    A = np.zeros((n + 1, n + 1))
    b = np.zeros(n + 1)
    A[0, 0] = SHIFT_SD**-2.0
    for t in range(n):
        difference = np.zeros(n + 1)
        difference[[0, t + 1]] = -1.0, 1.0
        A += np.outer(difference, difference) / VARIANCE
        b += difference * priors[t] / VARIANCE
        A[t + 1, t + 1] += precisions[t]
        b[t + 1] += precisions[t] * estimates[t]
    covariance = np.linalg.inv(A)
    return covariance @ b, covariance


@pytest.mark.parametrize("n", [1, 2, 30])
def test_shift_and_offsets_are_those_of_the_exact_posterior(monkeypatch, n):
    monkeypatch.setattr("bayesift.filtering.shared_prior.STEP", 1e-12)
    rng = np.random.default_rng(n)
    priors, estimates, precisions = rng.normal(-2.4, 0.5, n), rng.normal(-1.0, 1.0, n), rng.exponential(2.0, n)
    mean, covariance = exact(estimates, precisions, priors)
    variances = 1.0 / (1.0 / VARIANCE + precisions)  # of the offsets for d = 0
    offsets = variances * (priors / VARIANCE + precisions * estimates)
    prior = SharedPrior.of(offsets, variances, priors)
    assert prior == pytest.approx((mean[0], covariance[0, 0] ** 0.5), abs=1e-9)
    for t in range(n):
        line = prior.moved(Line(2.4, float(offsets[t]), np.diag([0.81, variances[t]])))
        assert (line.slope, line.offset) == pytest.approx((2.4, mean[t + 1]))
        assert line.covariance == pytest.approx(np.diag([0.81, covariance[t + 1, t + 1]]))


def test_without_answers_nothing_moves():
    assert SharedPrior.of(np.full(5, -2.4), np.full(5, VARIANCE), np.full(5, -2.4)) == SharedPrior()
    assert SharedPrior.of(np.zeros(0), np.zeros(0), np.zeros(0)) == SharedPrior()
    assert (SHIFT_SD / STEP).is_integer()


def test_answers_that_contradict_the_prior_move_it_so_far_and_no_further():
    found = SharedPrior.of(np.full(9, 5.0), np.full(9, 0.99 * VARIANCE), np.full(9, -2.4))
    assert found.shift == MOST
    assert SharedPrior.of(np.full(9, -9.0), np.full(9, 0.99 * VARIANCE), np.full(9, -2.4)).shift == -MOST


def test_a_topic_learns_from_the_answers_of_others():
    stream, *_ = made()
    silent = GPProfile.start("t3", stream.kernel(), statement=Row.of({18: 0.8, 19: 0.6}))
    before = silent.probability(Row.of({18: 0.6, 20: 0.8}))
    for relevant in (True, False):
        stream, rows, Y = made()
        silent = GPProfile.start("t3", stream.kernel(), statement=Row.of({18: 0.8, 19: 0.6}))
        stream = Filter([*(topic.profile for topic in stream.topics), silent], background=rows[:200])
        for i, k in enumerate(np.flatnonzero(Y[:, 0])[:6].tolist()):
            stream.judge("t0", str(i), relevant, rows[k])
        after = silent.probability(Row.of({18: 0.6, 20: 0.8}))
        assert (after > before) == relevant
        assert stream.decisions.lines.probabilities(np.array([3]), np.array([silent.score(rows[7])]))[0] == (
            silent.probability(rows[7])
        )


def test_a_loaded_filter_has_the_prior_before_its_topics_learn(tmp_path):
    stream, rows, Y = made()
    run(stream, rows, Y, end=120)
    assert stream.shared.prior != SharedPrior()
    save_filter(stream, tmp_path / "a.filter")
    loaded = load_filter(tmp_path / "a.filter")
    assert loaded.shared.prior == stream.shared.prior == loaded.decisions.lines.prior
    assert [t.profile.probability(rows[5]) for t in loaded.topics] == [
        t.profile.probability(rows[5]) for t in stream.topics
    ]


def test_an_answer_that_is_withdrawn_moves_the_prior_back():
    stream, rows, Y = made()
    assert stream.decisions.lines.prior == SharedPrior()
    for i, k in enumerate(np.flatnonzero(Y[:, 0])[:4].tolist()):
        stream.judge("t0", str(i), False, rows[k])
    assert stream.decisions.lines.prior.shift < 0.0
    for i in range(4):
        stream.withdraw("t0", str(i))
    assert stream.decisions.lines.prior == stream.shared.prior == SharedPrior()


def test_a_kernel_with_another_prior_is_the_same_kernel():
    kernel = TopicKernel()
    other = kernel.with_prior(SharedPrior(1.0, 0.5))
    assert other.prior.shift == 1.0
    assert kernel.prior == SharedPrior()
    assert other.reference is kernel.reference
