"""Curves and weights of an ensemble come from documents that its members had not learned."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit
from sklearn.preprocessing import normalize

from bayesift.beliefs.other_labels import NONE
from bayesift.classify import LabelClassifier
from bayesift.classify.held_out import with_known_words
from bayesift.classify.out_of_sample import with_unseen
from bayesift.classify.stacking import fit_blend, fit_stacked, stack_weights
from bayesift.learn import Ensemble
from bayesift.learn.blend import Blend, n_terms
from bayesift.learn.shared_layer import SharedLayer


def task(n=300, d=40, labels=3, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.2, random_state=seed, format="csr")
    field = X[:, :labels].toarray() + 0.1 * rng.normal(size=(n, labels))
    return X, sparse.csr_matrix((field > 0.3).astype(np.int8))


def test_weights_are_those_of_the_log_odds_that_are_right():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(3, 4000, 2)) * 2
    Y = sparse.csr_matrix((rng.random((4000, 2)) < expit(0.8 * z[0] + 0.3 * z[1] - 0.5 * z[2])).astype(np.int8))
    found = stack_weights(z, Y)
    np.testing.assert_allclose(found[:2], [0.8, 0.3], atol=0.15)
    assert found[2] == 0.0  # it would be below


def drawn(n, more, pairs, seed=0):
    """Log-odds of two members, what documents bring, and labels that were drawn with these weights of the terms."""
    rng = np.random.default_rng(seed)
    z, about = rng.normal(size=(2, n, 4)) * 2, rng.normal(size=(n, 3))
    z[..., -1] = -9.0  # the unseen label
    blend = Blend(np.array([0.6, 0.5]), more, np.zeros(4), pairs=pairs)
    return z, about, sparse.csr_matrix((rng.random((n, 3)) < expit(blend(z, about)[:, :-1])).astype(np.int8)), blend


def test_weights_that_depend_on_the_document_are_those_that_labels_were_drawn_with():
    more = np.zeros(n_terms(2))
    more[3], more[5] = 0.5, -0.4  # the similarity of the nearest document: times the first member, and alone
    more[-6:-3] = 0.4, 0.6, -0.5  # what other labels say
    z, about, Y, true = drawn(40_000, more, NONE)
    fits = fit_blend(z, about, Y), Blend(stack_weights(z[..., :-1], Y))
    off = [(fit(z, about) - true(z, about))[:, :-1] for fit in fits]
    assert np.abs(off[0]).mean() < 0.15
    assert np.abs(off[1]).mean() > 3 * np.abs(off[0]).mean()


def test_labels_at_random_are_not_learned_from_the_documents_themselves():
    """The margins of the whole are those of members without the document: noise stays noise."""
    X, _ = task(400, 200)
    Y = sparse.csr_matrix((np.random.default_rng(1).random((400, 2)) < 0.3).astype(np.int8))
    learner, margins = fit_stacked(Ensemble(), X, Y, with_unseen(Y), 0)
    truth = Y.toarray() > 0
    z, own = margins[:, :-1], learner.margins(X)[:, :-1]
    assert own[truth].mean() - own[~truth].mean() > 4 * abs(z[truth].mean() - z[~truth].mean())


def test_the_network_takes_calibrated_log_odds_of_documents_before_they_were_learned(monkeypatch):
    X, Y = task(400)
    noted = []

    class Noted(SharedLayer):
        def fit(self, X, Y, log_odds=None):
            noted.append((Y.toarray() > 0, log_odds))
            return super().fit(X, Y, log_odds)

    monkeypatch.setattr("bayesift.learn.ensemble.SharedLayer", Noted)
    learner, _ = fit_stacked(Ensemble(threads=1), X, Y, with_unseen(Y), 0)
    assert len(noted) == 11  # all documents, and ten folds
    for truth, log_odds in noted:
        assert log_odds.shape == truth.shape
        assert abs(expit(log_odds).mean() - truth.mean()) < 0.02
    own = learner.network_inputs(learner.linear_margins([X]))
    truth, log_odds = next(pair for pair in noted if len(pair[0]) == 400)
    assert own[truth].mean() > log_odds[truth].mean() + 0.1  # after documents were learned


def test_probabilities_of_the_whole_are_calibrated():
    X, Y = task(1200)
    model = LabelClassifier(Ensemble()).fit(X[:900], Y[:900])
    p, truth = model.predict_proba(X[900:]), Y[900:].toarray()
    assert abs(p.mean() - truth.mean()) < 0.03
    assert truth[p > 0.8].mean() > 0.8
    assert truth[p < 0.2].mean() < 0.2


@pytest.mark.parametrize("n", [1, 2, 5])
def test_few_documents_are_learned(n):
    X, Y = task(n)
    model = LabelClassifier(Ensemble()).fit(X, Y)
    p = model.predict_proba(X)
    assert p.shape == (n, 3)
    assert ((p > 0) & (p < 1)).all()


def test_each_view_of_a_fold_loses_the_columns_that_no_other_fold_has(monkeypatch):
    X, Y = task(60)
    views = [normalize(X[:, :25]), normalize(X[:, 25:])]
    met = []

    def noted(rows, learned):
        met.append(rows.shape[1])
        return with_known_words(rows, learned)

    monkeypatch.setattr("bayesift.classify.stacking.with_known_words", noted)
    rows = sparse.csr_matrix(sparse.hstack(views))
    learner, margins = fit_stacked(Ensemble(views=(25, 15)), rows, Y, with_unseen(Y), 0)
    assert set(met) == {25, 15}
    assert len(learner.blend_.weights) == 4
    assert margins.shape == (60, 4)


def test_a_label_that_implies_another_is_seldom_more_probable_than_that_one():
    X, Y = task(600)
    child = Y.toarray()[:, 0] * (X[:, 1:5].sum(axis=1).A1 > 0.0)
    both = sparse.csr_matrix(np.column_stack([child, Y.toarray()[:, 0]]).astype(np.int8))
    model = LabelClassifier(Ensemble()).fit(X[:400], both[:400])
    learner = model.learner_
    assert learner.blend_.pairs.tolist() == [[0], [1]]
    p = model.predict_proba(X[400:])
    learner.blend_ = learner.blend_._replace(pairs=np.empty((2, 0), np.int32))
    before = model.predict_proba(X[400:])
    apart = [np.maximum(each[:, 0] - each[:, 1], 0.0).sum() for each in (p, before)]
    assert apart[0] < apart[1]


def test_many_cases_are_described_in_a_part_of_the_documents(monkeypatch):
    z, about, Y, true = drawn(8_000, np.zeros(n_terms(2)), NONE)
    noted = []
    terms = Blend.terms

    def counted(self, z, about, say):
        noted.append(say.any(axis=1))
        return terms(self, z, about, say)

    monkeypatch.setattr(Blend, "terms", counted)
    monkeypatch.setattr("bayesift.classify.stacking.MOST", 8_000)
    found = fit_blend(z, about, Y)
    assert np.flatnonzero(noted[0]).tolist() == list(range(0, 8_000, 3))
    assert np.abs(found(z, about) - true(z, about))[:, :-1].mean() < 0.3
