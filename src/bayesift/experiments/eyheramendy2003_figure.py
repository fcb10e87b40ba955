"""Eyheramendy et al. 2003, figure 2: the five numbers of the box plots of table 1, the paper's columns beside ours."""

from __future__ import annotations

import time

import numpy as np

from bayesift.experiments.eyheramendy2003 import F1, OTHERS, SPARSE_BAYES, fitted, svm_f1, task_of
from bayesift.experiments.result import Options, Result, Row

QUARTILES = ("minimum", "25th percentile", "median", "75th percentile", "maximum")


def figure2(options: Options) -> Result:
    """Compute the five numbers of each box."""
    start, task = time.monotonic(), task_of(options, "log tf")
    n = len(task.labels)
    paper = {system: f1[:n] for system, f1 in [*OTHERS.items(), ("Sparse Bayes", F1[SPARSE_BAYES])]}
    ours = {"SVM": svm_f1(options)[:n], "Sparse Bayes": fitted(options, SPARSE_BAYES).f1[:n]}
    result = Result("eyheramendy2003-figure2", task.corpus)
    for system, f1 in paper.items():
        boxes = [_box(f1), _box(ours[system]) if system in ours else [None] * len(QUARTILES)]
        result.rows += [Row(system, "over topics", *row) for row in zip(QUARTILES, *boxes)]
    result.seconds = time.monotonic() - start
    return result


def _box(f1: list[float]) -> list[float]:
    return [float(value) for value in np.percentile(f1, [0, 25, 50, 75, 100])]
