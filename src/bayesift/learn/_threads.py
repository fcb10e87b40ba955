"""Threads that share out the labels of a belief in whole blocks, so that the result is the same for any number."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from bayesift.beliefs.diagonal import BLOCK


def for_all(threads: int, columns: int, task: Callable[[int, int], None]) -> None:
    """Run task(lo, hi) over all columns, in whole blocks, on so many threads."""
    blocks = columns // BLOCK
    cuts = [BLOCK * (blocks * k // threads) for k in range(threads + 1)]
    parts = [(lo, hi) for lo, hi in itertools.pairwise(cuts) if hi > lo]
    if len(parts) == 1:
        task(*parts[0])
    elif parts:
        with ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(lambda part: task(*part), parts))
