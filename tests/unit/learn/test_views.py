"""Two views of documents in one matrix."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.learn.views import joined, parted


@pytest.mark.parametrize("rows", [0, 1, 30])
def test_views_are_joined_as_scipy_does_and_parted_again(rows):
    views = [sparse.random(rows, d, density=0.4, random_state=d, format="csr") for d in (7, 4)]
    found = joined(*views)
    expected = sparse.hstack(views, format="csr")
    assert np.array_equal(found.toarray(), expected.toarray())
    assert np.array_equal(found.indices, expected.indices)
    assert found.has_canonical_format
    for view, again in zip(views, parted(found, (7, 4))):
        assert np.array_equal(view.toarray(), again.toarray())


def test_one_view_is_the_rows_and_counts_stay_counts():
    counts = sparse.csr_matrix(np.array([[1, 0], [0, 3]], np.uint8))
    assert parted(counts, None) == [counts]
    assert joined(counts, counts).dtype == np.uint8


@pytest.mark.parametrize("widths", [(2, 2), (3,), (1, 1, 1)])
def test_widths_that_do_not_fit_are_refused(widths):
    with pytest.raises(BadInput, match="but rows of 3"):
        parted(sparse.csr_matrix((2, 3)), widths)
