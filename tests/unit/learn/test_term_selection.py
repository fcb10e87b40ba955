"""Scores of terms equal their definitions, at once or document by document."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats

from bayesift.errors import BadInput
from bayesift.learn.term_selection import TermCounts


def tables(x, y):
    """The four counts of each term for one category."""
    has, relevant = np.asarray(x) != 0, np.asarray(y) != 0
    return [
        [(has[:, t] & relevant).sum(), (has[:, t] & ~relevant).sum(), (~has[:, t] & relevant).sum(),
         (~has[:, t] & ~relevant).sum()]
        for t in range(has.shape[1])
    ]  # fmt: skip


MATRIX = st.tuples(st.integers(2, 12), st.integers(1, 5), st.integers(1, 3), st.integers(0, 2**32 - 1))


@settings(max_examples=100, deadline=None)
@given(MATRIX)
def test_scores_equal_their_definitions(shape):
    n, terms, labels, seed = shape
    rng = np.random.default_rng(seed)
    x, y = rng.poisson(0.7, (n, terms)), rng.integers(0, 2, (n, labels))
    counts = TermCounts().add(sparse.csr_matrix(x), y)
    for c in range(labels):
        ratio, pearson = counts.scores(c), counts.scores(c, "pearson")
        for t, (a, b, d, e) in enumerate(tables(x, y[:, c])):
            table = np.array([[a, b], [d, e]])
            if table.sum(0).all() and table.sum(1).all():
                log_ratio = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
                correlation = abs(np.corrcoef(x[:, t] != 0, y[:, c])[0, 1])
            else:
                log_ratio = correlation = 0.0
            assert ratio[t] == pytest.approx(log_ratio, abs=1e-9)
            assert pearson[t] == pytest.approx(correlation, abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(MATRIX)
def test_one_by_one_equals_at_once_while_terms_and_labels_grow(shape):
    n, terms, labels, seed = shape
    rng = np.random.default_rng(seed)
    x, y = rng.poisson(0.7, (n, terms)), rng.integers(0, 2, (n, labels))
    at_once, grown = TermCounts().add(x, y), TermCounts()
    for i in range(n):
        wide = max(1, terms * (i + 1) // n)
        x[i, wide:] = 0
        many = max(1, labels * (i + 1) // n)
        y[i, many:] = 0
        grown.add(x[i : i + 1, :wide], y[i : i + 1, :many])
    at_once = TermCounts().add(x, y)
    for c in range(labels):
        assert np.array_equal(grown.scores(c), at_once.scores(c))
        assert np.array_equal(grown.scores(c, "pearson"), at_once.scores(c, "pearson"))


def test_select_takes_the_best_above_the_cut():
    x = np.array([[1, 1, 0, 1]] * 10 + [[0, 1, 0, 0]] * 9 + [[0, 1, 1, 1]])
    y = np.array([[1]] * 10 + [[0]] * 10)
    counts = TermCounts().add(x, y)
    assert counts.select(0).tolist() == [0, 3]
    assert counts.select(0, max_terms=1).tolist() == [0]
    assert counts.select(0, method="pearson", min_statistic=0.0, max_terms=None).tolist() == [0, 2, 3]


def test_bad_input():
    with pytest.raises(BadInput, match="2 documents and 1 rows"):
        TermCounts().add([[1], [0]], [[1]])
    with pytest.raises(BadInput, match="no method 'chi'"):
        TermCounts().add([[1], [0]], [[1], [0]]).scores(0, "chi")
