"""F1 of BOMC learned on shards of Reuters and merged, and of BOMC with small weights set to 0.

The reference is one pass over everything; labels are those with a probability above 1/2.
"""

from __future__ import annotations

import time

from bayesift.evaluate import f_measure
from bayesift.experiments import reuters
from bayesift.experiments.result import Options, Result, Row
from bayesift.learn import BOMC
from bayesift.learn.bomc.shards import learn_in_shards
from bayesift.progress import track

SHARDS, PRUNED = (2, 4, 8, 16), (0.05, 0.2, 0.5, 1.0)


def shards(options: Options) -> Result:
    """Compute F1 of 2 to 16 shards, merged once and in rounds, and of pruned models."""
    start = time.monotonic()
    task = reuters.load(options, "modapte", weight="ltc")
    result = Result("zhang2010-shards", task.corpus)

    def add(system: str, setting: str, model: BOMC) -> None:
        labels = model.predict(task.X_test)
        result.rows.append(Row(system, setting, "micro_f1", None, 100.0 * f_measure(task.Y_test, labels)))
        result.rows.append(Row(system, setting, "macro_f1", None, 100.0 * f_measure(task.Y_test, labels, "macro")))

    add("BOMC", "one pass over everything", BOMC().fit(task.X, task.Y))
    for k in track(SHARDS, "shards"):
        add("merged once", f"{k} shards", learn_in_shards(BOMC(), task.X, task.Y, k, rounds=1))
        add("merged in 8 rounds", f"{k} shards", learn_in_shards(BOMC(), task.X, task.Y, k))
    for below in PRUNED:
        model = BOMC().fit(task.X, task.Y)
        share = model.prune(below)
        result.rows.append(Row("pruned", str(below), "weights set to 0, %", None, 100.0 * share))
        add("pruned", str(below), model)
    result.seconds = time.monotonic() - start
    return result
