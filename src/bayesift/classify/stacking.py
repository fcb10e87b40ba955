"""Curves and weights of an ensemble, from margins of documents that its members had not learned.

All members learn all folds but one and meet the documents of that one, without the words that no other fold has
(`held_out`). The network takes the log-odds of the linear members of the same folds. Each member is calibrated, and the
weights w of their log-odds z_k have the greatest likelihood of the labels, p = 1 / (1 + exp(-w.z)), under
w_k ~ N(1 / members, 1 / WORTH). A member with a negative weight is left out. The weights that depend on the document
and the label (`blend`) are then fitted in the same way, around 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from bayesift.arrays import FloatArray
from bayesift.beliefs.other_labels import implications
from bayesift.classify.held_out import FEW, drops_unknown_words, with_known_words
from bayesift.decide.calibration import REACH, MarginCalibration
from bayesift.decide.folds import stratified_folds
from bayesift.decide.logistic import logistic_weights
from bayesift.learn.blend import ABOUT, NEAR, Blend, about_rows, of_documents
from bayesift.learn.ensemble import Ensemble
from bayesift.learn.nearest import UNIT
from bayesift.threads import in_threads, n_threads

FOLDS, MORE_FOLDS = 4, 10  # the latter where documents are few
LEAST = -7.0  # log-odds below which, by all members, a label has no say
MOST = 1 << 20  # about so many of them are described; of more documents, only every second, third, ... one is
MORE_WORTH = 50.0  # precision of the prior of weights that depend on the document and the label
CLOSE = 1e-9  # standard deviation of numbers that are all the same
ROUNDS, NETWORKS = 1, 1  # of the members in a fold: more would take longer and change little
Task = Callable[[], None]


class Fold(NamedTuple):
    """The documents that members of a fold learn, and those that they meet, with the inputs of the network for both."""

    learned: Any
    labels: Any
    inputs: FloatArray | None
    met: Any
    held: Any
    inputs_met: FloatArray | None


def fit_stacked(learner: Ensemble, rows: Any, Y: Any, truth: Any, seed: int) -> tuple[Ensemble, FloatArray]:
    """Return the ensemble of all documents, and margins of each by members that had not learned it.

    `truth` is Y with one more column, for the unseen label; so have the margins.
    """
    if min(Y.shape) < 1 or Y.shape[0] < 2:
        return learner.fit(rows, Y), np.zeros(truth.shape)
    parts, about = _fit_and_meet(learner, rows, Y, truth, seed)
    curves = [MarginCalibration().add(part, truth).fit() for part in parts]
    z = np.stack([curve.log_odds(part) for curve, part in zip(curves, parts)])
    blend = fit_blend(z, about, Y)
    learner.combine(np.stack([curve.logits for curve in curves]), REACH, blend)
    return learner, blend(z, about) / UNIT


def _fit_and_meet(learner: Ensemble, rows: Any, Y: Any, truth: Any, seed: int) -> tuple[list[FloatArray], FloatArray]:
    """Fit all members, and return their margins of documents of other folds, (documents, labels + 1) each.

    The second result is what these documents bring to the blend. Members of all documents and linear members use all
    threads; of the others, one task per member and fold uses one.
    """
    n, views = Y.shape[0], learner.views_of(rows)
    drops = [drops_unknown_words(view) for view in views]
    fold = stratified_folds(Y, min(MORE_FOLDS if n <= FEW else FOLDS, n), seed)
    others = learner.fit_linear(views, Y, learner.rounds).unfitted_others()
    inputs, scaled = _fit_inputs(learner, truth), learner.rows_of_others(views)
    for kind, member in others.items():
        member.fit(scaled, Y, *learner.beside_rows(kind, inputs))
    del inputs, scaled
    found = [np.zeros((n, Y.shape[1] + 1)) for _ in range(len(learner.linear_) + len(others))]
    about = np.zeros((n, ABOUT))

    def fit_fold(part: Ensemble, this: Fold, kind: str, out: FloatArray) -> Task:
        beside = part.beside_rows(kind, this.inputs)

        def task() -> None:
            member, met = part.unfitted_others(NETWORKS)[kind], part.rows_of_others(this.met)
            member.fit(part.rows_of_others(this.learned), this.labels, *beside)
            out[this.held], near = part.meet(kind, member, met, this.inputs_met)
            if near is not None:
                about[this.held, :NEAR] = near

        return task

    tasks: list[Task] = []
    for k in range(int(fold.max()) + 1):
        used, held = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        learned, labels = [view[used] for view in views], Y[used]
        met = [
            with_known_words(view[held], known) if drop else view[held]
            for view, known, drop in zip(views, learned, drops)
        ]
        part = clone(learner).fit_linear(learned, labels, ROUNDS)
        before, linear, about[held] = _fit_inputs(part, truth[used]), part.linear_margins(met), about_rows(met[0])
        for margins, member in zip(found, linear):
            margins[held] = member
        part.linear_ = []
        this = Fold(learned, labels, before, met, held, part.network_inputs(linear))
        tasks += [fit_fold(part, this, kind, out) for kind, out in zip(others, found[len(linear) :])]
    in_threads(lambda task: task(), tasks, n_threads(learner.threads))
    learner.take_others(others)
    return found, about


def _fit_inputs(learner: Ensemble, truth: Any) -> FloatArray | None:
    """Calibrate the linear members for the network, and return its inputs for the documents learned."""
    before, learner.before_ = learner.before_, []
    if not before or "shared" not in learner.members:
        return None
    curves = [MarginCalibration().add(margins, truth).fit().logits for margins in before]
    learner.set_input_curves(np.stack(curves), REACH)
    return learner.network_inputs(before)


def stack_weights(z: FloatArray, Y: Any) -> FloatArray:
    """Return the weight of each member, from the log-odds of its labels: (members, documents, labels).

    >>> from scipy import sparse
    >>> good, noise = [[2.0], [1.0], [-1.0], [-2.0]] * 25, [[0.5], [-0.5], [0.5], [-0.5]] * 25
    >>> stack_weights(np.array([good, noise]), sparse.csr_matrix([[1], [1], [0], [0]] * 25)).round(1)
    array([1.4, 0.3])
    """
    say = z.max(axis=0) > LEAST
    x, y = z[:, say], Y.toarray()[say] > 0
    members = len(z)
    weights, used = np.zeros(members), np.ones(members, bool)
    while used.any():
        w = logistic_weights(x[used], y, np.full(used.sum(), 1.0 / members))
        if (w >= 0.0).all():
            weights[used] = w
            break
        used[np.flatnonzero(used)[w.argmin()]] = False
    return weights


def fit_blend(z: FloatArray, about: FloatArray, Y: Any) -> Blend:
    """Return how members are put together, from their log-odds z of all labels and the unseen one, and the labels.

    z is (members, documents, labels + 1). Documents and labels with very low log-odds have no say.
    """
    frequency = np.log(np.bincount(Y.indices, minlength=Y.shape[1]) + 0.5)
    with_unseen = np.append(frequency, frequency.min())
    blend = Blend(stack_weights(z[:, :, :-1], Y), pairs=implications(Y), frequency=with_unseen)
    first = blend.first(z)
    of_each = of_documents(first, about)
    scale = np.append(frequency.std(), of_each.std(axis=0))
    scale[scale < CLOSE] = 1.0  # the same for all
    blend = blend._replace(centre=np.append(frequency.mean(), of_each.mean(axis=0)), scale=scale)
    say = first > LEAST
    say[:, -1] = False
    say[np.arange(len(say)) % max(1, -(-int(say.sum()) // MOST)) > 0] = False
    x = blend.terms(z, about, say)
    labels = Y.toarray()[say[:, :-1]] > 0
    return blend._replace(more=logistic_weights(x, labels, np.zeros(len(x)), first[say], MORE_WORTH))
