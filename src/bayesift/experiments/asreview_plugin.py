"""Our plug-in of ASReview inside ASReview's own simulation, beside its default ELAS u4, on the five SYNERGY reviews.

Every system starts from the same records, one relevant and one other, drawn at random; they do not count. Figures are
means over `SEEDS` draws. Speed is records per second of processor time of the whole simulation: features, one fit and
one ranking per record, and ASReview's own bookkeeping.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from bayesift.corpora import load_corpus
from bayesift.corpora.synergy import REVIEWS
from bayesift.evaluate import recall_loss
from bayesift.experiments.asreview_peer import check_asreview
from bayesift.experiments.result import Options, Result, Row
from bayesift.filtering.screening.pool import draw_known
from bayesift.integrations.asreview import OnlineClassifier, PoolClassifier, PoolFeatures
from bayesift.progress import track

SEEDS = 2
U4, PRESET, POOL, ONLINE = "ELAS u4", "bayesift", "tfidf + bayesift_pool", "tfidf + bayesift_bomc"
NOTES = [
    f"Means over {SEEDS} draws of one relevant and one other record, which do not count. Lower loss is better. Speed is"
    " records per second of processor time, one thread, with features, fits, rankings and ASReview's bookkeeping.",
    "`bayesift` is our preset. `tfidf + ...` are our classifiers on the features of ELAS u4, without a balancer."
    " Meijboom, Nelson and Oud were used to choose the settings of both classifiers.",
]


def table(options: Options) -> Result:
    """Compute loss and speed of every system on each review, and their means."""
    start = time.monotonic()
    check_asreview()
    result = Result("integrations-asreview", f"synergy ({len(REVIEWS)} reviews)", notes=list(NOTES))
    reviews = REVIEWS[: options.categories]
    for system in (U4, PRESET, POOL, ONLINE):
        simulate(system, [("wheat", "corn"), ("oil", "gas")] * 3, np.array([True, False] * 3), [0, 1])  # compile first
        found = []
        for review in track(reviews, system, len(reviews)):
            documents = list(load_corpus("synergy", part=review, data=options.data).documents())
            truth = np.array([bool(d.labels) for d in documents])
            texts = [(d.title, d.body) for d in documents]
            found.append(np.mean([simulate(system, texts, truth, draw_known(truth, s)) for s in range(SEEDS)], axis=0))
        for setting, values in [*zip(reviews, found), ("mean", np.mean(found, axis=0))]:
            result.rows += [Row(system, setting, m, None, float(v)) for m, v in zip(("loss", "speed"), values)]
    result.seconds = time.monotonic() - start
    return result


def simulate(system: str, texts: list[tuple[str, str]], truth: Any, known: list[int]) -> tuple[float, float]:
    """Return loss and records per second of a simulated review that ends with the last relevant record."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about versions of pandas
        import pandas as pd
        from asreview import Simulate

        start = time.process_time()
        run = Simulate(
            pd.DataFrame(texts, columns=["title", "abstract"]), truth.astype(int), [_cycle(system)],
            print_progress=False,
        )  # fmt: skip
        run.label(known)
        run.review()
        seconds = time.process_time() - start
    read = run._results["label"].to_numpy()[len(known) :].astype(bool)
    order = np.concatenate([read, np.zeros(truth.size - len(known) - read.size, bool)])
    return recall_loss(order), read.size / seconds


def _cycle(system: str) -> Any:
    from asreview.learner import ActiveLearningCycle
    from asreview.models.feature_extractors import Tfidf
    from asreview.models.models import get_ai_config
    from asreview.models.queriers import Max

    u4 = get_ai_config("elas_u4")["value"]
    if system == U4:
        return ActiveLearningCycle.from_meta(u4)
    features = PoolFeatures() if system == PRESET else Tfidf(**u4.feature_extractor_param)
    return ActiveLearningCycle(Max(), OnlineClassifier() if system == ONLINE else PoolClassifier(), None, features)
