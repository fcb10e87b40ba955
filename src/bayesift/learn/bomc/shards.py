"""BOMC on shards of documents: several workers, then rounds in which each hears what the others learned.

In natural parameters (precision, shift) a posterior is its prior plus what the documents say, so

    merged = prior + sum_k factor_k,   factor_k = posterior_k - what worker k started from

Done once, this counts what all workers learn alike several times. So, as in parallel expectation propagation, each
worker starts again from merged - factor_k, which is what the others say, and only part of each new factor is taken
(`damping`). What workers learn alike of a label comes from its positives, so the step of a label is 0.45 / sqrt(K_c),
K_c the number of workers that have a positive of it: steps much larger do not settle, and with smaller ones little of
what workers say is taken within the rounds.

Before these rounds workers begin one after the other: one alone, then one more, then two, four, and so on, each time as
many as have begun. They start from what those before them say, which is then not said again, so that most of it can be
taken (`FIRST`). Splitting by label instead needs none of this: labels of the independent variant do not touch each
other.

A factor has the features of its shard only: of all others the shard says nothing. In the last round a document's margin
before it is learned is by a model of all other shards and of the documents before it, so it is out of sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone

from bayesift.arrays import as_targets
from bayesift.beliefs.diagonal import DiagonalBelief
from bayesift.beliefs.gaussian import Floats, Gaussian
from bayesift.errors import BadInput
from bayesift.learn.bomc._shards import add_factor, factor_of, make_proper, start_of
from bayesift.learn.bomc.bomc import BOMC

Longs = NDArray[np.int64]
Singles = NDArray[np.float32]
ROUNDS = 5  # of all workers, after they have begun
FIRST = 0.8  # share that is taken of what a worker says at first
STEP = 0.45  # the same later, of a label that one worker knows
LEAST = 0.1  # share of the prior's precision that a worker starts with at least


def learn_in_shards(
    learner: BOMC, X: Any, Y: Any, shards: int, rounds: int = ROUNDS, damping: float | None = None
) -> BOMC:
    """Return a model learned by so many workers, each on its share of the documents, in so many rounds of all of them.

    One round is what all say of the prior alone, merged once. `damping` is the step of all labels in later rounds.

    >>> X, Y = [[1, 0], [0, 1]] * 20, [[1, 0], [0, 1]] * 20
    >>> learn_in_shards(BOMC(), X, Y, shards=2).predict([[1, 0]])
    array([[1, 0]])
    """
    rows: Any = sparse.csr_matrix(X)
    labels = as_targets(Y, rows.shape[0])
    fits = damping is None or 0 < damping <= 1
    if learner.variant != "independent" or not 1 <= shards <= rows.shape[0] or rounds < 1 or not fits:
        raise BadInput(
            f"variant {learner.variant!r}, {shards} shards, {rounds} rounds, damping {damping}",
            remedy="independent labels, shards and rounds from 1 on, damping above 0 up to 1",
        )
    if learner.learned_variances:
        raise BadInput("learned_variances=True on shards", remedy="leave it out: all shards have one prior")
    order = np.random.default_rng(learner.seed).permutation(rows.shape[0])
    parts = [np.sort(order[k::shards]) for k in range(shards)]
    merge = Merge.of(learner, rows.shape[1], [positives_of(labels[part]) for part in parts], [p.size for p in parts])
    workers = [Shard(merge.settings, rows[part], labels[part]) for part in parts]
    factors = [worker.nothing() for worker in workers]
    belief = merge.prior
    for turn in turns_of(shards, rounds):
        step = merge.step(turn) if damping is None or turn.begins else damping
        for k in turn.workers:
            factors[k] = workers[k].learn(belief, factors[k], step, turn.number)[0]
        belief = merge.belief(factors)
    return merge.model(belief)


@dataclass(frozen=True)
class Turn:
    """Workers that learn at the same time."""

    number: int
    workers: range
    begins: bool  # whether they learn for the first time


def turns_of(shards: int, rounds: int = ROUNDS) -> list[Turn]:
    """Return the turns: workers begin, as many at a time as have begun, then all go so many rounds.

    >>> [list(turn.workers) for turn in turns_of(6, rounds=2)]
    [[0], [1], [2, 3], [4, 5], [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]]
    """
    if rounds == 1:
        return [Turn(0, range(shards), True)]
    found: list[Turn] = []
    begun = 0
    while begun < shards:
        new = range(begun, min(shards, 2 * begun or 1))
        found.append(Turn(len(found), new, True))
        begun = new.stop
    return found + [Turn(len(found) + k, range(shards), False) for k in range(rounds)]


@dataclass(frozen=True)
class Factor:
    """What one shard says: natural parameters of its features, and of the biases in the last row."""

    columns: Longs
    natural: Gaussian


@dataclass(frozen=True)
class Merge:
    """What all shards share: settings, the prior, and the step of each label."""

    settings: BOMC  # with the ratios of the whole corpus
    prior: Gaussian  # (features + 1, labels + 1), the biases in the last row, the unseen label in the last column
    steps: Floats  # of each label, when all workers have begun
    positives: Longs
    documents: int

    @classmethod
    def of(cls, learner: BOMC, features: int, positives: Sequence[Longs], documents: Sequence[int]) -> Merge:
        """Return it for shards with so many positives of each label, and so many documents."""
        have, n = np.sum(positives, axis=0), sum(documents)
        ratios = np.maximum(have, 0.5) / np.maximum(n - have, 0.5)
        settings: BOMC = clone(learner).set_params(ratios=ratios.tolist())
        started: BOMC = clone(settings)
        started.begin(features, have.size)
        known = np.append(np.sum([part > 0 for part in positives], axis=0), 0)  # nobody has the unseen label
        return cls(settings, _natural(started.belief_), STEP / np.sqrt(np.maximum(known, 1)), have, n)

    def step(self, turn: Turn) -> Any:
        """Return the share of what a worker says that is taken in a turn: one number, or one per label."""
        if not turn.begins:
            return self.steps
        return FIRST if turn.number and len(turn.workers) > 1 else 1.0

    def belief(self, factors: Sequence[Factor]) -> Gaussian:
        """Return the prior with all that the shards say."""
        total = Gaussian(self.prior.precision.copy(), self.prior.shift.copy())
        for factor in factors:
            said = factor.natural
            add_factor(_with_bias(factor.columns, total), said.precision, said.shift, total.precision, total.shift)
        make_proper(total.precision, total.shift, self.prior.precision, LEAST)
        return total

    def model(self, belief: Gaussian) -> BOMC:
        """Return a learner of all documents with this belief."""
        model: BOMC = clone(self.settings).set_params(ratios=None)
        model.begin(len(belief.precision) - 1, self.positives.size)
        _take(model.belief_, belief)
        model.belief_.seen = self.documents
        model.belief_.positives[: self.positives.size] = self.positives
        return model


class Shard:
    """Documents of one worker, which learns them from any start."""

    def __init__(self, settings: BOMC, X: Any, Y: Any) -> None:
        self.settings, self.labels = settings, Y
        self.columns, local = np.unique(X.indices, return_inverse=True)
        shape = (X.shape[0], self.columns.size)
        self.rows = sparse.csr_matrix((X.data, local.astype(np.int32), X.indptr), shape=shape)

    def nothing(self) -> Factor:
        """Return the factor of a worker that has learned nothing."""
        zeros = np.zeros((self.columns.size + 1, self.labels.shape[1] + 1))
        return Factor(self.columns, Gaussian(zeros, zeros.copy()))

    def learn(self, merged: Gaussian, factor: Factor, step: Any, turn: int) -> tuple[Factor, Singles]:
        """Learn from what the others say; return the new factor, and the margins before each document was learned.

        Of the new factor a share of `step` is taken, one number or one per label.
        """
        model: BOMC = clone(self.settings)
        model.begin(self.columns.size, self.labels.shape[1])
        belief, own = model.belief_, factor.natural
        start = Gaussian(np.empty_like(own.precision), np.empty_like(own.shift))
        start_of(
            _with_bias(self.columns, merged), merged.precision, merged.shift, own.precision, own.shift, belief.mean,
            belief.variance, belief.bias, LEAST, start.precision, start.shift,
        )  # fmt: skip
        order = np.random.default_rng([model.seed or 0, turn]).permutation(self.rows.shape[0])
        margins = model.learn_prequential(self.rows, self.labels, order)
        said = Gaussian(own.precision.copy(), own.shift.copy())
        steps = np.broadcast_to(np.asarray(step, np.float64), said.shift.shape[1:]).copy()
        factor_of(
            belief.mean, belief.variance, belief.bias, start.precision, start.shift, steps, said.precision, said.shift
        )
        return Factor(self.columns, said), margins


def positives_of(labels: Any) -> Longs:
    """Return the number of documents of each label."""
    return np.bincount(labels.indices, minlength=labels.shape[1])


def _natural(belief: DiagonalBelief) -> Gaussian:
    """Return the weights of all labels and the unseen one, with the biases as one more row."""
    some, c = slice(belief.n_features), belief.n_labels + 1
    mean = np.vstack([belief.mean[some, :c], belief.bias[:1, :c]]).astype(np.float64)
    return Gaussian.of(mean, np.vstack([belief.variance[some, :c], belief.bias[1:, :c]]).astype(np.float64))


def _take(belief: DiagonalBelief, natural: Gaussian) -> None:
    mean, variance = natural.mean, natural.variance
    some, c = slice(belief.n_features), belief.n_labels + 1
    belief.mean[some, :c], belief.bias[0, :c] = mean[:-1], mean[-1]
    belief.variance[some, :c], belief.bias[1, :c] = variance[:-1], variance[-1]


def _with_bias(columns: Longs, whole: Gaussian) -> Longs:
    """Return the rows of these features, and that of the biases."""
    return np.append(columns, len(whole.precision) - 1)
