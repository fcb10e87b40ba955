"""Decisions and sign tests by hand, with categories that are empty."""

from __future__ import annotations

import numpy as np
import pytest

from bayesift import evaluate as ev
from bayesift.errors import BadInput

#        true and given | given only | true only | neither
TRUTH = np.array([[1, 0, 1, 0], [1, 0, 0, 0]])
GIVEN = np.array([[1, 1, 0, 0], [1, 0, 0, 0]])


def test_categories_that_are_empty():
    c = ev.counts(TRUTH, GIVEN)
    assert ev.precisions(c).tolist() == [1, 0, 0, 0]
    assert ev.recalls(c).tolist() == [1, 0, 0, 0]
    assert ev.f_measures(c).tolist() == [1, 0, 0, 0]
    # 0/0 only: precision where nothing was given, recall where nothing is true, F where neither
    assert ev.precisions(c, empty=1).tolist() == [1, 0, 1, 1]
    assert ev.recalls(c, empty=1).tolist() == [1, 1, 0, 1]
    assert ev.f_measures(c, empty=1).tolist() == [1, 0, 0, 1]
    assert ev.f_measure(TRUTH, GIVEN, "macro") == 0.25
    assert ev.f_measure(TRUTH, GIVEN, "macro", empty=1) == 0.5


def test_nothing_true_and_nothing_given():
    nothing = np.zeros((3, 2), bool)
    for average in ("micro", "macro", "example"):
        assert ev.f_measure(nothing, nothing, average) == 0
        assert ev.f_measure(nothing, nothing, average, empty=1) == 1
    assert ev.hamming_loss(nothing, nothing) == 0


def test_f_half_weighs_precision():
    # TP 1, FP 0, FN 3; F_1 = 2/5, F_0.5 = 1.25/(1.25 + 0.25 * 3), F_2 = 5/(5 + 4 * 3)
    c = ev.counts([1, 1, 1, 1], [1, 0, 0, 0])
    assert [ev.f_measures(c, beta)[0] for beta in (1, 0.5, 2)] == pytest.approx([0.4, 0.625, 5 / 17])


def test_refusals():
    with pytest.raises(BadInput, match="averages are: micro, macro, example"):
        ev.f_measure(TRUTH, GIVEN, "weighted")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="beta"):
        ev.f_measure(TRUTH, GIVEN, beta=0)
    with pytest.raises(BadInput, match="same length"):
        ev.sign_test([1, 2], [1])
    with pytest.raises(BadInput, match="nan"):
        ev.sign_test([1, np.nan], [1, 2])


@pytest.mark.parametrize(
    ("wins", "losses", "sign"),
    [
        (7, 0, ">>"),  # 1/128 = 0.0078
        (6, 0, ">"),  # 1/64 = 0.0156
        (5, 0, ">"),  # 1/32 = 0.0313
        (4, 0, "~"),  # 1/16 = 0.0625
        (8, 1, ">"),  # 10/512 = 0.0195
        (10, 1, ">>"),  # 12/2048 = 0.0059
        (3, 3, "~"),
        (0, 0, "~"),
        (0, 6, "<"),
        (0, 7, "<<"),
    ],
)
def test_signs_by_hand(wins, losses, sign):
    assert ev.SignTest(wins, losses).sign == sign


def test_equal_fractions_tie_in_the_macro_test():
    # A: TP 1, FP 0, FN 1; B: TP 2, FP 2, FN 0: F_1 = 2/3 by two ways
    assert ev.macro_sign_test([1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1]).n == 0


def test_compare():
    truth = np.eye(8, dtype=int)
    found = ev.compare(truth, truth, np.zeros((8, 8), int), names=("ours", "silence"))
    assert (found.micro, found.macro) == (ev.SignTest(8, 0), ev.SignTest(8, 0))
    assert (found.micro_f1, found.macro_f1, found.sign) == ((1, 0), (1, 0), ">> / >>")
    assert found.to_dict()["macro"] == {
        "f1": [1.0, 0.0],
        "wins": 8,
        "losses": 0,
        "p_value": 1 / 256,
        "sign": ">>",
    }
    line = next(line for line in found.markdown().splitlines() if "S-test" in line)
    assert [cell.strip() for cell in line.strip("|").split("|")[1:]] == [
        "1.0000",
        "0.0000",
        "8",
        "0",
        "0.0039",
        ">>",
    ]
