"""How many documents per second does a filter read, from text to decision, by the number of topics?

Topics are synthesised from real documents: each takes the words of one document as its statement. The stream is that of
arXiv, else of Reuters, else docstrings, in its order; the vocabulary and the background are learned from its first
documents, and no answers are given while documents are timed. Ours is measured without a store and with a SQLite
workspace, in which every document is stored and committed. Topics are kept from Python's search for garbage, as
`bayesift serve`, `filter run` and `filter feed` keep them. The peer does the least that can be done: scikit-learn's
HashingVectorizer, one document at a time, and a sparse matrix product with the topics' means, which gives scores and
decides nothing. One thread each, same process, same documents.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import HashingVectorizer

from _run import best, documents, plot, show
from bayesift import TextFilter
from bayesift.corpora import Document, load_corpus
from bayesift.errors import NotFound
from bayesift.filtering.store import Workspace
from bayesift.garbage import keep_all

TOPICS = (1, 100, 1000, 10_000)
BEFORE = 1000  # documents of the stream before the topics
WORDS = 30  # of a topic's statement, at most
NEXT = {"id": "next", "text": "The index is made with the next document."}
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


def stream(n: int) -> tuple[str, list[Document]]:
    """Return the first documents of the largest stream that is installed."""
    try:
        name, found = "arxiv", list(load_corpus("arxiv").documents())
    except NotFound:
        name, found = documents()
    return name, [d for d in found if d.title or d.body][: BEFORE + n]


def statements(before: list[Document], n: int, seed: int = 0) -> list[str]:
    """Return statements: the longest words of documents drawn at random, as many as topics."""
    rng = np.random.default_rng(seed)
    drawn = [before[i] for i in rng.integers(len(before), size=n).tolist()]
    return [" ".join(sorted(set(f"{d.title} {d.body}".split()), key=lambda w: (len(w), w))[-WORDS:]) for d in drawn]


def rate(process: Callable[[list[Document]], object], rest: list[Document], clock: Callable[[], float]) -> float:
    """Return documents per second, over all of them: what is done once in a while counts too."""
    start = clock()
    process(rest)
    return len(rest) / (clock() - start)


def in_memory(before: list[Document], about: Iterable[str]) -> tuple[TextFilter, float]:
    """Return a filter with topics, and the seconds that adding one takes."""
    found = TextFilter(per_day=20)
    first, *others = about
    list(found.process(before[:-1]))
    found.add_topic("t0", about=first)
    list(found.process(before[-1]))
    start = time.perf_counter()
    for i, text in enumerate(others, 1):
        found.add_topic(f"t{i}", about=text)
    list(found.process(NEXT | {"date": before[-1].date}))
    return found, (time.perf_counter() - start) / max(len(others), 1)


def in_workspace(folder: str, before: list[Document], about: Iterable[str]) -> Workspace:
    """Return a SQLite workspace with topics."""
    found = Workspace.create(Path(folder, "news.db"), per_day=20)
    first, *others = about
    list(found.process(before[:-1]))
    found.add_topic("t0", about=first)
    list(found.process(before[-1:]))
    with found._groups.changing([0], catalogue=True) as (_, (group,)):  # one transaction for all topics
        for i, text in enumerate(others, 1):
            group.filter.add_topic(f"t{i}", about=text)
    list(found.process(NEXT | {"date": before[-1].date}))
    return found


def peer(about: list[str]) -> Callable[[list[Document]], object]:
    """Return a function that vectorises documents one at a time and multiplies each with the topics' means."""
    vectorizer = HashingVectorizer(n_features=1 << 16, alternate_sign=False)
    means: sparse.csr_matrix = vectorizer.transform(about).T.tocsr()
    return lambda part: [vectorizer.transform([f"{d.title} {d.body}"]) @ means for d in part]


def judgement(found: TextFilter, rest: list[Document]) -> float:
    """Return the seconds of one judgement, of the first topic after some."""
    answers = iter(range(len(rest)))

    def judge() -> None:
        for i in (next(answers) for _ in range(10)):
            found.judge("t0", f"judged-{rest[i].id}", i % 3 == 0, text=rest[i])

    judge()
    return best(judge, 3) / 10


def main() -> None:
    """Measure, print and plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    parser.add_argument("--topics", type=int, nargs="+", default=TOPICS, help="numbers of topics")
    parser.add_argument("--documents", type=int, default=3000, help="documents timed (default: 3000)")
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="cpu: on a machine that does other work, too")
    options = parser.parse_args()
    clock = CLOCKS[options.clock]
    name, found = stream(options.documents)
    before, rest = found[:BEFORE], found[BEFORE:]
    rows, speed = [], []
    in_memory(before[:20], statements(before, 20))[0].process_batch(rest[:100])  # compile and load all kernels first
    for n in options.topics:
        about = statements(before, n)
        without, adding = in_memory(before, about)
        keep_all()
        bare = rate(lambda part, f=without: f.process_batch(part), rest, clock)
        seconds = judgement(without, rest)
        with tempfile.TemporaryDirectory() as folder:
            workspace = in_workspace(folder, before, about)
            keep_all()
            stored = rate(lambda part, w=workspace: list(w.process(part)), rest, clock)
            workspace.close()
        product = rate(peer(about), rest, clock)
        rows.append({
            "task": f"{n} topics x {len(rest)} documents of {name}", "without_store_per_s": bare,
            "sqlite_per_s": stored, "peer": "HashingVectorizer + matrix product", "peer_per_s": product,
            "ratio": bare / product, "ratio_sqlite": stored / product, "adding_a_topic_s": adding,
            "one_judgement_s": seconds,
        })  # fmt: skip
        speed.append(1e6 / bare)
        show(rows[-1:], [], None)
    notes = [f"ratio: our documents per second ({options.clock} time), without a store, divided by the peer's."]
    if len(speed) > 1:
        figure = plot("filtering-topics", list(options.topics), speed, "topics", "microseconds per document")
        notes.append(f"Plot: {figure}")
    show(rows, notes, options.json)


if __name__ == "__main__":
    main()
