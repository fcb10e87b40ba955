"""Words alone and with the corpus vector, by size: what the default of `meaning` was chosen by.

Only training documents are used: models are trained on some and measured on `HELD_OUT` others. The vector comes from
the documents that are learned, or from training documents whose labels are not read; in the second case they are given
as `unlabelled`, at most `TEXT` of them. arXiv has no split, so a random half counts as training documents.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from bayesift.arrays import label_matrix
from bayesift.classify import TextClassifier
from bayesift.corpora import Document, load_corpus
from bayesift.evaluate import f_measure
from bayesift.experiments.layouts.meaning import CORPORA, LEARNED, METRICS, SIZES, UNLABELLED, WORDS
from bayesift.experiments.result import Options, Result, Row

SEEDS, HELD_OUT, TEXT = 2, 2500, 5000


def corpus(options: Options) -> Result:
    """Compute F1, mean average precision and training time on held-out training documents of three corpora."""
    start = time.monotonic()
    result = Result("meaning-corpus", ", ".join(CORPORA[: options.categories]))
    for name in CORPORA[: options.categories]:
        documents = _training_documents(name, options)
        for size in SIZES:
            runs = [dict(_measured(documents, size, seed)) for seed in range(SEEDS)]
            for system in runs[0]:
                for metric, values in zip(METRICS, zip(*(run[system] for run in runs))):
                    result.rows.append(Row(system, f"{name}, {size}", metric, None, float(np.mean(values))))
    result.notes = [
        f"Means of {SEEDS} draws; {HELD_OUT:,} training documents are held out. The weight of the vector is chosen by"
        f" prequential evidence from the documents learned. Unlabelled text: at most {TEXT:,} other training texts.",
        "An empty cell: fewer than 1,000 documents that are learned make no projection (see the page on text), and"
        " where all documents are learned no text is left.",
    ]
    result.seconds = time.monotonic() - start
    return result


def _training_documents(name: str, options: Options) -> list[Document]:
    if name == "arxiv":
        found = list(load_corpus(name, data=options.data).documents())
        order = np.random.default_rng(0).permutation(len(found))[: len(found) // 2].tolist()
        found = [found[i] for i in order]
    else:
        split = "modapte" if name == "reuters21578" else None
        found, _ = load_corpus(name, split=split, data=options.data).split()
    return [d for d in found if d.labels]


def _measured(documents: list[Document], size: str, seed: int) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield each system with its figures."""
    order = np.random.default_rng(seed).permutation(len(documents)).tolist()
    test, pool = ([documents[i] for i in part] for part in (order[:HELD_OUT], order[HELD_OUT:]))
    learned, rest = _drawn(pool, size)
    systems: dict[str, dict[str, Any]] = {WORDS: {"meaning": None}}
    if len(learned) >= 1000:
        systems[LEARNED] = {"meaning": "corpus"}
    if rest:
        systems[UNLABELLED] = {"unlabelled": [d.zones() for d in rest[:TEXT]]}
    words = 0.0
    for system, settings in systems.items():
        begin = time.perf_counter()
        model = TextClassifier(**settings).fit(learned)
        seconds = time.perf_counter() - begin
        words = words or seconds
        yield system, (*_figures(model, test), seconds / words)


def _drawn(pool: list[Document], size: str) -> tuple[list[Document], list[Document]]:
    """Return the documents to learn and the others."""
    number, _, what = size.replace(",", "").partition(" ")
    if what != "per label":
        n = int(number) if what else len(pool)
        return pool[:n], pool[n:]
    have: dict[str, list[int]] = {}
    for i, d in enumerate(pool):
        for label in d.labels or ():
            have.setdefault(label, []).append(i)
    chosen = {i for places in have.values() if len(places) >= int(number) for i in places[: int(number)]}
    parts: tuple[list[Document], list[Document]] = ([], [])
    for i, d in enumerate(pool):
        parts[i not in chosen].append(d)
    return parts


def _figures(model: TextClassifier, test: list[Document]) -> tuple[float, float, float]:
    """Return micro F1, macro F1 and mean average precision over the labels learned that occur, in per cent."""
    from sklearn.metrics import average_precision_score

    names = model.classes_.tolist()
    known = set(names)
    truth = label_matrix([[c for c in d.labels or () if c in known] for d in test], names).toarray() > 0
    p, decisions = model.decisions(test)
    some = np.flatnonzero(truth.any(axis=0))
    macro = np.mean([f_measure(truth[:, [c]], decisions[:, [c]], "micro") for c in some])
    precision = np.mean([average_precision_score(truth[:, c], p[:, c]) for c in some])
    return 100.0 * f_measure(truth, decisions, "micro"), 100.0 * float(macro), 100.0 * float(precision)
