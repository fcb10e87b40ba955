"""Margins of documents by models that learned nearly all the others, as documents to come are met.

The margins that documents had before they were learned (`bomc.passes`) come from models that had learned three quarters
of the documents on average. Where a label has a handful of positives, a model of all of them has larger margins than
these, and thresholds and probabilities fitted to them give rare labels too freely. So the margins of at most `FEW`
documents come from cross-validation in `FOLDS` folds instead, which costs little for so few.

A document to come has words that no training document has. They are dropped before it is scaled to unit length, so
that its other words weigh more than those of a training document, whose rare words all count. Held-out documents of
unit length therefore lose the words that no document of the other folds has, and are scaled to unit length again. Where
the vocabulary comes from more text than these documents, words are known from there, and nothing is dropped.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.decide.folds import stratified_folds
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.bomc.passes import Passes
from bayesift.learn.side_by_side import SideBySide, words_of

FEW = 2048  # documents
MANY = 512  # labels; of more, each fold would take too long
FOLDS = 10
UNIT = 1e-6  # how far the squared length of a document may be from 1
OWN = 0.95  # the share of words that documents have, at least, if the vocabulary is their own


def are_few(learner: BOMC, Y: Any) -> bool:
    """Return whether documents are so few that their margins come from cross-validation.

    Weights that drift know the later documents better: no fold of theirs is met as documents to come are.
    """
    return 1 < Y.shape[0] <= FEW and 0 < Y.shape[1] <= MANY and not learner.compact and learner.drift == 0.0


def held_out_margins(learner: BOMC, rows: Any, Y: Any, rounds: int, seed: int) -> NDArray[np.float32]:
    """Return the margins of each document by a model of the other folds: (documents, labels + 1).

    `learner` has the settings; the last column is that of the unseen label.
    """
    fold = stratified_folds(Y, min(FOLDS, Y.shape[0]), seed)
    drops = drops_unknown_words(words_of(rows))
    margins = np.zeros((Y.shape[0], Y.shape[1] + 1), np.float32)
    for k in range(int(fold.max()) + 1):
        others, held = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        learned, passes = rows[others], Passes(learner, seed)
        for _ in range(rounds):
            passes.round(learned, Y[others])
        margins[held] = passes.learner().margins(as_met(rows[held], learned) if drops else rows[held])
    return margins


def drops_unknown_words(words: sparse.csr_matrix) -> bool:
    """Return whether documents have unit length over a vocabulary of their own."""
    columns, data = _stored(words)
    squares = np.bincount(_row_of(words), data * data)
    unit = bool((np.abs(squares[squares > 0.0] - 1.0) < UNIT).all())
    return unit and bool(np.count_nonzero(np.bincount(columns)) >= OWN * words.shape[1])


def as_met(rows: Any, learned: Any) -> Any:
    """Return held-out rows as they would be if they came after those learned; vectors beside the words stay."""
    words = with_known_words(words_of(rows), words_of(learned))
    return SideBySide(words, rows.dense, rows.widths) if isinstance(rows, SideBySide) else words


def with_known_words(rows: sparse.csr_matrix, learned: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return documents without the words that no learned document has, scaled to unit length.

    >>> held = sparse.csr_matrix([[0.6, 0.8], [0.0, 1.0]])
    >>> with_known_words(held, sparse.csr_matrix([[1.0, 0.0]])).toarray()
    array([[1., 0.],
           [0., 0.]])
    """
    known = np.bincount(_stored(learned)[0], minlength=rows.shape[1]) > 0
    row, (columns, data) = _row_of(rows), _stored(rows)
    data = data * known[columns]
    length = np.sqrt(np.bincount(row, data * data, minlength=rows.shape[0]))
    length[length == 0.0] = 1.0
    return sparse.csr_matrix((data / length[row], columns, rows.indptr), shape=rows.shape)


def _stored(rows: sparse.csr_matrix) -> tuple[Any, Any]:
    """Return the columns and the numbers of all rows; the arrays of a matrix may be longer than that."""
    return rows.indices[: rows.indptr[-1]], rows.data[: rows.indptr[-1]]


def _row_of(rows: sparse.csr_matrix) -> NDArray[np.int64]:
    """Return the document of each number that is stored."""
    return np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
