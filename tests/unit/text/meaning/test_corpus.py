import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.text.meaning import CorpusMeaning


def background(n=60, terms=40, seed=0):
    """Documents of two subjects, each with its own half of the terms."""
    rng = np.random.default_rng(seed)
    subject = np.arange(n) % 2
    rows = (rng.random((n, terms)) < 0.3) * rng.random((n, terms))
    rows[:, 0] = rows[:, -1] = 0.5  # no document is empty
    rows[:, : terms // 2] *= (subject == 0)[:, None]
    rows[:, terms // 2 :] *= (subject == 1)[:, None]
    return sparse.csr_matrix(rows), subject


def test_vectors_have_unit_length_and_tell_subjects_apart():
    rows, subject = background()
    z = CorpusMeaning(dimensions=4).fit_transform(rows)
    assert z.dtype == np.float32
    assert np.allclose((z * z).sum(axis=1), 1.0, atol=1e-6)
    alike = z @ z.T
    same = subject[:, None] == subject
    assert alike[same].mean() > 0.2 > 0.0 > alike[~same].mean()


def test_it_is_the_projection_of_an_exact_decomposition():
    rows, _ = background()
    z = CorpusMeaning(dimensions=3).fit_transform(rows)
    _, _, v = np.linalg.svd(rows.toarray(), full_matrices=False)
    exact = rows @ v[:3].T
    exact -= exact.mean(axis=0)
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    assert np.abs(np.abs(z @ z.T) - np.abs(exact @ exact.T)).mean() < 0.05


def test_one_document_gets_the_same_as_among_many():
    rows, _ = background()
    model = CorpusMeaning(dimensions=7).fit(rows)
    many = model.transform(rows)
    assert all(np.array_equal(model.transform(rows[[i]])[0], many[i]) for i in range(rows.shape[0]))


def test_terms_after_the_background_have_no_part():
    rows, _ = background()
    model = CorpusMeaning(dimensions=5).fit(rows)
    wide = sparse.hstack([rows, sparse.csr_matrix(np.ones((rows.shape[0], 3)))]).tocsr()
    assert np.array_equal(model.transform(wide), model.transform(rows))
    new = sparse.csr_matrix(([1.0], ([0], [rows.shape[1] + 1])), shape=(1, rows.shape[1] + 3))
    assert not model.transform(new).any()
    assert np.array_equal(model.transform(rows[:, :20]), model.transform(rows.multiply(np.arange(40) < 20)))


def test_the_same_seed_gives_the_same_bytes_and_a_state_restores_it():
    rows, _ = background()
    one, two = (CorpusMeaning(dimensions=5, seed=3).fit(rows) for _ in range(2))
    assert one.components_.tobytes() == two.components_.tobytes()
    again = CorpusMeaning().restore(one.state())
    assert np.array_equal(again.transform(rows), one.transform(rows))


@pytest.mark.parametrize("n", [0, 1, 15])
def test_a_small_background_has_no_projection(n):
    rows, _ = background()
    model = CorpusMeaning().fit(rows[:n])
    assert model.width == 0
    assert model.transform(rows).shape == (60, 0)


def test_bad_input():
    with pytest.raises(BadInput, match="dimensions is 0"):
        CorpusMeaning(dimensions=0)
    with pytest.raises(BadInput, match="not finite"):
        CorpusMeaning().fit(sparse.csr_matrix([[np.nan]]))
    state = CorpusMeaning(4).fit(background()[0]).state()
    for name in ("centre", "terms"):
        with pytest.raises(BadInput, match="differ in size"):
            CorpusMeaning().restore(state | {name: state[name][1:]})
    with pytest.raises(BadInput, match="a term 39 of 30"):
        CorpusMeaning().restore(state | {"n_terms": 30})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kinds", [1, 2])
def test_documents_that_are_all_alike(kinds):
    rows = sparse.csr_matrix(np.tile(np.eye(kinds, 3) + 0.25, (32, 1)))
    meaning = CorpusMeaning(dimensions=2)
    z = meaning.fit_transform(rows)
    assert meaning.width == 2
    assert np.isfinite(z).all()
    assert np.isfinite(meaning.components_).all()
    assert np.isfinite(meaning.centre_).all()
