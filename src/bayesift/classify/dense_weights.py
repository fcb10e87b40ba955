"""How much the vectors of meaning weigh beside the words: chosen by prequential evidence, as noise and prior are.

The weight of a vector is the prior variance of its weights in units of that of words; 0 is words alone. Vectors are
tried one after the other, each beside those chosen before it. Of more than `SOME` labels about so many, common and
rare, choose.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from bayesift.decide.calibration import MarginCalibration
from bayesift.learn.bomc.passes import Passes, passes_of
from bayesift.learn.side_by_side import SideBySide

WEIGHTS = (0.25, 0.5, 1.0)  # beside 0
SOME = 64


def with_vectors(words: Passes, rows: SideBySide, Y: Any, seed: int) -> tuple[Passes, tuple[int, ...]]:
    """Return the passes, after one round, with the vectors that have most evidence, and which vectors these are.

    `words` are the passes of words alone, after one round with the same seed.
    """
    labels = spread(Y, SOME)
    few = for_labels(words.template, labels)
    chosen: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()
    best, most = words, evidence(words.margins()[:, labels], Y[:, labels])
    for k in np.flatnonzero(rows.widths).tolist():
        some, before = rows.select((*chosen, k)), weights
        for weight in WEIGHTS:
            tried = passes_of(clone(few).set_params(dense_weights=(*before, weight)), seed)
            tried.round(some, Y[:, labels])
            found = evidence(tried.margins()[:, :-1], Y[:, labels])
            if found > most:
                best, most, weights = tried, found, (*before, weight)
        chosen = (*chosen, k) if weights is not before else chosen
    if chosen and labels.size < Y.shape[1]:
        best = passes_of(clone(words.template).set_params(dense_weights=weights), seed)
        best.round(rows.select(chosen), Y)
    return best, chosen


def evidence(margins: NDArray[Any], Y: Any) -> float:
    """Return the log-evidence of labels by margins, after calibration."""
    return MarginCalibration().add(margins, Y).fit().log_evidence()


def spread(Y: Any, most: int) -> NDArray[np.int64]:
    """Return at most so many labels, common and rare; all of them if they are not more."""
    labels = Y.shape[1]
    if labels <= most:
        return np.arange(labels)
    have = np.bincount(Y.indices, minlength=labels)
    return np.argsort(-have, kind="stable")[:: -(-labels // most)]


def for_labels(learner: Any, labels: NDArray[np.int64]) -> Any:
    """Return an unfitted copy with the settings of some labels only."""
    changed: dict[str, Any] = {
        name: [given[c] for c in labels.tolist()]
        for name in ("feature_priors", "ratios")
        if (given := getattr(learner, name)) is not None
    }
    if learner.names is not None:
        changed["names"] = learner.names[labels]
    return clone(learner).set_params(**changed)
