"""BOMC forwards and backwards over the documents, with the margins that each document had before it was learned.

Of each pass the margins of the later half are kept: after one pass forwards and one backwards every document has a
margin by a model that had seen at least half of the others, and none costs anything. Posteriors and margins of several
rounds, each in an order of its own, are averaged. Two beliefs are learned at a time and a third holds their sum.

Weights that drift know the later documents better: these are learned in their own order, once (`OneOrder`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.learn.bomc.bomc import BOMC
from bayesift.threads import in_threads, n_threads

Singles = NDArray[np.float32]
SMALL = 2000  # documents times labels that are learned sooner than a thread starts


class Passes:
    """Rounds of two passes by learners with the settings of one; `variances` and `means` are as in `BOMC.begin`."""

    def __init__(self, learner: BOMC, seed: int, variances: Singles | None = None, means: Any = None) -> None:
        self.template, self.rng, self._variances, self._means = learner, np.random.default_rng(seed), variances, means
        self._total: BOMC | None = None  # its belief is the sum of all posteriors
        self._margins: Singles = np.zeros((0, 0), np.float32)  # the sum of all rounds
        self._rounds = 0

    def round(self, X: Any, Y: Any) -> None:
        """Go over the documents once in a random order and once in the opposite order, both at the same time."""
        self._both_ways(X, Y, self.rng.permutation(Y.shape[0]))

    def _both_ways(self, X: Any, Y: Any, order: NDArray[np.int64]) -> None:
        n, labels = Y.shape
        margins = np.zeros((n, labels + 1), np.float32)
        threads = n_threads(self.template.threads)
        threads = threads if n * labels > SMALL else 1
        ways = ((order, n // 2), (order[::-1].copy(), n - n // 2))
        learners = [_unfitted(self.template) for _ in ways]
        for learner in learners:
            learner.threads = max(1, threads // 2)
            if self._variances is not None:
                learner.begin(X.shape[1], labels, self._variances, self._means)

        def learn(k: int) -> None:
            learners[k].learn_prequential(X, Y, *ways[k], margins)

        in_threads(learn, range(2), threads)
        if self._total is not None:
            self._total.belief_.add(learners[0].belief_)
        self._total = self._total or learners[0]
        self._total.belief_.add(learners[1].belief_)
        if self._rounds:
            margins += self._margins
        self._margins = margins
        self._rounds += 1

    def margins(self) -> Singles:
        """Return the mean margin of each document: (documents, labels + 1), the last for the unseen label."""
        return self._margins / np.float32(self._rounds) if self._rounds > 1 else self._margins

    def learner(self) -> BOMC:
        """Return a learner with the average of all posteriors; there are no more rounds after it."""
        assert self._total is not None
        self._total.belief_.divide(2 * self._rounds)
        self._total.set_params(threads=self.template.threads)
        return self._total


class OneOrder(Passes):
    """One pass in the order of the documents, with the margins that all of them had before."""

    def round(self, X: Any, Y: Any) -> None:
        """Go over the documents; there is one round only."""
        self._total = _unfitted(self.template)
        self._margins = self._total.learn_prequential(X, Y, np.arange(Y.shape[0]))
        self._rounds = 1

    def learner(self) -> BOMC:
        """Return the learner of all documents."""
        assert self._total is not None
        return self._total


def _unfitted(learner: BOMC) -> BOMC:
    """Return a learner with the same settings, which has learned nothing; `clone` copies what is known of labels."""
    return type(learner)(**learner.get_params(deep=False))


def passes_of(learner: BOMC, seed: int) -> Passes:
    """Return passes that suit a learner."""
    return Passes(learner, seed) if learner.drift == 0.0 else OneOrder(learner, seed)
