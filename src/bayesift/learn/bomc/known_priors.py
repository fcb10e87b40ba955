"""What is known of single weights before any document, in the belief of BOMC: by a person, or by the name of a label.

Weights that a person knows begin with a prior of their own. When the others learn their prior variances
(`term_variance`), they keep it, and say nothing of the terms: what a person knows of one label is not what documents
say of all.

How much names matter (`label_names`) is learned when the variances are. All labels get the prior of their names then,
also those that no document had so far, and labels that come later begin with it. What a person knows comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.learn.bomc.belief import LabelsBelief
from bayesift.learn.label_names import ENOUGH, HALFWAY, NO_NAMES, Matter, Names, change_means
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.side_by_side import words_of
from bayesift.learn.term_variance import ALL_OWN, change_prior

Longs = NDArray[np.intp]
Singles = NDArray[np.float32]
Priors = Sequence[FeaturePrior | None] | None  # one per label


def use_priors(belief: LabelsBelief, priors: Priors, d: int, c: int) -> None:
    """Set the priors that are known of features from d on, and of all features of labels from c on."""
    for label, prior, columns in _known(belief, priors):
        some = columns[(columns >= d) | (label >= c)]
        part = prior.take(some - belief.n_dense)
        belief.mean[some, label], belief.variance[some, label] = part.mean, part.sd**2
        if belief.compact:
            belief.claim(some, np.int64(label))


def learn_priors(
    belief: LabelsBelief, priors: Priors, names: Any, X: Any, labels: NDArray[np.bool_], prior_variance: float
) -> None:
    """Learn the prior variances of terms for some labels, and how much names matter for all; X are documents.

    `names` are those of the labels, read as documents of words: (labels, words), or None.
    """
    terms, (mean, variance) = _terms(belief, priors, names), _words(belief)
    matter = terms.matter(mean, belief.positives, HALFWAY, terms.told(variance, prior_variance))
    before = terms.take(mean, variance)
    learn_variances(belief, priors, None, X, labels, prior_variance)
    _use_names(belief, terms, before, matter, prior_variance)


def begin_with_names(belief: LabelsBelief, priors: Priors, names: Any, c: int, prior_variance: float) -> None:
    """Let labels from c on, which have no document yet, begin with the prior of their names."""
    terms, (mean, variance) = _terms(belief, priors, names), _words(belief)
    new = terms.of_labels(np.arange(belief.n_labels) >= c)
    matter = terms.matter(mean, belief.positives, ENOUGH)
    _use_names(belief, new, new.take(mean, variance), matter, prior_variance)


def learn_variances(
    belief: LabelsBelief, priors: Priors, names: Any, X: Any, labels: NDArray[np.bool_], prior_variance: float
) -> None:
    """Learn the prior variances of terms for some labels; X are documents.

    Weights whose priors are known keep these, and so do the terms of `names`, if they are given: their labels began
    with them.
    """
    mean, variance = _words(belief)
    terms = _terms(belief, priors, names).of_labels(labels)
    places = [(columns, label) for label, _, columns in _known(belief, priors)]
    kept = [(belief.mean[place].copy(), belief.variance[place].copy()) for place in places]
    of_names = terms.take(mean, variance)
    for place in places:
        belief.mean[place] = 0.0
    own = belief.own[belief.n_dense : belief.n_features] if belief.compact else ALL_OWN
    change_prior(mean, variance, labels, words_of(X), prior_variance, own)
    mean[terms.place], variance[terms.place] = of_names
    for place, (m, v) in zip(places, kept):
        belief.mean[place], belief.variance[place] = m, v


def _use_names(
    belief: LabelsBelief, terms: Names, before: tuple[Singles, Singles], matter: Matter, prior_variance: float
) -> None:
    """Put in the prior of these terms of names, whose weights were `before` when documents had been learned."""
    if matter.m <= 0.0:
        return
    if belief.compact:
        belief.claim(terms.term + belief.n_dense, terms.label)
    change_means(terms, *_words(belief), before, matter, prior_variance)


def _terms(belief: LabelsBelief, priors: Priors, names: Any) -> Names:
    """Return the terms of the names of labels, but for those of which a person knows more."""
    words = belief.n_features - belief.n_dense
    if names is None:
        return NO_NAMES
    if names.shape[0] > belief.n_labels or names.shape[1] > words:
        what = f"names of the shape {names.shape}, but {belief.n_labels} labels and {words} words"
        raise BadInput(what, remedy="give a row for each label, with the columns of the documents")
    terms = Names.of(names)
    for label, prior, _ in _known(belief, priors):
        terms = terms.without(label, prior.columns)
    return terms


def _words(belief: LabelsBelief) -> tuple[Singles, Singles]:
    """Return means and variances of the weights of words: (words, labels)."""
    some = slice(belief.n_dense, belief.n_features), slice(belief.n_labels)
    return belief.mean[some], belief.variance[some]


def _known(belief: LabelsBelief, priors: Priors) -> Iterator[tuple[int, FeaturePrior, Longs]]:
    """Yield the labels with priors of their own, and the rows of these weights; priors are those of words."""
    for label, prior in enumerate(priors or ()):
        if prior is not None and label < belief.n_labels:
            rows = prior.columns + belief.n_dense
            yield label, prior, rows[rows < belief.n_features]
