"""The feature extractor: words and word pairs, as `PoolRanker` weights them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from bayesift.errors import BadInput
from bayesift.filtering.screening.pool_kernel import shared_terms
from bayesift.filtering.screening.pool_vectors import PoolVectors


class PoolFeatures(BaseEstimator):  # type: ignore[misc]
    """Words and word pairs of title and abstract, weighted as `PoolRanker` does.

    Terms of one record only add nothing but length: each record has one column for all of its own. Products of rows are
    the same, and the matrix, which ASReview cuts after every label, is half as large.

    Parameters
    ----------
    columns : sequence of str
        The columns of title and abstract.

    Examples
    --------
    >>> import pandas
    >>> table = pandas.DataFrame({"title": ["Statins in HIV", None], "abstract": ["A trial", "Asthma"]})
    >>> PoolFeatures().fit_transform(table).shape
    (2, 2)
    """

    name = "bayesift"
    label = "bayesift, words and word pairs"

    def __init__(self, columns: tuple[str, str] = ("title", "abstract")) -> None:
        self.columns = columns

    def fit_transform(self, X: Any, y: object = None) -> sparse.csr_matrix:
        """Return the vectors of a table of records, which are the pool."""
        shared, own, _ = shared_terms(PoolVectors(self._texts(X)).weights())
        records = np.arange(own.size + 1, dtype=np.int32)
        alone = sparse.csr_matrix((np.sqrt(own).astype(np.float32), records[:-1], records), shape=(own.size, own.size))
        rows = sparse.csr_matrix(sparse.hstack([shared, alone], "csr"))
        rows.eliminate_zeros()
        return rows

    def _texts(self, X: Any) -> list[tuple[str, str]]:
        missing = [name for name in self.columns if name not in X]
        if missing:
            raise BadInput(f"the records have no column {missing[0]!r}", remedy="set the parameter columns")
        parts = [[text if isinstance(text, str) else "" for text in X[name]] for name in self.columns]
        return list(zip(*parts))
