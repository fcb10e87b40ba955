"""Choosing the width of a prior from the training documents: by cross-validation along the path, or by evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.learn.priors import FeaturePrior, Jeffreys, Laplace, Normal, Shape
from bayesift.learn.sparse_linear.descent import Columns, losses
from bayesift.learn.sparse_linear.modes import Mode, mode_at, moments, path, standard_deviation
from bayesift.progress import track

Floats = NDArray[np.float64]
Choice = Literal["cv", "evidence"]
FEWEST, MANY = 10, 2000  # documents from which some are held out, and from which a fifth of them is enough


def grid_of(shape: Shape, size: int = 20) -> list[Shape]:
    """Return priors of the same shape on a log grid of standard deviations, from 0.03 to 30.

    >>> [round(prior.variance, 4) for prior in grid_of(Normal(1.0), 3)]
    [0.0009, 0.9, 900.0]
    """
    deviations = np.geomspace(0.03, 30.0, size)
    if isinstance(shape, Laplace):
        return [Laplace(float(2.0 / sd**2)) for sd in deviations]
    if isinstance(shape, Normal):
        return [Normal(float(sd**2)) for sd in deviations]
    raise BadInput("the Jeffreys prior has no setting to choose", remedy="leave out choose=")


def choose(
    rows: sparse.csr_matrix, signs: Floats, link: int, shapes: Sequence[Shape], known: FeaturePrior | None,
    by: Choice, folds: int, seed: int, tolerance: float,
) -> tuple[Mode, Shape, Floats]:  # fmt: skip
    """Return the mode under the best prior, that prior, and the score of each (the larger the better).

    "cv": the log-likelihood of held-out documents, summed over folds, each fold one warm-started sweep along the
    path. "evidence": Laplace's approximation, from one sweep over all documents.
    """
    if by not in ("cv", "evidence"):
        raise BadInput(f"choose is {by!r}", remedy="use 'cv', 'evidence' or None")
    if any(isinstance(shape, Jeffreys) for shape in shapes):
        raise BadInput("the Jeffreys prior has no setting to choose", remedy="leave out choose=")
    columns = Columns.of(rows)
    found = path(columns, signs, link, shapes, known, tolerance)
    if by == "evidence":
        pairs = zip(shapes, found)
        scores = np.array([mode_at(columns, signs, link, s, known, at).log_evidence for s, at in pairs])
    else:
        scores = np.zeros(len(shapes))
        mean, _ = moments(rows.shape[1], shapes[0], known)
        fold = _folds(signs, folds, seed)
        for f in track(range(folds), "folds"):
            inside, outside = fold != f, fold == f
            swept = path(Columns.of(rows[inside]), signs[inside], link, shapes, known, tolerance)
            held_out = [rows[outside] @ (mean + at.beta) + at.intercept for at in swept]
            scores += [-losses(z, signs[outside], link).sum() for z in held_out]
    narrow_first = np.argsort([standard_deviation(shape) for shape in shapes], kind="stable")
    best = int(narrow_first[np.argmax(scores[narrow_first])])  # of equals, the narrowest
    return mode_at(columns, signs, link, shapes[best], known, found[best]), shapes[best], scores


def held_out(n: int, seed: int) -> list[NDArray[np.bool_]]:
    """Return the documents to hold out, a fifth at a time: once, or three times where documents are few; none of 10.

    >>> [int(part.sum()) for part in held_out(100, seed=0)]
    [20, 20, 20]
    """
    if n < FEWEST:
        return []
    place = np.random.default_rng(seed).permutation(n) * 5 // n
    return [place == part for part in range(1 if n >= MANY else 3)]


def _folds(signs: Floats, folds: int, seed: int) -> NDArray[np.int64]:
    """Return stratified folds."""
    order = np.random.default_rng(seed).permutation(signs.size)
    order = order[np.argsort(signs[order], kind="stable")]
    fold = np.empty(signs.size, np.int64)
    fold[order] = np.arange(signs.size) % folds
    return fold
