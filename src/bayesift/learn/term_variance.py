"""The prior variance of each term's weight, learned from what all labels know so far.

A term that carries weight for many labels deserves a wide prior, one that never did a narrow one. That is what a label
with a handful of documents cannot find out alone. With mu the posterior means so far, of term j and label c:

    s_cj = (1 - OWN) mean_c' mu_c'j^2 + OWN mu_cj^2,    v_cj = v k_c clip((s_cj / median)^(1/2), LEAST, MOST)

The median is that of the means over labels, and k_c scales v_c such that its average over terms, weighted by document
frequency, stays v. A term that no document had so far is as wide as the median. There are two ways to use it.

`term_variances` is for documents that are learned again from the start. Margins of theirs are those of a model that has
seen them twice, so only documents that neither fit has learned may calibrate it.

`change_prior` goes on halfway through the documents. A precision is that of the prior plus what the documents say, so
the one prior is taken out and the other put in:

    1 / variance' = 1 / variance - 1 / v + 1 / v_cj,    mean' = mean (variance' / variance)^(1/2)

With the same sites the mean would be multiplied by variance' / variance. But documents say less of weights that are
free to move: it goes half of that way, in logarithms, and documents to come do the rest.

A label that no document had so far keeps the prior v, as the unseen label does: one that comes later must not find that
the terms which tell it from others have narrow priors, because no other label needed them. Its own prior changes when
it has `KNOWN` documents. In a compact belief a label keeps v for terms that have not occurred with it. All this costs
next to nothing, and margins of the documents after it are those of a model that has not seen them.

The same numbers give a measure of similarity to models that compare whole documents: with term j multiplied by the
square root of clip((mean_c mu_cj^2 / median)^(1/2), LEAST, MOST), documents are near that share the terms that matter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Single = Any  # a number in single precision
Bits = NDArray[np.uint8]
ALL_OWN: Bits = np.empty((0, 0), np.uint8)
OWN = 0.5
LEAST, MOST = 0.02, 100.0
KNOWN = 2  # documents of a label that came later, from which on its prior may change
FAST = {"contract", "nnan", "ninf", "nsz", "arcp"}  # sums keep their order


def term_variances(mean: Singles, rows: Any, variance: float) -> Singles:
    """Return the prior variance of each weight: (features, labels + 1), the last column for the unseen label.

    Parameters
    ----------
    mean : array of (features, labels)
        Posterior means of a first fit.
    rows : sparse matrix
        The documents, for the document frequency of each term.
    variance : float
        The average.

    Examples
    --------
    >>> mean = np.array([[0.1, 0.1], [2.0, 0.1], [0.1, 0.1]], np.float32)
    >>> term_variances(mean, sparse.csr_matrix(np.ones((2, 3))), 0.1).round(2)
    array([[0.02, 0.02, 0.02],
           [0.27, 0.25, 0.26],
           [0.02, 0.02, 0.02]], dtype=float32)
    """
    features, labels = mean.shape
    found = np.full((features, labels + 1), variance, np.float32)
    widths = Widths.of(mean, rows)
    if widths is not None:
        _widen(mean, widths.shared, widths.own, widths.scale, found)
    return found


def change_prior(
    mean: Singles, variance: Singles, change: NDArray[np.bool_], rows: Any, prior: float, own: Bits = ALL_OWN
) -> None:
    """Replace the prior variance of weights by those that they deserve, in place.

    Parameters
    ----------
    mean, variance : arrays of (features, labels)
        Of all weights so far.
    change : array of (labels,)
        The labels whose prior changes; the others keep theirs.
    rows : sparse matrix
        The documents, for the document frequency of each term.
    prior : float
        The prior variance that all weights began with, of means of 0; the average of the new ones.
    own : array of (features, bytes)
        Of a compact belief: a bit for each weight that is the label's own. The others keep their prior.

    Examples
    --------
    >>> mean, variance = np.array([[0.1, 0.1], [1.0, 0.0], [0.0, 0.1]], np.float32), np.full((3, 2), 0.05, np.float32)
    >>> change_prior(mean, variance, np.array([True, False]), sparse.csr_matrix(np.ones((2, 3))), 0.1)
    >>> mean.round(2), variance.round(2)
    (array([[0.07, 0.1 ],
           [1.2 , 0.  ],
           [0.  , 0.1 ]], dtype=float32), array([[0.02, 0.05],
           [0.07, 0.05],
           [0.01, 0.05]], dtype=float32))
    """
    widths = Widths.of(mean, rows)
    if widths is not None:
        _replace(mean, variance, change, own, widths.shared, widths.own, widths.scale, np.float32(prior))


class Widths(NamedTuple):
    """What gives the width of each weight: see the module."""

    shared: Singles  # mean_c mu_cj^2 of each term, in units of the median
    own: Single  # what mu_cj^2 is multiplied by for the same units
    scale: Singles  # k_c of each label, and last of the unseen label

    @classmethod
    def of(cls, mean: Singles, rows: Any) -> Widths | None:
        """Return the widths for these means, (features, labels); None if nothing was learned."""
        shared = _mean_squares(mean)
        often = np.bincount(rows.indices, minlength=len(mean)).astype(np.float64)
        if not (shared.any() and often.any()):
            return None
        median = float(np.median(shared[shared > 0.0]))
        in_units, own = (shared / median).astype(np.float32), np.float32(OWN / median)
        return cls(in_units, own, _scales(mean, in_units, own, often))


def term_scales(mean: Singles) -> Floats:
    """Return what each term is multiplied by before documents are compared.

    >>> term_scales(np.array([[0.1, 0.1], [2.0, 0.1], [0.1, 0.1]], np.float32)).round(2)
    array([1.  , 3.76, 1.  ])
    """
    shared = _mean_squares(mean)
    if not shared.any():
        return np.ones(len(mean))
    return np.asarray(np.sqrt(np.clip(np.sqrt(shared / np.median(shared[shared > 0.0])), LEAST, MOST)))


def rescaled(rows: sparse.csr_matrix, scales: Floats) -> sparse.csr_matrix:
    """Return documents with each term multiplied by its scale, as long as they were before.

    >>> rescaled(sparse.csr_matrix([[0.6, 0.8]]), np.array([4.0, 3.0])).toarray().round(2)
    array([[0.71, 0.71]])
    """
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    data = rows.data * scales[rows.indices]
    before, after = (np.bincount(row, x * x, minlength=rows.shape[0]) for x in (rows.data, data))
    factor = np.sqrt(before / np.where(after > 0.0, after, 1.0))
    return sparse.csr_matrix((data * factor[row], rows.indices, rows.indptr), shape=rows.shape)


@kernel(fastmath=FAST)
def _mean_squares(mean: Singles) -> Floats:
    """Return the mean over labels of the squares of each term's weights."""
    features, labels = mean.shape
    found = np.zeros(features)
    for j in range(features):
        row, total = mean[j], 0.0
        for c in range(labels):
            total += np.float64(row[c] * row[c])
        found[j] = total / max(labels, 1)
    return found


@kernel(inline="always")
def _row_widths(row: Singles, labels: int, shared: Single, own: Single, out: Singles) -> None:
    """Set the widths of a term's weights, those of the unseen label last, before they are scaled."""
    if shared == 0.0:
        out[: labels + 1] = 1.0
        return
    base = np.float32(1.0 - OWN) * shared
    for c in range(labels):
        out[c] = base + own * row[c] * row[c]
    out[labels] = shared
    for c in range(labels + 1):
        out[c] = min(max(np.sqrt(out[c]), np.float32(LEAST)), np.float32(MOST))


@kernel(fastmath=FAST)
def _scales(mean: Singles, shared: Singles, own: Single, often: Floats) -> Singles:
    """Return what the widths of each label are multiplied by, so that their average is 1; last the unseen label's."""
    labels = mean.shape[1]
    total, width = np.zeros(labels + 1), np.empty(labels + 1, np.float32)
    for j in range(mean.shape[0]):
        if often[j] > 0.0:
            _row_widths(mean[j], labels, shared[j], own, width)
            for c in range(labels + 1):
                total[c] += often[j] * width[c]
    scale: Singles = (often.sum() / total).astype(np.float32)
    return scale


@kernel(fastmath=FAST)
def _widen(mean: Singles, shared: Singles, own: Single, scale: Singles, found: Singles) -> None:
    """Multiply variances by the width of each weight."""
    labels = mean.shape[1]
    width = np.empty(labels + 1, np.float32)
    for j in range(mean.shape[0]):
        _row_widths(mean[j], labels, shared[j], own, width)
        for c in range(labels + 1):
            found[j, c] *= scale[c] * width[c]


@kernel(fastmath=FAST)
def _replace(
    mean: Singles, variance: Singles, change: NDArray[np.bool_], bits: Bits, shared: Singles, own: Single,
    scale: Singles, prior: Single,
) -> None:  # fmt: skip
    """Take the prior variance of all weights out, and put in that of each, where the prior changes."""
    labels, one = mean.shape[1], np.float32(1.0)
    width, changes = np.empty(labels + 1, np.float32), change.copy()
    for j in range(mean.shape[0]):
        m, v = mean[j], variance[j]
        if bits.size:
            for c in range(labels):
                changes[c] = change[c] and (bits[j, c >> 3] >> np.uint8(c & 7)) & 1
        _row_widths(m, labels, shared[j], own, width)
        for c in range(labels):
            said = max(one / v[c] - one / prior, np.float32(0.0))
            new = one / (said + one / (prior * scale[c] * width[c]))
            m[c] *= np.sqrt(new / v[c]) if changes[c] else one
            v[c] = new if changes[c] else v[c]
