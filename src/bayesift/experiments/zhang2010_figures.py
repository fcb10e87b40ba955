"""Zhang et al. 2010, figures 4 to 7, on five draws of the RCV1 sample (the paper: Reuters1-v2, up to 700,000 tests).

Variants are those of the paper's 5.2: BOMC and BOMC_IND as published, with class mass normalisation (CMN) or sampled
expected F1 (Sample); `LabelClassifier` with its defaults, all test documents together; LIBLINEAR and passive-aggressive
with thresholds by cross-validation (SCut).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.classify import LabelClassifier
from bayesift.corpora import Vectors, load_corpus
from bayesift.decide import SCut, cross_validated_scores
from bayesift.decide.class_mass import ClassMass
from bayesift.evaluate import counts, f_measure, f_measures
from bayesift.experiments import reuters
from bayesift.experiments.comparators import passive_aggressive_scores, svm_scores
from bayesift.experiments.result import Curve, Options, Result, Row
from bayesift.learn import BOMC
from bayesift.learn.bomc.sampled_f1 import SampledF1
from bayesift.progress import track

SIZES, DRAWS = (1000, 3000, 8000, 20_000), range(5)
SHOWN = 4  # labels of figure 4: of these ranks by frequency
PUBLISHED = {"BOMC": {}, "BOMC_IND": {"variant": "independent", "bias_variance": 1.0}}
BATCH = {"SVM_Batch": svm_scores, "PA_OnlineCV": passive_aggressive_scores}
Curves = dict[tuple[str, int, int], tuple[float, float]]  # system, documents, draw: macro F1 and seconds to train


def figure4(options: Options) -> Result:
    """Compute expected and true F1 against the threshold: four labels, and the sum over all with its maxima."""
    start = time.monotonic()
    train, test = _draw(options.data, 0, max(SIZES))
    truth = test.Y.toarray()
    stream, expected, true = _threshold_curves(train.X, train.Y, test.X, truth)
    result = Result("zhang2010-figure4", _corpus(train, test))
    result.rows += _gap("RCV1 sample", expected, true, (60.97, 63.26))
    task = reuters.load(options, "modapte", weight="ltc")
    _, *curves = _threshold_curves(task.X, task.Y, task.X_test, task.Y_test)
    result.rows += _gap("Reuters 9,603/3,299", curves[0], curves[1], (None, None))
    ranks = np.argsort(-truth.sum(axis=0), kind="stable")[np.linspace(0, len(true) * 0.8, SHOWN).astype(int)]
    panels = [(train.labels[c], expected[c], true[c]) for c in ranks]
    panels.append(("sum over all labels", expected.sum(axis=0), true.sum(axis=0)))
    for panel, *sides in panels:
        for name, y in zip(("expected", "true"), sides):
            result.curves.append(Curve(panel, name, np.round(stream.theta, 4).tolist(), np.round(y, 4).tolist()))
    result.seconds = time.monotonic() - start
    return result


def _threshold_curves(X: Any, Y: Any, X_test: Any, truth: Any) -> tuple[SampledF1, NDArray[Any], NDArray[Any]]:
    """Return expected and true F1 of BOMC as published on a stream of test documents, both (labels, thresholds)."""
    model = BOMC.as_published().fit(X, Y)
    stream = SampledF1.of(model, samples=5).add(X_test)
    p = model.predict_proba(X_test)
    true = np.array([f_measures(counts(truth, p > theta)) for theta in stream.theta]).T
    return stream, stream.expected(), true


def _gap(corpus: str, expected: NDArray[Any], true: NDArray[Any], paper: tuple[float | None, ...]) -> list[Row]:
    """Return true F1, summed over labels, where expected F1 is highest, and where true F1 itself is highest (4.2)."""
    chosen = expected.shape[1] - 1 - expected[:, ::-1].argmax(axis=1)
    found = true[np.arange(len(true)), chosen].sum(), true.max(axis=1).sum()
    settings = "threshold of highest expected F1", "best threshold"
    return [
        Row(corpus, setting, "sum of F1 over labels", published, float(value))
        for setting, published, value in zip(settings, paper, found)
    ]


def figure5(options: Options) -> Result:
    """Compute macro F1 against the number of training documents."""
    return _result("zhang2010-figure5", options, 0, "macro_f1")


def figure6(options: Options) -> Result:
    """Compute 200 (coupled - independent) / (coupled + independent) of macro F1, with class mass normalisation."""
    start = time.monotonic()
    curves = _curves(options.data)
    result = Result("zhang2010-figure6", _corpus(*_draw(options.data, 0, max(SIZES))))
    for size in SIZES:
        pairs = [(curves["BOMC_CMN", size, d][0], curves["BOMC_IND_CMN", size, d][0]) for d in DRAWS]
        differences = [200.0 * (a - b) / (a + b) for a, b in pairs]
        result.rows += _rows("coupled minus independent", f"{size:,} documents", "relative %", differences)
    result.seconds = time.monotonic() - start
    return result


def figure7(options: Options) -> Result:
    """Measure seconds of training against the number of training documents; one thread each."""
    return _result("zhang2010-figure7", options, 1, "seconds")


def _result(name: str, options: Options, which: int, metric: str) -> Result:
    start = time.monotonic()
    curves = _curves(options.data)
    result = Result(name, _corpus(*_draw(options.data, 0, max(SIZES))))
    for system in dict.fromkeys(key[0] for key in curves):
        for size in SIZES:
            values = [curves[system, size, draw][which] for draw in DRAWS]
            result.rows += _rows(system, f"{size:,} documents", metric, values)
    result.seconds = time.monotonic() - start
    return result


def _rows(system: str, setting: str, metric: str, values: list[float]) -> list[Row]:
    spread = Row(system, setting, f"{metric} sd", None, float(np.std(values, ddof=1)))
    return [Row(system, setting, metric, None, float(np.mean(values))), spread]


@cache
def _curves(data: Path | None) -> Curves:
    found: Curves = {}
    for draw, size in track([(draw, size) for draw in DRAWS for size in SIZES], "draws and sizes"):
        train, test = _draw(data, draw, size)
        Y, truth = train.Y.toarray(), test.Y.toarray()

        def keep(system: str, labels: Any, seconds: float, key: Any = (size, draw), truth: Any = truth) -> None:
            found[(system, *key)] = 100.0 * f_measure(truth, labels, "macro"), seconds

        for name, changes in PUBLISHED.items():
            model = BOMC.as_published(seed=draw, threads=1, **changes)
            seconds = _timed(model.fit, train.X, Y)
            keep(f"{name}_CMN", ClassMass().fit(Y, Y).decide(model.decision_function(test.X)), seconds)
            chosen = SampledF1.of(model, samples=5, seed=draw).add(test.X).thresholds()
            keep(f"{name}_Sample", model.predict_proba(test.X) > chosen, seconds)
        ours = LabelClassifier(seed=draw)
        seconds = _timed(ours.fit, train.X, Y)
        keep("bayesift, together", ours.decide(test.X), seconds)
        for name, scores in BATCH.items():
            begin = time.perf_counter()
            on_test = scores(train.X, Y, test.X, threads=1)
            seconds = time.perf_counter() - begin
            held = cross_validated_scores(scores, train.X, Y, 3, draw)
            keep(name, SCut().fit(held.scores, Y, held.folds).decide(on_test), seconds)
    return found


def _timed(task: Callable[..., Any], *given: Any) -> float:
    begin = time.perf_counter()
    task(*given)
    return time.perf_counter() - begin


@cache
def _vectors(data: Path | None) -> Vectors:
    return load_corpus("rcv1", data=data).vectors()


def _draw(data: Path | None, draw: int, size: int) -> tuple[Vectors, Vectors]:
    """Return SIZE training documents of a draw, and the draw's test documents, which are the same for all sizes."""
    train, test = _vectors(data).draw(train=max(SIZES), seed=draw)
    return train.take(np.arange(size)), test


def _corpus(train: Vectors, test: Vectors) -> str:
    return f"rcv1 sample ({len(train):,}/{len(test):,}, {train.Y.shape[1]} topics)"
