"""A task for each of several items, by threads; kernels let other threads run meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def cores(threads: int | None) -> int:
    """Return how many threads to use; None is one per core."""
    return threads or os.cpu_count() or 1


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
