"""Properties of dense vectors beside words, on random documents."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from bayesift.learn import BOMC
from bayesift.learn.side_by_side import SideBySide
from bayesift.text.meaning import CorpusMeaning


@st.composite
def tasks(draw):
    """Words, vectors and labels of some documents; some are empty."""
    n, terms, width, labels = (draw(st.integers(low, high)) for low, high in ((1, 130), (1, 12), (1, 9), (1, 20)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    words = sparse.random(n, terms, density=draw(st.sampled_from([0.0, 0.2, 0.9])), format="csr", random_state=rng)
    dense = rng.normal(size=(n, width)).astype(np.float32) * (rng.random((n, 1)) < 0.8)
    Y = (rng.random((n, labels)) < 0.3).astype(int)
    return SideBySide(words, dense), Y


@settings(max_examples=40, deadline=None)
@given(tasks(), st.sampled_from([1, 2]))
def test_side_by_side_is_stacked(task, threads):
    rows, Y = task
    one, two = BOMC(threads=threads).fit(rows, Y), BOMC(threads=1).fit(rows.stacked(), Y)
    assert np.allclose(one.mean_, two.mean_, atol=1e-4)
    assert np.allclose(one.variance_, two.variance_, rtol=1e-3)
    assert (one.variance_ > 0).all()
    alone = np.vstack([one.decision_function(rows[[i]]) for i in range(min(5, len(Y)))])
    assert np.array_equal(alone, one.decision_function(rows)[:5])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(16, 60), st.integers(2, 40), st.integers(1, 30))
def test_vectors_of_a_corpus_are_finite_and_of_length_1_or_0(seed, n, terms, dimensions):
    rng = np.random.default_rng(seed)
    rows = sparse.random(n, terms, density=0.3, format="csr", random_state=rng)
    model = CorpusMeaning(dimensions)
    z = model.fit_transform(rows)
    assert np.isfinite(z).all()
    length = np.linalg.norm(z, axis=1)
    assert (np.isclose(length, 1.0, atol=1e-5) | (length == 0.0)).all()
    assert np.array_equal(np.vstack([model.transform(rows[[i]]) for i in range(n)]), z)
