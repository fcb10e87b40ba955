"""F1 of BOMC learned on shards of documents and merged, and of BOMC with small weights set to 0.

The reference is one pass over everything; labels are those with a probability above 1/2. Reuters is also merged once,
without rounds, and pruned.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from bayesift.arrays import label_matrix
from bayesift.corpora import load_corpus
from bayesift.evaluate import f_measure
from bayesift.experiments import reuters
from bayesift.experiments.result import Options, Result, Row
from bayesift.learn import BOMC
from bayesift.learn.bomc.shards import learn_in_shards
from bayesift.progress import track
from bayesift.text import TextVectorizer

SHARDS, PRUNED = (2, 4, 8, 16, 64), (0.05, 0.2, 0.5, 1.0)
MANY = (16, 64)  # shards of the other corpora
Sides = tuple[Any, Any, Any, Any]


def shards(options: Options) -> Result:
    """Compute F1 of 2 to 64 shards, merged once and in rounds, and of pruned models."""
    start = time.monotonic()
    task = reuters.load(options, "modapte", weight="ltc")
    result = Result("zhang2010-shards", task.corpus)
    sides = task.X, task.Y, task.X_test, task.Y_test
    _add(result, "BOMC", "one pass over everything", BOMC().fit(task.X, task.Y), sides)
    for k in track(SHARDS, "shards"):
        _add(result, "merged once", f"{k} shards", learn_in_shards(BOMC(), task.X, task.Y, k, rounds=1), sides)
        _add(result, "merged in rounds", f"{k} shards", learn_in_shards(BOMC(), task.X, task.Y, k), sides)
    for below in PRUNED:
        model = BOMC().fit(task.X, task.Y)
        share = model.prune(below)
        result.rows.append(Row("pruned", str(below), "weights set to 0, %", None, 100.0 * share))
        _add(result, "pruned", str(below), model, sides)
    for name, other in _others(options):
        X, Y, *_ = other
        _add(result, f"{name}: BOMC", "one pass over everything", BOMC().fit(X, Y), other)
        for k in track(MANY, name):
            _add(result, f"{name}: merged in rounds", f"{k} shards", learn_in_shards(BOMC(), X, Y, k), other)
    result.seconds = time.monotonic() - start
    return result


def _add(result: Result, system: str, setting: str, model: BOMC, sides: Sides) -> None:
    *_, X_test, Y_test = sides
    labels = model.predict(X_test)
    result.rows.append(Row(system, setting, "micro_f1", None, 100.0 * f_measure(Y_test, labels)))
    result.rows.append(Row(system, setting, "macro_f1", None, 100.0 * f_measure(Y_test, labels, "macro")))


def _others(options: Options) -> Iterator[tuple[str, Sides]]:
    corpus = load_corpus("ohsumed91", split="split20000", data=options.data)
    train, test = corpus.split()
    vectorizer = TextVectorizer(weight="ltc")
    Y, Y_test = (label_matrix([d.labels or () for d in side], corpus.labels) for side in (train, test))
    yield "OHSUMED-91", (vectorizer.fit_transform(train), Y, vectorizer.transform(test), Y_test)
    first, second = load_corpus("rcv1", data=options.data).vectors().draw(train=20_000, seed=0)
    yield "RCV1 sample", (first.X, first.Y, second.X, second.Y)
