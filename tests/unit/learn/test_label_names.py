"""Prior means of the terms of a label's name: the formula, the exchange of priors, and labels that come later."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.learn import BOMC, Ensemble
from bayesift.learn.bomc.passes import Passes
from bayesift.learn.label_names import ENOUGH, WORTH, Matter, Names, change_means, name_means
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.term_variance import term_variances

HAVE = np.array([40, ENOUGH, ENOUGH - 1])


def first_fit():
    rng = np.random.default_rng(0)
    names = sparse.csr_matrix([[0.8, 0.6, 0, 0, 0], [0, 0, 1.0, 0, 0], [0, 0.6, 0, 0.8, 0]])
    mean = (rng.normal(size=(5, 3)) + 4 * names.toarray().T).astype(np.float32)
    variance = (0.5 * rng.random((5, 3))).astype(np.float32)
    return names, (mean, variance, 0.5), np.full((5, 4), 0.5, np.float32)


def test_means_and_variances_are_those_of_the_formula():
    names, first, variances = first_fit()
    x, mu, told = names.toarray(), first[0].astype(float).T, 1.0 - first[1].astype(float).T / 0.5
    known = (x > 0) & (HAVE >= ENOUGH)[:, None]
    size = WORTH + (told * x * x)[known].sum()
    m = (mu * x)[known].sum() / size
    spread = ((mu - told * m * x)[known] ** 2).sum() / size
    found = name_means(names, *first, HAVE, variances)
    np.testing.assert_allclose(found.toarray(), m * x, rtol=1e-6)
    np.testing.assert_allclose(variances[:, :3], np.maximum(0.5, spread * x.T**2), rtol=1e-6)
    assert (variances[:, 3] == 0.5).all()  # the unseen label has no name


@pytest.mark.parametrize("case", ["no label has enough documents", "terms speak against labels", "no terms"])
def test_names_that_do_not_matter_change_nothing(case):
    names, (mean, *rest), variances = first_fit()
    have = HAVE // 10 if case.startswith("no label") else HAVE
    mean = -mean if case.startswith("terms") else mean
    names = names * 0 if case == "no terms" else names
    assert name_means(names, mean, *rest, have, variances) is None
    assert (variances == 0.5).all()


def test_what_a_person_says_of_a_term_comes_before_its_name():
    names, first, variances = first_fit()
    means = name_means(names, *first, HAVE, variances)
    known = FeaturePrior(np.array([-3.0]), np.array([0.2]))
    model = BOMC(feature_priors=[known, None, None])
    model.begin(5, 3, variances, means)
    assert model.mean_[0, 0] == -3.0
    np.testing.assert_allclose(model.variance_[0, 0], 0.04)
    expected = means.toarray().T
    expected[0, 0] = -3.0
    np.testing.assert_allclose(model.mean_, expected, rtol=1e-6)


def test_the_members_of_both_views_read_names():
    X = sparse.random(90, 12, density=0.3, random_state=3, format="csr")
    Y = sparse.csr_matrix((X.toarray()[:, :3] > 0.3).astype(np.int8))
    names = sparse.csr_matrix(np.eye(3, 12) + np.eye(3, 12, 8))
    model = Ensemble(("learned", "characters"), views=(8, 4), names=names, rounds=1).fit(X, Y)
    have = np.bincount(Y.indices, minlength=3)
    for member, view in zip(model.linear_, (slice(0, 8), slice(8, 12))):
        first, rows = BOMC(noise=0.25, prior_variance=0.1).fit(X[:, view], Y), X[:, view]
        variances = term_variances(first.mean_, rows, 0.1)
        means = name_means(names[:, view], first.mean_, first.variance_, 0.1, have, variances)
        assert means is not None or view.start
        passes = Passes(BOMC(noise=0.25, prior_variance=0.1), 1, variances, means)
        passes.round(rows, Y)
        plain = passes.learner()
        assert np.array_equal(member.mean_, plain.mean_)


def test_names_of_another_shape_raise():
    X, Y = sparse.csr_matrix(np.eye(4)), sparse.csr_matrix(np.eye(4, 2, dtype=np.int8))
    with pytest.raises(BadInput, match="names of the shape"):
        Ensemble(names=sparse.csr_matrix((3, 4))).fit(X, Y)


def test_shrunken_means_tell_how_much_names_matter():
    """Weights m x with normal measurements of any precision, and a prior N(0, v): m is found again."""
    rng, m, v, labels = np.random.default_rng(1), 2.5, 0.1, 400
    x, said = rng.uniform(0.3, 1.0, labels), rng.uniform(0.1, 30.0, labels)  # precisions of the measurements
    measured = m * x + rng.normal(size=labels) / np.sqrt(said)
    variance = 1.0 / (said + 1.0 / v)
    terms = Names.of(sparse.csr_matrix((x, (np.arange(labels), np.zeros(labels, int)))))
    mean, variance = (said * measured * variance)[None].astype(np.float32), variance[None].astype(np.float32)
    have = np.full(labels, ENOUGH)
    assert terms.matter(mean, have, ENOUGH, terms.told(variance, v)).m == pytest.approx(m, rel=0.05)
    assert terms.matter(mean, have, ENOUGH).m < 0.8 * m


def test_the_exchange_is_exact_where_variances_stay():
    """A weight with normal measurements, prior N(0, v): the posterior under N(m x, v) follows from the one under it."""
    v, noise, m = 0.3, 0.5, 1.4
    X, y, x = np.array([0.5, 1.0, -0.2]), np.array([1.0, 0.3, 0.1]), 0.8
    precision = 1.0 / v + (X @ X) / noise
    mean, variance = ((np.full((1, 1), value, np.float32)) for value in ((X @ y) / noise / precision, 1.0 / precision))
    terms = Names.of(sparse.csr_matrix([[x]]))
    change_means(terms, mean, variance, terms.take(mean, variance), Matter(m, 0.0), v)
    np.testing.assert_allclose(variance, 1.0 / precision, rtol=1e-5)
    np.testing.assert_allclose(mean, ((X @ y) / noise + m * x / v) / precision, rtol=1e-5)


def test_a_wider_prior_of_a_name_leaves_what_documents_said():
    prior, spread, x = 0.1, 2.0, 0.5
    mean, variance = np.full((1, 1), 0.2, np.float32), np.full((1, 1), 0.04, np.float32)
    terms = Names.of(sparse.csr_matrix([[x]]))
    change_means(terms, mean, variance, terms.take(mean, variance), Matter(3.0, spread), prior)
    wide = spread * x * x
    said = 1 / 0.04 - 1 / prior
    np.testing.assert_allclose(variance, 1 / (said + 1 / wide), rtol=1e-5)
    root = np.sqrt(variance[0, 0] / 0.04)
    np.testing.assert_allclose(mean, 0.2 * root + variance * 3.0 * x / wide, rtol=1e-5)


def documents(n=200, labels=4, seed=0):
    """Documents that have the word of a label's name if they have the label, and other words by chance."""
    rng = np.random.default_rng(seed)
    Y = sparse.csr_matrix(rng.random((n, labels)) < np.array([0.3, 0.3, 0.2, 0.01])).astype(np.int8)
    X = sparse.hstack([Y, sparse.random(n, 20, density=0.2, random_state=seed)]).tocsr().astype(float)
    return X, Y, sparse.eye(labels, X.shape[1], format="csr")


@pytest.mark.parametrize("compact", [False, True])
def test_a_rare_label_learns_its_name_from_the_others(compact):
    X, Y, names = documents()
    plain, named = (BOMC(learned_variances=True, compact=compact, names=n).fit(X, Y) for n in (None, names))
    assert named.mean_[3, 3] > plain.mean_[3, 3] + 0.2
    assert np.array_equal(named.mean_[4:, 3] == 0.0, plain.mean_[4:, 3] == 0.0)
    other = sparse.csr_matrix(names.shape)
    assert np.array_equal(BOMC(learned_variances=True, compact=compact, names=other).fit(X, Y).mean_, plain.mean_)


def test_names_are_read_where_variances_are_learned():
    X, Y, names = documents()
    assert np.array_equal(BOMC(names=names).fit(X, Y).mean_, BOMC().fit(X, Y).mean_)


def test_a_label_without_documents_has_the_prior_of_its_name():
    X, Y, names = documents()
    Y = sparse.hstack([Y[:, :3], sparse.csr_matrix((200, 1))]).tocsr()
    plain, named = (BOMC(learned_variances=True, names=n).fit(X, Y).margins(names)[3, 3] for n in (None, names))
    assert named > plain


def test_a_label_that_comes_later_begins_with_its_name():
    X, Y, names = documents()
    model, plain = (BOMC(learned_variances=True, names=names[:3]).fit(X, Y[:, :3]) for _ in range(2))
    before, later = model.mean_.copy(), sparse.csr_matrix([[0, 0, 0, 1]])
    for learner in (model.set_params(names=names), plain):
        learner.partial_fit(X[:1] * 0.0, later)  # a document without a word
    assert model.mean_[3, 3] > plain.mean_[3, 3] + 0.2
    assert np.array_equal(model.mean_[:, :3], before)


def test_variances_that_are_learned_later_leave_the_terms_of_names():
    X, Y, names = documents()
    model = BOMC(learned_variances=True, names=names[:3]).fit(X, Y[:, :3]).set_params(names=names)
    more = sparse.hstack([Y[:5, :3], np.ones((5, 1))]).tocsr()
    model.partial_fit(X[:5], more)
    before, mean = model.variance_[:, 3].copy(), model.mean_[3, 3]
    model.learn_variances(X, np.array([False, False, False, True]))
    assert model.variance_[3, 3] == before[3]
    assert model.mean_[3, 3] == mean
    assert (model.variance_[4:, 3] != before[4:]).any()


def test_what_a_person_knows_comes_before_the_name_halfway_too():
    X, Y, names = documents()
    known = FeaturePrior(np.array([0.0, 0.0, 0.0, -2.0]), np.array([np.nan, np.nan, np.nan, 1e-4]))
    model = BOMC(learned_variances=True, names=names, feature_priors=[None, None, None, known]).fit(X, Y)
    assert model.mean_[3, 3] == pytest.approx(-2.0, abs=1e-3)


def test_more_names_than_labels_raise():
    X, Y, names = documents()
    with pytest.raises(BadInput, match="names of the shape"):
        BOMC(learned_variances=True, names=sparse.vstack([names, names])).fit(X, Y)
