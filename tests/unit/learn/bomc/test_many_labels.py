"""Large models: weights of rare pairs follow the unseen label, in memory as in the file, and memory stays bounded."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from bayesift.beliefs.diagonal import BLOCK
from bayesift.classify import LabelClassifier, out_of_sample
from bayesift.errors import BayesiftError
from bayesift.learn import BOMC
from bayesift.learn.bomc.belief import SLABS
from bayesift.learn.priors import FeaturePrior


def data(n=240, d=300, c=50, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.03, random_state=seed, format="csr")
    Y = sparse.csr_matrix((np.ones(n), (range(n), rng.integers(c, size=n))), shape=(n, c))
    return X, Y


@pytest.fixture
def compact():
    return BOMC(compact=True).fit(*data())


def follows(model):
    """Whether all weights that are not a label's own are the unseen label's, and which are its own."""
    b = model.belief_
    own = np.zeros((b.n_features, b.n_labels), bool)
    own[b.own_pairs()] = True
    arrays = [a[: b.n_features] for a in (b.mean, b.variance)]
    return all((own | (a[:, : b.n_labels] == a[:, [b.n_labels]])).all() for a in arrays), own


def copy_of(model):
    return BOMC().restore(model.state())


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one.state().values(), other.state().values()))


def test_a_label_has_its_own_weights_where_it_occurs_with_the_term(compact):
    X, Y = data()
    whole, (right, own) = BOMC().fit(X, Y), follows(compact)
    assert right
    assert np.array_equal(own, (X.T @ Y).toarray() > 0)
    assert np.abs(compact.predict_proba(X) - whole.predict_proba(X)).mean() < 0.02
    unseen = [model.margins(X)[:, -1] for model in (compact, whole)]
    assert np.array_equal(*unseen)


def test_threads_change_nothing_in_a_compact_model(compact):
    X, Y = data()
    assert same(compact, BOMC(compact=True, threads=1).fit(X, Y))
    assert same(compact, BOMC(compact=True, threads=3).fit(X, Y))


def test_weights_of_their_own_for_all_terms_are_an_ordinary_model():
    X, Y = data()
    full = BOMC(compact=True)
    full._more(X)
    full._grow(*[X.shape[1], Y.shape[1]])
    full.belief_.own[:] = 255
    full.partial_fit(X, Y)
    whole = BOMC().partial_fit(X, Y)
    assert np.array_equal(full.mean_, whole.mean_)
    assert np.array_equal(full.variance_, whole.variance_)


def test_a_compact_state_is_smaller_and_comes_back_bit_for_bit(compact):
    X, _ = data()
    again = copy_of(compact)
    states = compact.state(), BOMC().fit(*data()).state()
    small, large = (sum(np.asarray(x).nbytes for x in state.values()) for state in states)
    assert small < 0.5 * large
    assert same(compact, again)
    assert np.array_equal(compact.margins(X), again.margins(X))


def test_a_compact_model_learns_on_alike_loaded_or_not_and_one_by_one(compact):
    X, Y = data(130, 320, 53, seed=1)  # new terms and labels
    models = compact, copy_of(compact), copy_of(compact)
    for model in models[:2]:
        model.partial_fit(X, Y)
    for t in range(X.shape[0]):
        models[2].partial_fit(X[t], Y[t])
    assert follows(models[0])[0]
    assert same(models[0], models[1])
    assert same(models[0], models[2])
    models[0].rehearse(X, Y, np.array([50, 51]))
    assert follows(models[0])[0]


def test_prior_terms_of_a_compact_model_are_the_labels_own(compact):
    compact.set_params(feature_priors=[*[None] * 50, FeaturePrior(np.array([0.0, 2.0]), np.array([np.nan, 0.5]))])
    X, Y = data(5, 300, 51, seed=2)
    compact.partial_fit(X, Y)
    assert copy_of(compact).mean_[1, 50] == compact.mean_[1, 50] > 1.0


@pytest.mark.parametrize("name", ["own_counts", "own_labels", "own_mean", "unseen"])
def test_a_compact_state_that_does_not_fit_together_is_refused(compact, name):
    state = compact.state()
    state[name] = state[name][:-1]
    with pytest.raises(BayesiftError, match="differ in number"):
        BOMC().restore(state)


def test_small_and_dense_models_stay_as_they_are(monkeypatch):
    X, Y = data()
    assert not LabelClassifier().fit(X, Y).learner_.belief_.compact
    monkeypatch.setattr(out_of_sample, "LARGE", 0)
    assert not LabelClassifier().fit(X, np.ones(Y.shape)).learner_.belief_.compact
    assert LabelClassifier().fit(X, Y).learner_.belief_.compact


def test_slabs_of_labels_are_the_same_as_one_document_at_a_time():
    X, Y = data(SLABS + 20, c=2 * BLOCK + 3)
    at_once, singly = BOMC(threads=2).partial_fit(X, Y), BOMC()
    for t in range(X.shape[0]):
        singly.partial_fit(X[t], Y[t])
    assert same(at_once, singly)


def test_fit_holds_three_beliefs():
    X, Y = data(200, 8000, 300)
    LabelClassifier().fit(X[:50], Y[:50])  # compile first
    one = 8 * X.shape[1] * (Y.shape[1] + 4)
    tracemalloc.start()
    LabelClassifier().fit(X, Y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * one


def test_many_labels_are_judged_by_some_of_them(monkeypatch):
    monkeypatch.setattr(out_of_sample, "MANY", 20)
    monkeypatch.setattr(out_of_sample, "SOME", 10)
    monkeypatch.setattr(out_of_sample, "are_few", lambda learner, Y: False)  # folds would be passes too
    tried = []
    run = out_of_sample.Passes.round
    monkeypatch.setattr(out_of_sample.Passes, "round", lambda self, X, Y: (tried.append(Y.shape[1]), run(self, X, Y)))
    model = LabelClassifier().fit(*data())
    assert tried == [10, 10, 50, 50]
    assert model.learner_.noise in (0.1, 0.25)
