"""Screening the five SYNERGY reviews, beside ASReview's default ranker (ELAS u4).

Each pool is ranked by both from the same records: one relevant and one other, drawn at random, which do not count.
Figures are means over `SEEDS` draws, and then over reviews.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from bayesift.corpora import load_corpus
from bayesift.corpora.synergy import REVIEWS
from bayesift.experiments.asreview_peer import check_asreview, elas_u4
from bayesift.experiments.result import Options, Result, Row
from bayesift.filtering.screening.pool import Screening, draw_known, screen
from bayesift.filtering.screening.pool_ranker import PoolRanker

SEEDS = 10
CHOSEN_ON = ("Meijboom_2021", "Nelson_2002", "Oud_2018")  # the ranker's settings
METRICS = ("loss", "ATD", "WSS@95", "WSS@100", "recall@10%")
OURS, PEER = "PoolRanker", "ELAS u4"


def synergy(options: Options) -> Result:
    """Compute the measures of both rankers for each review, their means, and the ratios of the means."""
    start = time.monotonic()
    check_asreview()
    result = Result("screening-synergy", f"synergy ({len(REVIEWS)} reviews)")
    figures: dict[str, dict[str, list[float]]] = {OURS: {}, PEER: {}}
    for review in REVIEWS[: options.categories]:
        for system, values in _review(review, options).items():
            figures[system][review] = values
    settings = {"mean": list(figures[OURS]), "mean of the reviews settings were chosen on": list(CHOSEN_ON)}
    settings["mean of the others"] = [review for review in REVIEWS if review not in CHOSEN_ON]
    means = {
        (system, setting): np.mean([found[review] for review in reviews if review in found], axis=0)
        for system, found in figures.items() for setting, reviews in settings.items() if set(reviews) & set(found)
    }  # fmt: skip
    for system, found in figures.items():
        rows = found | {setting: values for (name, setting), values in means.items() if name == system}
        for setting, values in rows.items():
            result.rows += [Row(system, setting, metric, None, float(v)) for metric, v in zip(METRICS, values)]
    for metric, ours, peer in zip(METRICS, means[OURS, "mean"], means[PEER, "mean"]):
        result.rows.append(Row("ratio", "mean", metric, None, float(ours / peer)))
    result.notes = [
        f"Means over {SEEDS} draws of one relevant and one other record, from which both rankers start and which do not"
        " count. ELAS u4 is ASReview's own code. Lower loss and ATD are better, as are higher WSS and recall.",
        "The settings of PoolRanker were chosen on Meijboom, Nelson and Oud, and on pools made of OHSUMED, Reuters and"
        " arXiv. Donners and Jeyaraman were measured afterwards, and no setting was changed since.",
    ]
    result.seconds = time.monotonic() - start
    return result


def _review(review: str, options: Options) -> dict[str, list[float]]:
    """Return the mean measures of each ranker."""
    documents = list(load_corpus("synergy", part=review, data=options.data).documents())
    truth = np.array([bool(d.labels) for d in documents])
    texts = [(d.title, d.body) for d in documents]
    ranker = PoolRanker(texts)
    draws = [_draw(ranker, texts, truth, seed, review) for seed in range(SEEDS)]
    return {system: np.mean([draw[system] for draw in draws], axis=0).tolist() for system in (OURS, PEER)}


def _draw(
    ranker: PoolRanker, texts: list[tuple[str, str]], truth: NDArray[np.bool_], seed: int, label: str
) -> dict[str, list[float]]:
    """Return the measures of each ranker from the records of one draw."""
    known = draw_known(truth, seed)
    order = elas_u4(texts, truth, known)
    runs = {OURS: screen(ranker, truth, known=known, label=label), PEER: Screening(np.arange(order.size), order)}
    return {system: [run.measures()[metric] for metric in METRICS] for system, run in runs.items()}
