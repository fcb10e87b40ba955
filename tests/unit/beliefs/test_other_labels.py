"""Labels that imply others, and what a contradiction is."""

import numpy as np
from scipy import sparse

from bayesift.beliefs.other_labels import ENOUGH, FARTHEST, company, contradictions, implications


def test_a_label_implies_those_that_all_of_its_documents_have():
    rng = np.random.default_rng(0)
    top = rng.random(300) < 0.5
    child, grandchild = top & (rng.random(300) < 0.4), np.zeros(300, bool)
    grandchild[np.flatnonzero(child)[:ENOUGH]] = True
    rare = np.zeros(300, bool)
    rare[np.flatnonzero(top)[: ENOUGH - 1]] = True  # too few documents to imply anything
    nearly = child.copy()
    nearly[np.flatnonzero(~top)[0]] = True
    Y = sparse.csr_matrix(np.column_stack([top, child, grandchild, rare, nearly, top]).astype(np.int8))
    found = {tuple(pair) for pair in implications(Y).T.tolist()}
    assert found == {(1, 0), (1, 5), (1, 4), (2, 0), (2, 1), (2, 4), (2, 5)}  # equal labels imply each other not
    assert implications(Y[:0]).shape == (2, 0)


def test_contradictions_are_the_farthest_ones():
    z = np.array([[1.0, 2.0, 0.5], [9.0, 0.0, -9.0], [0.0, 1.0, 2.0]])
    above, below = contradictions(z, np.array([[0, 0], [1, 2]], np.int32))
    assert above.tolist() == [[-0.5, 0.0, 0.0], [-FARTHEST, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert below.tolist() == [[0.0, 0.0, 0.5], [0.0, FARTHEST, FARTHEST], [0.0, 0.0, 0.0]]
    assert np.array_equal(company(z)[3:], np.zeros((2, 3, 3)))
