"""scikit-learn's own tools take a TextClassifier: splitters, scorers, searches, and classifiers made of classifiers."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline

from bayesift import Document, LabelClassifier, TextClassifier
from bayesift.errors import BadInput
from bayesift.learn import BOMC, BayesianPerceptron, Categoriser, PerLabel

TEXTS = ["wheat corn harvest", "oil barrel opec", "port vessel cargo", "wheat cargo port"] * 8
SETS = [("grain",), ("crude",), ("ship",), ("grain", "ship")] * 8
ONE = ["grain", "crude", "ship", "ship"] * 8
Y = np.array([[name in labels for name in ("crude", "grain", "ship")] for labels in SETS]).astype(int)
DOCUMENTS = [Document(str(i), body=text, labels=labels) for i, (text, labels) in enumerate(zip(TEXTS, SETS))]
PEER = make_pipeline(TfidfVectorizer(), LogisticRegression())


def test_it_is_a_classifier_before_and_after_fitting():
    for targets in (SETS, ONE, Y):
        model = TextClassifier()
        assert is_classifier(model)
        assert is_classifier(model.fit(TEXTS, targets))


def test_single_labels_are_stratified():
    order = np.argsort(ONE, kind="stable")
    texts, labels = [TEXTS[i] for i in order], [ONE[i] for i in order]
    assert cross_val_score(TextClassifier(), texts, labels, cv=4).min() == 1.0


@pytest.mark.parametrize(
    "targets", [[set(labels) for labels in SETS], pd.Series(map(frozenset, SETS)), Y, Y.tolist(), pd.DataFrame(Y)]
)
def test_splitters_take_label_sets_and_matrices(targets):
    assert cross_val_score(TextClassifier(), TEXTS, targets, cv=3).min() > 0.8
    assert len(cross_val_predict(TextClassifier(), TEXTS, targets, cv=3)) == 32


def test_tuples_need_a_splitter_or_come_with_the_documents():
    expected = cross_val_score(TextClassifier(), TEXTS, Y, cv=3)
    assert np.array_equal(cross_val_score(TextClassifier(), TEXTS, SETS, cv=KFold(3)), expected)
    assert np.array_equal(cross_val_score(TextClassifier(), DOCUMENTS, cv=3), expected)
    with pytest.raises(ValueError, match="MultiLabelBinarizer"):  # scikit-learn's own answer
        cross_val_score(TextClassifier(), TEXTS, SETS, cv=3)


def test_predictions_of_folds_are_label_sets():
    found = cross_val_predict(TextClassifier(), DOCUMENTS, cv=3)
    assert found.shape == (32,)
    assert set(found.tolist()) <= {("crude",), ("grain",), ("ship",), ("grain", "ship")}
    assert cross_val_predict(TextClassifier(), DOCUMENTS, cv=3, method="predict_proba").shape == (32, 3)


def test_scorers_by_name():
    own = cross_val_score(TextClassifier(), TEXTS, Y, cv=3)
    assert np.allclose(cross_val_score(TextClassifier(), TEXTS, Y, cv=3, scoring="f1_micro"), own)
    assert cross_val_score(TextClassifier(), TEXTS, Y, cv=3, scoring="roc_auc").min() > 0.9
    assert cross_val_score(TextClassifier(), TEXTS, ONE, cv=3, scoring="f1_micro").min() > 0.9
    assert cross_val_score(TextClassifier(), TEXTS, ONE, cv=3, scoring="neg_log_loss").min() > -1.0


def test_classifiers_made_of_classifiers():
    both = [("ours", TextClassifier()), ("peer", PEER)]
    for model in (
        VotingClassifier(both), VotingClassifier(both, voting="soft"), StackingClassifier(both, cv=3),
    ):  # fmt: skip
        assert model.fit(TEXTS, ONE).score(TEXTS, ONE) > 0.9


@pytest.mark.parametrize("classes", [(False, True), (0, 1), ("other", "ship")])
def test_thresholds_are_tuned(classes):
    model = TunedThresholdClassifierCV(TextClassifier(), cv=3).fit(TEXTS, [classes[name == "ship"] for name in ONE])
    assert model.best_score_ > 0.9
    assert model.predict(["port vessel cargo"]).tolist() == [classes[1]]


def test_a_search_sets_parameters_of_the_defaults():
    search = GridSearchCV(TextClassifier(), {"vectorizer__ngrams": [2], "rule": ["0.5"]}, cv=2).fit(DOCUMENTS)
    assert search.best_estimator_.vectorizer_.ngrams == 2
    assert "oil barrel" in search.best_estimator_.vectorizer_.get_feature_names_out()
    assert search.predict(["oil barrel opec"]) == [("crude",)]


def test_parameters_of_parts_left_at_their_default():
    model = TextClassifier().set_params(vectorizer__ngrams=2)
    assert model.vectorizer.ngrams == 2
    assert model.vectorizer.zones == ["title"]  # all else is the default
    assert clone(model).get_params()["vectorizer__ngrams"] == 2
    assert TextClassifier().set_params(learner="categoriser", vectorizer__min_df=2).vectorizer.weight == "raw"
    model = TextClassifier("bomc").set_params(learner__noise=0.5)
    assert isinstance(model.learner, BOMC)
    assert clone(model).learner.noise == 0.5
    assert isinstance(TextClassifier().set_params(learner="categoriser", learner__steps=9).learner, Categoriser)
    assert PerLabel().set_params(learner__passes=2).learner.passes == 2
    nested = TextClassifier("perceptron").set_params(learner__learner__passes=3)
    assert isinstance(nested.learner.learner, BayesianPerceptron)
    for automatic in (TextClassifier(), LabelClassifier()):
        with pytest.raises(BadInput, match="chooses its settings from the data"):
            automatic.set_params(learner__noise=0.5)
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        TextClassifier().set_params(vectorizer__nonsense=1)
