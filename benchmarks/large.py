"""How many documents a second are learned from an iterator, and in how much memory, as documents become many?

Made-up documents of 60 words with one to three of 200 labels: words follow Zipf's law over 200,000 words, and each
label has 40 words of its own. scikit-learn's HashingVectorizer + SGDClassifier.partial_fit, one classifier per label,
learns the first documents of the same stream in batches; its time is scaled up to all labels. Each size runs in a
process of its own, so that its peak of memory is its own. The ratio to scikit-learn and the slope are of seconds of
processor time, making the documents included, which other work on the machine hardly changes.

    python benchmarks/large.py --documents 1000000 10000000 --json docs/results/large.json
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from _run import show

WORDS, VOCABULARY, LABELS, OWN = 60, 200_000, 200, 40
BATCH = 10_000
DRAWN = 1 << 22  # places of a table from which words are drawn, each with as many as its share
PEER_DOCUMENTS, PEER_LABELS = 20_000, 4


def documents(n: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield made-up documents with their labels."""
    rng = np.random.default_rng(seed)
    names = [f"w{j:x}q" for j in range(VOCABULARY)]
    tags = [f"l{label}" for label in range(LABELS)]
    own = np.random.default_rng(0).permutation(VOCABULARY)[: LABELS * OWN].reshape(LABELS, OWN)  # for all seeds
    cumulated = np.cumsum(1.0 / np.arange(1, VOCABULARY + 1))
    often = np.searchsorted(cumulated, (np.arange(DRAWN) + 0.5) / DRAWN * cumulated[-1]).astype(np.int32)
    for begin in range(0, n, BATCH):
        size = min(BATCH, n - begin)
        words = often[rng.integers(0, DRAWN, (size, WORDS))]
        labels = rng.integers(0, LABELS, (size, 3))
        labels[:, 0] = np.minimum(rng.geometric(0.03, size) - 1, LABELS - 1)  # some labels are common, some rare
        number = rng.integers(1, 4, size)
        for k in range(3):
            have = np.flatnonzero(number > k)
            drawn = own[labels[have, k, None], rng.integers(0, OWN, (have.size, 8))]
            words[have[:, None], np.arange(8 * k, 8 * k + 8)] = drawn
        spoken = names.__getitem__
        for row, found, many in zip(words.tolist(), labels.tolist(), number.tolist()):
            chosen = list(dict.fromkeys(tags[label] for label in found[:many]))
            yield {"body": " ".join(map(spoken, row)), "labels": chosen}


def ours(n: int) -> dict[str, float]:
    """Learn n documents; return seconds and the peak of memory, and F1 on later documents."""
    from bayesift import TextClassifier

    TextClassifier().fit(documents(2_000, seed=9))  # compiled kernels are not part of it
    start, cpu = time.perf_counter(), time.process_time()
    model = TextClassifier().fit(documents(n))
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    test = list(documents(2_000, seed=1))
    found = {"documents": n, "seconds": seconds, "cpu_seconds": cpu, "peak_mb": peak_mb()}
    return found | {"micro_f1": model.score(test)}


def peak_mb() -> float:
    """Return the most memory that this process has used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def peer() -> float:
    """Return the seconds of processor time per document that scikit-learn takes for all labels."""
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import SGDClassifier

    found = list(documents(PEER_DOCUMENTS))
    vectorizer = HashingVectorizer(n_features=1 << 18)
    start = time.process_time()
    X = vectorizer.transform([d["body"] for d in found])
    vectors = time.process_time() - start
    start = time.process_time()
    for label in range(PEER_LABELS):
        y = np.array([f"l{label}" in d["labels"] for d in found])
        learner = SGDClassifier(loss="log_loss")
        for begin in range(0, len(found), 2_000):
            learner.partial_fit(X[begin : begin + 2_000], y[begin : begin + 2_000], classes=[False, True])
    return (vectors + (time.process_time() - start) * LABELS / PEER_LABELS) / PEER_DOCUMENTS


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    parser.add_argument("--documents", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(ours(given.one)))
        return
    each, rows = peer(), []
    for n in given.documents:
        print(f"{n:,} documents", file=sys.stderr)
        command = [sys.executable, __file__, "--one", str(n)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        rate, ratio = n / found["seconds"], each * n / found["cpu_seconds"]
        rows.append(found | {"documents_per_second": rate, "times_scikit_learn": ratio})
    notes = []
    if len(rows) > 1:
        x, y = (np.log([row[name] for row in rows]) for name in ("documents", "cpu_seconds"))
        notes.append(f"seconds of processor time grow as documents to the power of {np.polyfit(x, y, 1)[0]:.2f}")
    show(rows, notes, given.json)


if __name__ == "__main__":
    main()
