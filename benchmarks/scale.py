"""How long would training take on 16 to 1,024 workers with 10^9 documents, and where do more workers stop paying?

A discrete-event simulation of `DaskTextClassifier`. By labels, batches queue at the network card of the worker that has
them and at the core of each worker that owns labels, which asks for `AHEAD` batches before it needs them. By documents,
each worker learns its shard, factors queue at the cards and cores of the workers that merge a block of labels, and the
merged beliefs go back. A grid does both: a shard per row, a block of labels per column.

Constants are measured first: by one real worker on half of the documents, by kernels in this process, by a belief that
is sent from one worker to another, and by two workers that learn at the same time: they share the caches, the memory
and, with what else runs here, the cores of this machine. Then one and two real workers learn all documents, and the
simulation of the same is shown beside what they took: the fastest of `REPEAT` runs. Simulated workers have machines of
their own. Workers that die, other traffic and disks are not simulated: hours are lower bounds.
"""

from __future__ import annotations

import argparse
import contextlib
import heapq
import json
import logging
import math
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from _run import show
from bayesift.arrays import label_matrix
from bayesift.beliefs.diagonal import BLOCK
from bayesift.beliefs.gaussian import Gaussian
from bayesift.classify.blocks import fitting
from bayesift.classify.blocks.counted import blocks_for
from bayesift.classify.blocks.fitting import SAMPLE
from bayesift.cluster.label_block import blocks_of_labels
from bayesift.cluster.training import AHEAD
from bayesift.cluster.vocabularies import GROUP
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.bomc.shards import turns_of
from bayesift.report.charts import Series, lines
from large import LABELS, documents

FILES = 8
STEADY = 256  # batches after which the rest goes on as these did
PER_PARTITION = 50_000  # documents
SENT = 1 << 26  # bytes
REPEAT = 3  # runs of which the fastest counts, since other programs use the machine too
COMPUTE = "compute"


@dataclass(frozen=True)
class Constants:
    """What one real worker took: seconds, and bytes."""

    count: float  # to read and count a document
    vector: float  # to make its vector
    kernel: float  # to learn one of its words for `BLOCK` labels, one way
    copy: float  # to copy the weights of one term for `BLOCK` labels, once per batch
    choose: float  # of the client, for one word of a document of the sample and `BLOCK` labels
    terms: float  # to merge one term of a vocabulary
    dense: float  # of a shard in a round, for one weight
    begin: float  # to make the prior, and to return the result, for one weight
    shard: float  # to make a shard that has said nothing, for one weight
    factor: float  # to merge one weight
    task: float  # of a task, beside its work
    fixed: float  # of the client, whatever the number of documents
    words: float  # different words of a document
    growth: float  # different words of a text, by the square root of its words
    bandwidth: float  # bytes per second from one worker to another
    together: float  # times as long if two workers of one machine compute at the same time

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
    partitions: int  # in which documents are counted
    batches: int  # in which they are learned

    @classmethod
    def of(cls, documents: int, labels: int, features: int, partitions: int, words: float) -> Job:
        """Return it with the batches that `DaskTextClassifier` makes."""
        batches = blocks_for(documents, int(documents * words), labels)
        return cls(documents, labels, features, partitions, max(1, min(batches, partitions)))

    @property
    def each(self) -> float:
        """Documents of a batch."""
        return self.documents / self.batches


def slabs(labels: int) -> int:
    """Return how many blocks of the kernels labels and the unseen one fill."""
    return -(-(labels + 1) // BLOCK)


def prepared(job: Job, workers: int, c: Constants) -> float:
    """Return the seconds until all vectors are made and the settings chosen."""
    rounds, part = math.ceil(job.partitions / workers), job.documents / job.partitions
    slower = c.together if workers > 1 else 1.0
    counted = rounds * (part * c.count * slower + 3 * c.task)
    levels = max(1, math.ceil(math.log(job.partitions, GROUP)))
    merged = levels * GROUP * min(job.features, _different(part * c.words, c)) * c.terms if job.partitions > 1 else 0.0
    made = math.ceil(job.batches / workers) * (job.each * c.vector * slower + 2 * c.task)
    sample = min(job.documents, SAMPLE)
    chosen = sample * (c.words * slabs(min(job.labels, 256)) * c.choose + c.document_bytes / c.bandwidth)
    return counted + merged + made + chosen + c.fixed


def by_labels(job: Job, workers: int, c: Constants) -> tuple[float, float]:
    """Return seconds and bytes moved with a block of labels per worker."""
    parts = blocks_of_labels(job.labels, workers)
    terms = min(job.features, _different(job.each * c.words, c))
    each = (job.each * c.words * c.kernel + terms * c.copy) * (c.together if len(parts) > 1 else 1.0)
    work = [slabs(last - first) * each + c.task for first, last in parts]
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
    features = min(job.features, _different(own * c.words, c))
    weights, all_weights = features * (labels + 1), job.features * (labels + 1)
    pass_seconds = slabs(labels) * (own * c.words * c.kernel + features * c.copy) + weights * c.dense
    factor, belief = 16.0 * weights, 16.0 * all_weights
    seconds = all_weights * (c.begin + c.factor) + weights * c.shard + 8.0 * all_weights * columns / c.bandwidth
    seconds += (belief + own * c.document_bytes) / c.bandwidth if rows > 1 else 0.0  # the prior and documents get there
    moved = columns * rows * belief
    for turn in turns_of(rows):
        n = len(turn.workers)
        others = n if n < rows else n - 1
        # Factors queue at the card and at the core of the worker that merges; what is merged goes on from card to card.
        merge = others * factor / c.bandwidth + (all_weights + rows * weights) * c.factor + c.task
        back = max(1, math.ceil(math.log2(n))) * belief / c.bandwidth if rows > 1 else 0.0
        seconds += pass_seconds * (c.together if n * columns > 1 else 1.0) + 2 * c.task + merge + back
        moved += columns * (others * factor + (n - 1) * belief)
    moved += job.documents * c.document_bytes * (columns - 1)
    return prepared(job, workers, c) + seconds, moved + 8.0 * job.features * job.labels


def in_grid(job: Job, workers: int, c: Constants) -> tuple[float, float]:
    """Return the best grid of shards and blocks of labels."""
    columns = [2**k for k in range(int(math.log2(workers)) + 1) if 2**k * BLOCK <= max(job.labels, BLOCK)]
    return min(by_documents(job, workers, c, n) for n in columns)


def _different(words: float, c: Constants) -> float:
    """Return how many different words a text of so many has."""
    return c.growth * math.sqrt(words)


def run_real(folder: Path, files: int, workers: int, shards: int | None) -> tuple[float, dict[str, float], Any]:
    """Train on real workers; return seconds, the seconds of each kind of task, and the model, of the fastest run."""
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
        task_seconds, runs = (time.perf_counter() - start) / 200, []
        for _ in range(REPEAT):
            found: dict[str, float] = defaultdict(float, task=task_seconds)
            with get_task_stream(client) as stream, chosen_in(found):
                start = time.perf_counter()
                model = DaskTextClassifier(client, shards=shards).fit(paths).to_local()
                seconds = time.perf_counter() - start
            for task in stream.data:
                for part in task["startstops"]:
                    if part["action"] == COMPUTE:
                        found[key_split(task["key"])] += part["stop"] - part["start"]
            runs.append((seconds, found, model))
    return min(runs, key=lambda run: run[0])


@contextlib.contextmanager
def chosen_in(found: dict[str, float]) -> Iterator[None]:
    """Note the seconds in which the client chooses settings."""
    choose = fitting.chosen_settings

    def timed(*given: Any) -> Any:
        start = time.perf_counter()
        result = choose(*given)
        found["choose"] = time.perf_counter() - start
        return result

    fitting.chosen_settings = timed
    try:
        yield
    finally:
        fitting.chosen_settings = choose


def measured_pair(model: Any, texts: list[dict[str, Any]]) -> tuple[float, float]:
    """Return the bytes per second from one worker of this machine to another, and how much both slow each other."""
    from distributed import Client, LocalCluster, wait

    def belief(n: int) -> Gaussian:
        return Gaussian(np.ones((n, 16)), np.ones((n, 16)))

    def size(found: Gaussian) -> int:
        return found.precision.size

    def learn(rows: Any, labels: Any) -> float:
        learner = BOMC(threads=1)
        learner.learn_prequential(rows, labels, np.arange(rows.shape[0]))
        start = time.perf_counter()
        for _ in range(2):
            learner.learn_prequential(rows, labels, np.arange(rows.shape[0]))
        return time.perf_counter() - start

    work = model.vectorize(texts), label_matrix([d["labels"] for d in texts], model.classes_.tolist())
    settings = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.ERROR}
    with LocalCluster(n_workers=2, **settings) as cluster, Client(cluster) as client:
        one, other = sorted(client.scheduler_info(n_workers=-1)["workers"])
        rates = []
        for _ in range(4):  # the first one connects them
            sent = client.submit(belief, SENT // 256, workers=[one], pure=False)
            wait(sent)
            start = time.perf_counter()
            client.submit(size, sent, workers=[other], pure=False).result()
            rates.append(SENT / (time.perf_counter() - start))
        given = client.scatter(work, broadcast=True)

        def taken(*workers: str) -> float:
            return max(client.gather([client.submit(learn, *given, workers=[w], pure=False) for w in workers]))

        taken(one, other)  # compiled
        slower = [taken(one, other) / taken(one) for _ in range(REPEAT)]
    return float(np.median(rates[1:])), max(1.0, float(np.median(slower)))


def measured_copy(model: Any, texts: list[dict[str, Any]]) -> float:
    """Return the seconds to copy the weights of a term for `BLOCK` labels, by learning few documents and many."""
    rows, features = model.vectorize(texts), model.vectorizer_.vocabulary_.n_columns
    labels = label_matrix([d["labels"] for d in texts], model.classes_.tolist())
    every = sparse.csr_matrix(np.ones((1, features), np.float32))  # one document with all terms: all are copied
    seconds = []
    for n in (rows.shape[0] // 8, rows.shape[0]):
        some, marked = sparse.vstack([every, rows[:n]], "csr"), sparse.vstack([labels[:1], labels[:n]], "csr")
        best = math.inf
        for _ in range(3):
            learner = BOMC(threads=1)
            learner.learn_prequential(some, marked, np.arange(n + 1))  # all weights are there now
            start = time.perf_counter()
            learner.learn_prequential(some, marked, np.arange(n + 1))
            best = min(best, time.perf_counter() - start)
        seconds.append(best)
    each = (seconds[1] - seconds[0]) / (rows.shape[0] - rows.shape[0] // 8)
    return max(0.0, seconds[0] - each * (rows.shape[0] // 8)) / (features * slabs(LABELS))


def measured(folder: Path, n: int) -> Constants:
    """Measure one worker on half of n documents, kernels, and what goes from worker to worker."""
    half, files = n // 2, FILES // 2
    seconds, took, model = run_real(folder, files, 1, None)
    _, shard_took, _ = run_real(folder, files, 1, 1)
    bandwidth, together = measured_pair(model, list(documents(half)))
    terms = model.vectorizer_.vocabulary_.n_columns
    words = float(model.vectorizer_.document_frequency_.sum()) / half
    growth, blocks, turns = terms / math.sqrt(half * words), slabs(LABELS), len(turns_of(1))
    copy = measured_copy(model, list(documents(half)))
    job = Job.of(half, LABELS, terms, files, words)
    kernel = max(0.0, took["learn"] / 2 - job.batches * terms * blocks * copy) / (half * words * blocks)
    weights = terms * (LABELS + 1)
    learned = half * words * blocks * kernel + terms * blocks * copy
    found = Constants(
        count=took["count_partition"] / half,
        vector=(took["together"] + took["batch"]) / half,
        kernel=kernel,
        copy=copy,
        choose=took["choose"] / (half * words * blocks),
        terms=took["merged"] / (GROUP * min(terms, growth * math.sqrt(half / files * words))),
        dense=max(0.0, shard_took["learn"] / turns - learned) / weights,
        begin=(shard_took["of"] + shard_took["parts"]) / weights,
        shard=(shard_took["shard"] + shard_took["nothing"]) / weights,
        factor=shard_took["belief"] / ((turns + 1) * 2 * weights),
        task=took["task"],
        fixed=0.0,
        words=words,
        growth=growth,
        bandwidth=bandwidth,
        together=together,
    )
    return replace(found, fixed=max(0.0, seconds - by_labels(job, 1, found)[0]))


def validated(folder: Path, n: int, c: Constants) -> list[dict[str, Any]]:
    """Return what one and two real workers took beside what is simulated."""
    rows = []
    ways: list[tuple[str, bool, Callable[..., tuple[float, float]]]]
    ways = [("labels", False, by_labels), ("documents", True, by_documents)]
    for workers in (1, 2):
        for name, sharded, simulate in ways:
            seconds, _, model = run_real(folder, FILES, workers, workers if sharded else None)
            job = Job.of(n, LABELS, model.vectorizer_.vocabulary_.n_columns, FILES, c.words)
            told = simulate(job, workers, c)[0]
            row = {"workers": workers, "by": name, "measured_s": seconds, "simulated_s": told}
            rows.append(row | {"simulated/measured": told / seconds})
    return rows


def predicted(job: Job, c: Constants, price: float) -> list[dict[str, Any]]:
    """Return hours, traffic and cost for 16 to 1,024 workers."""
    rows = []
    for name, simulate in (("labels", by_labels), ("documents", by_documents), ("grid", in_grid)):
        for workers in (16, 32, 64, 128, 256, 512, 1024):
            seconds, moved = simulate(job, workers, c)
            row = {"workers": workers, "by": name, "hours": seconds / 3600, "terabytes": moved / 1e12}
            rows.append(row | {"cost": workers * seconds / 3600 * price})
    return rows


def stops_of(rows: list[dict[str, Any]]) -> str:
    """Return a sentence on where each way stops paying: twice as many workers save less than a fifth of the time."""
    stops = []
    for name in ("labels", "documents", "grid"):
        own = [row for row in rows if row["by"] == name and "hours" in row]
        stop = next((a["workers"] for a, b in pairwise(own) if a["hours"] / b["hours"] < 1.25), None)
        stops.append(f"{name}: {stop or 'not up to ' + str(own[-1]['workers'])}")
    return f"more workers stop paying at: {', '.join(stops)}"


def chart(rows: list[dict[str, Any]], title: str) -> str:
    """Return hours by number of workers as SVG."""
    series = []
    for name in ("labels", "documents", "grid"):
        own = [row for row in rows if row["by"] == name and "hours" in row]
        x, y = [row["workers"] for row in own], [row["hours"] for row in own]
        series.append(Series(f"by {name}" if name != "grid" else "grid", x, y, markers=True))
    axes: dict[str, Any] = {"x_log": True, "y_log": True, "x_label": "workers", "y_label": "hours"}
    return lines(series, **axes, title=title, standalone=True, width=560, height=340)


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
        constants = measured(folder, n)
        rows = validated(folder, n // FILES * FILES, constants)
    constants = replace(constants, bandwidth=min(constants.bandwidth, given.bandwidth), together=1.0)
    partitions = math.ceil(given.documents / PER_PARTITION)
    job = Job.of(int(given.documents), given.labels, int(given.features), partitions, constants.words)
    more = predicted(job, constants, given.price)
    stops = stops_of(more)
    notes = [f"{job.documents:,} documents, {job.labels:,} labels, {job.features:,} terms", stops, str(constants)]
    if given.plot:
        given.plot.write_text(chart(more, stops), encoding="utf-8")
    show(rows + more, notes, given.json)


if __name__ == "__main__":
    main()
