"""Settings of `LabelClassifier`: names of learners and rules, and forms that are not as expected."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from bayesift import LabelClassifier
from bayesift.errors import BadInput, NotFound
from bayesift.learn import BOMC, BayesianPerceptron, LinearLabels, PerLabel
from bayesift.learn.priors import FeaturePrior

X = np.array([[1.0, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 10)
Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1]] * 10)


@pytest.mark.parametrize(
    ("name", "learner"),
    [("multilabel", None), ("bomc", BOMC()), ("logistic", LinearLabels()), (BayesianPerceptron(), PerLabel())],
)
def test_a_name_is_the_learner(name, learner):
    one, other = (LabelClassifier(given, rule=rule) for given, rule in ((name, "0.5"), (learner, None)))
    assert clone(one).get_params()["learner"] is name or not isinstance(name, str)
    one.fit(X, Y)
    np.testing.assert_array_equal(one.predict_proba(X), other.fit(X, Y).predict_proba(X))
    assert one.thresholds_.tolist() == [0.5, 0.5]
    for again in (LabelClassifier(name, rule="0.5").restore(one.state()), pickle.loads(pickle.dumps(one))):
        np.testing.assert_array_equal(again.predict_proba(X), one.predict_proba(X))
        np.testing.assert_array_equal(again.predict(X), one.predict(X))


@pytest.mark.parametrize("learner", ["bomc", "perceptron", "categoriser"])
def test_a_learner_by_name_learns_more(learner):
    model = LabelClassifier(learner, "max-f1").partial_fit(X, Y).partial_fit(X[:1], [[0, 1, 1]])
    assert model.calibrate().predict_proba(X).shape == (40, 3)


def test_settings_of_a_learner_by_name():
    model = LabelClassifier("bomc").set_params(learner__noise=0.5)
    assert model.learner.noise == 0.5
    with pytest.raises(BadInput, match="chooses its settings from the data"):
        LabelClassifier("multilabel").set_params(learner__noise=0.5)


@pytest.mark.parametrize(
    ("settings", "error", "reason"),
    [
        ({"learner": "nix"}, NotFound, "no learner 'nix'; learners are: multilabel"),
        ({"learner": BOMC}, BadInput, "give the name of a learner"),
        ({"rule": "nix"}, NotFound, "no rule 'nix'; rules are: joint"),
        ({"rule": 0.5}, BadInput, "rule is 0.5; give the name of a rule"),
        ({"names": ["a"] * 5}, BadInput, r"names is \['a', .*; give a sparse matrix \(labels, features\)"),
        ({"label_rates": {0: 0.1}}, BadInput, "label_rates is .*; give a sequence with one rate per label"),
        *(({"rounds": n}, BadInput, "rounds is .*; give a whole number from 1 on") for n in (0, -1, 1.5, "2", True)),
        ({"feature_priors": 3}, BadInput, "feature_priors is 3; give a sequence with one FeaturePrior per label"),
        ({"feature_priors": [0.5, None]}, BadInput, "feature_priors is .*; give a sequence"),
    ],
)
def test_settings_of_another_form_are_rejected(settings, error, reason):
    for model in (LabelClassifier(**settings), LabelClassifier().fit(X, Y).set_params(**settings)):
        for verb in (model.fit, model.partial_fit):
            with pytest.raises(error, match=reason):
                verb(X, Y)


def test_settings_of_the_expected_form_are_taken():
    priors = [FeaturePrior(np.zeros(3), np.ones(3)), None]
    model = LabelClassifier(names=np.eye(2, 3), label_rates=(0.1, np.nan), feature_priors=priors)
    assert model.fit(X, Y).predict_proba(X).shape == (40, 2)
