"""Other classifiers, one-vs-rest on every label, for the same vectors: what ours is compared with."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

THREADS = 2
NEVER = -1.0  # the margin of a label without an example; minus that of a label that all documents have


class OneVsRest:
    """One classifier per label, trained in threads: LIBLINEAR lets other threads run."""

    def __init__(self, make: Callable[[], Any], threads: int = THREADS) -> None:
        self.make, self.threads = make, threads

    def fit(self, X: Any, Y: Any) -> OneVsRest:
        """Train one classifier per label; a label that no document has, or all, has a constant margin instead."""
        given: Any = sparse.csr_matrix(Y)
        dense = given.toarray() > 0

        def one(c: int) -> Any:
            y = dense[:, c]
            if y.all() or not y.any():
                return -NEVER if y.any() else NEVER
            return self.make().fit(X, y)

        self.models_ = self._map(one, range(dense.shape[1]))
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the margins (documents, labels)."""

        def margins(model: Any) -> Any:
            return np.full(X.shape[0], model) if isinstance(model, float) else model.decision_function(X)

        return np.column_stack(self._map(margins, self.models_))

    def _map(self, task: Callable[[Any], Any], over: Any) -> list[Any]:
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(task, over))


def svm(threads: int = THREADS) -> OneVsRest:
    """Return LIBLINEAR -s 1 -c 1, which is not yet trained."""
    from sklearn.svm import LinearSVC

    return OneVsRest(lambda: LinearSVC(C=1.0), threads)


def passive_aggressive(threads: int = THREADS) -> OneVsRest:
    """Return passive-aggressive I, C = 1, one pass, which is not yet trained."""
    from sklearn.linear_model import SGDClassifier

    def make() -> Any:
        return SGDClassifier(
            loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, max_iter=1, tol=None, random_state=0
        )

    return OneVsRest(make, threads)


def svm_scores(X: Any, Y: Any, X_test: Any, threads: int = THREADS) -> NDArray[np.float64]:
    """Train LIBLINEAR and return the margins (documents, labels) of the test documents."""
    return svm(threads).fit(X, Y).decision_function(X_test)


def passive_aggressive_scores(X: Any, Y: Any, X_test: Any, threads: int = THREADS) -> NDArray[np.float64]:
    """Train the passive-aggressive classifier and return the margins (documents, labels) of the test documents."""
    return passive_aggressive(threads).fit(X, Y).decision_function(X_test)
