"""How long would training take on 16 to 1,024 workers with 10^9 documents, and where do more workers stop paying?

A discrete-event simulation of `DaskTextClassifier`. By labels, batches queue at the network card of the worker that has
them and at the core of each worker that owns labels, which asks for `AHEAD` batches before it needs them. By documents,
each worker learns its shard, factors queue at the cards and cores of the workers that merge a block of labels, and the
merged beliefs go back. A grid does both: a shard per row, a block of labels per column. Constants are measured by one
real worker on half of the documents; then one and two real workers learn all of them, and the simulation of the
same is shown beside what they took. Workers of one machine share its memory and its cores with the scheduler, which is
not simulated, nor are workers that die, other traffic and disks: hours are lower bounds.
"""

from __future__ import annotations

import argparse
import heapq
import json
import logging
import math
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from _run import show
from bayesift.beliefs.diagonal import BLOCK
from bayesift.classify.blocks.fitting import SAMPLE
from bayesift.cluster.label_block import blocks_of_labels
from bayesift.cluster.training import AHEAD
from bayesift.cluster.vocabularies import GROUP
from bayesift.learn.bomc.shards import turns_of
from bayesift.report.charts import Series, lines
from large import LABELS, documents

FILES = 8
STEADY = 256  # batches after which the rest goes on as these did
PER_BATCH = 50_000  # documents
COMPUTE = "compute"


@dataclass(frozen=True)
class Constants:
    """What one real worker took: seconds, and bytes."""

    count: float  # to read and count a document
    vector: float  # to make its vector
    kernel: float  # to learn one of its words for `BLOCK` labels, one way
    shard: float  # the same in a shard
    terms: float  # to merge one term of a vocabulary
    factor: float  # to merge one number of a factor
    task: float  # of a task, beside its work
    fixed: float  # of the client, whatever the number of documents
    words: float  # different words of a document
    bandwidth: float  # bytes per second of a network card

    @property
    def document_bytes(self) -> float:
        """Bytes of a document's vector on the wire: a column and a weight for each word, and its labels."""
        return 8.0 * self.words + 16.0


@dataclass(frozen=True)
class Job:
    """What is trained."""

    documents: int
    labels: int
    features: int
    batches: int

    @property
    def each(self) -> float:
        """Documents of a batch."""
        return self.documents / self.batches


def slabs(labels: int) -> int:
    """Return how many blocks of the kernels labels and the unseen one fill."""
    return -(-(labels + 1) // BLOCK)


def prepared(job: Job, workers: int, c: Constants) -> float:
    """Return the seconds until all vectors are made and the settings chosen."""
    rounds = math.ceil(job.batches / workers)
    counted = rounds * (job.each * c.count + 3 * c.task)
    levels = max(1, math.ceil(math.log(job.batches, GROUP)))
    merged = levels * GROUP * min(job.features, _heaps(job.each * c.words)) * c.terms if job.batches > 1 else 0.0
    made = rounds * (job.each * c.vector + c.task)
    chosen = 4 * min(job.documents, SAMPLE) * c.words * slabs(min(job.labels, 256)) * c.kernel / (os.cpu_count() or 1)
    return counted + merged + made + chosen + c.fixed


def by_labels(job: Job, workers: int, c: Constants) -> tuple[float, float]:
    """Return seconds and bytes moved with a block of labels per worker."""
    parts = blocks_of_labels(job.labels, workers)
    work = [job.each * c.words * slabs(last - first) * c.kernel + c.task for first, last in parts]
    steps = 2 * job.batches
    shown = min(steps, STEADY)
    done = learned(work, shown, workers, job.each * c.document_bytes / c.bandwidth)
    if steps > shown:
        half = learned(work, shown // 2, workers, job.each * c.document_bytes / c.bandwidth)
        done += (done - half) / (shown - shown // 2) * (steps - shown)
    result = 8.0 * job.features * job.labels
    moved = steps * job.each * c.document_bytes * (len(parts) - len(parts) / workers) + result
    return prepared(job, workers, c) + done + result / c.bandwidth, moved


def learned(work: list[float], steps: int, workers: int, send: float) -> float:
    """Return when all owners have learned so many batches: events in the order of time.

    `work` is the seconds of a batch for each owner, `send` those of its way from one card to another.
    """
    homes = np.random.default_rng(0).integers(0, workers, steps)
    card = [0.0] * workers  # when each is free to send
    core = [0.0] * len(work)
    arrived: list[dict[int, float]] = [{} for _ in work]
    next_of = [0] * len(work)
    events = [(0.0, owner, step) for step in range(min(AHEAD, steps)) for owner in range(len(work))]
    heapq.heapify(events)
    while events:  # an owner asks for a batch
        now, owner, step = heapq.heappop(events)
        home = int(homes[step])
        if home == owner:
            arrived[owner][step] = now
        else:
            card[home] = max(card[home], now) + send
            arrived[owner][step] = card[home]
        while next_of[owner] in arrived[owner]:  # it learns in order
            at = next_of[owner]
            core[owner] = max(core[owner], arrived[owner].pop(at)) + work[owner]
            next_of[owner] += 1
            if at + AHEAD < steps:
                heapq.heappush(events, (core[owner], owner, at + AHEAD))
    return max(core)


def by_documents(job: Job, workers: int, c: Constants, columns: int = 1) -> tuple[float, float]:
    """Return seconds and bytes moved with a shard of documents per row of a grid, and a block of labels per column."""
    rows = max(1, workers // columns)
    labels = -(-job.labels // columns)
    own = job.documents / rows
    features = min(job.features, _heaps(own * c.words))
    pass_seconds = own * c.words * slabs(labels) * c.shard + 2 * c.task
    factor, belief = 16.0 * features * labels, 16.0 * job.features * labels
    seconds = moved = 0.0
    for turn in turns_of(rows):
        n = len(turn.workers)
        others = n if n < rows else n - 1
        # Factors queue at the card and at the core of the worker that merges; what is merged goes on from card to card.
        merge = others * factor / c.bandwidth + rows * features * labels * 2 * c.factor + c.task
        back = math.ceil(math.log2(n + 1)) * belief / c.bandwidth if n > 1 else 0.0
        seconds += pass_seconds + merge + back
        moved += columns * (others * factor + (n - 1) * belief)
    moved += job.documents * c.document_bytes * (columns - 1)
    return prepared(job, workers, c) + seconds, moved + 8.0 * job.features * job.labels


def in_grid(job: Job, workers: int, c: Constants) -> tuple[float, float]:
    """Return the best grid of shards and blocks of labels."""
    columns = [2**k for k in range(int(math.log2(workers)) + 1) if 2**k * BLOCK <= max(job.labels, BLOCK)]
    return min(by_documents(job, workers, c, n) for n in columns)


def _heaps(words: float) -> float:
    """Return how many different words a text of so many has."""
    return 20.0 * math.sqrt(words)


def run_real(folder: Path, files: int, workers: int, shards: int | None) -> tuple[float, dict[str, float], Any]:
    """Train on real workers; return seconds, the seconds of each kind of task, and the model."""
    from dask.utils import key_split
    from distributed import Client, LocalCluster, get_task_stream

    from bayesift.cluster import DaskTextClassifier

    paths = sorted(folder.glob("part*.jsonl"))[:files]
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
        ) as cluster,
        Client(cluster) as client,
    ):
        DaskTextClassifier(client, shards=shards).fit([folder / "warm.jsonl"] * workers)
        start = time.perf_counter()
        client.gather([client.submit(abs, k, pure=False) for k in range(200)])
        tasks = {"task": (time.perf_counter() - start) / 200}
        with get_task_stream(client) as stream:
            start = time.perf_counter()
            model = DaskTextClassifier(client, shards=shards).fit(paths).to_local()
            seconds = time.perf_counter() - start
        found: dict[str, float] = defaultdict(float)
        for task in stream.data:
            for part in task["startstops"]:
                if part["action"] == COMPUTE:
                    found[key_split(task["key"])] += part["stop"] - part["start"]
    return seconds, found | tasks, model


def measured(folder: Path, n: int, bandwidth: float) -> Constants:
    """Measure one worker on half of n documents."""
    half, files = n // 2, FILES // 2
    seconds, took, model = run_real(folder, files, 1, None)
    _, shard_took, _ = run_real(folder, files, 1, 1)
    terms = model.vectorizer_.vocabulary_.n_columns
    words = float(model.vectorizer_.document_frequency_.sum()) / half
    blocks = slabs(LABELS)
    kernel = took["learn"] / (2 * half * words * blocks)
    turns = len(turns_of(1))
    shard = shard_took["learn"] / (turns * half * words * blocks)
    factor = shard_took["belief"] / ((turns + 1) * terms * (LABELS + 1) * 2)
    per_part = GROUP * min(terms, _heaps(half / files * words))
    first = Constants(
        took["count_partition"] / half, took["batch"] / half, kernel, shard, took["merged"] / per_part, factor,
        took["task"], 0.0, words, bandwidth,
    )  # fmt: skip
    told = by_labels(Job(half, LABELS, terms, files), 1, first)[0]
    return Constants(**(first.__dict__ | {"fixed": max(0.0, seconds - told)}))


def validated(folder: Path, n: int, c: Constants) -> list[dict[str, Any]]:
    """Return what one and two real workers took beside what is simulated."""
    rows = []
    ways: list[tuple[str, bool, Callable[..., tuple[float, float]]]]
    ways = [("labels", False, by_labels), ("documents", True, by_documents)]
    for workers in (1, 2):
        for name, sharded, simulate in ways:
            seconds, _, model = run_real(folder, FILES, workers, workers if sharded else None)
            job = Job(n, LABELS, model.vectorizer_.vocabulary_.n_columns, FILES)
            told = simulate(job, workers, c)[0]
            row = {"workers": workers, "by": name, "measured_s": seconds, "simulated_s": told}
            rows.append(row | {"simulated/measured": told / seconds})
    return rows


def predicted(job: Job, c: Constants, price: float) -> tuple[list[dict[str, Any]], str, list[Series]]:
    """Return hours, traffic and cost for 16 to 1,024 workers, where each way stops paying, and curves.

    It stops where twice as many workers save less than a fifth of the time.
    """
    rows, stops, series = [], [], []
    for name, simulate in (("labels", by_labels), ("documents", by_documents), ("grid", in_grid)):
        counts = [16, 32, 64, 128, 256, 512, 1024]
        found = [simulate(job, workers, c) for workers in counts]
        for workers, (seconds, moved) in zip(counts, found):
            row = {"workers": workers, "by": name, "hours": seconds / 3600, "terabytes": moved / 1e12}
            rows.append(row | {"cost": workers * seconds / 3600 * price})
        hours = [seconds / 3600 for seconds, _ in found]
        gains = [before / after for before, after in pairwise(hours)]
        stop = next((workers for workers, gain in zip(counts, gains) if gain < 1.25), counts[-1])
        stops.append(f"{name}: {stop}")
        series.append(Series(f"by {name}" if name != "grid" else "grid", counts, hours, markers=True))
    return rows, f"more workers stop paying at: {', '.join(stops)}", series


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    parser.add_argument("--plot", type=Path, help="write the chart here, as SVG")
    parser.add_argument("--documents", type=float, default=1e9)
    parser.add_argument("--labels", type=int, default=1_000)
    parser.add_argument("--features", type=float, default=1e6)
    parser.add_argument("--price", type=float, default=0.05, help="of one core for an hour")
    parser.add_argument("--bandwidth", type=float, default=1.25e9, help="bytes per second of a network card")
    parser.add_argument("--real-documents", type=int, default=40_000)
    given = parser.parse_args()
    n = given.real_documents
    with tempfile.TemporaryDirectory() as place:
        folder, source = Path(place), documents(n)
        for k in range(FILES):
            with (folder / f"part{k}.jsonl").open("w") as out:
                out.writelines(json.dumps(next(source)) + "\n" for _ in range(n // FILES))
        with (folder / "warm.jsonl").open("w") as out:
            out.writelines(json.dumps(d) + "\n" for d in documents(500, seed=9))
        constants = measured(folder, n, given.bandwidth)
        rows = validated(folder, n // FILES * FILES, constants)
    job = Job(int(given.documents), given.labels, int(given.features), math.ceil(given.documents / PER_BATCH))
    more, stops, series = predicted(job, constants, given.price)
    notes = [f"{job.documents:,} documents, {job.labels:,} labels, {job.features:,} terms", stops, str(constants)]
    if given.plot:
        chart = lines(series, x_log=True, y_log=True, x_label="workers", y_label="hours", title=stops, standalone=True)
        given.plot.write_text(chart, encoding="utf-8")
    show(rows + more, notes, given.json)


if __name__ == "__main__":
    main()
