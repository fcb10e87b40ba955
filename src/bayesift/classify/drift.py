"""The drift of BOMC, chosen by prequential evidence along the stream: `BOMC(drift="auto")`.

Each of `DRIFTS` learns the documents once, in their order. What they predicted of the later half, each document before
it was learned, is calibrated, and the drift with most evidence is chosen: probabilities that are not calibrated would
choose by overconfidence alone. Without drift the order does not matter, and the mean over several orders, which is then
learned, has about a twentieth less log-loss than a single order; so a drift must gain more than `WORTH`.

It is chosen by `fit`, and again along a stream as noise and prior are, when the number of documents has doubled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from bayesift.decide.calibration import MarginCalibration
from bayesift.errors import BadInput
from bayesift.learn.bomc.bomc import AUTO, BOMC

DRIFTS = (0.001, 0.003, 0.01, 0.03)  # beside 0
WORTH = 0.05  # share of the log-loss
FEW = 100  # documents that choose nothing


def is_open(learner: Any) -> bool:
    """Return whether the drift of a learner is yet to be chosen."""
    return isinstance(learner, BOMC) and isinstance(learner.drift, str)


def check_drift(learner: Any) -> None:
    """Raise if the drift of this learner cannot be chosen."""
    if is_open(learner) and (learner.drift != AUTO or learner.compact or not learner.prequential):
        reason = "a compact model has no drift" if learner.compact else f"variant {learner.variant!r} has no margins"
        remedy = "use compact=False and the variant independent or coupled"
        if learner.drift != AUTO:
            reason, remedy = "it is neither a number nor 'auto'", "give a number from 0 on, or 'auto'"
        raise BadInput(f"drift is {learner.drift!r}, but {reason}", remedy=remedy)


def chosen_drift(learner: BOMC, rows: Any, Y: Any) -> float:
    """Return the drift with most evidence for documents in this order; 0 unless another one is worth it."""
    n = Y.shape[0]
    if n < FEW or not Y.shape[1]:
        return 0.0
    found = {drift: _evidence(clone(learner).set_params(drift=drift), rows, Y) for drift in (0.0, *DRIFTS)}
    best = max(found, key=lambda drift: found[drift])
    return best if found[best] > (1.0 - WORTH) * found[0.0] else 0.0


def _evidence(learner: BOMC, rows: Any, Y: Any) -> float:
    """Return the log-evidence per document, which is below 0, of the later half."""
    n = Y.shape[0]
    margins = learner.learn_prequential(rows, Y, np.arange(n), n // 2)[n // 2 :, :-1]
    return MarginCalibration().add(margins, Y[n // 2 :]).fit().log_evidence()
