"""Small matrices in one thread.

NumPy and SciPy each bring a BLAS with threads of its own. A judgement takes many products and factors of a few hundred
rows, in turns by both, and the threads of one wait for those of the other: on two cores that takes twice the time of
one thread.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which matrix products take one thread.

    >>> import numpy as np
    >>> with one_thread():
    ...     product = np.eye(2) @ np.ones(2)
    """
    limit: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return limit


@cache
def _libraries() -> ThreadpoolController:
    """Return the libraries that are loaded; finding them takes longer than a product."""
    return ThreadpoolController()
