"""The weights of the estimate of unread records: how simulated reviews went on, at twelve places of each.

The settings of `filtering.screening.remaining` are chosen here, over pools made of three corpora and over three
reviews, each run of which counts three times. w has the largest likelihood, with a small penalty on its squares. A new
review is of a literature that is not among those, so v is fitted to how far w is off elsewhere: each corpus and each
review in turn is left out, the others say mu there, and v has the largest likelihood of what remained, given these mu.
A test compares the stored result with the code.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
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
PROCESSES = 2
PENALTY = 0.3
LEVEL = 0.95  # of the intervals that are to hold
MU, SIGMA = ("1", "log a", "log c", "log k", "logit s", "s"), ("1", "logit s", "s")
NOTES = (
    f"{POOLS} pools made of ohsumed91, reuters21578 and arxiv, and {SEEDS} runs of each of Oud, Nelson and Meijboom."
    " Without the ranker's probabilities, c is the rate of relevant records in the last quarter read.",
    "Left out: coverage of intervals of 95 % in each corpus and review, where mu has weights that were fitted on the"
    " others; by the log sigma of that fit, and by the one that is fitted to what is left out.",
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

    def join(self, other: Places) -> None:
        """Add the places of another review."""
        for mine, more in zip(vars(self).values(), vars(other).values()):
            mine.extend(more)


Both = dict[str, Places]  # with the ranker's probabilities, and without


def table(options: Options) -> Result:
    """Simulate the reviews and fit the weights."""
    start = time.monotonic()
    few = options.categories
    result = Result("screening-weights", "synergy (3 reviews), made pools of ohsumed91, reuters21578, arxiv")
    pools = [(pool, 1.0) for pool in made_pools(few or POOLS, POOL_SEED, options.data)]
    pools += [(pool, REPEATED) for pool in synergy_pools(REVIEWS[:few], 1 if few else SEEDS, options.data)]
    both = {"with probabilities": Places(), "without": Places()}
    with ProcessPoolExecutor(PROCESSES) as processes:
        simulated = processes.map(_simulate, *zip(*pools), range(len(pools)))
        for found in track(simulated, "reviews", len(pools)):
            for name, places in found.items():
                both[name].join(places)
    for name, places in both.items():
        w, _ = fit(places)
        v, before, after = fit_spread(places)
        result.rows += [
            Row(name, "left out", metric, None, 100.0 * value)
            for metric, value in (("coverage before, %", before), ("coverage, %", after))
        ]
        for part, terms, weights in zip(("mu", "log sigma"), (MU, SIGMA), (w, v)):
            result.rows += [Row(name, part, term, None, round(w, 3)) for term, w in zip(terms, weights.tolist())]
    result.notes = list(NOTES)
    result.seconds = time.monotonic() - start
    return result


def _simulate(pool: MadePool, times: float, seed: int) -> Both:
    both = {"with probabilities": Places(), "without": Places()}
    ranker, truth = PoolRanker(pool.texts, seed=seed), pool.relevant
    wanted = {place(share, truth.size) for share in SHARES}
    for order in read_by_rank(ranker, truth, seed, SHARES):
        if len(order) in wanted and len(order) < truth.size:
            reading = reading_of(ranker.probabilities(), truth, order)
            total, corpus = int(truth.sum()), pool.name.split(",")[0]
            both["with probabilities"].add(reading, total, times, corpus)
            both["without"].add(Reading(reading.relevant, reading.source, reading.pool), total, times, corpus)
    return both


def fit(places: Places) -> tuple[Floats, Floats]:
    """Return the weights w and v with the largest penalised likelihood."""
    X, Y = np.array(places.x), np.array(places.y)
    found = _largest(places, X, Y, np.zeros(len(X)))
    return found[: X.shape[1]], found[X.shape[1] :]


def fit_spread(places: Places) -> tuple[Floats, float, float]:
    """Return v for corpora that are not among these, and the coverage in those left out by their own v and by this."""
    corpus, Y, X = np.array(places.corpus), np.array(places.y), np.array(places.x)
    mu, narrow = np.zeros(corpus.size), np.zeros(corpus.size)
    for name in sorted(set(places.corpus)):
        left = corpus == name
        w, v = fit(places if left.all() else places.part(~left))
        mu[left], narrow[left] = X[left] @ w, np.exp(Y[left] @ v)
    v = _largest(places, np.empty((corpus.size, 0)), Y, mu)
    return v, _coverage(places, mu, narrow), _coverage(places, mu, np.exp(Y @ v))


def _coverage(places: Places, mu: Floats, sigma: Floats) -> float:
    """Return how often the intervals contain what remained."""
    held = []
    for m, s, u, unread in zip(mu.tolist(), sigma.tolist(), places.relevant, places.unread):
        log = log_mixture(m, s, unread)
        low, high = interval(np.exp(log - logsumexp(log)), LEVEL)
        held.append(low <= u <= high)
    return float(np.average(held, weights=places.times))


def _largest(places: Places, X: Floats, Y: Floats, mu: Floats) -> Floats:
    """Return b with the largest penalised likelihood, mu + X b[: q] and log sigma = Y b[q :]; q columns has X."""
    z, q = NODES, X.shape[1]
    u, times = np.array(places.relevant, float)[:, None], np.array(places.times)[:, None]
    most = np.log(np.array(places.unread, float))[:, None]
    free = np.ones(q + Y.shape[1])
    free[[0, q]] = 0.0  # the constants are not penalised

    def loss(b: Floats) -> tuple[float, Floats]:
        sigma = np.exp(np.clip(Y @ b[q:], -3.0, 2.0))[:, None]
        wanted = (mu + X @ b[:q])[:, None] + sigma * z
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
    return found
