"""Prior means of the terms of a label's name, against the formula."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.learn import BOMC, Ensemble
from bayesift.learn.bomc.passes import Passes
from bayesift.learn.ensemble import _averaged
from bayesift.learn.label_names import ENOUGH, WORTH, name_means
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.term_variance import term_variances

HAVE = np.array([40, ENOUGH, ENOUGH - 1])


def first_fit():
    rng = np.random.default_rng(0)
    names = sparse.csr_matrix([[0.8, 0.6, 0, 0, 0], [0, 0, 1.0, 0, 0], [0, 0.6, 0, 0.8, 0]])
    mean = (rng.normal(size=(5, 3)) + 4 * names.toarray().T).astype(np.float32)
    return names, mean, np.full((5, 4), 0.5, np.float32)


def test_means_and_variances_are_those_of_the_formula():
    names, mean, variances = first_fit()
    x, mu = names.toarray(), mean.astype(float).T
    known = (x > 0) & (HAVE >= ENOUGH)[:, None]
    size = WORTH + (x[known] ** 2).sum()
    m = (mu * x)[known].sum() / size
    spread = ((mu - m * x)[known] ** 2).sum() / size
    found = name_means(names, mean, HAVE, variances)
    np.testing.assert_allclose(found.toarray(), m * x, rtol=1e-6)
    np.testing.assert_allclose(variances[:, :3], np.maximum(0.5, spread * x.T**2), rtol=1e-6)
    assert (variances[:, 3] == 0.5).all()  # the unseen label has no name


@pytest.mark.parametrize("case", ["no label has enough documents", "terms speak against labels", "no terms"])
def test_names_that_do_not_matter_change_nothing(case):
    names, mean, variances = first_fit()
    have = HAVE // 10 if case.startswith("no label") else HAVE
    mean = -mean if case.startswith("terms") else mean
    names = names * 0 if case == "no terms" else names
    assert name_means(names, mean, have, variances) is None
    assert (variances == 0.5).all()


def test_what_a_person_says_of_a_term_comes_before_its_name():
    names, mean, variances = first_fit()
    means = name_means(names, mean, HAVE, variances)
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
        means = name_means(names[:, view], first.mean_, have, variances)
        assert means is not None or view.start
        plain = _averaged(Passes(BOMC(noise=0.25, prior_variance=0.1), 1, variances, means), rows, Y, 1)
        assert np.array_equal(member.mean_, plain.mean_)


def test_names_of_another_shape_raise():
    X, Y = sparse.csr_matrix(np.eye(4)), sparse.csr_matrix(np.eye(4, 2, dtype=np.int8))
    with pytest.raises(BadInput, match="names of the shape"):
        Ensemble(names=sparse.csr_matrix((3, 4))).fit(X, Y)
