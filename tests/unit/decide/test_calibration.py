"""Curves of calibration never fall, and a fall of the fit does not raise them where documents are."""

import numpy as np
from scipy.special import expit

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


def test_a_fall_is_levelled_by_the_documents_on_both_sides():
    curves = np.stack([CENTRES, -CENTRES])
    documents = np.random.default_rng(0).integers(0, 50, (2, BINS)).astype(float)
    found = rising(curves, documents)
    assert np.array_equal(found[0], curves[0])
    np.testing.assert_allclose(found[1], np.average(curves[1], weights=documents[1] + 1e-6))
    assert (expit(found[1]) > expit(curves[1].min())).all()
