"""How fast is a pool ranked again after each judgement, beside ASReview's default ranker, and how large may it be?

10,000 records: making the vectors, and one judgement learned and the pool ranked again, for ours (`PoolRanker`) and for
ASReview's ELAS u4 (its own classes: features, fit, rank), when 100, 300 and 1,000 records are judged. 100,000 records:
seconds until the first order, milliseconds per judgement, and the memory that is added; then a review of them
(`bayesift screen`): from an RIS file to the first record to read, with duplicates, vectors and database, the same after
it is opened again, and from a decision to the next record. An XLSX file of 10,000 records is read beside openpyxl,
which only reads the cells. Records beyond those of OHSUMED (or, without it, Reuters or the docstrings) are made of the
sentences of two others. Times are processor time of one thread, so that other work on the machine counts less.
"""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from _run import arguments, documents, peak_mb, show
from bayesift.corpora import load_corpus
from bayesift.errors import NotFound
from bayesift.experiments.asreview_peer import check_asreview
from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.records import Record, read_records, write_ris
from bayesift.filtering.screening.review import Review

SMALL, LARGE = 10_000, 100_000
JUDGED = (100, 300, 1000)


def records(n: int) -> list[tuple[str, str]]:
    """Titles and abstracts."""
    try:
        found = list(load_corpus("ohsumed91").documents())
    except NotFound:
        found = documents()[1]
    texts = [(d.title, d.body) for d in found if d.body]
    sentences = [body.split(". ") for _, body in texts]
    rng = np.random.default_rng(0)
    while len(texts) < n:
        a, b = rng.integers(len(sentences), size=2)
        texts.append((texts[a][0], ". ".join(sentences[a][::2] + sentences[b][1::2])))
    return texts[:n]


def best(task: Callable[[], Any], repeat: int) -> float:
    """Seconds of processor time of the fastest of some runs."""
    seconds = []
    for _ in range(repeat):
        start = time.process_time()
        task()
        seconds.append(time.process_time() - start)
    return min(seconds)


def judgements(n: int, pool: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw records, and whether each is relevant: one in ten."""
    rng = np.random.default_rng(1)
    return rng.choice(pool, n, replace=False), np.arange(n) % 10 == 0


def judged_ms(ranker: PoolRanker, n: int, repeat: int) -> float:
    """Milliseconds of one judgement and the next record, after n - 1 judgements; the best of some."""
    rows, truth = judgements(n + repeat, ranker.size)
    ranker = ranker.unjudged()
    ranker.learn(rows[: n - 1], truth[: n - 1])
    ranker.order(1)
    left = iter(zip(rows[n - 1 :].tolist(), truth[n - 1 :].tolist()))

    def task() -> None:
        ranker.judge(*next(left))
        ranker.order(1)

    return 1e3 * best(task, repeat)


def peer_rows(texts: list[tuple[str, str]], repeat: int) -> tuple[float, dict[int, float]]:
    """Seconds of ELAS u4's features, and milliseconds of one judgement."""
    check_asreview()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pandas as pd
        from asreview.learner import ActiveLearningCycle
        from asreview.models.models import get_ai_config

        cycle = ActiveLearningCycle.from_meta(get_ai_config("elas_u4")["value"])
        start = time.process_time()
        X = cycle.transform(pd.DataFrame(texts, columns=["title", "abstract"]))
        features = time.process_time() - start
        found = {}
        for n in JUDGED:
            rows, truth = judgements(n, len(texts))
            unread = np.setdiff1d(np.arange(len(texts)), rows)
            found[n] = 1e3 * best(lambda r=rows, y=truth, u=unread: cycle.fit(X[r], y.astype(int)).rank(X[u]), repeat)
    return features, found


def first_order(texts: list[tuple[str, str]]) -> PoolRanker:
    """Make a ranker of all records, and its first order."""
    ranker = PoolRanker(texts)
    ranker.learn([0, 1], [True, False])
    ranker.order(1)
    return ranker


def review_rows(texts: list[tuple[str, str]], repeat: int) -> list[dict[str, Any]]:
    """Time a review of these texts; titles are words of the abstracts, since repeated ones would be duplicates."""
    n, rng = len(texts), np.random.default_rng(2)
    with tempfile.TemporaryDirectory() as folder:
        file, database = Path(folder, "records.ris"), Path(folder, "review.db")
        starts = rng.integers(0, 100, size=n).tolist()
        titles = (" ".join(body.split()[k : k + 12]) or title for (title, body), k in zip(texts, starts))
        write_ris(file, (Record(str(i), title, texts[i][1], year=2000) for i, title in enumerate(titles)))
        start = time.perf_counter()
        with Review.create(database, iter(read_records(file).records), question="heart disease in adults") as review:
            review.next(who="ann")
        made = time.perf_counter() - start
        start = time.perf_counter()
        with Review.open(database) as review:
            (shown,) = review.next(who="ann")
            opened = time.perf_counter() - start

            def task() -> None:
                nonlocal shown
                review.decide(shown.record.id, "exclude", who="ann")
                (shown,) = review.next(who="ann")

            decided = best(task, repeat)
    return [
        {"task": f"{n:,} records: a review, from an RIS file to the first record", "ours": made, "unit": "s"},
        {"task": f"{n:,} records: the review opened again, to the next record", "ours": opened, "unit": "s"},
        {"task": f"{n:,} records: from a decision to the next record", "ours": 1e3 * decided, "unit": "ms"},
    ]


def xlsx_row(texts: list[tuple[str, str]], repeat: int) -> dict[str, Any]:
    """Time reading the records of an XLSX file."""
    from openpyxl import Workbook, load_workbook

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "records.xlsx")
        book = Workbook(write_only=True)
        sheet = book.create_sheet()
        for row in [("Title", "Abstract", "Year"), *((title, body, 2000) for title, body in texts)]:
            sheet.append(row)
        book.save(file)

        def cells() -> None:
            opened = load_workbook(file, read_only=True)
            list(opened.worksheets[0].iter_rows(values_only=True))
            opened.close()

        theirs = best(cells, repeat)
        ours = best(lambda: list(read_records(file).records), repeat)
    task = f"{len(texts):,} records: an XLSX file read"
    return {"task": task, "ours": ours, "unit": "s", "peer": "openpyxl: cells alone", "theirs": theirs}


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    texts = records(LARGE)
    first_order(texts[:500])  # compile first
    peer_s, peer_ms = peer_rows(texts[:SMALL], min(options.repeat, 3))
    start = time.process_time()
    ranker = first_order(texts[:SMALL])
    rows: list[dict[str, Any]] = [
        {"task": f"{SMALL:,} records: vectors and first order", "ours": time.process_time() - start, "unit": "s",
         "peer": "ELAS u4: features alone", "theirs": peer_s}]  # fmt: skip
    for n in JUDGED:
        ours = judged_ms(ranker, n, options.repeat)
        rows.append({"task": f"{SMALL:,} records: judgement {n:,}", "ours": ours, "unit": "ms", "peer": "ELAS u4",
                     "theirs": peer_ms[n]})  # fmt: skip
    rows.append(xlsx_row(texts[:SMALL], 2))
    start = time.process_time()
    ranker = first_order(texts)
    rows.append({"task": f"{LARGE:,} records: first order", "ours": time.process_time() - start, "unit": "s"})
    for n in JUDGED:
        rows.append({"task": f"{LARGE:,} records: judgement {n:,}", "ours": judged_ms(ranker, n, options.repeat),
                     "unit": "ms"})  # fmt: skip
    del ranker
    review_rows(texts[:500], 1)  # compile first
    rows += review_rows(texts, options.repeat)
    del texts
    memory = peak_mb(records, (LARGE,), first_order)
    rows.append({"task": f"{LARGE:,} records: memory added at its peak", "ours": memory, "unit": "MB"})
    for row in rows:
        row["ratio"] = row["theirs"] / row["ours"] if "theirs" in row else None
    notes = ["ratio = theirs / ours. A judgement is learned and the pool ranked again; the best of some."]
    show(rows, notes, options.json)


if __name__ == "__main__":
    main()
