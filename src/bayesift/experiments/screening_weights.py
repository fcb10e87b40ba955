"""The weights of the estimate of unread records: how simulated reviews went on, at twelve places of each.

The settings of `filtering.screening.remaining` are chosen here: w and v with the largest likelihood, with a small
penalty on their squares, over pools made of three corpora and over three reviews, each run of which counts three times.
Then sigma is widened: each corpus and each review in turn is left out, and its intervals, by the weights of the others,
are to hold as often as they say. A test compares the stored result with the code.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from bayesift.experiments.made_pools import MadePool, made_pools
from bayesift.experiments.result import Options, Result, Row
from bayesift.experiments.simulated_review import place, read_by_rank, reading_of, synergy_pools
from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.remaining import NODES, evidence, interval, log_mixture
from bayesift.progress import track

Floats = NDArray[np.float64]
SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
REVIEWS, SEEDS, REPEATED = ("Oud_2018", "Nelson_2002", "Meijboom_2021"), 6, 3.0
POOLS, POOL_SEED = 120, 17
PENALTY = 0.3
LEVEL = 0.95  # of the intervals that are to hold
WIDER = np.arange(0.8, 2.01, 0.05)  # factors of sigma
MU, SIGMA = ("1", "log a", "log c", "log k", "logit s", "s"), ("1", "logit s", "s")
NOTES = (
    f"{POOLS} pools made of ohsumed91, reuters21578 and arxiv, and {SEEDS} runs of each of Oud, Nelson and Meijboom."
    " Without the ranker's probabilities, c is the rate of relevant records in the last quarter read.",
    "The constant of log sigma has the log of the factor by which sigma is widened. Left out: coverage of intervals of"
    " 95 % in each corpus and review, by weights that were fitted on the others, before and after.",
)


@dataclass
class Places:
    """What is known at each place of each review, and what remained there."""

    x: list[Floats] = field(default_factory=list)
    y: list[Floats] = field(default_factory=list)
    relevant: list[int] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    corpus: list[str] = field(default_factory=list)

    def add(self, reading: Reading, total: int, times: float, corpus: str = "") -> None:
        """Add a place."""
        x, y = evidence(reading)
        self.x.append(x)
        self.y.append(y)
        self.relevant.append(total - reading.found)
        self.unread.append(reading.unread)
        self.times.append(times)
        self.corpus.append(corpus)

    def part(self, chosen: NDArray[np.bool_]) -> Places:
        """Return some of the places."""
        kept = np.flatnonzero(chosen).tolist()
        return Places(*([values[i] for i in kept] for values in vars(self).values()))


def table(options: Options) -> Result:
    """Simulate the reviews and fit the weights."""
    start = time.monotonic()
    few = options.categories
    result = Result("screening-weights", "synergy (3 reviews), made pools of ohsumed91, reuters21578, arxiv")
    both = {"with probabilities": Places(), "without": Places()}
    pools = [(pool, 1.0) for pool in made_pools(few or POOLS, POOL_SEED, options.data)]
    pools += [(pool, REPEATED) for pool in synergy_pools(REVIEWS[:few], 1 if few else SEEDS, options.data)]
    for seed, (pool, times) in enumerate(track(pools, "reviews", len(pools))):
        _simulate(pool, seed, times, both)
    for name, places in both.items():
        w, v = fit(places)
        before, after, factor = widening(places)
        v[0] += np.log(factor)
        result.rows += [
            Row(name, "left out", metric, None, value)
            for metric, value in (("coverage before, %", before), ("coverage, %", after), ("factor", factor))
        ]
        for part, terms, weights in zip(("mu", "log sigma"), (MU, SIGMA), (w, v)):
            result.rows += [Row(name, part, term, None, round(w, 3)) for term, w in zip(terms, weights.tolist())]
    result.notes = list(NOTES)
    result.seconds = time.monotonic() - start
    return result


def _simulate(pool: MadePool, seed: int, times: float, both: dict[str, Places]) -> None:
    ranker, truth = PoolRanker(pool.texts, seed=seed), pool.relevant
    wanted = {place(share, truth.size) for share in SHARES}
    for order in read_by_rank(ranker, truth, seed, SHARES):
        if len(order) in wanted and len(order) < truth.size:
            reading = reading_of(ranker.probabilities(), truth, order)
            total, corpus = int(truth.sum()), pool.name.split(",")[0]
            both["with probabilities"].add(reading, total, times, corpus)
            both["without"].add(Reading(reading.relevant, reading.source, reading.pool), total, times, corpus)


def widening(places: Places) -> tuple[float, float, float]:
    """Return the coverage in corpora that are left out, in per cent, that of wider intervals, and how much wider."""
    corpus, parts = np.array(places.corpus), []
    for name in sorted(set(places.corpus)):
        others = places.part(corpus != name)
        parts.append((places.part(corpus == name), *fit(others if others.x else places)))

    def coverage(factor: float) -> float:
        held = sum(float(np.dot(left.times, _holds(left, w, v, factor))) for left, w, v in parts)
        return held / sum(places.times)

    low, high = -1, WIDER.size - 1  # a wider interval holds more often
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if coverage(WIDER[middle]) >= LEVEL else (middle, high)
    return 100.0 * coverage(1.0), 100.0 * coverage(WIDER[high]), round(float(WIDER[high]), 2)


def _holds(places: Places, w: Floats, v: Floats, factor: float) -> list[bool]:
    """Return whether each interval contains the truth, with a sigma that is wider by a factor."""
    found = []
    for x, y, u, unread in zip(places.x, places.y, places.relevant, places.unread):
        log = log_mixture(float(w @ x), factor * float(np.exp(v @ y)), unread)
        low, high = interval(np.exp(log - logsumexp(log)), LEVEL)
        found.append(low <= u <= high)
    return found


def fit(places: Places) -> tuple[Floats, Floats]:
    """Return the weights w and v with the largest penalised likelihood."""
    X, Y, z = np.array(places.x), np.array(places.y), NODES
    u, times = np.array(places.relevant, float)[:, None], np.array(places.times)[:, None]
    most, q = np.log(np.array(places.unread, float))[:, None], X.shape[1]
    free = np.ones(q + Y.shape[1])
    free[[0, q]] = 0.0  # the constants are not penalised

    def loss(b: Floats) -> tuple[float, Floats]:
        sigma = np.exp(np.clip(Y @ b[q:], -3.0, 2.0))[:, None]
        wanted = (X @ b[:q])[:, None] + sigma * z
        log_rate = np.minimum(wanted, most)
        log = u * log_rate - np.exp(log_rate)
        top = log.max(axis=1, keepdims=True)
        part = np.exp(log - top)
        total = part.sum(axis=1, keepdims=True)
        slope = times * np.where(wanted < most, u - np.exp(log_rate), 0.0) * part / total
        gradient = np.append(X.T @ slope.sum(axis=1), Y.T @ (slope * sigma * z).sum(axis=1))
        value = float((times * (top + np.log(total))).sum()) - PENALTY * float((free * b * b).sum())
        return -value, 2.0 * PENALTY * free * b - gradient

    found: Floats = minimize(loss, np.zeros(free.size), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return found[:q], found[q:]
