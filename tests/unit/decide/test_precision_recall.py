"""Rules that reach a precision or a recall, and rules that are fitted to counts."""

import numpy as np
import pytest

from bayesift.classify import LabelClassifier
from bayesift.decide import (
    ExpectedF,
    ExpectedF1,
    ExpectedFThresholds,
    MaxF1,
    MinError,
    Precision,
    Recall,
    SCut,
    SCutFBR,
    rule_from_dict,
)
from bayesift.errors import BadInput
from bayesift.learn import PerLabel


def calibrated(n=4000, labels=3, seed=0):
    """Probabilities that mean what they say, and labels drawn by them."""
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 2.0, size=(n, labels))
    return p, rng.random(p.shape) < p


@pytest.mark.parametrize("target", [0.5, 0.7, 0.85])
def test_the_target_is_reached_and_no_more_than_needed(target):
    p, truth = calibrated(20_000)
    q, other = calibrated(20_000, seed=1)
    given = Precision(target).fit(p, truth).decide(q)
    precision = (given & other).sum(axis=0) / given.sum(axis=0)
    assert (np.abs(precision - target) < 4 * np.sqrt(target * (1 - target) / given.sum(axis=0))).all()
    given = Recall(target).fit(p, truth).decide(q)
    recall = (given & other).sum(axis=0) / other.sum(axis=0)
    assert (np.abs(recall - target) < 4 * np.sqrt(target * (1 - target) / other.sum(axis=0))).all()


def test_each_label_may_have_its_own_target():
    p, truth = calibrated()
    rule = Precision((0.5, 0.8, 0.95)).fit(p, truth)
    assert list(rule.thresholds_) == sorted(rule.thresholds_)
    assert rule_from_dict(rule.to_dict()) == rule
    with pytest.raises(BadInput, match="2 targets, but 3 labels"):
        Precision((0.5, 0.8)).fit(p, truth)
    for wrong in (0.0, 1.0, -1, "high"):
        with pytest.raises(BadInput, match="target is"):
            Recall(wrong)


def test_a_precision_out_of_reach_gives_the_label_to_surer_documents_only():
    rule = Precision(0.9).fit([[0.2], [0.1]], [[1], [0]])
    assert rule.decide([[0.89], [0.91]]).ravel().tolist() == [False, True]


@pytest.mark.parametrize("rule", [MaxF1(), MinError(), SCut(), SCutFBR(), SCutFBR(fbr=(0.2, 0.5)), Precision(0.7)])
def test_counts_say_the_same_as_the_documents(rule):
    rng = np.random.default_rng(0)
    levels = np.linspace(0.02, 0.98, 25)
    place, fold = rng.integers(25, size=(600, 2)), rng.integers(3, size=600)
    p, truth = levels[place], rng.random((600, 2)) < levels[place]
    documents, positives = np.zeros((2, 3, 2, 25), np.int64)
    for c in range(2):
        np.add.at(documents[:, c], (fold, place[:, c]), 1)
        np.add.at(positives[:, c], (fold[truth[:, c]], place[truth[:, c], c]), 1)
    by_counts = rule.fit_counts(np.tile(levels, (2, 1)), documents, positives)
    assert np.allclose(by_counts.thresholds_, rule.fit(p, truth, fold).thresholds_)


@pytest.mark.parametrize(("batch", "exact"), [(ExpectedF1(), False), (ExpectedF(), True)])
def test_expected_f_as_a_threshold_decides_its_own_documents_as_the_batch_rule(batch, exact):
    p, truth = calibrated(300)
    rule = batch.one_by_one()
    assert (rule, rule.together()) == (ExpectedFThresholds(exact=exact), batch)
    assert np.array_equal(rule.fit(p, truth).decide(p), batch.decide(p))


def documents(n=400):
    rng = np.random.default_rng(0)
    X = (rng.random((n, 30)) < 0.2).astype(float)
    Y = np.column_stack([X[:, c] + X[:, c + 6] + 0.6 * rng.normal(size=n) > 0.9 for c in range(6)])
    return X, Y.astype(int)


@pytest.mark.parametrize("learner", [None, PerLabel(min_statistic=None)])
def test_scut_averages_over_folds_through_the_front_door(learner):
    X, Y = documents()
    fitted = {
        name: LabelClassifier(learner, rule=rule).fit(X, Y).thresholds_
        for name, rule in (("scut", SCut()), ("max-f1", MaxF1()), ("several", SCutFBR(fbr=(0.1, 0.5, 0.9))))
    }
    assert not np.allclose(fitted["scut"], fitted["max-f1"])
    assert np.isfinite(fitted["several"]).all()


@pytest.mark.parametrize("rule", [MaxF1(), MinError(), SCut(), SCutFBR(), Precision(0.8), ExpectedF1()])
def test_a_rule_follows_what_is_learned_later(rule):
    X, Y = documents()
    model = LabelClassifier(rule=rule).fit(X[:100], Y[:100, :5])
    before = model.thresholds_.copy()
    model.partial_fit(X[100:], Y[100:])  # one more label
    assert model.calibrate().thresholds_.shape == (6,)
    assert not np.array_equal(model.thresholds_[:5], before)
    assert model.predict(X).shape == (400, 6)


def test_a_rule_for_many_documents_only_is_refused():
    from bayesift.decide.class_mass import ClassMass

    X, Y = documents(50)
    with pytest.raises(BadInput, match="ClassMass cannot decide documents one by one"):
        LabelClassifier(rule=ClassMass()).fit(X, Y)
