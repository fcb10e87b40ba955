"""Very many labels: time and memory of the learner wide beside one-vs-rest LinearSVC and a label tree.

The first rows are those of `bayesift reproduce wide-labels`, on one corpus. The last ones are made: `LABELS` labels and
`TERMS` terms, few documents per label, whose dense belief would take `LABELS` x `TERMS` x 8 bytes. A label has three
terms of its own among the common ones. Every row is measured in a process of its own; memory is the peak above the
vectors.

    python benchmarks/wide_labels.py --json FILE
    python benchmarks/wide_labels.py --made --json docs/results/wide-labels-made.json
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from _run import show
from bayesift.experiments.result import Options
from bayesift.experiments.wide_labels import CORPORA, SYSTEMS, TREE, Found, Task, alone, made, wide
from bayesift.learn import WideLabels

DOCUMENTS, TEST, LABELS, TERMS = 100_000, 2_000, 100_000, 500_000
SAMPLE, SIMILAR = 300, 10  # negatives of all labels, and of each
WORDS, OWN, PER_DOCUMENT = 50, 3, 4  # common words and the labels of a document; terms that a label has of its own


def synthetic(documents: int, test: int, labels: int, terms: int, seed: int = 0) -> Task:
    """Return made documents; labels and words are Zipfian."""
    rng = np.random.default_rng(seed)
    n = documents + test
    which = (labels * rng.random((n, PER_DOCUMENT)) ** 1.5).astype(np.int64)
    common = (0.4 * terms * rng.random((n, WORDS)) ** 3).astype(np.int64)
    first = np.int64(0.4 * terms) + which * OWN % np.int64(0.6 * terms - OWN)
    said = first[:, :, None] + np.arange(OWN)
    columns = np.hstack([common, said.reshape(n, -1)])
    columns = np.where(rng.random(columns.shape) < 0.8, columns, common[:, :1])  # some words are left out
    X = sparse.csr_matrix((np.ones(columns.size), columns.ravel(), np.arange(n + 1) * columns.shape[1]), (n, terms))
    X.sum_duplicates()
    rarity = np.log(n / np.maximum(np.bincount(X.indices, minlength=terms), 1.0))
    X.data = rarity[X.indices] * (1.0 + np.log(X.data))
    X = sparse.csr_matrix(sparse.diags(1.0 / np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())) @ X)
    Y = sparse.csr_matrix((np.ones(which.size, np.int64), which.ravel(), np.arange(n + 1) * PER_DOCUMENT), (n, labels))
    Y.sum_duplicates()
    Y.data[:] = 1
    return Task(X[:documents], Y[:documents], X[documents:], Y[documents:])


def figures(name: str, system: str, run: Callable[[Task], Found], task: Task) -> dict[str, Any]:
    """Return what a system needs and reaches."""
    found = alone(run, task)
    dense = task.Y.shape[1] * task.X.shape[1] * 8 / 1e6
    return {"set": name, "system": system} | {key: round(value, 2) for key, value in found.items()} | {
        "dense belief, MB": round(dense)
    }  # fmt: skip


def main() -> None:
    """Measure all rows and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    parser.add_argument("--made", action="store_true", help="the made set only")
    given = parser.parse_args()
    rows, (name, *_) = [], CORPORA
    if not given.made:
        task = made(name, Options())
        for system, run in SYSTEMS.items():
            if system != TREE or find_spec("napkinxc") is not None:
                rows.append(figures(name, system, run, task))
                rows[-1]["times wide"] = round(rows[-1]["seconds"] / rows[0]["seconds"], 2)
    task = synthetic(DOCUMENTS, TEST, LABELS, TERMS)
    few = partial(wide, learner=WideLabels(sample=SAMPLE, similar=SIMILAR))
    rows.append(figures(f"{LABELS:,} labels x {TERMS:,} terms", f"wide, sample of {SAMPLE}, all cores", few, task))
    notes = ["memory: MB at the peak above the vectors; missed: labels of a document among those skipped, expected"]
    show(rows, notes, given.json)


if __name__ == "__main__":
    main()
