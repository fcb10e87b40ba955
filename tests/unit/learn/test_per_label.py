"""One learner a label: the same result whatever the threads, growing terms and labels, and bad labels refused."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.learn import BayesianPerceptron, GaussianProcess, PerLabel
from bayesift.learn.per_label import restrict


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = sparse.random(400, 30, density=0.2, random_state=1, format="csr")
    Y = ((X.toarray()[:, :5] + 0.05 * rng.normal(size=(400, 5))) > 0.3).astype(int)
    return X, Y


def test_each_label_is_learned_on_its_own_terms(data):
    X, Y = data
    model = PerLabel(threads=2).fit(X, Y)
    for c in range(5):
        assert c in model.terms_[c]
        alone = BayesianPerceptron().fit(X[:, model.terms_[c]], Y[:, c])
        assert np.array_equal(model.predict_proba(X)[:, c], alone.predict_proba(X[:, model.terms_[c]])[:, 1])
        evidence = alone.log_evidence(X[:, model.terms_[c]], Y[:, c])
        assert model.log_evidence(X, Y)[c] == pytest.approx(evidence, rel=1e-12)


def test_threads_change_nothing(data):
    X, Y = data
    one, two = PerLabel(threads=1).fit(X, Y), PerLabel(threads=2).fit(sparse.csc_matrix(X), sparse.csr_matrix(Y))
    assert np.array_equal(one.predict_proba(X), two.predict_proba(X.toarray()))
    assert np.array_equal(one.predict_field(X)[1], two.predict_field(X)[1])


def test_terms_and_labels_may_come_later(data):
    X, Y = data
    model = PerLabel().partial_fit(X[:50, :20], Y[:50, :3])
    before = [terms.tolist() for terms in model.terms_]
    model.partial_fit(X[50:], Y[50:])
    assert len(model.learners_) == 5
    assert all(after.tolist()[: len(old)] == old for old, after in zip(before, model.terms_))
    assert sum(len(terms) for terms in model.terms_) > sum(map(len, before))
    assert model.predict(X).shape == (400, 5)
    assert (model.predict(X)[:, 0] == Y[:, 0]).mean() > 0.85


def test_an_empty_label_and_a_full_one_have_defined_answers(data):
    X, Y = data
    Y = Y.copy()
    Y[:, 0], Y[:, 1] = 0, 1
    p = PerLabel().fit(X, Y).predict_proba(X)
    assert (p[:, 0] < 0.05).all()
    assert (p[:, 1] > 0.95).all()


def test_restrict_equals_fancy_indexing(data):
    X, _ = data
    rng = np.random.default_rng(1)
    for size in (0, 1, 7, 30):
        columns = rng.permutation(30)[:size]
        assert (restrict(X, columns) != X[:, columns]).nnz == 0


def test_bad_labels_are_named(data):
    X, Y = data
    with pytest.raises(BadInput, match="Y must hold only 0 and 1, but holds 3"):
        PerLabel().fit(X, Y * 3)
    with pytest.raises(BadInput, match="400 documents and 399 rows"):
        PerLabel().fit(X, Y[:-1])
    with pytest.raises(ValueError, match="features"):
        PerLabel().fit(X, Y).predict(X[:, :5])


@pytest.mark.parametrize("learner", [BayesianPerceptron(), GaussianProcess()])
def test_few_documents_are_told_apart_although_no_term_passes_the_minimum(learner):
    X = np.array([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 1, 1], [0, 1, 0, 1, 0], [1, 0, 0, 0, 1]])
    Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1], [1, 0]])
    model = PerLabel(learner).fit(X, Y)
    assert [terms.tolist() for terms in model.terms_] == [[0, 2, 3], [0, 2, 3]]  # 1 and 4 say nothing
    assert model.predict(X).tolist() == Y.tolist()
    assert model.fit(np.vstack([X] * 3), np.vstack([Y] * 3)).terms_[0].tolist() == [0, 3]  # which pass it


def test_many_documents_keep_the_minimum():
    X, Y = np.zeros((200, 2)), np.zeros((200, 1), np.int64)
    X[::2, 0], X[:150, 1], Y[:10] = 1.0, 1.0, 1
    assert PerLabel().fit(X[:100], Y[:100]).terms_[0].tolist() == []  # they say nothing
    assert PerLabel().fit(X[:154], Y[:154]).terms_[0].tolist() == [1]  # the best, below the minimum
    assert PerLabel().fit(X, Y).terms_[0].tolist() == []
