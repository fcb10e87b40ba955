"""How fast is the filter: documents a second by the number of topics, and one judgement by the number of terms?

Topics are synthesised from real terms: each takes the words of one document as its statement, so topics about frequent
things are reached by many documents. Documents are those of arXiv, else of Reuters, else docstrings. No answers are
given while documents are timed. The peer does the same without an index: every document against the weights of all
topics, as a sparse matrix product (scipy), which gives the mean of the field only.
"""

from __future__ import annotations

import time

import numpy as np
from scipy import sparse

from _run import arguments, best, documents, plot, show
from bayesift.corpora import load_corpus
from bayesift.errors import NotFound
from bayesift.filtering import Filter, Profile, ProfileSettings, Row, Strategy, rows_of
from bayesift.filtering.events import judged
from bayesift.filtering.topic_counts import Background
from bayesift.text import TextVectorizer

TOPICS = (10, 100, 1000, 10_000)
MANY = 40_000  # documents for 1,000 topics
TERMS = 30  # of a synthesised topic, at most
SOME = 4_000  # documents for the other numbers of topics


def stream() -> tuple[str, sparse.csr_matrix]:
    """Vectors of the largest stream that is there."""
    try:
        name, texts = "arxiv", list(load_corpus("arxiv").documents())
    except NotFound:
        name, texts = documents()
    return name, TextVectorizer(weight="ltc", numbers=False).fit_transform(texts)


def topics(X: sparse.csr_matrix, n: int, seed: int = 0) -> list[Profile]:
    """Topics whose statements are the heaviest words of documents drawn by chance; the bias is learned from others."""
    rng = np.random.default_rng(seed)
    rows = list(rows_of(X))
    background = Background(X.shape[0], np.bincount(X.indices, minlength=X.shape[1]).astype(np.int64))
    made = []
    for k in range(n):
        row = rows[rng.integers(len(rows))]
        heavy = np.sort(np.argsort(-row.weights)[:TERMS])
        profile = Profile.start(f"t{k}", ProfileSettings(min_statistic=1e9), background=background,
                                statement=Row(row.columns[heavy], row.weights[heavy]))  # fmt: skip
        for i in rng.integers(len(rows), size=20):
            profile.apply(judged(profile.name, str(i), False, rows[i]))
        made.append(profile)
    return made


def seconds(loop: Filter, rows: list[Row]) -> tuple[float, int, int]:
    """Time for all documents, the documents shown, and the matches: pairs of a document's term and a topic's."""
    matches, shown = 0, 0
    start = time.perf_counter()
    for i, row in enumerate(rows):
        shown += len(loop.process(str(i), row))
    taken = time.perf_counter() - start
    for row in rows:
        matches += int(loop.index.length[row.columns[row.columns < loop.index.length.size]].sum())
    return taken, shown, matches


def judgement(terms: int) -> float:
    """One judgement of a document with 100 terms, by a topic with so many terms, +rel included."""
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(400):
        columns = np.sort(rng.choice(20_000, 100, replace=False)).astype(np.int32)
        columns[: min(30, terms)] = np.sort(rng.choice(terms, min(30, terms), replace=False))
        rows.append(Row(np.unique(columns), rng.random(np.unique(columns).size)))
    background = Background(8000, rng.integers(1, 400, 20_000))
    statement = Row(np.arange(terms, dtype=np.int32), np.full(terms, 0.1))
    settings = ProfileSettings(min_statistic=1e9, initial_terms=terms, max_terms=max(600, terms))
    loop = Filter([Profile.start("t", settings, background=background, statement=statement)])
    events = iter(range(10**9))

    def absorb() -> None:
        for row in rows[:100]:
            n = next(events)
            loop.judge("t", f"d{n}", n % 10 == 0, row)

    absorb()
    return best(absorb, 3) / 100


def main() -> None:
    """Measure, print and plot."""
    options = arguments(__doc__)
    name, X = stream()
    rows = list(rows_of(X))
    seconds(Filter(topics(X, 2), Strategy("ig")), rows[:50])  # compile first
    table, speed = [], []
    for n in TOPICS:
        part = rows[:MANY] if n == 1000 else rows[:SOME]
        profiles = topics(X, n)
        taken, shown, matches = seconds(Filter(profiles, Strategy("ig")), part)
        W = sparse.vstack([
            sparse.csr_matrix((p.belief.mean[1:], (np.zeros(p.terms.size, int), p.terms)), shape=(1, X.shape[1]))
            for p in profiles
        ]).T.tocsr()  # fmt: skip
        some = [X[i] for i in range(min(len(part), 1000))]
        peer = best(lambda some=some, W=W: [row @ W for row in some], 1) * len(part) / len(some)
        table.append({"task": f"{n} topics x {len(part)} documents of {name}", "ours_s": taken,
                      "documents_a_s": len(part) / taken, "matches_a_document": matches / len(part),
                      "ns_a_match": 1e9 * taken / max(matches, 1), "shown": shown,
                      "peer": "scipy, row times matrix", "peer_s": peer, "ratio": peer / taken})  # fmt: skip
        speed.append(1e6 * taken / len(part))
    for d in (50, 100, 300, 600):
        table.append({"task": f"one judgement, {d} terms", "ours_s": judgement(d)})
    figure = plot("filtering-topics", list(TOPICS), speed, "topics", "microseconds a document")
    notes = [
        "ratio = peer_s / ours_s; ours also decides, keeps v where it matters, and logs what it shows.",
        f"Plot: {figure}",
    ]
    show(table, notes, options.json)


if __name__ == "__main__":
    main()
