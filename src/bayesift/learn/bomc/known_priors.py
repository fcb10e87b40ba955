"""What is known of single weights before any document, in the belief of BOMC.

These weights begin with a prior of their own. When the others learn their prior variances (`term_variance`), they keep
it, and say nothing of the terms: what a person knows of one label is not what documents say of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.learn.bomc.belief import LabelsBelief
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.side_by_side import words_of
from bayesift.learn.term_variance import ALL_OWN, change_prior

Longs = NDArray[np.intp]
Priors = Sequence[FeaturePrior | None] | None  # one per label


def use_priors(belief: LabelsBelief, priors: Priors, d: int, c: int) -> None:
    """Set the priors that are known of features from d on, and of all features of labels from c on."""
    for label, prior, columns in _known(belief, priors):
        some = columns[(columns >= d) | (label >= c)]
        part = prior.take(some - belief.n_dense)
        belief.mean[some, label], belief.variance[some, label] = part.mean, part.sd**2
        if belief.compact:
            belief.claim(some, np.int64(label))


def learn_variances(
    belief: LabelsBelief, priors: Priors, X: Any, labels: NDArray[np.bool_], prior_variance: float
) -> None:
    """Learn the prior variances of terms for some labels, but for weights whose priors are known; X are documents."""
    some = slice(belief.n_dense, belief.n_features), slice(belief.n_labels)
    places = [(columns, label) for label, _, columns in _known(belief, priors)]
    kept = [(belief.mean[place].copy(), belief.variance[place].copy()) for place in places]
    for place in places:
        belief.mean[place] = 0.0
    own = belief.own[some[0]] if belief.compact else ALL_OWN
    change_prior(belief.mean[some], belief.variance[some], labels, words_of(X), prior_variance, own)
    for place, (mean, variance) in zip(places, kept):
        belief.mean[place], belief.variance[place] = mean, variance


def _known(belief: LabelsBelief, priors: Priors) -> Iterator[tuple[int, FeaturePrior, Longs]]:
    """Yield the labels with priors of their own, and the rows of these weights; priors are those of words."""
    for label, prior in enumerate(priors or ()):
        if prior is not None and label < belief.n_labels:
            rows = prior.columns + belief.n_dense
            yield label, prior, rows[rows < belief.n_features]
