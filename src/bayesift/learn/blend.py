"""Feature-weighted linear stacking: log-odds of members, with weights that depend on the document and the label.

    first_c = sum_k w_k z_kc
    z_c = first_c + sum_k (u_k . x_dc) z_kc + v . y_dc

Sill, Takacs, Mackey & Lin 2009, Feature-weighted linear stacking, arXiv:0911.0460. z_kc are the calibrated log-odds of
member k. The meta-features x of a document d and a label c say which member to trust: how frequent the label is, how
similar the nearest training document and the nearest ones on average are, how many terms the document has, and how many
labels it probably has. y are x, the z_kc above 0, the rank of the label in the document, what the other labels of the
document say (`other_labels`), and how much the members differ. x is centred and scaled by its means and standard
deviations over training documents, and is 2 of these away at most: a document may be shorter, and less similar to any,
than all that were learned. All numbers come from one document, so it has the same ones alone and among many.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

from bayesift.beliefs.other_labels import NONE, Pairs, company
from bayesift.beliefs.protocol import State
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
META = 5  # meta-features x
ABOUT, NEAR = 3, 2  # numbers that a document brings: highest and mean similarity of the nearest ones, ln(1 + terms)
RANKS, COMPANY, SPREAD = 3, 5, 1  # further terms of y
FARTHEST = 2.0  # standard deviations
NOTHING: Floats = np.zeros(0)


class Blend(NamedTuple):
    """What was learned of how members are put together.

    >>> blend = Blend(np.array([0.5, 0.5]), frequency=np.zeros(2))
    >>> blend(np.array([[[2.0, -1.0]], [[1.0, -3.0]]]), np.zeros((1, ABOUT)))
    array([[ 1.5, -2. ]])
    """

    weights: Floats  # w
    more: Floats = NOTHING  # u and v, in the order of `_describe`; empty until they are learned
    frequency: Floats = NOTHING  # ln(documents + 1/2) of each label; the last one is the unseen label
    centre: Floats = np.zeros(META)
    scale: Floats = np.ones(META)
    pairs: Pairs = NONE  # labels that imply others

    def __call__(self, z: Floats, about: Floats) -> Floats:
        """Return the log-odds (documents, labels + 1) of those of the members, z (members, documents, labels + 1).

        `about` has `ABOUT` numbers for each document.
        """
        found = self.first(z)
        if self.more.size:
            said = self._company(found)
            x, added = self.meta(found, about), np.zeros_like(found)
            _add(z, found, x, self._frequency(), said, self.more, added)
            found += added
        return found

    def first(self, z: Floats) -> Floats:
        """Return the log-odds by the weights that are the same for all documents and labels."""
        found = np.zeros(z.shape[1:])
        for weight, member in zip(self.weights, z):  # a matrix product would add in an order of its shape's
            if weight:
                found += weight * member
        return found

    def meta(self, first: Floats, about: Floats) -> Floats:
        """Return the meta-features of documents, centred and scaled: (documents, META - 1)."""
        return self._scaled(of_documents(first, about), 1)

    def terms(self, z: Floats, about: Floats, say: NDArray[np.bool_]) -> Floats:
        """Return what `more` weighs, for the documents and labels that have a say: (terms, cases)."""
        found = self.first(z)
        out = np.empty((int(say.sum()), n_terms(len(z))))
        _describe_all(z, found, self.meta(found, about), self._frequency(), self._company(found), say, out)
        return np.ascontiguousarray(out.T)

    def _frequency(self) -> Floats:
        return self._scaled(self.frequency[:, None], 0)[:, 0]

    def _scaled(self, raw: Floats, begin: int) -> Floats:
        """Return meta-features, from number `begin` on, centred and scaled."""
        some = slice(begin, begin + raw.shape[1])
        return np.clip((raw - self.centre[some]) / self.scale[some], -FARTHEST, FARTHEST)

    def _company(self, first: Floats) -> Floats:
        known = first.copy()
        known[:, -1] = -np.inf  # the unseen label says nothing of the others
        return np.asarray(company(known, self.pairs))

    def state(self) -> State:
        """Return all numbers, for `of_state`."""
        found: State = {"weights": self.weights.copy()}
        if self.more.size:
            found |= {"more": self.more.copy(), "frequency": self.frequency.copy()}
            found |= {"centre": self.centre.copy(), "scale": self.scale.copy()}
            found |= {"pairs": self.pairs.copy()} if self.pairs.size else {}
        return found

    @classmethod
    def of_state(cls, state: State) -> Blend:
        """Return the blend that `state` was called of."""
        return cls(**{name: state[name].copy() for name in state})

    @classmethod
    def of_earlier(cls, weights: Floats, others: Floats, pairs: Pairs, labels: int) -> Blend:
        """Return the blend of earlier versions, which weighs what other labels say and nothing else beside members."""
        more, begin = np.zeros(n_terms(weights.size)), -SPREAD - COMPANY
        more[begin : begin + others.size] = others
        return cls(weights, more, np.zeros(labels + 1), pairs=pairs)


def about_rows(rows: sparse.csr_matrix) -> Floats:
    """Return what documents bring to the blend, without the similarities: (documents, ABOUT).

    >>> about_rows(sparse.csr_matrix([[0.5, 0.5], [0.0, 0.0]])).round(1).tolist()
    [[0.0, 0.0, 1.1], [0.0, 0.0, 0.0]]
    """
    about = np.zeros((rows.shape[0], ABOUT))
    ends = np.append(0, np.cumsum(rows.data != 0.0))[rows.indptr]
    about[:, NEAR] = np.log1p(np.diff(ends))
    return about


def of_documents(first: Floats, about: Floats) -> Floats:
    """Return the meta-features of documents as they are: (documents, META - 1)."""
    return np.column_stack([about, np.log1p(expit(first[:, :-1]).sum(axis=1))])


def n_terms(members: int) -> int:
    """Return how many terms are weighed beside the log-odds of so many members."""
    return (META + 1) * members + META + RANKS + COMPANY + SPREAD


@kernel
def _describe(z: Any, t: int, c: int, top: Any, value: float, x: Any, often: float, said: Any, out: Any) -> None:
    """Set the terms of document t and label c; `top` are the labels with the two highest log-odds."""
    members, i = z.shape[0], 0
    for j in range(META):
        meta = often if j == 0 else x[t, j - 1]
        for k in range(members):
            out[i] = meta * z[k, t, c]
            i += 1
        out[i] = meta
        i += 1
    mean = 0.0
    for k in range(members):
        out[i] = max(z[k, t, c], 0.0)
        mean += z[k, t, c] / members
        i += 1
    out[i], out[i + 1], out[i + 2] = 0.0, 0.0, 0.0
    if c == top[0]:
        out[i], out[i + 2] = 1.0, value
    elif c == top[1]:
        out[i + 1] = 1.0
    i += RANKS
    for j in range(said.shape[0]):
        out[i] = said[j, t, c]
        i += 1
    square = 0.0
    for k in range(members):
        square += (z[k, t, c] - mean) ** 2 / members
    out[i] = np.sqrt(square)


@kernel
def _two_highest(row: Any, top: Any) -> None:
    """Set the labels with the two highest log-odds; the last label is the unseen one, which has no rank."""
    top[0], top[1] = -1, -1
    for c in range(row.size - 1):
        if top[0] < 0 or row[c] > row[top[0]]:
            top[0], top[1] = c, top[0]
        elif top[1] < 0 or row[c] > row[top[1]]:
            top[1] = c


@kernel
def _add(z: Any, first: Any, x: Any, frequency: Any, said: Any, weights: Any, out: Any) -> None:
    """Add the weighted terms of each document and label."""
    terms, top = np.empty(weights.size), np.empty(2, np.int64)
    for t in range(first.shape[0]):
        _two_highest(first[t], top)
        for c in range(first.shape[1]):
            _describe(z, t, c, top, first[t, c], x, frequency[c], said, terms)
            for i in range(weights.size):
                out[t, c] += weights[i] * terms[i]


@kernel
def _describe_all(z: Any, first: Any, x: Any, frequency: Any, said: Any, say: Any, out: Any) -> None:
    """Set the terms of the documents and labels that have a say, one row each."""
    case, top = 0, np.empty(2, np.int64)
    for t in range(say.shape[0]):
        _two_highest(first[t], top)
        for c in range(say.shape[1]):
            if say[t, c]:
                _describe(z, t, c, top, first[t, c], x, frequency[c], said, out[case])
                case += 1
