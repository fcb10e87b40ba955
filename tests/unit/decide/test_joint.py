"""The joint rule against all cuts, its calibration, class mass, sampled F1, and the classifier made of them."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, ive, logit

from bayesift.beliefs.other_labels import NONE, strongest_other
from bayesift.classify import LabelClassifier
from bayesift.classify.stack import LabelStack
from bayesift.decide import ExpectedF1, JointThresholds, MaxF1, Threshold, rule_from_dict
from bayesift.decide.calibration import MarginCalibration
from bayesift.decide.class_mass import ClassMass
from bayesift.decide.competition import fit_competition, shift
from bayesift.decide.joint import ExpectedJointF, joint_cuts, smoothed
from bayesift.errors import BayesiftError
from bayesift.evaluate import brier_score, counts, f_measure, f_measures
from bayesift.learn import BOMC, Categoriser, PerLabel
from bayesift.learn.bomc.sampled_f1 import SampledF1


def data(n=600, d=30, c=6, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.2, random_state=seed, format="csr")
    W = rng.normal(size=(d, c)) * 3
    Y = (rng.random((n, c)) < expit(X @ W - 1.5)).astype(int)
    return X, Y


def worth(p, labels, weight):
    tp, k, N = (p * labels).sum(axis=0), labels.sum(axis=0), p.sum(axis=0)
    return (2 * tp / (k + N)).mean() + weight * 2 * tp.sum() / (k + N).sum()


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0, 4.0])
def test_joint_cuts_are_the_best_of_all(weight):
    rng = np.random.default_rng(3)
    for _ in range(20):
        p = rng.random((5, 3)) ** 2
        falling = -np.sort(-p, axis=0)
        levels = np.vstack([np.full(3, 2.0), falling])  # the label goes to none, to one, ...
        best = max(
            worth(p, p >= levels[list(cuts), range(3)], weight) for cuts in itertools.product(range(6), repeat=3)
        )
        found = worth(p, ExpectedJointF(weight).decide(p), weight)
        assert found >= best - 0.01  # Dinkelbach's step is exact for micro F alone, and close for the sum


def test_where_no_document_is_near_a_threshold_is_half_of_f():
    """Any threshold between the two groups decides these documents alike; a label adds to F where p is above F / 2."""
    p = np.tile((np.arange(100) + 0.5) / 100, (2, 1))
    documents = np.zeros((2, 100))
    documents[:, [2, 95]] = 50.0
    true, given = 50 * (p[0, 2] + p[0, 95]), 50.0
    F = 2 * 50 * p[0, 95] / (given + true)
    np.testing.assert_allclose(joint_cuts(p, documents, 1.0, in_gaps=True), F / 2)
    documents[:, 60] = 1.0  # worth the label, and the threshold stays
    assert (joint_cuts(p, documents, 1.0, in_gaps=True) < 0.5).all()
    documents[:, 40] = 1.0  # not worth it: the threshold is above
    assert (joint_cuts(p, documents, 1.0, in_gaps=True) > p[0, 40]).all()


def test_a_label_that_words_separate_is_predicted_where_it_is_probable():
    X, Y = sparse.csr_matrix([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]] * 100), [[1], [0]] * 100
    model = LabelClassifier().fit(X, Y)
    few = sparse.csr_matrix([[1.0, 0.0, 0.0]])
    assert model.predict_proba(few)[0, 0] > 0.5
    assert model.thresholds_[0] < 0.5
    assert model.predict(few)[0, 0] == 1


def test_without_weight_it_is_expected_f1():
    p = np.random.default_rng(0).random((200, 4)) ** 3
    assert np.array_equal(ExpectedJointF(0.0).decide(p), ExpectedF1().decide(p))


def test_documents_of_equal_probability_get_equal_labels():
    labels = ExpectedJointF().decide(np.array([[0.5], [0.5], [0.5], [0.1]])).ravel()
    assert labels.tolist() == [True, True, True, False]


def test_joint_cut_is_saved_and_decides_singly():
    p = np.random.default_rng(0).random((100, 3))
    rule = JointThresholds().fit(p, p > 0.5)
    again = rule_from_dict(rule.to_dict())
    assert np.array_equal(again.decide(p), np.vstack([rule.decide(row[None]) for row in p]))
    with pytest.raises(BayesiftError, match="not fitted"):
        JointThresholds().decide(p)
    with pytest.raises(BayesiftError, match="weight"):
        JointThresholds(-1.0)


def test_class_mass_gives_the_share_of_training():
    rng = np.random.default_rng(0)
    truth = rng.random((1000, 2)) < [0.1, 0.3]
    labels = ClassMass().fit(truth, truth).decide(rng.random((500, 2)))
    np.testing.assert_allclose(labels.mean(axis=0), truth.mean(axis=0), atol=0.002)


def test_calibration_finds_the_curves():
    rng = np.random.default_rng(1)
    z = rng.normal(-2, 2, size=(4000, 8))
    true = expit(1.5 * z - np.linspace(0.5, 2, 8))
    truth = rng.random(z.shape) < true
    p = MarginCalibration().add(z, truth).fit().probabilities(z)
    assert np.abs(p - true).mean() < 0.01


def test_a_rare_label_leans_on_the_others():
    """With two positives alone nothing can be fitted; with forty labels of one shape it can."""
    rng = np.random.default_rng(2)
    z = rng.normal(-3, 2, size=(1500, 41))
    truth = rng.random(z.shape) < expit(2 * z - 1)
    rare = np.flatnonzero(truth[:, 0])[2:]
    truth[rare, 0] = False
    z[rare, 0] = -4.0
    fresh = rng.normal(-3, 2, size=(20_000, 1))
    p = MarginCalibration().add(z, truth).fit().probabilities(np.repeat(fresh, 41, axis=1))[:, 0]
    assert ((p > 0.5) == (fresh[:, 0] > 0.5)).mean() > 0.95


def test_calibration_counts_add_up_and_grow():
    rng = np.random.default_rng(0)
    z, truth = rng.normal(size=(500, 3)), rng.random((500, 3)) < 0.3
    whole = MarginCalibration().add(z, truth)
    parts = MarginCalibration().add(z[:200], truth[:200]).add(z[200:], truth[200:])
    assert np.array_equal(whole.documents, parts.documents)
    assert np.array_equal(whole.fit().logits, parts.fit().logits)
    assert np.isfinite(whole.log_odds([[1e9, -1e9, 0.0]])).all()
    with pytest.raises(BayesiftError, match="labels"):
        whole.probabilities(z[:, :2])
    with pytest.raises(BayesiftError, match="no margins"):
        MarginCalibration().fit()


def test_sampled_f1_agrees_with_the_exact_expectation():
    """Few documents and many samples: the expectation over labels drawn from the posterior of the weights."""
    X, Y = data(200, 12, 2)
    model = BOMC(noise=0.05).fit(X, Y)
    test = X[:6].toarray()
    stream = SampledF1.of(model, samples=4000, seed=1).add(sparse.csr_matrix(test[:2])).add(sparse.csr_matrix(test[2:]))
    rng = np.random.default_rng(0)
    b = model.belief_
    p = model.predict_proba(test)
    exact = np.zeros((2, stream.theta.size))
    for c in range(2):
        w = rng.normal(model.mean_[:, c], np.sqrt(model.variance_[:, c]), size=(20_000, 12))
        bias = rng.normal(b.bias[0, c], np.sqrt(b.bias[1, c]), size=(20_000, 1))
        y = w @ test.T - bias > 0
        for g, theta in enumerate(stream.theta):
            given = p[:, c] > theta
            size = y.sum(axis=1) + given.sum()
            exact[c, g] = np.where(size > 0, 2 * (y & given).sum(axis=1) / np.maximum(size, 1), 1.0).mean()
    np.testing.assert_allclose(stream.expected(), exact, atol=0.03)


def test_sampled_f1_does_not_depend_on_how_the_stream_is_cut():
    X, Y = data()
    model = BOMC().fit(X, Y)
    whole = SampledF1.of(model).add(X)
    parts = SampledF1.of(model)
    for t in range(0, 600, 37):
        parts.add(X[t : t + 37])
    assert np.array_equal(whole.alpha, parts.alpha)
    assert whole.alpha.nbytes == SampledF1.of(model).alpha.nbytes  # it does not grow with the documents
    with pytest.raises(BayesiftError, match="variant"):
        SampledF1.of(BOMC("pairwise").fit(X, Y))


def test_the_classifier_is_calibrated_and_better_than_one_half():
    X, Y = data(3000)
    model = LabelClassifier().fit(X[:2000], Y[:2000])
    p = model.predict_proba(X[2000:])
    assert brier_score(Y[2000:], p) < brier_score(Y[2000:], np.tile(Y[:2000].mean(axis=0), (1000, 1)))
    np.testing.assert_allclose(p.mean(axis=0), Y[2000:].mean(axis=0), atol=0.05)
    assert f_measure(Y[2000:], model.predict(X[2000:]), "macro") > f_measure(Y[2000:], p > 0.5, "macro")


def test_the_classifier_decides_one_as_many_and_is_restored_exactly():
    X, Y = data()
    model = LabelClassifier(seed=3).fit(X, Y)
    assert np.array_equal(model.predict(X[:30]), np.vstack([model.predict(X[t]) for t in range(30)]))
    again = LabelClassifier(seed=3).restore(model.state())
    assert np.array_equal(model.predict_proba(X), again.predict_proba(X))
    assert np.array_equal(model.predict(X), again.predict(X))
    model.partial_fit(X[:10], Y[:10])
    again.partial_fit(X[:10], Y[:10])
    assert np.array_equal(model.calibrate().predict_proba(X), again.calibrate().predict_proba(X))
    assert np.array_equal(LabelClassifier(seed=3).fit(X, Y).thresholds_, LabelClassifier(seed=3).fit(X, Y).thresholds_)


@pytest.mark.parametrize("learner", [PerLabel(min_statistic=None), Categoriser(), BOMC("pairwise"), BOMC("coupled")])
def test_the_classifier_takes_any_learner_and_rule(learner):
    X, Y = data(300)
    model = LabelClassifier(learner, rule=Threshold(0.4)).fit(X, Y)
    given, likely = model.predict(X) > 0, model.predict_proba(X) > 0.4
    assert (given | ~likely).all()
    with pytest.raises(BayesiftError, match="Threshold decides each document on its own"):
        model.decide(X)
    assert model.decide(X, ExpectedJointF()).shape == (300, 6)
    p = model.predict_proba(X)
    product = np.where(model.predict(X), p, 1 - p).prod(axis=1)
    assert (np.diff(model.confidence(X)[product.argsort()]) >= 0.0).all()


def test_where_every_document_had_a_label_every_one_gets_one():
    X, Y = data()
    Y[np.arange(600), np.arange(600) % 6] = 1
    model = LabelClassifier().fit(X, Y)
    assert model.predict(X).any(axis=1).all()


def test_new_labels_and_features_later():
    X, Y = data()
    model = LabelClassifier().fit(X[:400, :20], Y[:400, :4])
    model.partial_fit(X[400:], Y[400:])
    assert model.predict_proba(X).shape == (600, 6)
    assert model.calibrate().predict(X).shape == (600, 6)


def test_a_label_that_follows_from_others_is_found_by_the_second_stage():
    """The third label is the first and the second together: no linear function of x, but one of their probabilities."""
    x = np.random.default_rng(0).normal(size=(1500, 8))
    first, second = x[:, :4].sum(axis=1) > 0, x[:, 4:].sum(axis=1) > 0
    X, Y = sparse.csr_matrix(x), np.column_stack([first, second, first & second]).astype(int)
    model = LabelStack().fit(X[:1000], Y[:1000])
    plain, usual = (LabelClassifier(rule=rule).fit(X[:1000], Y[:1000]) for rule in (MaxF1(), None))
    stacked, alone, agreed = (f_measures(counts(Y[1000:], m.predict(X[1000:]))) for m in (model, plain, usual))
    assert stacked[2] > alone[2] + 0.1
    assert agreed[2] > alone[2] + 0.1  # it implies both, and is less probable where one of them is
    assert stacked[:2].min() > 0.95
    assert np.array_equal(model.predict(X[:20]), np.vstack([model.predict(X[t]) for t in range(20)]))
    assert model.confidence(X[:5]).shape == (5,)
    assert model.decide(X[:5]).shape == (5, 3)
    with pytest.raises(BayesiftError, match="scale"):
        LabelStack(scale=0.0).fit(X, Y)


def test_a_categoriser_learns_on_and_is_calibrated_again():
    X, Y = data(400)
    model = LabelClassifier(Categoriser()).fit(X[:300], Y[:300]).partial_fit(X[300:], Y[300:].tolist())
    assert model.calibration_.documents[0, 0].sum() == 400
    assert model.calibrate().predict(X).shape == (400, 6)


def test_smoothing_is_the_sum_over_the_kernel_mirrored_at_both_ends():
    counts = np.random.default_rng(0).poisson(1.0, (3, 40)).astype(float)
    width = np.array([0.05, 0.7, 3.0])
    place = np.arange(40)
    sources = np.concatenate([place - 80, -1 - place, place, 79 - place, place + 80])  # the mirrored copies of levels
    for row, found, w in zip(counts, smoothed(counts, width), width):
        mirrored = np.concatenate([row] * 5)
        np.testing.assert_allclose(found, ive(np.abs(place[:, None] - sources), w**2) @ mirrored, atol=1e-9)
        assert found.sum() == pytest.approx(row.sum())


def test_the_threshold_of_a_rare_label_depends_little_on_the_draw():
    """Thresholds of draws of the same documents: smoothed, and the best cut of each draw."""
    rng = np.random.default_rng(0)
    centres = np.linspace(-8, 8, 256)
    p = expit(1.5 * centres - 2)[None]
    rate = 2000 * np.exp(-0.5 * (centres + 5) ** 2) / np.exp(-0.5 * (centres + 5) ** 2).sum() + 0.03 * (centres > 0)
    smooth, best = [], []
    for _ in range(100):
        n = rng.poisson(rate)[None]
        smooth.append(JointThresholds().fit_counts(p, n[None], n[None]).thresholds_[0])
        best.append(joint_cuts(p, n.astype(float), 1.0)[0])
    assert np.std(logit(smooth)) < 0.6 * np.std(logit(best))


def test_the_strongest_other_label():
    p = np.random.default_rng(0).integers(0, 5, (200, 4)) / 5  # with ties
    others = [[max(row[:c].tolist() + row[c + 1 :].tolist()) for c in range(4)] for row in p]
    assert np.array_equal(strongest_other(p), others)
    assert strongest_other(p[:, :1]).max() == 0.0


def test_competition_is_found_where_there_is_some():
    rng = np.random.default_rng(0)
    z = rng.normal(-2, 2, (20_000, 5))
    p = expit(z)
    for a, b in ((0.0, 0.0), (0.4, 0.8), (-0.3, -0.2)):
        truth = rng.random(z.shape) < expit(z + shift(p, (a, b), NONE))
        assert fit_competition(z, truth)[0] == pytest.approx((a, b), abs=0.06)
        assert not fit_competition(z, truth)[1].size
    assert fit_competition(z[:, :1], truth[:, :1])[0] == (0.0, 0.0)
    assert np.abs(fit_competition(z[:3], truth[:3])[0]).max() < 0.1  # three documents say little


def test_labels_that_imply_others_move_their_thresholds():
    rng = np.random.default_rng(0)
    general = rng.random((20_000, 1)) < 0.3
    truth = np.hstack([general, general & (rng.random((20_000, 1)) < 0.4), rng.random((20_000, 1)) < 0.2])
    z = 2.0 * truth - 1.5 + rng.normal(0, 1.5, truth.shape)
    (_, _, above, below), implied = fit_competition(z, truth)
    assert implied.tolist() == [[1], [0]]
    assert above > 0.2
    assert below > 0.2
    rule = JointThresholds(thresholds_=(0.4, 0.4, 0.4)).fit_documents(z, truth)
    alone, beside = rule.document_thresholds(np.array([[0.1, 0.5, 0.5], [0.5, 0.5, 0.5]]))
    assert alone[1] > beside[1]  # without the general label, the special one needs more
    assert alone[0] < beside[0]
    assert rule_from_dict(rule.to_dict()) == rule
    one = np.vstack([rule.document_thresholds(row[None]) for row in expit(z[:20])])
    assert np.array_equal(one, rule.document_thresholds(expit(z[:20])))


def test_a_sure_other_label_raises_the_threshold():
    rule = JointThresholds(thresholds_=(0.4, 0.4), competition_=(0.1, 0.5))
    alone, beside = rule.document_thresholds(np.array([[0.5, 0.0], [0.5, 0.9]]))
    assert logit(alone[0]) == pytest.approx(logit(0.4) - 0.1)
    assert logit(beside[0]) == pytest.approx(logit(0.4) - 0.1 - 0.5 * np.log(0.1))
    assert rule.decide([[0.5, 0.0], [0.5, 0.9]]).tolist() == [[True, False], [False, True]]
    with pytest.raises(BayesiftError, match="fitted to 2 labels"):
        rule.decide([[0.5, 0.0, 0.1]])


def test_a_rule_saved_before_there_was_competition_decides_by_its_thresholds():
    p = np.random.default_rng(0).random((50, 2))
    rule = rule_from_dict({"rule": "JointThresholds", "weight": 1.0, "thresholds_": [0.3, 0.6]})
    assert np.array_equal(rule.decide(p), p > [0.3, 0.6])


def test_labels_that_exclude_each_other_compete_in_a_classifier():
    X, Y = data(2000, c=4)
    single = Y * (np.cumsum(Y, axis=1) == 1)  # at most the first label of each
    single[0] = 1  # one document has several, so the number of labels says nothing
    model = LabelClassifier().fit(X, single)
    assert model.rule_.competition_[1] > 0.1
    p = model.predict_proba(X)
    thresholds = model.rule_.document_thresholds(p)
    assert np.array_equal(model.predict(X), p > thresholds)
    assert (np.ptp(thresholds, axis=0) > 0.05).any()
    before = model.rule_
    assert model.calibrate().rule_ == before
    model.partial_fit(X[:5], single[:5])
    assert model.calibrate(again=False).rule_.competition_ == before.competition_
    again = LabelClassifier().restore(model.state())
    assert again.rule_ == model.rule_
    assert np.array_equal(again.predict(X[7:8]), model.predict(X)[7:8])


def test_a_label_that_comes_later_leaves_the_labels_that_imply_others():
    X, Y = data(600, c=3)
    Y[:, 1] &= Y[:, 0]  # the second label implies the first
    model = LabelClassifier().fit(X, Y)
    assert (1.0, 0.0) in model.rule_.implied_
    late = np.column_stack([Y[:50], np.ones(50, int)])
    model.partial_fit(X[:50], late).calibrate(again=False)
    assert (1.0, 0.0) in model.rule_.implied_
    again = LabelClassifier().restore(model.state())
    assert again.rule_ == model.rule_
    whole = again.predict(X[:30])
    assert whole.shape == (30, 4)
    assert np.array_equal(whole, np.vstack([model.predict(X[t : t + 1]) for t in range(30)]))
