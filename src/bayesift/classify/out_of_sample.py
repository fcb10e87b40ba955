"""Margins of documents by models that had not learned them: what calibration and thresholds are fitted to.

BOMC is calibrated by the margins that documents had before they were learned (`passes`), which also choose among
`CANDIDATES` for its noise and prior: most evidence after calibration. Other learners are calibrated by cross-validation
instead, as is BOMC where documents are few (`held_out`). Documents that come later have the margin that they had
before they were learned. The last column of margins is always that of the unseen label, which no document has.

A pass leaves a trace of the order: the last documents count too much, and the mean over several orders is better than
each of them. A stream has one order only. So BOMC learns its documents with a likelihood to the power of `SHARE`, which
halves that trace, and forgets nothing: a document that is kept is learned whole when all are learned again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone

from bayesift.arrays import FloatArray, IntArray
from bayesift.classify.dense_weights import evidence, for_labels, spread, with_vectors
from bayesift.classify.held_out import are_few, as_met, drops_unknown_words, held_out_margins
from bayesift.classify.stacking import fit_stacked
from bayesift.decide.folds import cross_validated_scores, stratified_folds
from bayesift.learn.bomc.bomc import AUTO, BOMC
from bayesift.learn.bomc.passes import Passes, passes_of
from bayesift.learn.ensemble import Ensemble
from bayesift.learn.side_by_side import words_of

CANDIDATES = [  # noise and prior variance of BOMC
    {"noise": 0.25, "prior_variance": 0.1},
    {"noise": 0.1, "prior_variance": 0.1},
]
FOLDS = 5
SHARE = 0.6  # of a document that BOMC learns online
LARGE = 1 << 23  # weights, which take 64 MB, above which a model may be made compact
MANY, SOME = 512, 256  # with more than MANY labels, about SOME of them choose among the candidates


def fit_with_margins(
    learner: Any, choose: bool, rows: Any, Y: Any, rounds: int, seed: int, vectors: tuple[int, ...] | None = None
) -> tuple[Any, NDArray[Any], tuple[int, ...]]:
    """Return the learner of all documents, margins of each by models that had not learned it, and the vectors used.

    With `choose` the settings of BOMC are chosen from the data. So are the weights of vectors beside the words, unless
    `vectors` says which of them are used, with the learner's `dense_weights`. Margins are (documents, labels + 1).
    """
    if isinstance(learner, Ensemble):
        return *fit_stacked(learner, rows, Y, with_unseen(Y), seed), ()
    if not learns_prequentially(learner):
        return *_cross_validated(learner, rows, with_unseen(Y), seed), ()
    words = words_of(rows)
    if vectors is None:
        vectors = ()
        best = _chosen(learner, words, Y, seed) if choose else _best(learner, words, Y, [{}], seed)
        if rows is not words and Y.shape[1]:
            best, vectors = with_vectors(best, rows, Y, seed)
        rows = rows.select(vectors) if vectors else words
    else:
        rows = rows.select(vectors) if vectors else words
        best = _best(learner, rows, Y, [{}], seed)
    held_out = None
    if are_few(settings := best.template, Y):
        del best  # its belief would be held beside those of the folds; the same round again costs little
        held_out = held_out_margins(settings, rows, Y, rounds, seed)
        best = _best(settings, rows, Y, [{}], seed)
    for _ in range(0 if in_one_order(learner) else rounds - 1):
        best.round(rows, Y)
    return best.learner(), best.margins() if held_out is None else held_out, vectors


def learns_prequentially(learner: Any) -> bool:
    """Return whether a learner notes the margin of each document before it learns it."""
    return bool(getattr(learner, "prequential", False))


def quick_to_fit(learner: Any) -> bool:
    """Return whether many documents can be learned again from time to time: with no folds, and to some effect."""
    return learns_prequentially(learner) and getattr(learner, "drift", 0.0) in (0.0, AUTO)


def in_one_order(learner: Any) -> bool:
    """Return whether the order of documents matters to a learner: weights that drift know the later ones better."""
    return getattr(learner, "drift", 0.0) != 0.0


def learn_with_margins(learner: Any, rows: Any, Y: Any) -> NDArray[Any]:
    """Learn documents, and return the margins that they had before that: of all labels and of the unseen one."""
    if learns_prequentially(learner):
        share = 1.0 if in_one_order(learner) else SHARE
        before: NDArray[Any] = learner.learn_prequential(rows, Y, np.arange(rows.shape[0]), share=share)
        return before
    known = learner.margins(rows[:, : learner.n_features_in_])
    learner.partial_fit(rows, Y)
    new = Y.shape[1] + 1 - known.shape[1]
    return np.hstack([known[:, :-1], np.repeat(known[:, -1:], new + 1, axis=1)])


def _chosen(learner: BOMC, rows: Any, Y: Any, seed: int) -> Passes:
    """Return the passes of the best candidate; of many labels a sample, common and rare, chooses."""
    if Y.shape[1] <= MANY:
        return _best(learner, rows, Y, CANDIDATES, seed)
    some = spread(Y, SOME)
    few = _best(for_labels(learner, some), rows, Y[:, some], CANDIDATES, seed).template
    return _best(learner, rows, Y, [{name: getattr(few, name) for name in CANDIDATES[0]}], seed)


def chosen_settings(learner: BOMC, rows: Any, Y: Any, seed: int) -> dict[str, float]:
    """Return the noise and prior of BOMC that have most evidence."""
    best = _chosen(learner, rows, Y, seed).template
    return {name: getattr(best, name) for name in CANDIDATES[0]}


def _best(learner: BOMC, rows: Any, Y: Any, candidates: Sequence[dict[str, float]], seed: int) -> Passes:
    """Return the passes, after one round, with the settings that have most evidence."""
    best, most = None, -np.inf
    for settings in candidates:
        tried = passes_of(clone(learner).set_params(**settings), seed)
        tried.round(rows, Y)
        found = 0.0
        if len(candidates) > 1 and Y.shape[1]:
            found = evidence(tried.margins()[:, :-1], Y)
        if best is None or found > most:
            best, most = tried, found
        del tried
    assert best is not None
    return best


def _cross_validated(learner: Any, rows: Any, truth: Any, seed: int) -> tuple[Any, FloatArray]:
    """Return the learner of all documents, and the margins of each by a learner of the others.

    Settings that a learner chooses from the data are chosen once, from all documents, and kept in the folds.
    """
    learner.fit(rows, truth[:, :-1])
    again = learner.settled() if hasattr(learner, "settled") else learner
    drops = drops_unknown_words(words_of(rows))

    def fit_predict(X_train: Any, Y_train: Any, X_test: Any) -> FloatArray:
        met = as_met(X_test, X_train) if drops else X_test
        found: FloatArray = clone(again).fit(X_train, Y_train[:, :-1]).margins(met)
        return found

    folds = min(FOLDS, truth.shape[0])
    margins = np.zeros(truth.shape)
    if folds > 1:
        margins = cross_validated_scores(fit_predict, rows, truth, folds, seed).scores
    return learner, margins


def folds_of(truth: Any, seed: int) -> IntArray:
    """Return a fold for each document, such that each label is spread evenly."""
    n = truth.shape[0]
    return stratified_folds(truth, min(FOLDS, n), seed) if n > 1 else np.zeros(n, np.int64)


def with_unseen(Y: Any) -> sparse.csr_matrix:
    """Return the labels with one more that no document has."""
    return sparse.csr_matrix((Y.data, Y.indices, Y.indptr), shape=(Y.shape[0], Y.shape[1] + 1))


def compact_is_smaller(learner: BOMC, X: sparse.csr_matrix, Y: sparse.csr_matrix) -> bool:
    """Return whether the weights of all terms and labels are many, and those of terms that occur with a label few."""
    weights = X.shape[1] * Y.shape[1]
    if weights < LARGE or learner.variant != "independent" or in_one_order(learner):
        return False
    occurs = sparse.csr_matrix((np.ones(X.nnz, np.float32), X.indices, X.indptr), shape=X.shape)
    return bool((occurs.T.tocsr() @ Y.astype(np.float32)).nnz < weights // 4)
