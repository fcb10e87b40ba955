"""Other people's classifiers, one-vs-rest on every label, for the same vectors: what ours is measured against."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

THREADS = 2
NEVER = -1.0  # the margin of a label without an example; minus that of a label that all documents have


def svm_scores(X: Any, Y: Any, X_test: Any, threads: int = THREADS) -> NDArray[np.float64]:
    """LIBLINEAR -s 1 -c 1: margins (documents, labels)."""
    from sklearn.svm import LinearSVC

    return _one_vs_rest(lambda: LinearSVC(C=1.0), X, Y, X_test, threads)


def passive_aggressive_scores(X: Any, Y: Any, X_test: Any, threads: int = THREADS) -> NDArray[np.float64]:
    """Passive-aggressive I, C = 1, one pass: margins (documents, labels)."""
    from sklearn.linear_model import SGDClassifier

    def make() -> Any:
        return SGDClassifier(
            loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, max_iter=1, tol=None, random_state=0
        )

    return _one_vs_rest(make, X, Y, X_test, threads)


def _one_vs_rest(make: Any, X: Any, Y: Any, X_test: Any, threads: int) -> NDArray[np.float64]:
    given: Any = sparse.csr_matrix(Y)
    dense = given.toarray()

    def scores(c: int) -> Any:
        y = dense[:, c] > 0
        if y.all() or not y.any():
            return np.full(X_test.shape[0], NEVER if not y.any() else -NEVER)
        return make().fit(X, y).decision_function(X_test)

    with ThreadPoolExecutor(threads) as pool:  # LIBLINEAR lets other threads run
        return np.column_stack(list(pool.map(scores, range(dense.shape[1]))))
