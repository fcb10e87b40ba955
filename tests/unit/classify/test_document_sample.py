"""The sample of documents that a model keeps."""

import numpy as np
from scipy import sparse

from bayesift.classify.document_sample import FEWER, MOST, Sample


def stream(n):
    rows = sparse.csr_matrix(np.arange(n, dtype=float)[:, None] + 1.0)  # document t has the value t + 1
    labels = sparse.csr_matrix(np.arange(n)[:, None] % 2)
    return rows, labels


def kept(sample):
    return sample.all(1, 1)[0].toarray().ravel() - 1


def test_few_documents_are_all_kept_in_order():
    sample = Sample(0)
    sample.add(*stream(300))
    assert sample.complete
    assert kept(sample).tolist() == list(range(300))
    assert sample.all(1, 1)[1].toarray().ravel().tolist() == [t % 2 for t in range(300)]


def test_many_documents_are_sampled_evenly_whatever_the_batches():
    n = 20 * FEWER
    rows, labels = stream(n)
    whole, parts = Sample(3, FEWER), Sample(3, FEWER)
    whole.add(rows, labels)
    for begin in range(0, n, 777):
        parts.add(rows[begin : begin + 777], labels[begin : begin + 777])
    found = kept(whole)
    assert np.array_equal(found, kept(parts))
    assert not whole.complete
    assert len(set(found.tolist())) == FEWER
    share = np.histogram(found, bins=4, range=(0, n))[0] / FEWER
    assert np.abs(share - 0.25).max() < 0.06  # four deviations of a quarter of 1,024 draws
    assert not np.array_equal(found, kept(other_seed(rows, labels)))


def other_seed(rows, labels):
    sample = Sample(4, FEWER)
    sample.add(rows, labels)
    return sample


def test_a_restored_sample_goes_on_the_same():
    rows, labels = stream(3000)
    sample = Sample(0, FEWER)
    sample.add(rows[:1500], labels[:1500])
    again = Sample.restored(sample.state(), 0)
    for one in (sample, again):
        one.add(rows[1500:], labels[1500:])
    assert np.array_equal(kept(sample), kept(again))
    assert again.documents == 3000


def test_a_sample_of_an_earlier_version_stays_as_small_as_it_was():
    rows, labels = stream(3000)
    for n, most in ((1500, FEWER), (700, MOST)):  # it has dropped documents; it has all of them
        sample = Sample(0, FEWER)
        sample.add(rows[:n], labels[:n])
        state = sample.state()
        del state["most"]
        again = Sample.restored(state, 0)
        assert again.most == most
        assert again.complete == (n < FEWER)


def test_some_of_them_are_spread_evenly():
    sample = Sample(0)
    sample.add(*stream(3000))
    found = sample.some(1, 1)[0].toarray().ravel() - 1
    assert found.tolist() == list(range(0, 3000, 3))


def test_counts_are_stored_in_a_small_type():
    sample = Sample(0)
    sample.add(sparse.csr_matrix(np.array([[3, 200]])), sparse.csr_matrix([[1]]))
    assert sample.state()["values"].dtype == np.uint8
    sample.add(sparse.csr_matrix(np.array([[0.5, 1.0]])), sparse.csr_matrix([[1]]))
    assert sample.state()["values"].dtype == np.float64
