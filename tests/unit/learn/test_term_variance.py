"""Prior variances that are learned halfway: the formula, what they leave alone, and that no margin looks ahead."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.classify import LabelClassifier
from bayesift.classify.out_of_sample import ENOUGH
from bayesift.errors import BadInput
from bayesift.learn import BOMC
from bayesift.learn.bomc.passes import Passes
from bayesift.learn.bomc.shards import learn_in_shards
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.side_by_side import SideBySide
from bayesift.learn.term_variance import HALFWAY, LEAST, MOST, OWN, change_prior

PRIOR = 0.1


def task(n=120, d=15, c=3, seed=3):
    X = sparse.random(n, d, density=0.3, random_state=seed, format="csr")
    return X, sparse.csr_matrix((X.toarray()[:, :c] > 0.3).astype(np.int8))


def test_a_posterior_gets_the_prior_of_the_formula_and_keeps_what_documents_say():
    X, _ = task()
    rng = np.random.default_rng(0)
    said, pull = rng.exponential(5.0, (15, 4)), rng.normal(0.0, 3.0, (15, 4))  # precisions, and means times these
    said[-1], pull[-1] = 0.0, 0.0  # a term that no document had so far
    variance = 1.0 / (1.0 / PRIOR + said)
    mean = variance * pull
    shared = (mean[:, :3] ** 2).mean(axis=1)
    mixed = np.column_stack([(1 - OWN) * shared[:, None] + OWN * mean[:, :3] ** 2, shared])
    width = np.clip((mixed / np.median(shared[:-1])) ** (HALFWAY / 8), LEAST, MOST)
    width[-1] = 1.0
    often = (X > 0).sum(axis=0).A1
    wanted = PRIOR * width * often.sum() / (often @ width)
    found = mean.astype(np.float32), variance.astype(np.float32)
    change_prior(*found, X, PRIOR)
    np.testing.assert_allclose(found[1], 1.0 / (1.0 / wanted + said), rtol=1e-4)
    np.testing.assert_allclose(found[0], found[1] * pull, rtol=1e-3, atol=1e-6)


def test_nothing_learned_changes_nothing():
    X, _ = task()
    mean, variance = np.zeros((15, 4), np.float32), np.full((15, 4), PRIOR, np.float32)
    change_prior(mean, variance, X, PRIOR)
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
        change_prior(first.belief_.mean[:15, :4], first.belief_.variance[:15, :4], X, PRIOR)
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


def test_numbers_of_a_vector_beside_the_words_keep_their_prior():
    X, Y = task()
    rng = np.random.default_rng(2)
    rows = SideBySide(X, rng.normal(size=(120, 4)).astype(np.float32), (4,))
    model = BOMC(learned_variances=True, seed=None, dense_weights=(0.5,)).fit(rows, Y)
    first = BOMC(seed=None, dense_weights=(0.5,)).fit(rows[np.arange(60)], Y[:60])
    belief = first.belief_
    change_prior(belief.mean[4:19, :4], belief.variance[4:19, :4], X, PRIOR)
    assert np.array_equal(model.mean_, first.partial_fit(rows[np.arange(60, 120)], Y[60:]).mean_)


@pytest.mark.parametrize("settings", [{"drift": 0.1}, {"compact": True}])
def test_settings_that_do_not_go_with_it_are_refused(settings):
    with pytest.raises(BadInput, match="learned_variances"):
        BOMC(learned_variances=True, **settings).fit(*task())


def test_shards_are_refused():
    with pytest.raises(BadInput, match="learned_variances"):
        learn_in_shards(BOMC(learned_variances=True), *task(), shards=2)


def test_the_default_learns_them_where_documents_are_enough():
    for n in (ENOUGH - 1, ENOUGH):
        X, Y = task(n)
        model = LabelClassifier().fit(X, Y)
        assert model.learner_.learned_variances is (n == ENOUGH)
        assert LabelClassifier().restore(model.state()).learner_.learned_variances is (n == ENOUGH)
        passes = Passes(model.learner_, 0)
        passes.round(X, Y)
        passes.round(X, Y)
        assert np.array_equal(passes.learner().mean_, model.learner_.mean_)


def test_a_model_that_learned_them_goes_on_after_it_was_saved():
    X, Y = task(ENOUGH + 50)
    model = LabelClassifier().fit(X[:ENOUGH], Y[:ENOUGH])
    other = LabelClassifier().restore(model.state())
    for each in (model, other):
        each.partial_fit(X[ENOUGH:], Y[ENOUGH:])
    assert np.array_equal(model.predict_proba(X), other.predict_proba(X))
    assert other.learner_.learned_variances
