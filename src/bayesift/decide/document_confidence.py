"""How probable it is that all labels of a document are right.

    r = prod_c (p_c where label c is given, 1 - p_c where not),   logit confidence = a logit r + b

If labels were independent, r would be the confidence. It is too low where some come together more often than that. So
a and b have the greatest likelihood of what held of documents that were not learned, under a normal prior around
(1, 0). The order of documents stays that of r.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from bayesift.arrays import BoolArray, FloatArray, as_probabilities
from bayesift.decide.logistic import logistic_weights

Curve = tuple[float, float]  # a and b
INDEPENDENT: Curve = (1.0, 0.0)
SURE = 1e-9  # r is kept this far from 0 and 1


def document_confidence(labels: npt.ArrayLike, probabilities: npt.ArrayLike, curve: Curve = INDEPENDENT) -> FloatArray:
    """Return how probable it is that all labels of each document are right: (documents,).

    A decision is right with probability p if the label is given and 1 - p if it is withheld. Labels count as
    independent, so it is the product over labels, if there is no `curve` of `fit_curve`. A document without any label
    to decide has confidence 1.

    >>> document_confidence([[1, 0], [1, 0]], [[0.9, 0.2], [0.4, 0.0]])
    array([0.72, 0.4 ])
    >>> document_confidence([[1, 0], [1, 0]], [[0.9, 0.2], [0.4, 0.0]], curve=(1.0, 0.5)).round(2)
    array([0.81, 0.52])
    """
    p, y = as_probabilities(probabilities), np.asarray(labels, bool)
    product = np.asarray(np.where(y, p, 1.0 - p).prod(axis=1))
    if curve == INDEPENDENT or not p.shape[1]:
        return product
    return np.asarray(expit(curve[0] * _logit(product) + curve[1]))


def fit_curve(labels: BoolArray, probabilities: FloatArray, truth: BoolArray) -> Curve:
    """Return a and b for documents that were not learned; all arrays are (documents, labels).

    >>> p = np.full((200, 2), 0.5)
    >>> both = np.repeat([[True, True], [False, False]], 100, axis=0)
    >>> a, b = fit_curve(both[:1].repeat(200, axis=0), p, both)
    >>> document_confidence([[True, True]], p[:1], (a, b)).round(1)
    array([0.5])
    """
    x = _logit(document_confidence(labels, probabilities))
    right = (labels == truth).all(axis=1)
    a, b = logistic_weights(np.stack([x, np.ones(len(x))]), right, np.array(INDEPENDENT)).tolist()
    return (a, b) if a > 0.0 else INDEPENDENT


def _logit(product: FloatArray) -> FloatArray:
    r = np.clip(product, SURE, 1.0 - SURE)
    return np.asarray(np.log(r) - np.log1p(-r))
