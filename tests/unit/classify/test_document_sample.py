"""The sample of documents that a model keeps."""

import numpy as np
from scipy import sparse

from bayesift.classify.document_sample import MOST, Sample


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
    n = 20 * MOST
    rows, labels = stream(n)
    whole, parts = Sample(3), Sample(3)
    whole.add(rows, labels)
    for begin in range(0, n, 777):
        parts.add(rows[begin : begin + 777], labels[begin : begin + 777])
    found = kept(whole)
    assert np.array_equal(found, kept(parts))
    assert not whole.complete
    assert len(set(found.tolist())) == MOST
    share = np.histogram(found, bins=4, range=(0, n))[0] / MOST
    assert np.abs(share - 0.25).max() < 0.06  # four deviations of a quarter of 1,024 draws
    assert not np.array_equal(found, kept(other_seed(rows, labels)))


def other_seed(rows, labels):
    sample = Sample(4)
    sample.add(rows, labels)
    return sample


def test_a_restored_sample_goes_on_the_same():
    rows, labels = stream(3000)
    sample = Sample(0)
    sample.add(rows[:1500], labels[:1500])
    again = Sample.restored(sample.state(), 0)
    for one in (sample, again):
        one.add(rows[1500:], labels[1500:])
    assert np.array_equal(kept(sample), kept(again))
    assert again.documents == 3000
