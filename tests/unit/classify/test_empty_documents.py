"""Documents without any word are not learned: they would move the biases alone."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from bayesift import TextClassifier, load_corpus
from bayesift.classify import LabelClassifier
from bayesift.classify.blocks.counted import CountedDocuments
from bayesift.classify.wide.classifier import WideClassifier
from bayesift.learn import Categoriser, Ensemble
from bayesift.learn.side_by_side import SideBySide, are_empty
from bayesift.text import TextVectorizer


def task(n=200):
    rng = np.random.default_rng(0)
    X = (rng.random((n, 12)) < 0.3).astype(float)
    X[:, 0] = 1.0
    return X, (X[:, 1:4] > 0.0).astype(np.int8)


def with_empty(X, Y):
    """Every fourth document is empty and has the first label alone."""
    more_X, more_Y = np.zeros((len(X) // 4, X.shape[1])), np.zeros((len(X) // 4, Y.shape[1]), np.int8)
    more_Y[:, 0] = 1
    place = np.sort(np.random.default_rng(1).integers(len(X), size=len(more_X)))
    return np.insert(X, place, more_X, axis=0), np.insert(Y, place, more_Y, axis=0)


@pytest.mark.parametrize(
    "model",
    [LabelClassifier(), LabelClassifier(Ensemble()), LabelClassifier(Categoriser()), WideClassifier()],
    ids=["default", "best", "categoriser", "wide"],
)
def test_a_model_is_as_if_they_were_not_there(model):
    X, Y = task()
    plain = clone(model).fit(X, Y).predict_proba(X)
    assert np.array_equal(clone(model).fit(*with_empty(X, Y)).predict_proba(X), plain)


def test_a_label_of_empty_documents_does_not_attract_others():
    train, test = (
        [(d.body, d.labels[0]) for d in side if d.labels] for side in load_corpus("docstrings").split()
    )
    texts, truth = (list(each) for each in zip(*test))
    plain = TextClassifier().fit(*zip(*train))
    more = TextClassifier().fit(*zip(*train, *[("...", "picture")] * 60))
    assert (np.array(more.predict(texts)) == truth).mean() > (np.array(plain.predict(texts)) == truth).mean() - 0.01
    assert "picture" in more.classes_.tolist()


def test_margins_and_updates_leave_them_out():
    X, Y = task()
    X_more, Y_more = with_empty(X, Y)
    empty = ~X_more.any(axis=1)
    model, plain = LabelClassifier(), LabelClassifier()
    p = model.fit_prequential(X_more, Y_more)
    assert p.shape == Y_more.shape
    assert np.array_equal(p[~empty], plain.fit_prequential(X, Y))
    assert np.allclose(p[empty], plain.calibration_.base_rates()[:-1])
    one, other = (LabelClassifier().fit(X[:50], Y[:50]) for _ in range(2))
    one.partial_fit(X_more, Y_more)
    other.partial_fit(X, Y)
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
    one.partial_fit(np.zeros((3, 12)), np.ones((3, 3)))
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))


def test_a_new_label_may_come_with_an_empty_document():
    X, Y = task()
    model = LabelClassifier().fit(X, Y).partial_fit(np.zeros((1, 12)), [[0, 0, 0, 1]])
    assert model.predict_proba(X).shape == (200, 4)


def test_documents_with_a_vector_are_not_empty():
    rows = SideBySide(np.array([[0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]), np.array([[0.0], [0.5], [0.0]]))
    assert are_empty(rows).tolist() == [False, False, True]
    assert are_empty(sparse.csr_matrix([[1e9, 0.0], [0.0, 1e-12]])).tolist() == [False, False]


def test_all_documents_may_be_empty():
    model = LabelClassifier().fit(np.zeros((4, 3)), [[1], [0], [0], [0]])
    assert model.predict_proba(np.zeros((1, 3))).shape == (1, 1)


def test_blocks_on_disk_have_none():
    pairs = [("corn and wheat", ["grain"]), ("...", ["picture"]), ("oil", []), ("", ["grain"])]
    with CountedDocuments.read(TextVectorizer(), pairs) as counted:
        assert counted.n_documents == 2
        assert counted.names == ["grain", "picture"]
    with CountedDocuments.read(TextVectorizer(), [("...", ["picture"])]) as counted:
        assert counted.n_documents == 0
