"""What all benchmarks share: texts to work on, the best of some runs, peak memory, and rows as a table and JSON."""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bayesift.corpora import Document, load_corpus
from bayesift.errors import NotFound


def arguments(what: str) -> argparse.Namespace:
    """--json FILE and --repeat N, as every benchmark takes them."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each task; the best counts (default: 5)")
    return parser.parse_args()


def documents() -> tuple[str, list[Document]]:
    """Reuters where it is there, else the docstrings that are always there."""
    try:
        return "reuters21578", list(load_corpus("reuters21578").documents())
    except NotFound:
        return "docstrings", list(load_corpus("docstrings").documents())


def best(task: Callable[[], Any], repeat: int) -> float:
    """Seconds of the fastest of some runs."""
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        task()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def peak_mb(prepare: Callable[..., Any], given: tuple[Any, ...], task: Callable[[Any], Any]) -> float:
    """Memory that a task adds at its peak to what stood before it, in a process of its own."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    spawn = multiprocessing.get_context("spawn")  # a forked process would reuse memory that this one has let go
    child = spawn.Process(target=_measure, args=(theirs, prepare, given, task))
    child.start()
    result: float = ours.recv()
    child.join()
    return result


def _measure(pipe: Any, prepare: Callable[..., Any], given: tuple[Any, ...], task: Callable[[Any], Any]) -> None:
    prepared = prepare(*given)
    gc.collect()
    before = _status_mb("VmRSS")
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    kept = task(prepared)
    pipe.send(_status_mb("VmHWM") - before)
    del kept


def _status_mb(field: str) -> float:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(field + ":")) / 1024
    except OSError:  # not Linux: only the peak of the whole process is to be had
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def show(rows: list[dict[str, Any]], notes: list[str], to: Path | None) -> None:
    """Print the rows as a table and write them as JSON."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    cells = [[_text(row.get(c)) for c in columns] for row in rows]
    widths = [max(len(c), *(len(r[i]) for r in cells)) for i, c in enumerate(columns)]
    for line in [columns, *cells]:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())
    for note in notes:
        print(note)
    if to:
        machine = {"cores": os.cpu_count(), "python": sys.version.split()[0]}
        to.write_text(json.dumps({"machine": machine, "rows": rows, "notes": notes}, indent=1) + "\n")


def _text(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


ONE_VS_REST = "LIBLINEAR: LinearSVC, C = 1, one-vs-rest"


def one_vs_rest_task() -> tuple[str, Any, Any, Any]:
    """(corpus, ltc vectors, label matrix, vectors of the words in three documents or more) of the training side."""
    from sklearn.preprocessing import MultiLabelBinarizer

    from bayesift.text import TextVectorizer

    try:
        corpus = load_corpus("reuters21578", split="modapte")
    except NotFound:
        corpus = load_corpus("docstrings")
    train, _ = corpus.split()
    vectorizer = TextVectorizer(weight="ltc", numbers=False)
    X = vectorizer.fit_transform(train)
    Y = MultiLabelBinarizer(classes=corpus.labels).fit_transform([d.labels or () for d in train])
    return corpus.description.name, X, Y, X[:, vectorizer.document_frequency_ >= 3]


def fit_one_vs_rest(X: Any, Y: Any, threads: int) -> list[Any]:
    """LIBLINEAR on every label, several labels at a time."""
    from joblib import Parallel, delayed
    from sklearn.svm import LinearSVC

    some = [c for c in range(Y.shape[1]) if 0 < Y[:, c].sum() < Y.shape[0]]
    return Parallel(threads, prefer="threads")(delayed(LinearSVC(C=1.0).fit)(X, Y[:, c]) for c in some)


def plot(name: str, x: list[Any], y: list[float], x_label: str, y_label: str) -> Path:
    """Write a log-log plot, with a line of slope 2, to out/NAME.svg."""
    from bayesift.report.charts import Series, lines

    path = Path("out", f"{name}.svg")
    path.parent.mkdir(exist_ok=True)
    square = [y[-1] * (v / x[-1]) ** 2 for v in x]
    series = [Series("measured", x, y, markers=True), Series("square", x, square, dashed=True)]
    drawn = lines(series, x_log=True, y_log=True, x_label=x_label, y_label=y_label, title=name, standalone=True)
    path.write_text(drawn, "utf-8")
    return path
