"""What the name of a label says of its weights: the words of `palm-oil` are evidence for it before any document.

A label with a handful of documents has few words to go by, and its name is often one of those that matter. How much
names matter is learned from the labels with `ENOUGH` documents, or `HALFWAY` where more are to come. The name is read
as a document, with a value x_cj for term j. With mu and var the posterior means and variances without names, from a
prior N(0, v), and r = 1 - var / v, how much of a weight its documents tell:

    w_cj ~ N(m x_cj, max(v_cj, s^2 x_cj^2))
    m = sum mu x / (WORTH + sum r x^2),   s^2 = sum (mu - r m x)^2 / (WORTH + sum r x^2)

A posterior mean is shrunk towards 0 by the factor r (empirical Bayes; Morris 1983), so few documents do not mean that
names matter little. Sums are over the terms of the names of these labels, and v_cj is the prior variance without names
(`term_variance`). Rare words of a name have larger x, and so have the words of short names. Names that are codes have
no terms, or terms without weight: then m is near 0, and nothing changes.

There are two ways to use it, as there are for variances. `name_means` is for documents that are learned again from the
start. `change_means` exchanges the prior when documents have been learned: with the precision 1 / variance - 1 / v that
they gave to a weight, and v' the variance of the new prior,

    1 / variance' = 1 / variance - 1 / v + 1 / v',    mean' = mean (variance' / variance)^(1/2) + m x variance' / v'
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
ENOUGH = 10  # documents of a label from which it says how much names matter
HALFWAY = 5  # the same where documents are still to come
TINY = 1e-12
WORTH = 3.0  # names without any weight, as if seen before


class Matter(NamedTuple):
    """How much names matter: m, and s^2."""

    m: float
    spread: float


class Names(NamedTuple):
    """The terms of names, one after the other: of which label, which term, and its value x."""

    label: Longs
    term: Longs
    x: Floats

    @classmethod
    def of(cls, names: Any) -> Names:
        """Return the terms of names, a sparse matrix of (labels, features)."""
        found = sparse.csr_matrix(names, dtype=np.float64)
        label = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
        return cls(label, found.indices.astype(np.int64), found.data)

    @property
    def place(self) -> tuple[Longs, Longs]:
        """Where their weights are in an array of (features, labels)."""
        return self.term, self.label

    def take(self, mean: Singles, variance: Singles) -> tuple[Singles, Singles]:
        """Return copies of their means and variances; both arrays are (features, labels)."""
        return mean[self.place], variance[self.place]

    def of_labels(self, some: NDArray[np.bool_]) -> Names:
        """Return the terms of the names of some labels."""
        return self._where(some[self.label])

    def without(self, label: int, terms: NDArray[Any]) -> Names:
        """Return all but these terms of a label."""
        return self._where((self.label != label) | ~np.isin(self.term, terms))

    def told(self, variance: Singles, prior: float) -> Floats:
        """Return r: how much of their weights documents tell, by variances from a prior N(0, prior)."""
        return np.clip(1.0 - variance[self.place].astype(np.float64) / prior, 0.0, 1.0)

    def matter(self, mean: Singles, have: NDArray[np.int64], enough: int, told: Floats | float = 1.0) -> Matter:
        """Return how much names matter, by the means (features, labels) of labels that have enough documents.

        `told` is r of the means, 1 where they are not shrunk towards 0: after a fit that has read the names.
        """
        often = have[self.label] >= enough
        mu, x = mean[self.place][often].astype(np.float64), self.x[often]
        r = np.broadcast_to(told, often.shape)[often]
        size = WORTH + float((r * x * x).sum())
        m = float((mu * x).sum()) / size
        return Matter(m, float(((mu - r * m * x) ** 2).sum()) / size)

    def _where(self, some: NDArray[np.bool_]) -> Names:
        return Names(self.label[some], self.term[some], self.x[some])


NO_NAMES = Names.of(sparse.csr_matrix((0, 0)))


def change_means(
    terms: Names, mean: Singles, variance: Singles, before: tuple[Singles, Singles], matter: Matter, prior: float
) -> None:
    """Put in the prior of names, where documents were learned without it, in place.

    Parameters
    ----------
    terms : Names
        The terms of names.
    mean, variance : arrays of (features, labels)
        Of all weights, after prior variances may have changed (`term_variance.change_prior`).
    before : pair of arrays
        Means and variances of these terms before that.
    matter : Matter
        How much names matter.
    prior : float
        The prior variance that all weights began with, of means of 0.

    Examples
    --------
    A weight that no document has touched gets the prior of its name:

    >>> mean, variance = np.zeros((2, 1), np.float32), np.full((2, 1), 0.1, np.float32)
    >>> terms = Names.of(sparse.csr_matrix([[1.0, 0.0]]))
    >>> change_means(terms, mean, variance, terms.take(mean, variance), Matter(2.0, 0.5), 0.1)
    >>> mean.round(2), variance.round(2)
    (array([[2.],
           [0.]], dtype=float32), array([[0.5],
           [0.1]], dtype=float32))
    """
    had, width = (part.astype(np.float64) for part in before)
    said = np.maximum(1.0 / width - 1.0 / prior, 0.0)
    without = 1.0 / np.maximum(1.0 / variance[terms.place] - said, TINY)  # the prior variance without names
    wide = np.maximum(without, matter.spread * terms.x * terms.x)
    new = 1.0 / (said + 1.0 / wide)
    mean[terms.place] = had * np.sqrt(new / width) + matter.m * terms.x * new / wide
    variance[terms.place] = new


def name_means(
    names: Any, mean: Singles, variance: Singles, prior: float, have: NDArray[np.int64], variances: Singles
) -> sparse.csr_matrix | None:
    """Return the prior means of the terms of names, (labels, features), and widen their variances in place.

    Parameters
    ----------
    names : sparse matrix of (labels, features)
        The name of each label, read as a document.
    mean, variance : arrays of (features, labels)
        Posterior means and variances of a first fit.
    prior : float
        The prior variance of the first fit.
    have : array of (labels,)
        The number of documents of each label.
    variances : array of (features, labels + 1)
        Prior variances, which change where a name says more.

    Returns
    -------
    sparse matrix, or None if names do not matter.

    Examples
    --------
    >>> mean = np.array([[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 1.0]], np.float32)
    >>> names, variances = sparse.csr_matrix(np.eye(3)), np.full((3, 4), 0.1, np.float32)
    >>> first = np.full((3, 3), 0.05, np.float32)
    >>> name_means(names, mean, first, 0.1, np.array([20, 10, 2]), variances).toarray().round(2)
    array([[2., 0., 0.],
           [0., 2., 0.],
           [0., 0., 2.]])
    >>> variances.round(2)
    array([[4.5, 0.1, 0.1, 0.1],
           [0.1, 4.5, 0.1, 0.1],
           [0.1, 0.1, 4.5, 0.1]], dtype=float32)
    """
    terms = Names.of(names)
    m, spread = terms.matter(mean, have, ENOUGH, terms.told(variance, prior))
    if m <= 0.0:
        return None
    variances[terms.place] = np.maximum(variances[terms.place], spread * terms.x * terms.x)
    return sparse.csr_matrix((m * terms.x, (terms.label, terms.term)), names.shape)
