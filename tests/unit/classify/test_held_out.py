"""Margins of few documents come from models of the others, as documents to come are met."""

import numpy as np
import pytest
from scipy import sparse

from bayesift import LabelClassifier
from bayesift.classify import held_out
from bayesift.classify.held_out import are_few, drops_unknown_words, held_out_margins, with_known_words
from bayesift.classify.out_of_sample import with_unseen
from bayesift.decide.calibration import MarginCalibration
from bayesift.learn import BOMC
from bayesift.learn.linear_labels import LinearLabels


def documents(n=60, seed=0):
    """Unit vectors, in each of which one word is its own."""
    rng = np.random.default_rng(seed)
    words = sparse.random(n, 20, density=0.3, random_state=seed, format="csr")
    X = sparse.csr_matrix(sparse.hstack([words, sparse.eye(n)]))
    X = sparse.csr_matrix(X.multiply(1.0 / np.sqrt(X.multiply(X).sum(axis=1))))
    return X, sparse.csr_matrix((rng.random((n, 3)) < 0.4).astype(np.int8))


def test_held_out_words_are_those_that_others_have():
    X, _ = documents()
    met = with_known_words(X[:5], X[5:])
    assert met[:, 20:25].nnz == 0 or not met[:, 20:25].toarray().any()
    np.testing.assert_allclose(np.asarray(met.multiply(met).sum(axis=1)).ravel(), 1.0)


def test_a_margin_does_not_depend_on_the_labels_of_its_document():
    X, Y = documents()
    first = held_out_margins(BOMC(), X, Y, 1, 0)
    fold = held_out.stratified_folds(Y, held_out.FOLDS, 0)
    changed = Y.tolil()
    held = np.flatnonzero(fold == 3)
    changed[held] = 1 - Y[held].toarray()
    other = np.zeros_like(first)
    learned = np.flatnonzero(fold != 3)
    passes = held_out.Passes(BOMC(), 0)
    passes.round(X[learned], sparse.csr_matrix(changed)[learned])
    other[held] = passes.learner().margins(with_known_words(X[held], X[learned]))
    np.testing.assert_array_equal(first[held], other[held])


def test_the_words_of_more_text_are_not_dropped():
    X, _ = documents()
    assert drops_unknown_words(X)
    assert not drops_unknown_words(sparse.csr_matrix((X.data, X.indices, X.indptr), (X.shape[0], 200)))
    assert not drops_unknown_words(2.0 * X)


def test_arrays_that_are_longer_than_the_documents_are_read_as_far_as_these_go():
    X, _ = documents()
    longer = X.copy()
    longer.indices, longer.data = np.append(X.indices, 3), np.append(X.data, 7.0)
    assert drops_unknown_words(longer)
    np.testing.assert_array_equal(with_known_words(longer, longer).toarray(), with_known_words(X, X).toarray())


def test_many_documents_keep_prequential_margins(monkeypatch):
    X, Y = documents()
    assert are_few(BOMC(), Y)
    assert not are_few(BOMC(compact=True), Y)
    few = LabelClassifier().fit(X, Y)
    monkeypatch.setattr(held_out, "FEW", 10)
    many = LabelClassifier().fit(X, Y)
    np.testing.assert_array_equal(few.learner_.margins(X), many.learner_.margins(X))
    assert not np.array_equal(few.calibration_.documents, many.calibration_.documents)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_one_document_is_enough(n):
    X, Y = documents()
    assert LabelClassifier().fit(X[:n], Y[:n]).predict(X[:n]).shape == (n, 3)


def test_other_learners_meet_held_out_documents_as_documents_to_come():
    X, Y = documents()
    model = LabelClassifier(LinearLabels(variances=(1.0,))).fit(X, Y)
    fold = held_out.stratified_folds(Y, 5, 0)
    counted = MarginCalibration()
    for k in range(5):
        learned, held = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        met = with_known_words(X[held], X[learned])
        margins = LinearLabels(variances=(1.0,)).fit(X[learned], Y[learned]).margins(met)
        counted.add(margins, with_unseen(Y[held]))
    np.testing.assert_array_equal(model.calibration_.documents.sum(axis=0), counted.documents[0])
