"""Curves of calibration never fall, and a fall of the fit does not raise them where documents are."""

import numpy as np

from bayesift.decide.calibration import BINS, CENTRES, MarginCalibration, rising


def test_margins_that_are_all_about_the_same_keep_the_frequency_of_the_label():
    """More positives just left of the margin that most documents have: the slope of the fit is below 0."""
    rng = np.random.default_rng(0)
    margins = np.r_[rng.normal(-1.5, 0.4, 1200), np.full(3800, -0.6)]
    truth = np.r_[rng.random(1200) < 0.03, rng.random(3800) < 0.006].astype(int)
    calibration = MarginCalibration().add(margins[:, None], truth[:, None]).fit()
    p = calibration.probabilities(margins[:, None])
    assert abs(p.mean() - truth.mean()) < 0.005
    assert p.max() < 0.05
    assert (np.diff(calibration.logits) >= 0.0).all()


def test_curves_that_rise_stay_as_they_are():
    curves = np.stack([2.0 * CENTRES, np.logaddexp(0.0, CENTRES)])
    assert rising(curves, np.ones((2, BINS))) is curves


def test_a_fall_before_most_documents_is_levelled_by_the_documents_on_both_sides():
    curves = np.stack([CENTRES, -CENTRES])
    documents = np.random.default_rng(0).integers(0, 50, (2, BINS)).astype(float)
    found = rising(curves, documents)
    assert np.array_equal(found[0], curves[0])
    some = np.cumsum(documents[1]) <= 0.9 * documents[1].sum()
    assert np.ptp(found[1]) == 0.0
    assert curves[1].min() < found[1, 0] < curves[1, some].max()
    usual = np.average(curves[1, : BINS - 13], weights=documents[1, : BINS - 13])
    np.testing.assert_allclose(found[1], usual, atol=0.1)


def test_a_fall_behind_nearly_all_documents_leaves_the_order_before_it():
    curves = np.minimum(CENTRES, 4.0 - CENTRES)[None]  # it falls from 2 on
    documents = np.where(CENTRES < 0.0, 100.0, 0.01)[None]
    found = rising(curves, documents)
    assert np.array_equal(found[0, CENTRES < 2.0], curves[0, CENTRES < 2.0])
    assert (found[0, CENTRES > 2.0] == curves.max()).all()
