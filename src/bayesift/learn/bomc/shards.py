"""BOMC on shards of documents: several workers, then rounds in which each hears what the others learned.

In natural parameters (precision, shift) a posterior is its prior plus what the documents say, so

    merged = prior + sum_k factor_k,   factor_k = posterior_k - what worker k started from

Done once, this counts what all workers learn alike several times. So, as in parallel expectation propagation, each
worker starts again from merged - factor_k, which is what the others say, and only part of each new factor is taken
(`damping`, 1.5 / workers: more of them need smaller steps). Splitting by label instead needs none of this: labels of
the independent variant do not touch each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from bayesift.arrays import as_targets
from bayesift.beliefs.diagonal import DiagonalBelief
from bayesift.beliefs.gaussian import Gaussian
from bayesift.errors import BadInput
from bayesift.learn.bomc.bomc import BOMC

LEAST = 0.1  # share of the prior's precision that a worker starts with at least


def learn_in_shards(
    learner: BOMC, X: Any, Y: Any, shards: int, rounds: int = 8, damping: float | None = None
) -> BOMC:
    """Return a model learned by so many workers, each on its share of the documents, in so many rounds.

    >>> X, Y = [[1, 0], [0, 1]] * 20, [[1, 0], [0, 1]] * 20
    >>> learn_in_shards(BOMC(), X, Y, shards=2).predict([[1, 0]])
    array([[1, 0]])
    """
    rows: Any = sparse.csr_matrix(X)
    labels = as_targets(Y, rows.shape[0])
    damping = (1.0 if rounds == 1 else min(0.5, 1.5 / shards)) if damping is None else damping
    if learner.variant != "independent" or not 1 <= shards <= rows.shape[0] or rounds < 1 or not 0 < damping <= 1:
        raise BadInput(
            f"variant {learner.variant!r}, {shards} shards, {rounds} rounds, damping {damping}",
            remedy="independent labels, shards and rounds from 1 on, damping above 0 up to 1",
        )
    have = np.asarray(labels.sum(axis=0), np.float64).ravel()
    ratios = np.maximum(have, 0.5) / np.maximum(rows.shape[0] - have, 0.5)  # workers know the whole corpus's
    order = np.random.default_rng(learner.seed).permutation(rows.shape[0])
    parts = [np.sort(order[k::shards]) for k in range(shards)]
    workers = [_Worker(clone(learner).set_params(ratios=ratios), rows[part], labels[part]) for part in parts]
    prior = workers[0].start(rows.shape[1], labels.shape[1])
    factors = [Gaussian(0.0 * prior.precision, 0.0 * prior.shift) for _ in workers]
    merged = prior
    for _ in range(rounds):
        for k, worker in enumerate(workers):
            start = _proper(merged / factors[k], prior)
            said = worker.learn(start) / start
            factors[k] = Gaussian(
                (1 - damping) * factors[k].precision + damping * said.precision,
                (1 - damping) * factors[k].shift + damping * said.shift,
            )
        merged = _proper(_total(prior, factors), prior)
    return workers[0].model_of(merged, rows.shape[0], have)


class _Worker:
    """A model and its documents; learns them from any start."""

    def __init__(self, model: BOMC, X: Any, Y: Any) -> None:
        self.model, self.X, self.Y = model, X, Y
        self.turn = 0

    def start(self, features: int, labels: int) -> Gaussian:
        """Return the prior, with room for all features and labels."""
        self.model._start()
        self.model._grow(features, labels)
        return _natural(self.model.belief_)

    def learn(self, start: Gaussian) -> Gaussian:
        model = clone(self.model)
        model._start()
        model._grow(self.X.shape[1], self.Y.shape[1])
        _take(model.belief_, start)
        model.n_features_in_ = self.X.shape[1]
        rng = np.random.default_rng([model.seed or 0, self.turn])
        self.turn += 1
        model._learn(self.X, self.Y, rng.permutation(self.X.shape[0]))
        return _natural(model.belief_)

    def model_of(self, belief: Gaussian, seen: int, positives: Any) -> BOMC:
        model: BOMC = clone(self.model).set_params(ratios=None)
        model._start()
        model._grow(self.model.belief_.n_features, self.model.belief_.n_labels)
        _take(model.belief_, belief)
        model.belief_.seen = int(seen)
        model.belief_.positives[: len(positives)] = positives
        model.n_features_in_ = model.belief_.n_features
        return model


def _natural(belief: DiagonalBelief) -> Gaussian:
    """Return the weights, with the biases as one more row."""
    d = belief.n_features
    mean = np.vstack([belief.mean[:d], belief.bias[0]]).astype(np.float64)
    return Gaussian.of(mean, np.vstack([belief.variance[:d], belief.bias[1]]).astype(np.float64))


def _take(belief: DiagonalBelief, natural: Gaussian) -> None:
    mean, variance, d = natural.mean, natural.variance, belief.n_features
    belief.mean[:d], belief.bias[0] = mean[:-1], mean[-1]
    belief.variance[:d], belief.bias[1] = variance[:-1], variance[-1]


def _total(prior: Gaussian, factors: Sequence[Gaussian]) -> Gaussian:
    total = prior
    for factor in factors:
        total = total * factor
    return total


def _proper(belief: Gaussian, prior: Gaussian) -> Gaussian:
    """Return the belief with at least a share of the prior's precision, and the same mean."""
    precision = np.maximum(belief.precision, LEAST * prior.precision)
    return Gaussian(precision, belief.shift / np.where(belief.precision > 0, belief.precision, precision) * precision)
