"""The terms of judged rows: the same from scratch as from the rows before, and by columns the product with Y Y^T."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from bayesift.filtering.screening.judged_rows import _multiply
from bayesift.filtering.screening.judged_terms import FEW, add_fields, shared_columns, terms_of

N, TERMS = 90, 200


@pytest.fixture(scope="module")
def Y() -> sparse.csr_matrix:
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((N, TERMS)) < 0.6 * rng.random(TERMS) ** 3, rng.random((N, TERMS)), 0.0)
    return sparse.csr_matrix(dense.astype(np.float32))


def test_rows_added_and_withdrawn_give_what_a_new_start_gives(Y: sparse.csr_matrix) -> None:
    rng = np.random.default_rng(1)
    known, rows = None, np.sort(rng.choice(N, 30, replace=False))
    for _ in range(20):
        known, fresh = terms_of(Y, rows, known), terms_of(Y, rows)
        assert all(np.array_equal(a, b) for a, b in zip(known, fresh, strict=True))
        changed = rng.choice(N, int(rng.integers(0, FEW + 3)), replace=False)
        rows = np.setxor1d(rows, changed)


def test_shared_columns_and_the_others_squares_are_the_whole_product(Y: sparse.csr_matrix) -> None:
    rows = np.arange(1, N, 3)
    shared, own = shared_columns(terms_of(Y, rows), N)
    vector = np.random.default_rng(2).standard_normal(rows.size)
    out = own * vector
    _multiply(*shared, vector, out)
    part = Y[rows].toarray().astype(np.float64)
    assert np.allclose(out, part @ (part.T @ vector), rtol=1e-12)
    sizes = np.diff(shared.ends)
    assert sizes.min() == 2
    assert sizes.sum() == shared.places.size
    assert (own > 0.0).any()


def test_fields_of_all_rows_are_the_product_with_the_judged_ones(Y: sparse.csr_matrix) -> None:
    rows, columns = np.arange(0, N, 4), sparse.csc_matrix(Y)
    factor, out = np.zeros(N), np.zeros(N)
    factor[rows] = np.random.default_rng(3).standard_normal(rows.size)
    add_fields(*terms_of(Y, rows)[1:], factor, columns.indptr, columns.indices, columns.data, out)
    whole = Y.toarray().astype(np.float64)
    assert np.allclose(out, whole @ (whole.T @ factor), rtol=1e-12)
