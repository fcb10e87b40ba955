"""Kernels of the regression of topics (`topic_regression`), with sums in a fixed order: for one topic and for many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayesift.filtering.rows import Columns
from bayesift.filtering.topic_kernel import MEANING, SIDE, Given, dense_of, features_of, points_of, r_of_weights
from bayesift.learn.gp_regression import add_row, alpha_of, dot
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]


@kernel
def learn_all(
    first: Longs, squares: Longs, words: Longs, given_ends: Longs, ends: Columns, places: Columns, values: Floats,
    terms: Columns, means: Floats, target: Floats, noise: Floats, prior: Floats, given: Given,
    z: Floats, r: Floats, given_r: Floats, inverse: Floats, solved: Floats, alpha: Floats, weights: Floats,
    dense: Floats,
) -> None:  # fmt: skip
    """Learn the documents of all topics; `prior` becomes the mean given the background."""
    n_topics = first.size - 1
    own = np.empty(r.shape[0])  # k'(x, x)
    _points(first, words, ends, places, values, terms, given, z, r, own)
    sum_z, sum_r = np.zeros((n_topics, z.shape[1])), np.zeros((n_topics, r.shape[1]))
    for t in range(n_topics):
        a, b = first[t], first[t + 1]
        n, here = b - a, ends[a : b + 1]
        size, square = words[t + 1] - words[t], inverse[squares[t] : squares[t + 1]].reshape(n, n)
        known = means[given_ends[t] : given_ends[t + 1]]
        if known.size:
            given_r[t] = r_of_weights(terms[words[t] : words[t] + known.size], known, given)
        for i in range(n):
            local, x = places[here[i] : here[i + 1]], values[here[i] : here[i + 1]]
            row = np.empty(i + 1)
            row[:i] = kernel_row(local, x, z[a + i], r[a + i], size, here, places, values, z[a:b], r[a:b], i)
            row[i] = own[a + i]
            prior[a + i] -= dot(given_r[t], r[a + i])
            add_row(square, solved[a:b], i, row, target[a + i] - prior[a + i], noise[a + i])
        alpha[a:b] = alpha_of(square, solved[a:b], n)
        out = weights[words[t] : words[t + 1]]
        _sum(here, places, values, alpha[a:b], known, z[a:b], r[a:b], given_r[t], out, sum_z[t], sum_r[t])
    dense_of(sum_z, sum_r, given, dense)


@kernel
def _points(
    first: Longs, words: Longs, ends: Columns, places: Columns, values: Floats, terms: Columns, given: Given,
    z: Floats, r: Floats, own: Floats,
) -> None:  # fmt: skip
    """Write z, r and k'(x, x) of the documents of all topics, `SIDE` at a time."""
    d, t = z.shape[1], 0
    features, squares = np.empty((SIDE, 2 * d)), np.empty(SIDE)
    for begin in range(0, r.shape[0], SIDE):
        end = min(begin + SIDE, r.shape[0])
        for i in range(begin, end):
            while first[t + 1] <= i:
                t += 1
            x = values[ends[i] : ends[i + 1]]
            columns = terms[words[t] : words[t + 1]][places[ends[i] : ends[i + 1]]]
            features[i - begin], squares[i - begin] = features_of(columns, x, given.v, given.length), dot(x, x)
            z[i] = features[i - begin, d:]
        points_of(features[: end - begin], squares, given, r[begin:end], own[begin:end])


@kernel
def kernel_row(
    local: Columns, weights: Floats, z: Floats, r: Floats, n_terms: int,
    ends: Columns, places: Columns, values: Floats, own_z: Floats, own_r: Floats, n: int,
) -> Floats:  # fmt: skip
    """Return the kernel of a document with the first n of a topic's own."""
    here, out = np.zeros(n_terms if n else 0), np.empty(n)
    for k in range(local.size if n else 0):
        here[local[k]] = weights[k]
    for i in range(n):
        words = 0.0
        for k in range(ends[i], ends[i + 1]):
            words += values[k] * here[places[k]]
        out[i] = words + MEANING * dot(z, own_z[i]) - dot(r, own_r[i])
    return out


@kernel
def weigh(
    ends: Columns, places: Columns, values: Floats, alpha: Floats, known: Floats, z: Floats, r: Floats, given_r: Floats,
    given: Given, weights: Floats, dense: Floats,
) -> None:  # fmt: skip
    """Write the mean weights of the terms and of the shared features."""
    sum_z, sum_r = np.zeros((1, z.shape[1])), np.zeros((1, r.shape[1]))
    _sum(ends, places, values, alpha, known, z, r, given_r, weights, sum_z[0], sum_r[0])
    dense_of(sum_z, sum_r, given, dense.reshape(1, dense.size))


@kernel
def _sum(
    ends: Columns, places: Columns, values: Floats, alpha: Floats, known: Floats, z: Floats, r: Floats, given_r: Floats,
    weights: Floats, sum_z: Floats, sum_r: Floats,
) -> None:  # fmt: skip
    """Write the mean weights of the terms, and the sums of z and r, each times alpha."""
    weights[: known.size] = known
    weights[known.size :] = 0.0
    sum_z[:], sum_r[:] = 0.0, given_r
    for i in range(alpha.size):
        for k in range(ends[i], ends[i + 1]):
            weights[places[k]] += alpha[i] * values[k]
        for k in range(sum_z.size):
            sum_z[k] += alpha[i] * z[i, k]
        for k in range(sum_r.size):
            sum_r[k] += alpha[i] * r[i, k]


@kernel
def score_of(local: Columns, x: Floats, weights: Floats, features: Floats, dense: Floats) -> float:
    """Return w.x + dense.features."""
    words = 0.0
    for k in range(local.size):
        words += x[k] * weights[local[k]]
    return words + dot(features, dense)


@kernel
def scores_of(
    ends: Columns, columns: Columns, values: Floats, terms: Columns, weights: Floats, features: Floats, dense: Floats
) -> Floats:  # fmt: skip
    """Return w.x + dense.features of documents, to the byte those of `score_of`; `terms` are the columns of w."""
    of_column, out = np.zeros(columns.max() + 1 if columns.size else 0), np.empty(ends.size - 1)
    for k in range(terms.size):
        if terms[k] < of_column.size:
            of_column[terms[k]] = weights[k]
    for i in range(out.size):
        words = 0.0
        for k in range(ends[i], ends[i + 1]):
            words += values[k] * of_column[columns[k]]
        out[i] = words + dot(features[i], dense)
    return out
