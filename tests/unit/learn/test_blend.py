"""Terms of a blend against a plain loop over the formula."""

import numpy as np
from scipy import sparse
from scipy.special import expit

from bayesift.beliefs.other_labels import company
from bayesift.learn.blend import ABOUT, META, Blend, about_rows, n_terms

LABELS, DOCUMENTS, MEMBERS = 3, 6, 2
PAIRS = np.array([[0], [2]], np.int32)


def parts(seed=0):
    rng = np.random.default_rng(seed)
    z, about = rng.normal(size=(MEMBERS, DOCUMENTS, LABELS + 1)), rng.random((DOCUMENTS, ABOUT))
    centre, scale = rng.normal(size=META), rng.random(META) + 0.5
    more, frequency = rng.normal(size=n_terms(MEMBERS)), rng.normal(size=LABELS + 1)
    return z, about, Blend(np.array([0.7, 0.4]), more, frequency, centre, scale, PAIRS)


def described(z, about, blend, t, c):
    """The terms of one document and label, in their order."""
    first = np.tensordot(blend.weights, z, 1)
    p = expit(first[t, :-1])
    x = np.clip((np.array([blend.frequency[c], *about[t], np.log1p(p.sum())]) - blend.centre) / blend.scale, -2.0, 2.0)
    found = []
    for value in x:
        found += [value * z[0, t, c], value * z[1, t, c], value]
    found += [max(z[0, t, c], 0.0), max(z[1, t, c], 0.0)]
    order = np.argsort(-first[t, :-1])
    found += [float(c == order[0]), float(c == order[1]), first[t, c] * (c == order[0])]
    known = first.copy()
    known[:, -1] = -np.inf
    found += company(known, PAIRS)[:, t, c].tolist()
    return np.array([*found, z[:, t, c].std()])


def test_terms_are_those_of_the_formula():
    z, about, blend = parts()
    say = np.ones((DOCUMENTS, LABELS + 1), bool)
    terms = blend.terms(z, about, say).T.reshape(DOCUMENTS, LABELS + 1, -1)
    first, found = np.tensordot(blend.weights, z, 1), blend(z, about)
    for t in range(DOCUMENTS):
        for c in range(LABELS + 1):
            expected = described(z, about, blend, t, c)
            np.testing.assert_allclose(terms[t, c], expected, atol=1e-12)
            np.testing.assert_allclose(found[t, c], first[t, c] + blend.more @ expected)


def test_only_documents_and_labels_with_a_say_are_described():
    z, about, blend = parts()
    say = np.random.default_rng(1).random((DOCUMENTS, LABELS + 1)) < 0.5
    every = blend.terms(z, about, np.ones_like(say))
    np.testing.assert_array_equal(blend.terms(z, about, say), every[:, say.ravel()])


def test_one_label_has_a_rank_and_no_other_labels():
    z, about, blend = parts()
    one = blend._replace(frequency=blend.frequency[-2:], pairs=np.empty((2, 0), np.int32))
    terms = one.terms(z[..., -2:], about, np.ones((DOCUMENTS, 2), bool)).reshape(-1, DOCUMENTS, 2)
    assert (terms[META * 3 + MEMBERS, :, 0] == 1.0).all()  # it is the first
    assert not terms[-5:-1, :, 0].any()


def test_stored_zeros_are_no_terms():
    rows = sparse.csr_matrix(([0.6, 0.8, 0.0, 1.0], [0, 1, 2, 0], [0, 3, 4]), (2, 3))
    np.testing.assert_allclose(about_rows(rows), [[0.0, 0.0, np.log(3.0)], [0.0, 0.0, np.log(2.0)]])


def test_a_document_has_the_same_log_odds_alone_and_among_many():
    rng = np.random.default_rng(0)
    z, about, more = rng.normal(size=(4, 500, 92)), rng.random((500, ABOUT)), rng.normal(size=n_terms(4))
    pairs = np.array([[3, 3, 8], [4, 5, 1]], np.int32)
    blend = Blend(np.full(4, 0.25), more, rng.normal(size=92), pairs=pairs)
    whole = blend(z, about)
    assert all(np.array_equal(blend(z[:, i : i + 1], about[i : i + 1])[0], whole[i]) for i in range(500))
    assert np.array_equal(Blend.of_state(blend.state())(z, about), whole)
