"""The windowed maximiser of expected F against ones that leave nothing out, where its window is far from everything."""

from __future__ import annotations

import numpy as np
import pytest

from bayesift import decide
from bayesift.decide import expected_f
from bayesift.decide._expected_f import law_of_sum

N = 2000
RNG = np.random.default_rng(5)
SHAPES = {
    "any": RNG.random(N),
    "rare": RNG.beta(0.05, 2, N),
    "half": np.full(N, 0.5),
    "near half": 0.5 + 1e-3 * RNG.standard_normal(N),
    "sure or not": np.concatenate((np.ones(300), RNG.beta(0.1, 0.1, N - 400), np.zeros(100))),
}


def full_law(p):
    law = np.ones(1)
    for x in p:
        law = np.convolve(law, [1 - x, x])
    return law


def all_expected_f1(p):
    """E[F_1] of the first k, for every k, by the recursion of Ye et al. 2012 (algorithm 1): no division, no window.

    s[a] = E[1 / (a + B_k)] with B_k the number of true ones after the first k.
    """
    first = [np.ones(1)]
    for x in p:
        first.append(np.convolve(first[-1], [1 - x, x]))
    n = len(p)
    s = 1.0 / np.arange(1, 2 * n + 2)  # a = 1, 2 ...
    values = np.zeros(n + 1)
    for k in range(n, 0, -1):
        hits = np.arange(1, k + 1)
        values[k] = 2 * (hits * first[k][1:] * s[k + hits - 1]).sum()
        s = (1 - p[k - 1]) * s[:-1] + p[k - 1] * s[1:]
    values[0] = first[n][0]
    return values


@pytest.mark.parametrize("shape", SHAPES)
def test_the_window_loses_nothing_that_counts(shape):
    p = np.sort(SHAPES[shape])[::-1]
    values = all_expected_f1(p)
    found = expected_f.maximise_expected_f(SHAPES[shape])
    assert found.value == pytest.approx(values.max(), abs=1e-12)
    assert values[found.k] == pytest.approx(values.max(), abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_law_of_the_sum(shape):
    p = SHAPES[shape]
    law, low, high = law_of_sum(p)
    assert high - low < N / 2
    full = full_law(p)
    assert full[:low].sum() + full[high + 1 :].sum() < 1e-18
    assert law[low : high + 1] == pytest.approx(full[low : high + 1], rel=1e-10, abs=1e-18)
    assert not law[:low].any()


@pytest.mark.parametrize("beta", [0.3, 3.0])
def test_beta_against_simulation(beta):
    p = np.sort(SHAPES["rare"])[::-1][:60]
    found = expected_f.maximise_expected_f(p, beta)
    y = np.random.default_rng(6).random((200_000, len(p))) < p
    f = (1 + beta**2) * y[:, : found.k].sum(axis=1) / (found.k + beta**2 * y.sum(axis=1))
    assert found.k > 0
    assert found.value == pytest.approx(f.mean(), abs=5 * f.std() / np.sqrt(len(f)))


def test_nothing_and_certainty():
    assert expected_f.maximise_expected_f([0.0, 0.0]) == (0, 1.0)
    assert expected_f.maximise_expected_f([]) == (0, 1.0)
    assert expected_f.maximise_expected_f([1.0, 0.0, 1.0]) == (2, pytest.approx(1.0))


def test_a_tie_at_the_cut_goes_to_the_first():
    p = np.array([[0.3, 0.3, 1.0, 0.3, 0.3, 1.0]]).T
    given = decide.ExpectedF().decide(p).ravel()
    k = expected_f.maximise_expected_f(p).k
    assert np.array_equal(given, [k > 2, k > 3, True, k > 4, k > 5, True])


def test_a_hundred_thousand():
    p = np.random.default_rng(7).beta(0.01, 1, 100_000)
    found = expected_f.maximise_expected_f(p)
    ratio = decide.ExpectedF1().decide(p).sum()  # the approximation is good where many are expected
    assert abs(found.k - ratio) <= 2
    top = np.sort(p)[::-1]
    assert found.value == pytest.approx(2 * top[: found.k].sum() / (found.k + p.sum()), abs=1e-3)


def test_labels_are_decided_each_on_its_own():
    p = np.random.default_rng(8).random((50, 3)) ** [1, 4, 9]
    for rule in (decide.ExpectedF1(), decide.ExpectedF(2)):
        together = rule.fit(p, p > 0.5).decide(p)
        assert np.array_equal(together, np.hstack([rule.decide(p[:, [j]]) for j in range(3)]))
        assert together.any(axis=0).all()
