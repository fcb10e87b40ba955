"""How long does training take in one process and on two Dask workers, by labels and by documents?

The RCV1 sample, whose documents are lists of terms here, and Reuters-21578 enlarged (docstrings where it is missing):
every copy but the first keeps four of five words, drawn at random. Documents are in files of JSON lines, one partition
each; reading them and making vectors is part of the time, starting workers and compiling kernels is not. One process
has one core, or all of them. The peer is Dask with scikit-learn: TfidfVectorizer here, and one LinearSVC per label on
the workers, by joblib. F1 and calibration error are those of the labels that were learned, as `predict` decides them
(the peer: a score above 0).
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from _run import show
from bayesift import TextClassifier
from bayesift.arrays import label_matrix
from bayesift.classify.blocks import counted
from bayesift.corpora import Document, load_corpus, read_documents
from bayesift.corpora.jsonl import write_jsonl
from bayesift.errors import NotFound
from bayesift.evaluate import f_measure, reliability

FILES = 8
KEPT = 0.8  # share of the words of a copy
RCV1_TRAINING = 20_000
TEST, WARM = "test.json", "warm.json"


def enlarged(times: int) -> tuple[Iterator[Document], list[Document]]:
    """Return training documents, each several times with other words left out, and test documents."""
    try:
        whole = list(load_corpus("reuters21578", split="modapte").documents())
    except NotFound:
        whole = list(load_corpus("docstrings").documents())
    train, test = ([d for d in whole if d.split == side] for side in ("train", "test"))
    rng = np.random.default_rng(0)

    def copies() -> Iterator[Document]:
        for copy in range(times):
            for d in train:
                words = d.body.split()
                some = np.flatnonzero(rng.random(len(words)) < KEPT) if copy else range(len(words))
                body = " ".join(words[i] for i in some)
                yield Document(f"{d.id}-{copy}", d.title, body, d.labels)

    return copies(), test


def rcv1() -> tuple[Iterator[Document], list[Document]]:
    """Return training and test documents of the sample: the terms of each, without their weights."""
    found = load_corpus("rcv1").vectors()
    order = np.random.default_rng(0).permutation(len(found.ids))

    def document(i: int) -> Document:
        body = " ".join(f"t{j}" for j in found.X.indices[found.X.indptr[i] : found.X.indptr[i + 1]].tolist())
        labels = tuple(found.labels[c] for c in found.Y[i].indices)
        return Document(found.ids[i], "", body, labels)

    return map(document, order[:RCV1_TRAINING].tolist()), [document(i) for i in order[RCV1_TRAINING:].tolist()]


def write(folder: Path, train: Iterator[Document], test: list[Document]) -> None:
    """Write training documents to files, test documents and a few to warm up with."""
    found = list(train)
    cuts = np.linspace(0, len(found), FILES + 1).astype(int)
    parts = {f"part{k}.jsonl": found[a:b] for k, (a, b) in enumerate(pairwise(cuts))}
    for name, part in (parts | {TEST: test, WARM: found[:500]}).items():
        with (folder / name).open("wb") as out:
            write_jsonl(part, out)


def read(folder: Path, name: str) -> Iterator[Document]:
    """Yield the documents of files that match."""
    for path in sorted(folder.glob(name)):
        yield from read_documents(path, format="jsonl")


def scores(model: TextClassifier, test: list[Document]) -> dict[str, float]:
    """Return F1 of the test documents, and the expected calibration error of their probabilities."""
    names = model.classes_.tolist()
    error = reliability(truth_of(names, test), model.predict_proba(test)).expected_error
    return f1(names, model.predict(test), test) | {"calibration_error": error}


def truth_of(names: list[Any], test: list[Document]) -> Any:
    """Return the labels of documents that were learned."""
    known = set(names)
    return label_matrix([[label for label in d.labels or () if label in known] for d in test], names)


def f1(names: list[Any], found: Any, test: list[Document]) -> dict[str, float]:
    """Return F1 of label sets, over labels that were learned."""
    truth, sets = truth_of(names, test), label_matrix(found, names)
    return {"micro_f1": f_measure(truth, sets), "macro_f1": f_measure(truth, sets, "macro")}


def one_process(folder: Path, cores: int) -> dict[str, float]:
    """Learn in this process, on so many cores; return seconds and F1."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(cores))
    TextClassifier().fit(read(folder, WARM))  # compiled kernels are not part of it
    counted.CELLS = 1  # the same way of learning: block by block
    TextClassifier().fit(read(folder, WARM))
    start = time.perf_counter()
    model = TextClassifier().fit(read(folder, "part*.jsonl"))
    return {"seconds": time.perf_counter() - start} | scores(model, list(read(folder, TEST)))


def bytes_sent(client: Any) -> int:
    """Return the bytes that workers have sent to each other so far."""
    return int(sum(client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total).values()))


def sklearn_on_dask(folder: Path) -> dict[str, float]:
    """Train one LinearSVC per label on the workers."""
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.svm import LinearSVC

    start = time.perf_counter()
    train = list(read(folder, "part*.jsonl"))
    names = sorted({label for d in train for label in d.labels or ()})
    vectorizer = TfidfVectorizer(sublinear_tf=True)
    X = vectorizer.fit_transform([f"{d.title} {d.body}" for d in train])
    Y = label_matrix([d.labels or () for d in train], names)
    with joblib.parallel_config("dask"):
        model = OneVsRestClassifier(LinearSVC(), n_jobs=-1).fit(X, Y)
    seconds, test = time.perf_counter() - start, list(read(folder, TEST))
    found = model.predict(vectorizer.transform([f"{d.title} {d.body}" for d in test]))
    sets = [[names[c] for c in row.indices] for row in found]
    return {"seconds": seconds} | f1(names, sets, test)


def on_cluster(folder: Path, workers: int, peer: bool) -> Iterator[dict[str, Any]]:
    """Yield what was measured on so many workers."""
    from distributed import Client, LocalCluster

    from bayesift.cluster import DaskTextClassifier

    paths, test = sorted(folder.glob("part*.jsonl")), list(read(folder, TEST))

    def ours(shards: int | None, files: list[Path]) -> TextClassifier:
        return DaskTextClassifier(client, shards=shards).fit(files).to_local()

    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
        ) as cluster,
        Client(cluster) as client,
    ):
        warm = folder / "warm.jsonl"
        warm.write_bytes((folder / WARM).read_bytes())
        many = "workers" if workers > 1 else "worker"
        ways: list[tuple[str, Callable[[], Any]]] = [("by labels", lambda: ours(None, paths))]
        ways += [("by documents", lambda: ours(workers, paths))] if workers > 1 else []
        ours(None, [warm] * workers)
        if workers > 1:
            ours(workers, [warm] * workers)
        for name, train in ways:
            before, start = bytes_sent(client), time.perf_counter()
            model = train()
            row = {"system": f"{workers} {many} {name}", "seconds": time.perf_counter() - start}
            yield row | {"mb_between_workers": (bytes_sent(client) - before) / 1e6} | scores(model, test)
        if peer:
            yield {"system": f"scikit-learn on Dask, {workers} {many}"} | sklearn_on_dask(folder)


def measured(name: str, documents: Any, workers: int, peer: bool) -> list[dict[str, Any]]:
    """Return the rows of one corpus."""
    rows = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write(folder, *documents)
        del documents
        for cores in sorted({1, os.cpu_count() or 1}):
            command = [sys.executable, __file__, "--one", place, "--cores", str(cores)]
            found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            rows.append({"system": "one process, one core" if cores == 1 else "one process, all cores"} | found)
        for number in sorted({1, workers}):
            for row in on_cluster(folder, number, peer and number == workers):
                print(row, file=sys.stderr)  # it takes minutes
                rows.append(row)
    one = rows[0]["seconds"]
    return [{"corpus": name} | row | {"times one process": one / row["seconds"]} for row in rows]


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    parser.add_argument("--times", type=int, default=20, help="how often the training documents are repeated")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", choices=["rcv1", "reuters"], help="one corpus only")
    parser.add_argument("--without-peer", action="store_true")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--cores", type=int, default=1, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(one_process(given.one, given.cores)))
        return
    rows: list[dict[str, Any]] = []
    if given.only != "reuters":
        rows += measured("rcv1 sample", rcv1(), given.workers, not given.without_peer)
    if given.only != "rcv1":
        rows += measured(f"reuters x {given.times}", enlarged(given.times), given.workers, not given.without_peer)
    show(rows, [], given.json)


if __name__ == "__main__":
    main()
