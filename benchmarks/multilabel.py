"""How fast does BOMC learn and predict, against LIBLINEAR, Vowpal Wabbit and scikit-learn's passive-aggressive?

Reuters (9,603 documents, 90 labels) and the RCV1 sample (20,000, 102), all words, training only, one pass, one thread
each; then one document at a time from Python, two threads, the distance to memory bandwidth, and how time grows with
documents, labels and terms (synthetic). Without these corpora: the docstrings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from _run import arguments, best, one_vs_rest_task, show
from bayesift.corpora import load_corpus
from bayesift.errors import NotFound
from bayesift.learn import BOMC


def tasks() -> Iterator[tuple[str, Any, Any]]:
    """(name, X, Y dense) of the training sides."""
    name, X, Y, _ = one_vs_rest_task()
    yield name, X, Y
    try:
        train, _ = load_corpus("rcv1").vectors().draw(train=20_000, seed=0)
        yield "rcv1 sample", train.X, train.Y.toarray()
    except NotFound:
        return


def peers(X: Any, Y: Any) -> dict[str, Callable[[], Any]]:
    """Each peer that is installed, as a task that trains on all labels with one thread."""
    from sklearn.linear_model import SGDClassifier

    some = [c for c in range(Y.shape[1]) if 0 < Y[:, c].sum() < Y.shape[0]]

    def passive_aggressive() -> None:
        for c in some:
            SGDClassifier(
                loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, max_iter=1, tol=None, random_state=0
            ).fit(X, Y[:, c])

    found: dict[str, Callable[[], Any]] = {"passive-aggressive, scikit-learn": passive_aggressive}
    try:
        from liblinear.liblinearutil import parameter, problem, train

        prepared = {c: problem(np.where(Y[:, c] > 0, 1, -1), X, bias=1) for c in some}

        def liblinear() -> None:
            for c in some:
                train(prepared[c], parameter("-s 1 -c 1 -q"))

        found = {"LIBLINEAR -s 1": liblinear} | found
    except ImportError:
        from sklearn.svm import LinearSVC

        found = {"LIBLINEAR (LinearSVC)": lambda: [LinearSVC(C=1.0).fit(X, Y[:, c]) for c in some]} | found
    try:
        import vowpalwabbit

        model = vowpalwabbit.Workspace(_vw_options(Y), quiet=True)
        examples = [model.parse(line) for line in vw_lines(X, Y)]

        def vw() -> None:
            fresh = vowpalwabbit.Workspace(_vw_options(Y), quiet=True)
            for example in examples:
                fresh.learn(example)

        found["Vowpal Wabbit --multilabel_oaa (parsed before)"] = vw
    except ImportError:
        pass
    return found


def _vw_options(Y: Any) -> str:
    return f"--multilabel_oaa {Y.shape[1]} -b 24 --loss_function squared"


def vw_lines(X: Any, Y: Any) -> Iterator[str]:
    """Documents in Vowpal Wabbit's format."""
    X = sparse.csr_matrix(X)
    for t in range(X.shape[0]):
        labels = ",".join(map(str, np.flatnonzero(Y[t])))
        part = slice(X.indptr[t], X.indptr[t + 1])
        yield f"{labels} | " + " ".join(f"{j}:{v:.5g}" for j, v in zip(X.indices[part], X.data[part]))


def one_document(X: Any, Y: Any, repeat: int) -> list[dict[str, Any]]:
    """Microseconds for one document, learned and predicted from Python."""
    X, labels = sparse.csr_matrix(X), sparse.csr_matrix(Y)
    model = BOMC(threads=1).fit(X, Y)
    documents = [(X[t], labels[t]) for t in range(min(2000, X.shape[0]))]
    ours = {
        "learn": best(lambda: [model.partial_fit(*d) for d in documents], repeat),
        "predict": best(lambda: [model.decision_function(x) for x, _ in documents], repeat),
    }
    theirs = {}
    try:
        import vowpalwabbit

        workspace = vowpalwabbit.Workspace(_vw_options(Y), quiet=True)
        examples = [workspace.parse(line) for line in vw_lines(X[:2000], Y[:2000])]
        theirs["learn"] = best(lambda: [workspace.learn(e) for e in examples], repeat)
        theirs["predict"] = best(lambda: [workspace.predict(e) for e in examples], repeat)
    except ImportError:
        pass
    rows = []
    for what, seconds in ours.items():
        row = {"task": f"one document, {Y.shape[1]} labels: {what}", "ours_us": 1e6 * seconds / len(documents)}
        if what in theirs:
            row |= {"peer": "Vowpal Wabbit", "peer_us": 1e6 * theirs[what] / len(documents)}
            row["ratio"] = theirs[what] / seconds
        rows.append(row)
    return rows


def bandwidth(X: Any, Y: Any, seconds: float) -> str:
    """Measure the bytes that one pass moves, and the speed of copying memory."""
    columns = -(-Y.shape[1] // 16) * 16
    moved = X.nnz * columns * 4 * 2 * 3  # mean and variance: read for the fields, read and written for the update
    block = np.zeros(2**26, np.float32)
    other = block.copy()
    copy = best(lambda: np.copyto(other, block), 3)
    rate = 2 * block.nbytes / copy
    return (
        f"One pass moves {moved / 1e9:.2f} GB through the caches at {moved / seconds / 1e9:.1f} GB/s;"
        f" memory copies at {rate / 1e9:.1f} GB/s."
    )


def growth(repeat: int) -> Iterator[dict[str, Any]]:
    """Seconds of synthetic tasks, one thing doubled at a time."""
    rng = np.random.default_rng(0)

    def task(documents: int, labels: int, terms: int) -> tuple[Any, Any]:
        columns = (terms * rng.random((documents, 50)) ** 2).astype(np.int32)
        X = sparse.csr_matrix((np.full(columns.size, 0.14), columns.ravel(), np.arange(0, columns.size + 1, 50)),
                              shape=(documents, terms))  # fmt: skip
        X.sum_duplicates()
        Y = sparse.csr_matrix((np.ones(documents), (range(documents), rng.integers(labels, size=documents))),
                              shape=(documents, labels))  # fmt: skip
        return X, Y

    for what, sizes in {
        "documents": [(n, 100, 20_000) for n in (2_500, 5_000, 10_000, 20_000)],
        "labels": [(5_000, c, 20_000) for c in (10, 30, 100, 300, 1_000)],
        "terms": [(5_000, 100, d) for d in (5_000, 20_000, 80_000)],
    }.items():
        for size in sizes:
            X, Y = task(*size)
            seconds = best(lambda X=X, Y=Y: BOMC(threads=1).fit(X, Y), repeat)
            shape = f"{size[0]:,} documents, {size[1]:,} labels, {size[2]:,} terms"
            yield {"task": f"growth with {what}: {shape}", "ours_s": seconds}


def in_turn(tasks: list[Callable[[], Any]], repeat: int) -> list[float]:
    """Seconds of the fastest run of each task; they take turns, so that a busy machine is as hard on all of them."""
    runs = [[best(task, 1) for task in tasks] for _ in range(repeat)]
    return [min(seconds) for seconds in zip(*runs)]


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    rows, notes = [], ["ratio = peer / ours."]
    for name, X, Y in tasks():
        BOMC(threads=1).fit(X[:50], Y[:50])  # compile first
        BOMC(threads=2).fit(X[:200], Y[:200])
        ours, two = in_turn([lambda X=X, Y=Y, k=k: BOMC(threads=k).fit(X, Y) for k in (1, 2)], options.repeat)
        for peer, task in peers(X, Y).items():
            seconds = best(task, min(options.repeat, 2))
            row = {"task": f"{name}: one pass", "ours_s": ours, "peer": peer, "peer_s": seconds}
            rows.append(row | {"ratio": seconds / ours})
        row = {"task": f"{name}: one pass, two threads", "ours_s": two, "peer": "ours, one thread", "peer_s": ours}
        rows.append(row | {"ratio": ours / two})
        rows += one_document(X, Y, options.repeat)
        row = {"task": f"{name}: one update without Python, {Y.shape[1]} labels", "ours_us": 1e6 * ours / X.shape[0]}
        rows.append(row)
        notes.append(f"{name}: {bandwidth(X, Y, ours)}")
    rows += growth(min(options.repeat, 2))
    notes.append(f"Measured at {time.strftime('%Y-%m-%d %H:%M')}.")
    show(rows, notes, options.json)


if __name__ == "__main__":
    main()
