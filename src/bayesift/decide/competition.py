"""How the labels of one document compete, and how labels that imply others agree.

    logit p'_c = logit p_c + a + b ln(1 - min(q_c, SURE)) + d above_c + e below_c,   q_c = the highest p of the others

The calibrated p_c looks at one label alone. Most documents of most corpora have few labels, so a sure label leaves less
room for the others: b > 0. Where labels come together, b is near 0 or below. `above` and `below` are how far a label
contradicts those that it implies, and those that imply it (`other_labels`); without such labels, d and e are left out.
The numbers are common to all labels, and fitted to documents that were not learned from, with N(0, 1 / WORTH) before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit, logit

from bayesift.arrays import BoolArray, FloatArray
from bayesift.decide.logistic import logistic_weights

WORTH = 50.0  # the precision of the prior
LEAST = -6.0  # log-odds below which a label has no say in the fit
TINY = 1e-12


def shift(p: FloatArray, competition: tuple[float, ...], implied: Any) -> FloatArray:
    """Return logit p' - logit p for competition (a, b) or (a, b, d, e): (documents, labels).

    `implied` is (2, pairs): labels, and a label that each of them implies.
    """
    found = np.zeros(p.shape)
    for weight, term in zip(competition, _terms(p, implied)):
        found += weight * term
    return found


def fit_competition(log_odds: FloatArray, truth: BoolArray) -> tuple[tuple[float, ...], Any]:
    """Return the competition in documents that were not learned from, and the labels that imply others.

    The competition is (0, 0) where there is one label.
    """
    from bayesift.beliefs.other_labels import NONE, implications  # here, since beliefs load numba

    if log_odds.shape[1] < 2:
        return (0.0, 0.0), NONE
    implied, seen = implications(sparse.csr_matrix(truth)), log_odds > LEAST
    x = np.stack([term[seen] for term in _terms(expit(log_odds), implied)])
    found = logistic_weights(x, truth[seen], np.zeros(len(x)), log_odds[seen], WORTH)
    return tuple(found.tolist()), implied


def _terms(p: FloatArray, implied: Any) -> list[FloatArray]:
    from bayesift.beliefs.other_labels import contradictions, room  # here, since beliefs load numba

    found = [np.ones(p.shape), room(p)]
    return [*found, *contradictions(logit(np.clip(p, TINY, 1.0 - TINY)), implied)] if implied.size else found
