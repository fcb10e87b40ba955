"""When to stop a review: coverage of the interval of the unread, and what each stopping rule misses and reads.

Simulated reviews of two sources: the five SYNERGY reviews, from `SEEDS` pairs of known records each, and pools made of
three labelled corpora (`made_pools`), each once. Records are ranked by `PoolRanker`, which learns after each record at
first, later after each twentieth more. A rule errs where it stops with less than 95 % found.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bayesift.corpora.synergy import REVIEWS
from bayesift.experiments.made_pools import MadePool, made_pools
from bayesift.experiments.result import Options, Result, Row
from bayesift.experiments.simulated_review import learn_after, place, read_by_rank, reading_of, synergy_pools
from bayesift.filtering.screening.certified import certify
from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.remaining import estimate_remaining
from bayesift.filtering.screening.stopping import StoppingRule, draw, random_share
from bayesift.progress import track

SEEDS, POOLS, POOL_SEED = 5, 90, 19  # not the pools on which the weights were fitted
PROCESSES = 2
SHARES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
GOAL = 0.95
RULES = {
    "model, 95 % certain": StoppingRule(method="model"),
    "50 irrelevant in a row": StoppingRule(method="in-a-row", in_a_row=50),
    "100 irrelevant in a row": StoppingRule(method="in-a-row", in_a_row=100),
    "half of the pool": StoppingRule(method="share", share=0.5),
}
CERTIFIED, CERTAIN = "certified, 95 % certain", StoppingRule()
ORACLE = "oracle: 95 % just found"
FOUND = (10, 20, 50, 100, 200, 500, 1000)
NEEDED = ((500, 0.95), (2000, 0.95), (10000, 0.95), (2000, 0.9), (2000, 0.8))  # unread, recall to prove
NOTES = (
    "Coverage: the share of intervals of 95 % that contain the number of unread relevant records. The settings of the"
    " estimate were chosen on Oud, Nelson, Meijboom and on other pools made of the same three corpora; Donners and"
    " Jeyaraman chose nothing, but earlier settings were measured on them, too.",
    f"Of {POOLS} pools, intervals that hold with a probability of 95 % hold in 95 % with a standard error of"
    f" {100 * math.sqrt(0.95 * 0.05 / POOLS):.1f} points. The runs of a review differ little, so the coverage of five"
    " reviews moves in steps of about 20 points.",
    "A rule errs where it stops with less than 95 % of the relevant records found. Read: share of the pool, records"
    " known beforehand included.",
    "Opponents: rankers that put the relevant records last, or some of them; pools of 400 records without text, with 40"
    " relevant ones, of which the draws begin when half of the pool is read.",
    "Draws needed: random records, none of them relevant, that prove that the share is found, with 95 % certainty.",
)


@dataclass
class Counts:
    """Sums over simulated reviews: intervals that hold, and recall and share read of each rule where it stops."""

    held: dict[float, list[bool]] = field(default_factory=dict)
    stops: dict[str, list[tuple[float, float]]] = field(default_factory=dict)  # recall, share read

    def add(self, name: str, reading: Reading, total: int) -> None:
        """Count that a rule stopped here."""
        self.stops.setdefault(name, []).append((reading.found / total, reading.read / reading.pool))

    def join(self, others: Counts) -> None:
        """Add the counts of other reviews."""
        for share, held in others.held.items():
            self.held.setdefault(share, []).extend(held)
        for rule, stops in others.stops.items():
            self.stops.setdefault(rule, []).extend(stops)


def table(options: Options) -> Result:
    """Simulate all reviews and pools."""
    start = time.monotonic()
    few = options.categories
    result = Result(
        "screening-stop", f"synergy ({len(REVIEWS)} reviews), {POOLS} pools of ohsumed91, reuters21578, arxiv"
    )
    parts = {
        "reviews": synergy_pools(REVIEWS[:few], 1 if few else SEEDS, options.data),
        "made pools": made_pools(few or POOLS, POOL_SEED, options.data),
    }
    with ProcessPoolExecutor(PROCESSES) as processes:
        for part, pools in parts.items():
            counts, chosen = Counts(), list(pools)
            for found in track(processes.map(_review, chosen, range(len(chosen))), part, len(chosen)):
                counts.join(found)
            result.rows += _rows(part, counts)
    result.rows += [*_opponents(20 if few else 400), *_needed()]
    result.notes = list(NOTES)
    result.seconds = time.monotonic() - start
    return result


def _review(pool: MadePool, seed: int) -> Counts:
    """Read a pool by rank to the end, and once more with the random draws of a certified rule."""
    counts = Counts()
    truth, total = pool.relevant, int(pool.relevant.sum())
    ranker = PoolRanker(pool.texts, seed=seed)
    vectors = ranker.vectors()
    waiting, draws_from, oracle = dict(RULES), None, True
    order: list[int] = []
    for order in read_by_rank(ranker, truth, seed, SHARES):
        reading = reading_of(ranker.probabilities(), truth, order)
        if share := next((s for s in SHARES if reading.read == place(s, truth.size)), None):
            e = estimate_remaining(reading)
            counts.held.setdefault(share, []).append(e.low <= total - reading.found <= e.high)
        for name, rule in list(waiting.items()):
            if rule.state(reading).stop:
                counts.add(name, reading, total)
                del waiting[name]
        if draws_from is None and random_share(reading, CERTAIN) > 0.0:
            draws_from = list(order)
        if oracle and reading.found >= GOAL * total:
            counts.add(ORACLE, reading, total)
            oracle = False
    again = PoolRanker.from_vectors(vectors, seed=seed)
    counts.add(CERTIFIED, _certified(again, truth, draws_from or order, seed), total)
    return counts


def _certified(ranker: PoolRanker, truth: NDArray[np.bool_], order: list[int], seed: int) -> Reading:
    """Go on from the records read by rank as a certified rule asks, until it stops; return the reading."""
    order, sources = list(order), ["ranked"] * (len(order) - 2)
    while True:
        ranker.learn(order, truth[order])
        probabilities, ranked = ranker.probabilities(), ranker.order()
        reading = reading_of(probabilities, truth, order, sources)
        drawing = random_share(reading, CERTAIN) > 0.0  # until the ranker learns again
        for _ in range(max(1, learn_after(order, truth))):
            if certify(reading, GOAL).holds:
                return reading
            record = draw(ranked, len(order), seed) if drawing else int(ranked[0])
            order.append(record)
            sources.append("random" if drawing else "ranked")
            ranked = ranked[ranked != record]
            reading = reading_of(probabilities, truth, order, sources)


def _rows(part: str, counts: Counts) -> list[Row]:
    rows = [
        Row(part, f"{100 * share:.0f} % read", "coverage, %", None, _percent(counts.held[share])) for share in SHARES
    ]
    rows.append(
        Row(part, "all", "coverage, %", None, _percent([held for share in SHARES for held in counts.held[share]]))
    )
    for rule in (ORACLE, CERTIFIED, *RULES):
        recall, read = np.array(counts.stops[rule]).T
        rows.append(Row(rule, part, "errs, %", None, _percent(recall < GOAL - 1e-9)))
        rows.append(Row(rule, part, "recall, %", None, _percent(recall)))
        rows.append(Row(rule, part, "read, %", None, _percent(read)))
    return rows


def _percent(values: object) -> float:
    return float(100.0 * np.mean(np.asarray(values, np.float64)))


def _opponents(reviews: int) -> list[Row]:
    """Simulate rankers that hide relevant records; no estimate could notice, but draws do."""
    size, relevant, rows = 400, 40, []
    orders = {"relevant ones last": np.arange(size) >= size - relevant, "a tenth hidden": _hidden(size, relevant)}
    for name, order in orders.items():
        rng, counts = np.random.default_rng(0), Counts()
        for _ in range(reviews):
            found = np.append(order[: size // 2], rng.permutation(order[size // 2 :]))
            sources = ["ranked"] * (size // 2) + ["random"] * (size - size // 2)
            stop, wrong = size, size // 2 - 1  # a certificate that holds goes on holding
            while stop - wrong > 1:
                middle = (stop + wrong) // 2
                holds = certify(Reading(found[:middle], sources[:middle], size), GOAL).holds
                stop, wrong = (middle, wrong) if holds else (stop, middle)
            counts.add(CERTIFIED, Reading(found[:stop], sources[:stop], size), relevant)
        recall, read = np.array(counts.stops[CERTIFIED]).T
        rows += [
            Row(CERTIFIED, name, "errs, %", None, _percent(recall < GOAL - 1e-9)),
            Row(CERTIFIED, name, "recall, %", None, _percent(recall)),
            Row(CERTIFIED, name, "read, %", None, _percent(read)),
        ]
    return rows


def _hidden(size: int, relevant: int) -> NDArray[np.bool_]:
    hidden = relevant // 10
    return (np.arange(size) < relevant - hidden) | (np.arange(size) >= size - hidden)


def _needed() -> list[Row]:
    rows = []
    for found in FOUND:
        for unread, goal in NEEDED:
            needed = certify(Reading([True] * found, "ranked", found + unread), goal).needed
            rows.append(Row(f"{found:,} found", f"{unread:,} unread, {100 * goal:.0f} %", "draws needed", None, needed))
    return rows
