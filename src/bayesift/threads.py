"""A task for each of several items, by threads, and matrix products in one thread.

Kernels let other threads run meanwhile. NumPy and SciPy each bring a BLAS with threads of its own, which wait for each
other after each product. Where products are small and many, or the machine has other work, that takes more time than
one thread does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from bayesift.errors import BadInput

_guard, _limits = Lock(), list[Any]()  # the first has what to restore, the others stand for contexts inside it
T = TypeVar("T")
R = TypeVar("R")


def n_threads(threads: int | None) -> int:
    """Return how many threads to use; None is one per core.

    >>> n_threads(-1)
    Traceback (most recent call last):
    bayesift.errors.BadInput: threads is -1; give a whole number from 1 on, or None for one per core
    """
    if threads is None:
        return os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise BadInput(f"threads is {threads!r}", remedy="give a whole number from 1 on, or None for one per core")
    return int(threads)


def in_threads(task: Callable[[T], R], items: Sequence[T], threads: int) -> list[R]:
    """Return what the task returns for each item, in their order.

    With one thread, or one item, it is the caller's own: to start another takes longer than a small task does.

    >>> in_threads(abs, [-2, -1], threads=2)
    [2, 1]
    """
    if min(threads, len(items)) < 2:
        return [task(item) for item in items]
    with ThreadPoolExecutor(min(threads, len(items))) as pool:
        return list(pool.map(task, items))


@contextmanager
def one_thread() -> Iterator[None]:
    """Let matrix products take one thread; what was so before comes back when no thread of Python needs this any more.

    >>> with one_thread():
    ...     product = np.eye(2) @ np.ones(2)
    """
    with _guard:
        _limits.append(None if _limits else _libraries().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _guard:
            if len(_limits) == 1:
                _limits[0].restore_original_limits()
                _limits.clear()
            else:
                _limits.pop()


@cache
def _libraries() -> Any:
    """Return the libraries that are loaded; finding them takes longer than a product."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
