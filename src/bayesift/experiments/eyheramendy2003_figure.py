"""Eyheramendy et al. 2003, figure 2: boxplots of table 1, the paper's columns beside ours, as a picture."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from bayesift.experiments.eyheramendy2003 import F1, OTHERS, SPARSE_BAYES, fitted, svm_f1, task_of
from bayesift.experiments.result import Options, Result, Row
from bayesift.files import write_whole

PICTURE = Path("out", "eyheramendy2003-figure2.png")  # under the working directory
QUARTILES = ("minimum", "25th percentile", "median", "75th percentile", "maximum")


def figure2(options: Options) -> Result:
    """The five numbers of each box as rows, and the picture."""
    start, task = time.monotonic(), task_of(options, "log tf")
    n = len(task.labels)
    paper = {system: f1[:n] for system, f1 in [*OTHERS.items(), ("Sparse Bayes", F1[SPARSE_BAYES])]}
    ours = {"SVM": svm_f1(options)[:n], "Sparse Bayes": fitted(options, SPARSE_BAYES).f1[:n]}
    result = Result("eyheramendy2003-figure2", task.corpus)
    for system, f1 in paper.items():
        boxes = [_box(f1), _box(ours[system]) if system in ours else [None] * len(QUARTILES)]
        result.rows += [Row(system, "over topics", *row) for row in zip(QUARTILES, *boxes)]
    _draw(
        paper | {f"{system},\nours": f1 for system, f1 in ours.items()},
        f"F1 of {n} Reuters topics: minimum, quartiles, maximum",
    )
    result.notes = [f"Drawn: {PICTURE.as_posix()}"]
    result.seconds = time.monotonic() - start
    return result


def _box(f1: list[float]) -> list[float]:
    return [float(value) for value in np.percentile(f1, [0, 25, 50, 75, 100])]


def _draw(boxes: dict[str, list[float]], title: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.boxplot(list(boxes.values()), whis=(0, 100))
    axes.set_xticks(range(1, len(boxes) + 1), list(boxes))
    axes.set(ylabel="F1 (%)", title=title)
    axes.grid(axis="y", alpha=0.3)
    PICTURE.parent.mkdir(exist_ok=True)
    with write_whole(PICTURE) as out:
        figure.savefig(out, format="png", dpi=150)
