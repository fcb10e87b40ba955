"""Threads that share out the labels of a belief; the result is the same for any number of them.

Each thread works on a copy of its labels and writes it back: processors that write to neighbouring columns of one array
would keep taking the same cache lines from each other, and two would be no faster than one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from bayesift.beliefs.diagonal import BLOCK, DiagonalBelief


def apart(belief: DiagonalBelief, threads: int, task: Callable[[DiagonalBelief, int], None]) -> None:
    """Run task(part, first label of it) over all labels and the unseen one, in whole blocks, on so many threads."""
    blocks = belief.mean.shape[1] // BLOCK
    cuts = [BLOCK * (blocks * k // threads) for k in range(threads + 1)]
    parts = [(lo, hi) for lo, hi in itertools.pairwise(cuts) if hi > lo]

    def one(part: tuple[int, int]) -> None:
        some = slice(*part)
        mean, variance = belief.mean[:, some].copy(), belief.variance[:, some].copy()
        bias, positives = belief.bias[:, some].copy(), belief.positives[some].copy()
        labels = min(part[1], belief.n_labels + 1) - part[0]
        own = replace(belief, mean=mean, variance=variance, bias=bias, positives=positives, n_labels=labels)
        task(own, part[0])
        belief.mean[:, some], belief.variance[:, some] = mean, variance
        belief.bias[:, some], belief.positives[some] = bias, positives

    if len(parts) <= 1:
        task(replace(belief, n_labels=belief.n_labels + 1), 0)
        return
    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(one, parts))
