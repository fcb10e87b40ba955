"""Utilities against the figures of chai2002 table 4, and the order of a pool by hand."""

from __future__ import annotations

import numpy as np
import pytest

from bayesift import evaluate as ev
from bayesift.errors import BadInput


@pytest.mark.parametrize(
    ("retrieved", "relevant_retrieved", "mean_utility"),
    # chai2002, table 4, 63 topics: totals, and the mean of 2 R+ - N+ that they printed. The seventh column
    # (Pptron: 1057, 731, 17.730) is left out: its totals give 18.032; 17.730 needs 1076 retrieved.
    [
        (3562, 1095, -4.397),
        (3251, 1061, -1.079),
        (2716, 1227, 15.318),
        (2391, 1128, 15.762),
        (2533, 732, -5.349),
        (1157, 772, 18.397),
    ],
)
def test_utility_is_that_of_the_paper(retrieved, relevant_retrieved, mean_utility):
    n_plus = retrieved - relevant_retrieved
    # T9U is linear above its floor, so that one topic of all totals has 63 times the mean
    assert ev.t9u(relevant_retrieved, n_plus, floor=-np.inf)[0] / 63 == pytest.approx(mean_utility, abs=1e-3)


def test_filter_measures_of_counts():
    truth = np.array([[1, 1], [1, 0], [0, 0], [0, 0]])
    c = ev.counts(truth, [[1, 0], [1, 0], [1, 0], [0, 0]])  # R+ 2 and 0, N+ 1 and 0, relevant 2 and 1
    assert ev.t9p(c.tp, c.fp).tolist() == [2 / 50, 0]
    assert ev.t9p(c.tp, c.fp, target=1) == pytest.approx([2 / 3, 0])
    assert ev.t9u(c.tp, c.fp).tolist() == [3, 0]
    assert ev.scaled_utility(c.tp, c.fp, c.support).tolist() == [3 / 4, 0]
    assert ev.t11su(c.tp, c.fp, c.support) == pytest.approx([(3 / 4 + 0.5) / 1.5, 1 / 3])


def test_floors():
    assert ev.t9u([1], [102]).tolist() == [-100]
    assert ev.t9u([1], [101]).tolist() == [-99]
    assert ev.scaled_utility([0], [500], [10]).tolist() == [-100 / 20]
    assert ev.t11su([0, 0], [10, 4], [10, 10]) == pytest.approx([0, (0.5 - 0.2) / 1.5])  # -10/20 is the floor


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: ev.t9p([1, 2], [1]), "one number per topic"),
        (lambda: ev.t9u([-1], [1]), "negative or nan"),
        (lambda: ev.t9p([1], [1], target=0), "target"),
        (lambda: ev.t11su([5], [0], [4]), "above the number of relevant"),
        (lambda: ev.scaled_utility([5], [0], [5, 6]), "one number of relevant"),
        (lambda: ev.t11su([5], [0], [5], floor=1), "floor"),
        (lambda: ev.recall_at([1, 0], -1), "k must"),
        (lambda: ev.work_saved([1, 0], 0), "recall must"),
        (lambda: ev.work_saved([[1, 0]], 0.5), "one label at a time"),
        (lambda: ev.by_score([1, 0], [0.5]), "scores must have the shape"),
    ],
)
def test_refusals(call, says):
    with pytest.raises(BadInput, match=says):
        call()


def test_order_of_a_pool():
    perfect = [1] * 5 + [0] * 95
    assert ev.work_saved(perfect) == pytest.approx(0.95 - 0.05)
    assert ev.work_saved(perfect[::-1]) == pytest.approx(0 - 0.05)
    assert ev.average_time_to_discovery(perfect) == pytest.approx(0.03)
    assert ev.average_time_to_discovery(perfect, absolute=True) == 3
    assert [ev.recall_at(perfect, k) for k in (0, 1, 5, 100, 1000)] == [0, 0.2, 1, 1, 1]


def test_recall_that_floating_point_overshoots():
    # 0.55 * 100 is 55.00000000000001: 55 of 100 must do, and they are the first 55 of 200
    assert ev.work_saved([1] * 100 + [0] * 100, recall=0.55) == pytest.approx(145 / 200 - 0.45)


def test_equal_scores_stay_in_their_order():
    truth = np.array([1, 0] * 50)
    assert ev.by_score(truth, np.zeros(100)).tolist() == truth.tolist()
