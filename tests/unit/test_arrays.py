"""What the measures accept and refuse."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from bayesift import evaluate as ev
from bayesift.arrays import as_labels, as_targets, label_matrix
from bayesift.errors import BadInput


@pytest.mark.parametrize(
    ("matrix", "says"),
    [
        ([[1, -1]], "only 0 and 1, but holds -1"),
        ([[0.5, 0]], "holds 0.5"),
        ([[np.nan, 0]], "holds nan"),
        ([["corn"]], "its type is"),
        ([[1], [1, 0]], "not an array"),
        (np.zeros((2, 2, 2)), "3 dimensions"),
        (np.zeros((0, 3)), r"shape is \(0, 3\)"),
        (sparse.csr_array(np.array([[2, 0]])), "holds 2"),
        (sparse.csr_array((0, 3)), "must have documents"),
        (sparse.coo_array(np.array([1, 0])), "1 dimension"),
    ],
)
def test_refuses_what_is_no_label_matrix(matrix, says):
    with pytest.raises(BadInput, match=f"truth.*{says}"):
        ev.counts(matrix, [[1, 0]])


def test_shapes_must_agree():
    with pytest.raises(BadInput, match=r"predicted must have the shape of truth, \(1, 2\), but has \(2, 1\)"):
        ev.counts([[1, 0]], [[1], [0]])
    with pytest.raises(BadInput, match="scores must have the shape"):
        ev.roc_areas([[1, 0]], [[0.5]])
    with pytest.raises(BadInput, match="second must have the shape"):
        ev.micro_sign_test([[1, 0]], [[1, 0]], [[1]])


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ([[0.5, np.nan]], "some are nan"),
        ([[0.5, 1.5]], "go from 0.5 to 1.5"),
        ([[-0.5, 0.5]], "go from -0.5 to 0.5"),
        ([["a", "b"]], "must be numbers"),
        (sparse.csr_array(np.array([[0.5, 0.5]])), "must be dense"),
    ],
)
@pytest.mark.parametrize("measure", [ev.brier_score, ev.log_evidence, ev.reliability])
def test_refuses_what_is_no_probability(measure, numbers, says):
    with pytest.raises(BadInput, match=f"probabilities.*{says}"):
        measure([[1, 0]], numbers)


def test_sparse_matrices_may_be_untidy_and_are_not_changed():
    # row 0: label 2, then label 0 (unsorted); row 1: label 1 with an explicit zero and label 2 as 1 + 0
    data = np.array([1, 1, 0, 1, 0])
    untidy = sparse.csr_array((data, np.array([2, 0, 1, 2, 2]), np.array([0, 2, 5])), shape=(2, 3))
    before = [part.copy() for part in (untidy.data, untidy.indices, untidy.indptr)]
    tidy = as_labels(untidy, "truth")
    assert tidy.toarray().tolist() == [[True, False, True], [False, False, True]]
    assert tidy.nnz == 3
    for old, new in zip(before, (untidy.data, untidy.indices, untidy.indptr)):
        assert np.array_equal(old, new)


def test_data_frames_and_vectors_are_label_matrices():
    frame = pd.DataFrame({"corn": [1, 0], "wheat": [1, 1]})
    assert ev.counts(frame, frame).tp.tolist() == [1, 2]
    assert ev.counts([1, 0, 1], [1, 1, 0]).fp.tolist() == [1]


def test_a_large_sparse_matrix_is_not_made_dense():
    shape = (2_000_000, 50_000)  # 100 GB as dense bool
    ones = sparse.csr_array((np.ones(3), ([0, 5, 1_999_999], [1, 1, 49_999])), shape=shape)
    c = ev.counts(ones, ones)
    assert (c.tp[1], c.tp[49_999], c.tn[0]) == (2, 1, 2_000_000)
    assert ev.micro_sign_test(ones, ones, sparse.csr_array(shape)) == ev.SignTest(3, 0)
    assert ev.hamming_loss(ones, sparse.csr_array(shape)) == 3 / (2_000_000 * 50_000)


@pytest.mark.parametrize("kind", [bool, np.int8, np.int64, float])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix, pd.DataFrame])
def test_targets_of_any_form_are_one_matrix(kind, form):
    given = np.array([[1, 0, 1], [0, 0, 0]], kind)
    found = as_targets(form(given), 2)
    assert found.has_canonical_format
    assert found.dtype == np.int8
    assert found.toarray().tolist() == given.tolist()
    assert label_matrix([{2, 0}, ()], range(3)).toarray().tolist() == given.tolist()


def test_targets_are_not_those_that_were_given():
    given = sparse.csr_matrix(np.array([[1, 0]], np.int8))
    as_targets(given, 1).resize(1, 5)
    assert given.shape == (1, 2)
