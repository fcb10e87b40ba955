"""Prior variances that are learned halfway: the formula, what they leave alone, and that no margin looks ahead."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.classify import LabelClassifier
from bayesift.errors import BadInput
from bayesift.learn import BOMC
from bayesift.learn.bomc.passes import Passes
from bayesift.learn.bomc.shards import learn_in_shards
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.side_by_side import SideBySide
from bayesift.learn.term_variance import KNOWN, LEAST, MOST, OWN, change_prior

FIRST = 500  # documents
PRIOR, ALL = 0.1, np.ones(4, bool)


def task(n=120, d=15, c=3, seed=3):
    X = sparse.random(n, d, density=0.3, random_state=seed, format="csr")
    return X, sparse.csr_matrix((X.toarray()[:, :c] > 0.3).astype(np.int8))


def test_a_precision_gets_the_prior_of_the_formula_and_keeps_what_documents_say():
    X, _ = task()
    rng = np.random.default_rng(0)
    said, pull = rng.exponential(5.0, (15, 4)), rng.normal(0.0, 3.0, (15, 4))  # precisions, and means times these
    said[-1], pull[-1] = 0.0, 0.0  # a term that no document had so far
    variance = 1.0 / (1.0 / PRIOR + said)
    mean = variance * pull
    shared = (mean**2).mean(axis=1)
    mixed = (1 - OWN) * shared[:, None] + OWN * mean**2
    width = np.clip(np.sqrt(mixed / np.median(shared[:-1])), LEAST, MOST)
    width[-1] = 1.0
    often = (X > 0).sum(axis=0).A1
    wanted = PRIOR * width * often.sum() / (often @ width)
    wanted[:, 2] = PRIOR  # a label whose prior does not change
    found = mean.astype(np.float32), variance.astype(np.float32)
    change_prior(*found, np.arange(4) != 2, X, PRIOR)
    np.testing.assert_allclose(found[1], 1.0 / (1.0 / wanted + said), rtol=1e-4)
    np.testing.assert_allclose(found[0], mean * np.sqrt(found[1] / variance), rtol=1e-4, atol=1e-6)
    assert np.array_equal(found[0][:, 2], mean[:, 2].astype(np.float32))


def test_nothing_learned_changes_nothing():
    X, _ = task()
    mean, variance = np.zeros((15, 4), np.float32), np.full((15, 4), PRIOR, np.float32)
    change_prior(mean, variance, ALL, X, PRIOR)
    assert not mean.any()
    assert (variance == np.float32(PRIOR)).all()


def test_margins_after_the_half_are_by_documents_before():
    X, Y = task()
    order = np.random.default_rng(1).permutation(120)
    changed = Y.toarray()
    changed[order[100]] = 1 - changed[order[100]]
    before, after = (
        BOMC(learned_variances=True).learn_prequential(X, labels, order, 60)[order] for labels in (Y, changed)
    )
    assert np.array_equal(before[:101], after[:101])
    assert not np.array_equal(before[101:], after[101:])


def test_the_prior_changes_after_the_half_in_every_variant():
    X, Y = task()
    Y = sparse.csr_matrix(np.eye(3)[Y.toarray().argmax(axis=1)])  # multiclass has one label each
    for variant in ("independent", "coupled", "pairwise", "multiclass"):
        plain, learned = (
            BOMC(variant, seed=None, learned_variances=learns).fit(X, Y) for learns in (False, True)
        )
        first = BOMC(variant, seed=None).fit(X[:60], Y[:60])
        first.learn_variances(X, ALL[:3])
        assert np.array_equal(learned.mean_, first.partial_fit(X[60:], Y[60:]).mean_)
        assert not np.array_equal(learned.mean_, plain.mean_)


def test_threads_change_nothing():
    X, Y = task(300, 40, 35)
    found = [BOMC(learned_variances=True, threads=threads).fit(X, Y) for threads in (1, 3)]
    assert np.array_equal(found[0].mean_, found[1].mean_)
    assert np.array_equal(found[0].variance_, found[1].variance_)


def test_what_a_person_says_of_a_term_keeps_its_prior():
    X, Y = task()
    known = FeaturePrior(np.array([0.0, 5.0]), np.array([np.nan, 1e-6]))
    model = BOMC(learned_variances=True, feature_priors=[None, known]).fit(X, Y)
    np.testing.assert_allclose(model.mean_[1, 1], 5.0, atol=1e-6)
    np.testing.assert_allclose(model.variance_[1, 1], 1e-12, rtol=1e-3)
    assert abs(model.mean_[1, 0]) < 4.0


def test_what_a_person_says_of_one_label_does_not_widen_the_priors_of_others():
    X, Y = task()
    known = FeaturePrior(np.array([0.0, 50.0]), np.array([np.nan, 1e-6]))
    said, nothing = (BOMC(seed=None, feature_priors=[None, None, known]).fit(X[:60], Y[:60]) for _ in range(2))
    nothing.set_params(feature_priors=None).belief_.mean[1, 2] = 0.0
    for model in (said, nothing):
        model.learn_variances(X, ALL[:3])
    np.testing.assert_allclose(said.variance_[:, :2], nothing.variance_[:, :2], rtol=1e-6)


def test_numbers_of_a_vector_beside_the_words_keep_their_prior():
    X, Y = task()
    rng = np.random.default_rng(2)
    rows = SideBySide(X, rng.normal(size=(120, 4)).astype(np.float32), (4,))
    model = BOMC(learned_variances=True, seed=None, dense_weights=(0.5,)).fit(rows, Y)
    first = BOMC(seed=None, dense_weights=(0.5,)).fit(rows[np.arange(60)], Y[:60])
    of_vectors = first.mean_[:4].copy()
    first.learn_variances(rows, ALL[:3])
    assert np.array_equal(first.mean_[:4], of_vectors)
    assert np.array_equal(model.mean_, first.partial_fit(rows[np.arange(60, 120)], Y[60:]).mean_)


def test_a_label_that_the_first_half_does_not_have_keeps_its_prior():
    X, Y = task()
    Y = Y.toarray()
    Y[:60, 2] = 0
    learned, plain = (BOMC(seed=None, learned_variances=learns).fit(X, Y) for learns in (True, False))
    assert np.array_equal(learned.mean_[:, 2], plain.mean_[:, 2])
    assert not np.array_equal(learned.mean_[:, 1], plain.mean_[:, 1])
    unseen = [model.belief_.mean[:15, 3] for model in (learned, plain)]
    assert np.array_equal(*unseen)


def test_a_label_that_comes_later_changes_its_prior_once_it_is_known():
    X, Y = task(FIRST + 40, seed=5)
    late = np.flatnonzero(Y[FIRST:, 2].toarray().ravel())[:KNOWN] + FIRST
    start = LabelClassifier().fit(X[:FIRST], Y[:FIRST, :2]).state()
    changed = []
    for n in (KNOWN - 1, KNOWN):
        learned, plain = (LabelClassifier().restore(start) for _ in range(2))
        plain.learner_.set_params(learned_variances=False)
        for model in (learned, plain):
            model.partial_fit(X[late[:n]], Y[late[:n]])
        changed.append(not np.array_equal(learned.learner_.mean_[:, 2], plain.learner_.mean_[:, 2]))
        assert np.array_equal(learned.learner_.mean_[:, :2], plain.learner_.mean_[:, :2])
    assert changed == [False, True]


def test_a_compact_belief_keeps_the_prior_of_terms_that_have_not_occurred_with_a_label():
    X, Y = task(300)
    Y = Y.toarray()
    Y[np.asarray(X[:, 14].todense()).ravel() > 0, 0] = 0  # the last term never occurs with the first label
    plain, learned = (BOMC(seed=None, compact=True, learned_variances=learns).fit(X, Y) for learns in (False, True))
    assert np.array_equal(plain.mean_[14, 0], learned.mean_[14, 0])
    assert plain.belief_.own_pairs()[0].tolist() == learned.belief_.own_pairs()[0].tolist()
    features, labels = learned.belief_.own_pairs()
    assert (plain.mean_[features, labels] != learned.mean_[features, labels]).all()
    assert np.array_equal(learned.belief_.mean[14, 0], learned.belief_.mean[14, 3])  # as the unseen label


def test_drift_is_refused():
    with pytest.raises(BadInput, match="learned_variances"):
        BOMC(learned_variances=True, drift=0.1).fit(*task())


def test_shards_are_refused():
    with pytest.raises(BadInput, match="learned_variances"):
        learn_in_shards(BOMC(learned_variances=True), *task(), shards=2)


def test_the_default_learns_them_and_one_by_name_does_what_it_says():
    X, Y = task()
    for learner, learns in ((None, True), (BOMC(), False), (BOMC(learned_variances=True), True)):
        model = LabelClassifier(learner).fit(X, Y)
        assert model.learner_.learned_variances is learns
        assert LabelClassifier(learner).restore(model.state()).learner_.learned_variances is learns
        passes = Passes(model.learner_, 0)
        passes.round(X, Y)
        passes.round(X, Y)
        assert np.array_equal(passes.learner().mean_, model.learner_.mean_)


def test_a_model_that_learned_them_goes_on_after_it_was_saved():
    X, Y = task(FIRST + 50)
    model = LabelClassifier().fit(X[:FIRST], Y[:FIRST])
    other = LabelClassifier().restore(model.state())
    assert other.learner_.learned_variances
    for each in (model, other):
        each.partial_fit(X[FIRST:], Y[FIRST:])
    assert np.array_equal(model.predict_proba(X), other.predict_proba(X))
    state = model.state()
    del state["chosen"]["learned_variances"]  # a file of an earlier version
    assert not LabelClassifier().restore(state).learner_.learned_variances
