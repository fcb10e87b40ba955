"""Regression of many labels on all terms: the variance is chosen, threads change nothing, priors of terms count."""

import numpy as np
import pytest
from scipy import sparse

from bayesift import TextClassifier
from bayesift.errors import BadInput
from bayesift.learn import LinearLabels, PerLabel, PriorTerms, SparseLogistic, SparseProbit
from bayesift.learn.priors import FeaturePrior, Normal
from bayesift.learn.registry import learner_of


def data(n=400, d=60, labels=3, noise=1.0, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.2, random_state=seed, format="csr")
    return X, (X @ rng.normal(size=(d, labels)) * 4.0 + noise * rng.normal(size=(n, labels)) > 1.0).astype(int)


@pytest.mark.parametrize(("link", "single"), [("logistic", SparseLogistic), ("probit", SparseProbit)])
def test_equals_one_learner_per_label_under_the_same_prior(link, single):
    X, Y = data()
    many = LinearLabels(link, variances=(3.0,), tolerance=1e-7).fit(X, Y)
    one_each = PerLabel(single(Normal(3.0)), min_statistic=None).fit(X, Y)
    np.testing.assert_allclose(many.predict_proba(X), one_each.predict_proba(X), atol=1e-5)


def test_the_variance_is_chosen_by_the_data():
    little, much = (LinearLabels().fit(*data(noise=noise)).variance_ for noise in (4.0, 0.01))
    assert little < much
    settled = LinearLabels().fit(*data(noise=4.0)).settled()
    assert settled.variances == (little,)
    assert LinearLabels().fit([[1.0, 0.0], [0.0, 1.0]], [[1], [0]]).variance_ == 10.0  # too few documents to choose


def test_threads_change_nothing():
    X, Y = data(labels=60)
    one, four = (LinearLabels(threads=threads).fit(X, Y) for threads in (1, 4))
    assert np.array_equal(one.mean_, four.mean_)
    assert np.array_equal(one.spread_, four.spread_)


def test_priors_of_terms_pull_weights_to_their_mean():
    X, Y = data()
    X = sparse.csr_matrix(sparse.hstack([X, sparse.csr_matrix((400, 1))]))  # a term without documents
    known = FeaturePrior(np.append(np.zeros(60), 2.0), np.append(np.full(60, np.nan), 0.5))
    model = LinearLabels(feature_priors=[None, known], variances=(1.0,)).fit(X, Y)
    assert model.mean_[60].tolist() == [0.0, 2.0, 0.0]
    np.testing.assert_allclose(np.sqrt(model.spread_[60]), [1.0, 0.5, 1.0])


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"link": "cauchit"}, "no link"), ({"variances": ()}, "variances"), ({"variances": (0.0,)}, "variances"),
     ({"tolerance": 0.0}, "tolerance")],
)  # fmt: skip
def test_bad_settings_are_named(settings, message):
    with pytest.raises(BadInput, match=message):
        LinearLabels(**settings).fit(*data(40))


@pytest.mark.parametrize("name", ["logistic", "probit"])
def test_a_classifier_by_its_name_learns_saves_and_takes_prior_terms(name, tmp_path):
    from bayesift import load

    texts = ["corn and wheat exports", "wheat harvest", "oil prices fell", "crude oil output"] * 10
    labels = [("corn", "wheat"), ("wheat",), ("oil",), ("oil",)] * 10
    assert isinstance(learner_of(name), LinearLabels)
    model = TextClassifier(name, prior_terms={"oil": PriorTerms({"opec": (4.0, 1.0)})}).fit(texts, labels)
    assert model.predict(["wheat harvest", "oil"]) == [("wheat",), ("oil",)]
    assert model.predict_proba(["opec"])[0, list(model.classes_).index("oil")] > 0.5
    model.save(tmp_path / "x.model")
    assert np.array_equal(load(tmp_path / "x.model").predict_proba(texts), model.predict_proba(texts))
    assert model.label_terms("oil").positive[0].name in ("oil", "opec")
    with pytest.raises(BadInput, match="learns all documents at once"):
        model.partial_fit(texts, labels)


def test_a_file_of_the_earlier_learner_of_this_name_is_read(tmp_path):
    from bayesift import load

    texts, labels = ["wheat rose", "oil fell"] * 12, [("grain",), ("crude",)] * 12
    old = TextClassifier(PerLabel(SparseLogistic())).fit(texts, labels)
    old.learner = "logistic"  # as a file has it that was written when the name meant this learner
    old.save(tmp_path / "x.model")
    assert np.array_equal(load(tmp_path / "x.model").predict_proba(texts), old.predict_proba(texts))
