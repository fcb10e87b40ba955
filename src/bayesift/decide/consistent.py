"""Label sets that respect a hierarchy: no label without its parents.

Each label of a document is as far from its decision as its log-odds are from its threshold's:

    e_c = logit p_c - logit threshold_c, positive where the rule gives the label

A label without its parent is a contradiction. Either the label was wrong or the parent was missed, and what is nearer
to its threshold gives way: of all consistent label sets, the one with the greatest sum of e_c is taken. In a tree:

    b_c = e_c + sum over children d of max(0, b_d),    c is given if b > 0 for c and all labels above it

from the leaves up and down again. Where a label has several parents its b counts for each of them: label sets are
consistent, and the sum may be less than the greatest. Documents without a contradiction keep their labels.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bayesift.arrays import BoolArray, FloatArray, IntArray

LEAST = 1e-9  # the distance of a decision that its threshold does not explain
FAR = 1e6  # that of one that may not change


def contradicted(decisions: BoolArray, pairs: IntArray) -> BoolArray:
    """Return which documents have a label without one of its parents: (documents,).

    `pairs` are the columns of labels and of their parents: (2, pairs).

    >>> contradicted(np.array([[False, True], [True, True]]), np.array([[1], [0]]))
    array([ True, False])
    """
    child, parent = pairs
    return np.asarray((decisions[:, child] & ~decisions[:, parent]).any(axis=1))


def consistent(
    decisions: BoolArray, excess: FloatArray, pairs: IntArray, *, may_add: bool = True, may_drop: bool = True
) -> BoolArray:
    """Return label sets that respect the hierarchy.

    Parameters
    ----------
    decisions : array of (documents, labels)
        What the rule decides.
    excess : array of (documents, labels)
        How far each label is above its threshold, in log-odds.
    pairs : array of (2, pairs)
        The columns of labels and of their parents, without a cycle.
    may_add, may_drop : bool
        Whether a label that the rule does not give may be added, and one that it gives dropped; not neither.

    Examples
    --------
    >>> given, pairs = np.array([[False, True], [False, True]]), np.array([[1], [0]])
    >>> consistent(given, np.array([[-1.0, 2.0], [-2.0, 1.0]]), pairs)
    array([[ True,  True],
           [False, False]])
    """
    far = np.where(decisions, np.maximum(excess, LEAST), np.minimum(excess, -LEAST))
    if not may_drop:
        far[decisions] = FAR
    if not may_add:
        far[~decisions] = -FAR * decisions.shape[1]
    levels = list(_levels(pairs, decisions.shape[1]))
    for child, parent in reversed(levels):
        np.add.at(far.T, parent, np.maximum(far.T[child], 0.0))
    found = far > 0.0
    for child, parent in levels:
        np.logical_and.at(found.T, child, found.T[parent])
    return found


def _levels(pairs: IntArray, labels: int) -> Iterator[IntArray]:
    """Yield the pairs level by level: those of a label come after all pairs of the labels above it."""
    child, parent = pairs
    depth, before = np.zeros(labels, np.int64), None
    while before is None or (depth != before).any():
        before = depth.copy()
        np.maximum.at(depth, child, before[parent] + 1)
    for level in range(1, int(depth.max(initial=0)) + 1):
        yield pairs[:, depth[child] == level]
