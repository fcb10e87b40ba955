"""Rank the records of a pool by Gaussian-process regression on what was judged.

Targets are t = +1 for a relevant and -1 for an irrelevant record; with the kernel k of the pool (`pool_kernel`),

    A = k + diag(d),   d the noise variance of its kind
    score of record i = sum_j alpha_j k_ij,   alpha = A^-1 t   (its posterior mean)

A relevant record weighs 50 times as much as an irrelevant one, of which there are many more. The question of the
review, if there is one, is a first relevant record that weighs less than others. The state is a function of the texts,
the question, the seed and the judgements in force, in whatever order they were given.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray
from scipy import sparse

from bayesift.errors import BadInput, NotFound
from bayesift.filtering.screening.directions import Floats
from bayesift.filtering.screening.judged_rows import JudgedRows
from bayesift.filtering.screening.judged_terms import Numbers
from bayesift.filtering.screening.pool_kernel import PoolKernel, shared_terms
from bayesift.filtering.screening.pool_vectors import PoolVectors
from bayesift.filtering.screening.score_calibration import calibrated
from bayesift.threads import one_thread

RELEVANT, IRRELEVANT, QUESTION = 0.25, 12.5, 4.0  # noise variances
Words = list[tuple[str, float]]
Known = tuple[Floats, NDArray[np.float32]] | None  # values and Z of a kernel


class PoolRanker:
    """A pool of records, ranked by what was judged so far.

    Parameters
    ----------
    texts : sequence of (title, abstract)
        The records; "" where a part is missing.
    question : str
        The review's question or criteria; a first relevant record.
    seed : int
        Random seed of the order of records with equal scores.

    Examples
    --------
    >>> texts = [("Statins for adults", ""), ("Statins in stroke", ""), ("Asthma", ""), ("Asthma in adults", "")]
    >>> ranker = PoolRanker(texts)
    >>> ranker.judge(0, True)
    >>> ranker.judge(2, False)
    >>> ranker.order()
    array([1, 3])
    """

    _solution: tuple[Numbers, Floats, Floats] | None  # rows, alpha and fields
    _left_out: Floats
    _probabilities: Floats | None
    _weights: tuple[Floats, Floats] | None  # of the records, and of the terms, as far as they are known

    def __init__(self, texts: Sequence[tuple[str, str]], *, question: str = "", seed: int = 0) -> None:
        self._open(PoolVectors(texts), question, seed)

    @classmethod
    def from_vectors(cls, vectors: Mapping[str, Any], *, question: str = "", seed: int = 0) -> Self:
        """Return a ranker without judgements from what `vectors` returned, without reading the texts again."""
        found = cls.__new__(cls)
        restored, known = PoolVectors.restored(vectors), None
        if (vectors.get("question"), vectors.get("seed")) == (question, seed):  # others would differ in rounding
            known = vectors["eigenvalues"], vectors["directions"]
        found._open(restored, question, seed, known)
        return found

    def vectors(self) -> dict[str, Any]:
        """Return what is slow to make, as arrays, numbers and lists of strings, for `from_vectors`."""
        about = {"question": self._question, "seed": self._seed}
        return self._vectors.state() | about | {"eigenvalues": self._kernel.values, "directions": self._kernel.Z}

    def unjudged(self) -> Self:
        """Return another ranker of the same records and question, without judgements."""
        found = copy.copy(self)
        found._judged = {}
        found._forget()
        return found

    @property
    def size(self) -> int:
        """Number of records."""
        return self._vectors.size

    def add(self, texts: Sequence[tuple[str, str]]) -> None:
        """Add records to the pool, numbered after those it has; afterwards as if they had been there from the start."""
        self._vectors.add(texts)
        self._start()

    def judge(self, record: int, relevant: bool) -> None:
        """Learn a judgement, or a changed one."""
        self.learn([record], [relevant])

    def withdraw(self, record: int) -> None:
        """Forget a judgement.

        Raises
        ------
        NotFound
            If the record was not judged.
        """
        if record not in self._judged:
            raise NotFound(f"record {record} is not judged", remedy="withdraw one that is")
        del self._judged[record]
        self._forget()

    def learn(self, records: npt.ArrayLike, relevant: npt.ArrayLike) -> None:
        """Learn many judgements: the same as one by one.

        Raises
        ------
        BadInput
            If a number is not that of a record, or a judgement is neither true nor false.
        """
        numbers, truth = np.asarray(records), np.asarray(relevant)
        if numbers.ndim != 1 or truth.shape != numbers.shape or not _are_judgements(truth):
            raise BadInput(
                f"records of shape {numbers.shape}, judgements of shape {truth.shape} and type {truth.dtype}",
                remedy="give one true or false per record",
            )
        self._check(numbers)
        self._judged |= dict(zip(numbers.tolist(), (bool(value) for value in truth.tolist())))
        self._forget()

    def scores(self) -> Floats:
        """Return the score of every record, judged ones too."""
        return self._solve()[2][: self.size].copy()

    def order(self, count: int | None = None, among: npt.ArrayLike | None = None) -> Numbers:
        """Return records, the best first; all, or the first `count`.

        Parameters
        ----------
        count : int, optional
            How many at most (default: all).
        among : array of int, optional
            The records to choose from (default: those that are not judged).
        """
        if count is not None and count < 0:
            raise BadInput(f"count is {count}", remedy="give a whole number from 0 on, or None for all")
        scores = self._solve()[2][: self.size]
        found = np.flatnonzero(self._unread()) if among is None else np.asarray(among, np.intp)
        if count is not None and 0 < count < found.size:
            least = np.partition(scores[found], found.size - count)[found.size - count]
            found = found[scores[found] >= least]
        return found[np.lexsort((self._place[found], -scores[found]))][:count]

    def probabilities(self) -> Floats:
        """Return the probability of every record to be relevant, calibrated on those judged."""
        if self._probabilities is None:
            rows, alpha, fields = self._solve()
            truth = np.array([self._judged[i] for i in rows[: len(self._judged)].tolist()], bool)
            with one_thread():
                inverse = self._system(rows).inverse_diagonal()[: truth.size] if truth.size else np.ones(0)
            self._left_out = np.where(truth, 1.0, -1.0) - alpha[: truth.size] / inverse
            self._probabilities = calibrated(self._left_out, truth, fields[: self.size], self._unread())
        return self._probabilities.copy()

    def explain(self, record: int, count: int = 10, texts: Sequence[str] = ()) -> tuple[Words, Words]:
        """Return the positive and the negative terms of a record, with their parts of its score.

        Parameters
        ----------
        record : int
            The record.
        count : int
            How many terms of each kind at most.
        texts : sequence of str
            The record's title and abstract: terms are then in all forms in which they occur there, in place of the
            form that is most frequent in the pool.

        Raises
        ------
        BadInput
            If there is no such record.
        """
        self._check(np.array([record]))
        row = self._kernel.rows[record]
        parts = row.data * self._term_weights(row.indices) / self._kernel.length[record]
        return self._largest(row.indices, parts, count, texts), self._largest(row.indices, -parts, count, texts)

    def terms(self, count: int = 20) -> Words:
        """Return the terms that add most to the scores of the records judged relevant, with their average parts."""
        relevant = np.array(sorted(i for i, judged in self._judged.items() if judged), np.intp)
        if not relevant.size:
            return []
        rows = sparse.diags(1.0 / self._kernel.length[relevant]) @ self._kernel.rows[relevant]
        total = np.asarray(rows.sum(axis=0)).ravel()
        terms = np.flatnonzero(total)
        return self._largest(terms, total[terms] * self._term_weights(terms) / relevant.size, count)

    def _largest(self, columns: NDArray[Any], parts: Floats, count: int, texts: Sequence[str] = ()) -> Words:
        best = np.argsort(-parts, kind="stable")[:count]
        best = best[parts[best] > 0.0]
        forms = self._vectors.as_written(self._vectors.names(self._kernel.terms[columns[best]]), texts)
        return [(form, part) for some, part in zip(forms, parts[best].tolist()) for form in some]

    def _open(self, vectors: PoolVectors, question: str, seed: int, known: Known = None) -> None:
        if seed < 0:
            raise BadInput(f"the random seed is {seed}", remedy="give a whole number from 0 on")
        self._vectors, self._question, self._seed = vectors, question, seed
        self._judged: dict[int, bool] = {}
        self._start(known)

    def _start(self, known: Known = None) -> None:
        """Compute what depends on the records and the question alone."""
        X = self._vectors.weights()
        asked = self._vectors.weights_of(self._question)
        self._asked = np.arange(self.size, self.size + (asked.nnz > 0))
        if asked.nnz:
            X = sparse.csr_matrix(sparse.vstack([X, asked], "csr"))
        shared = shared_terms(X)
        del X  # the largest of all
        self._kernel = PoolKernel(shared, self._asked.size, self._seed, known)
        self._place = np.random.default_rng(self._seed).permutation(self.size)  # order of records with equal scores
        self._forget()

    def _forget(self) -> None:
        """Discard what was computed from the judgements."""
        self._solution = self._probabilities = self._weights = None

    def _unread(self) -> NDArray[np.bool_]:
        unread = np.ones(self.size, bool)
        unread[list(self._judged)] = False
        return unread

    def _check(self, records: NDArray[Any]) -> None:
        if records.size and (records.dtype.kind not in "iu" or records.min() < 0 or records.max() >= self.size):
            raise BadInput("a number of a record is out of range", remedy=f"give whole numbers below {self.size}")

    def _system(self, rows: Numbers) -> JudgedRows:
        truth = np.array([self._judged.get(i, True) for i in rows.tolist()])  # the question is relevant
        noise = np.where(truth, RELEVANT, IRRELEVANT)
        noise[len(self._judged) :] = QUESTION
        return JudgedRows(self._kernel, rows, noise, np.flatnonzero(truth))

    def _solve(self) -> tuple[Numbers, Floats, Floats]:
        """Return the rows judged, in ascending order, with the question last, their alpha, and all fields."""
        if self._solution is None:
            rows = np.concatenate([np.array(sorted(self._judged), np.intp), self._asked])
            targets = np.array([1.0 if self._judged.get(i, True) else -1.0 for i in rows.tolist()])
            with one_thread():
                alpha = self._system(rows).solve(targets) if rows.size else targets
                self._solution = rows, alpha, self._kernel.fields(rows, alpha)
        return self._solution

    def _term_weights(self, terms: NDArray[Any]) -> Floats:
        if self._weights is None:  # a page explains several records between two judgements
            rows, alpha, _ = self._solve()
            self._weights = self._kernel.record_weights(rows, alpha), np.full(self._kernel.terms.size, np.nan)
        of_records, of_terms = self._weights
        new = terms[np.isnan(of_terms[terms])].astype(np.intp)
        of_terms[new] = self._kernel.weights_of(new, of_records)
        return np.asarray(of_terms[terms])


def _are_judgements(values: NDArray[Any]) -> bool:
    return not values.size or (values.dtype.kind in "biu" and bool(np.isin(values, (0, 1)).all()))
