"""Thresholds by hand, at the edges of what floats can part, and what is refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from bayesift import decide
from bayesift.decide import expected_f
from bayesift.errors import BadInput, NotFound

ONE = np.nextafter(1.0, 2.0)  # the number after 1: there is no midpoint
RULES = [decide.MaxF1(), decide.MinError(), decide.SCut(), decide.SCutFBR()]


@pytest.mark.parametrize("rule", RULES)
def test_a_label_without_examples_is_never_given(rule):
    fitted = rule.fit([[0.2, 0.9], [0.8, 0.1]], [[0, 0], [1, 0]])
    assert fitted.thresholds_[1] == np.inf
    assert fitted.decide([[1.0, 1e300]]).tolist() == [[True, False]]
    assert fitted.to_dict()["thresholds_"][1] is None


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("scores", [[1.0, ONE], [-ONE, -1.0], [0.0, 5e-324], [-1.7e308, 1.7e308]])
def test_neighbouring_and_far_numbers_are_parted(rule, scores):
    fitted = rule.fit(scores, [0, 1])
    assert fitted.decide(scores).ravel().tolist() == [False, True]


@pytest.mark.parametrize("rule", RULES)
def test_float32_scores_and_sparse_truth(rule):
    scores = np.array([[0.1], [0.3], [0.7]], np.float32)
    fitted = rule.fit(scores, sparse.csr_array(np.array([[0], [1], [1]])))
    assert fitted.decide(scores).ravel().tolist() == [False, True, True]


def test_everybody_and_nobody():
    assert decide.MaxF1().fit([3.0, 1.0, 2.0], [0, 1, 0]).decide([1.0, 0.999]).ravel().tolist() == [True, False]
    assert decide.MinError().fit([3.0, 2.0, 1.0], [0, 0, 1]).thresholds_ == (3.0,)  # nobody: one error, not two


def test_beta_moves_the_threshold():
    scores, truth = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4], [1, 0, 0, 1, 1, 0]
    assert decide.MaxF1(0.5).fit(scores, truth).thresholds_ == pytest.approx([0.85])  # 5/7; 15/23 at five given
    assert decide.MaxF1(2).fit(scores, truth).thresholds_ == pytest.approx([0.45])


def test_fit_leaves_the_rule_as_it_was():
    rule = decide.MaxF1()
    fitted = rule.fit([0.1, 0.9], [0, 1])
    assert rule == decide.MaxF1()
    assert fitted != rule
    with pytest.raises(BadInput, match="this MaxF1 is not fitted; decide with the rule that fit"):
        rule.decide([[0.5]])


def test_no_documents_get_no_labels():
    for rule in (decide.Threshold(), decide.ExpectedF1(), decide.ExpectedF()):
        assert rule.decide(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: decide.MaxF1().fit([[0.5, 0.5]], [[1]]), "scores must have the shape of truth"),
        (lambda: decide.MaxF1().fit([0.5, np.nan], [1, 0]), "some are nan"),
        (lambda: decide.MaxF1().fit([0.5, np.inf], [1, 0]), "must be finite"),
        (lambda: decide.MaxF1().fit([0.5, 0.1], [1, 0]).decide([[0.5, 0.5]]), "fitted to 1 labels, but scores has 2"),
        (lambda: decide.Threshold().decide([[0.5], [0.5, 0.5]]), "scores is not an array"),
        (lambda: decide.Threshold().decide(np.nan), "scores must be a matrix"),
        (lambda: decide.Threshold().decide(sparse.csr_array((2, 2))), "must be dense"),
        (lambda: decide.Threshold(np.nan), "threshold must be a number"),
        (lambda: decide.MaxF1(0), "beta must be a positive number, but is 0"),
        (lambda: decide.SCut(beta=np.inf), "beta"),
        (lambda: decide.SCutFBR(()), "fbr has no values"),
        (lambda: decide.SCutFBR((0.1, -1)), "fbr must be"),
        (lambda: decide.SCutFBR((0.1, 0.2)).fit([0.5, 0.1], [1, 0]), "needs folds"),
        (lambda: decide.SCut().fit([0.5, 0.1], [1, 0], folds=[0]), "folds must be 2 whole numbers"),
        (lambda: decide.SCut().fit([0.5, 0.1], [1, 0], folds=[0.0, 1.0]), "folds must be 2 whole numbers"),
        (lambda: decide.ExpectedF1().decide([[1.5]]), "from 1.5 to 1.5; give probabilities, not scores"),
        (lambda: decide.ExpectedF().decide([[-0.5]]), "between 0 and 1"),
        (lambda: expected_f.maximise_expected_f([[0.5, 0.5]]), "one label was expected, but 2 came"),
        (lambda: decide.rule_from_dict({"rule": "Threshold", "x": 1}), r"fields \['threshold'\], but \['x'\] came"),
        (lambda: decide.rule_from_dict({"rule": "Threshold", "threshold": "a"}), "Threshold.threshold must be"),
        (lambda: decide.rule_from_dict({"rule": "MaxF1", "beta": -1, "thresholds_": []}), "beta"),
        (lambda: decide.rule_from_dict({"rule": "MaxF1", "beta": [], "thresholds_": []}), "beta"),
        (lambda: decide.rule_from_dict({"rule": "MinError", "thresholds_": 3}).decide([[1]]), "not fitted"),
    ],
)
def test_what_is_refused(call, says):
    with pytest.raises(BadInput, match=says):
        call()


def test_unknown_rules_are_named():
    with pytest.raises(NotFound, match=r"no such decision rule 'Best'; rules are: .*MaxF1"):
        decide.rule_from_dict({"rule": "Best"})


def test_numba_is_loaded_only_when_needed():
    code = "import sys, bayesift.decide as d; d.MaxF1().fit([0.1, 0.9], [0, 1]); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
