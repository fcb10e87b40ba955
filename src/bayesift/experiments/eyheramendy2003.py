"""Eyheramendy, Genkin, Ju, Lewis and Madigan 2003: sparse Bayesian probit and logistic on Reuters' ten largest topics.

Split R90 (7,770 and 3,019 documents; the paper has one training document less). Words as the paper describes them: stop
words and punctuation out, not stemmed. Per topic the 300 or 1,000 terms of largest |Pearson correlation|, raw or
logarithmic tf, for the logistic models ("used IDF") times ln(N / df), without normalisation; thresholds of fewest
errors on the training documents. Where the paper leaves a choice, three-fold cross-validation on the training documents
made it: correlation of the term's presence rather than of its tf, numbers are words, idf without division by length.

Figure 2 is in `eyheramendy2003_figure`; tables 7 and 8, on RCV1, are in `eyheramendy2003_rcv1`.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bayesift.decide import MinError
from bayesift.evaluate import f_measure
from bayesift.experiments.result import Options, Result, Row
from bayesift.experiments.reuters import R10, Task, load
from bayesift.learn import PerLabel, SparseLogistic, SparseProbit
from bayesift.learn.priors import Jeffreys, Laplace, Normal, Shape
from bayesift.progress import track


@dataclass(frozen=True)
class Model:
    """One column of a table."""

    prior: Shape
    link: str = "probit"
    weight: str = "log tf"
    terms: int = 300

    def __str__(self) -> str:
        return f"{shown(self.prior)}, {self.weight}, {self.terms:,} terms"


SPARSE_BAYES, JEFFREYS = Model(Laplace(10.0)), Model(Jeffreys())
GAMMAS = {gamma: Model(Laplace(gamma)) for gamma in (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)}
IDF = "log tf idf"

OTHERS = {  # table 1: Zhang & Oles' results with 10,000 terms; F1 of each topic of R10, macro, micro
    "Naive Bayes": [96.6, 91.7, 70.0, 76.7, 84.1, 52.3, 68.2, 58.1, 76.4, 52.4, 72.6, 85.2],
    "Log. Reg.": [98.4, 95.2, 75.2, 88.4, 85.9, 72.9, 78.2, 88.2, 81.9, 88.7, 85.3, 91.4],
    "SVM": [98.1, 95.3, 74.4, 89.6, 84.8, 73.4, 75.9, 88.9, 82.4, 86.2, 84.9, 91.1],
}
F1 = {  # tables 1 to 3, 5 and 6, which repeat some columns
    JEFFREYS: [97.1, 89.1, 59.7, 92.3, 81.1, 71.6, 43.9, 89.7, 67.1, 90.3, 78.2, 87.4],
    GAMMAS[0.1]: [97.4, 90.5, 59.3, 88.9, 78.9, 66.1, 56.7, 84.0, 59.7, 83.9, 76.5, 87.0],
    GAMMAS[0.3]: [97.5, 90.0, 60.4, 88.1, 82.3, 67.2, 53.1, 83.8, 65.3, 84.9, 77.3, 87.2],
    GAMMAS[1.0]: [97.5, 90.4, 64.3, 90.6, 80.1, 70.5, 62.7, 86.3, 71.9, 87.3, 80.2, 88.2],
    GAMMAS[3.0]: [97.4, 91.7, 61.8, 90.7, 82.2, 73.8, 50.3, 87.2, 75.8, 91.4, 80.2, 88.7],
    GAMMAS[10.0]: [96.9, 90.3, 65.9, 91.7, 81.3, 76.7, 51.8, 89.6, 78.8, 90.9, 81.4, 88.6],
    GAMMAS[30.0]: [96.6, 89.0, 56.8, 90.0, 76.0, 69.5, 54.2, 89.6, 76.3, 90.2, 78.8, 87.0],
    replace(JEFFREYS, weight="raw tf"): [96.6, 87.7, 55.0, 89.9, 77.7, 67.5, 49.0, 89.7, 68.9, 88.2, 77.0, 86.0],
    replace(SPARSE_BAYES, weight="raw tf"): [96.9, 89.3, 59.3, 88.4, 82.4, 65.4, 49.5, 87.9, 73.0, 83.6, 77.6, 87.1],
    replace(JEFFREYS, terms=1000): [96.8, 90.0, 63.7, 90.8, 76.6, 62.9, 56.0, 89.7, 66.7, 90.3, 78.4, 87.3],
    replace(SPARSE_BAYES, terms=1000): [97.2, 92.2, 70.2, 91.7, 82.5, 72.8, 63.6, 88.9, 79.7, 90.0, 82.9, 89.6],
    Model(Normal(0.01)): [96.8, 89.2, 65.1, 85.1, 82.9, 71.1, 58.1, 89.0, 83.3, 86.7, 80.7, 87.9],
    Model(Normal(0.01), "logistic", IDF): [97.6, 94.0, 74.9, 91.8, 85.7, 67.6, 67.9, 87.7, 79.2, 90.4, 83.7, 90.7],
    Model(Laplace(10.0), "logistic", IDF): [97.8, 92.7, 64.2, 90.7, 85.9, 70.5, 67.3, 85.7, 78.0, 90.4, 82.3, 89.8],
}
KEPT = {  # table 4: parameters that are not 0, the intercept among them
    JEFFREYS: [55, 67, 32, 15, 25, 20, 22, 3, 19, 6],
    GAMMAS[0.1]: [301, 301, 200, 280, 282, 291, 294, 275, 275, 259],
    GAMMAS[0.3]: [300, 299, 291, 251, 266, 282, 270, 203, 240, 232],
    GAMMAS[1.0]: [288, 284, 276, 192, 205, 261, 249, 127, 176, 170],
    GAMMAS[3.0]: [256, 257, 235, 142, 174, 214, 205, 90, 134, 110],
    GAMMAS[10.0]: [220, 226, 177, 92, 90, 147, 136, 41, 96, 47],
    GAMMAS[30.0]: [186, 195, 111, 46, 62, 80, 85, 14, 55, 17],
}


@dataclass(frozen=True, eq=False)
class Fitted:
    """The figures of one model: F1 in percent by topic and averaged, and the parameters that are not 0 by topic."""

    f1: list[float]
    kept: list[int]


def table1(options: Options) -> Result:
    """Compare probit with a Laplace prior with other classifiers; our SVM is LinearSVC on all words, ltc."""
    result = _table("eyheramendy2003-table1", [SPARSE_BAYES], options, lambda model: "Sparse Bayes")
    task = task_of(options, "ltc")
    start = time.monotonic()
    for system, paper in OTHERS.items():
        if system == "SVM":
            _add_f1(result, system, "10,000 terms; ours all words, ltc", task, paper, svm_f1(options))
        else:
            _add_f1(result, system, "10,000 terms", task, paper, [None] * len(paper))
    result.seconds += time.monotonic() - start
    return result


def table2(options: Options) -> Result:
    """Compare raw and logarithmic term frequencies."""
    models = [replace(model, weight=tf) for model in (JEFFREYS, SPARSE_BAYES) for tf in ("raw tf", "log tf")]
    return _table("eyheramendy2003-table2", models, options)


def table3(options: Options) -> Result:
    """Compare Jeffreys' prior and Laplace priors of six widths."""
    return _table("eyheramendy2003-table3", KEPT, options)


def table4(options: Options) -> Result:
    """Count the parameters, of 301, that are not 0."""
    start, task = time.monotonic(), task_of(options, "log tf")
    result = Result("eyheramendy2003-table4", task.corpus)
    for model in track(KEPT, result.name):
        ours = fitted(options, model).kept
        for label, paper, count in zip(task.labels, KEPT[model], ours):
            result.rows.append(Row("Probit", str(model), f"kept {label}", paper, count))
    by_root, by_gamma = (
        _ratio(KEPT[SPARSE_BAYES], fitted(options, replace(SPARSE_BAYES, prior=Laplace(gamma))).kept)
        for gamma in (10.0, 100.0)
    )
    result.notes = [
        f"At gamma = 10 the paper keeps {by_root:.2f} times as many parameters as the penalty sqrt(gamma) |beta| of its"
        f" eq. 5 (geometric mean), and {by_gamma:.2f} times as many as the penalty gamma |beta| of its E-step. So it"
        " used eq. 5.",
        "Laplace: ours are counted at the mode. EM only approaches 0, so a run that stops early counts more parameters:"
        " stopped at a change of 1 %, it had 220 to 241 for earn and 66 to 92 for ship at gamma = 10, depending on"
        " whether 1e-3 or 1e-6 counts as 0. We cannot explain why the paper keeps half as many as ours for wheat and"
        " corn at gamma = 30.",
        "Jeffreys: the posterior has many modes. Which one is found depends on the start, which the paper does not"
        " state.",
    ]
    result.seconds = time.monotonic() - start
    return result


def table5(options: Options) -> Result:
    """Compare 300 and 1,000 terms."""
    models = [replace(model, terms=terms) for model in (JEFFREYS, SPARSE_BAYES) for terms in (300, 1000)]
    return _table("eyheramendy2003-table5", models, options)


def table6(options: Options) -> Result:
    """Compare sparse and dense models, probit and logistic."""
    models = [Model(prior, *more) for more in ((), ("logistic", IDF)) for prior in (Normal(0.01), Laplace(10.0))]
    return _table("eyheramendy2003-table6", models, options)


@cache
def fitted(options: Options, model: Model) -> Fitted:
    """Train, set thresholds and decide the test documents, once for all tables of a run."""
    task = task_of(options, model.weight)
    learner = (SparseProbit if model.link == "probit" else SparseLogistic)(model.prior)
    with known_warnings():
        labels = PerLabel(learner, method="pearson", min_statistic=0.0, max_terms=model.terms).fit(task.X, task.Y)
    rule = MinError().fit(labels.predict_proba(task.X), task.Y)
    f1 = _f1(task, rule.decide(labels.predict_proba(task.X_test)))
    return Fitted(f1, [one.kept_.size + 1 for one in labels.learners_])


@contextmanager
def known_warnings() -> Iterator[None]:
    """Silence the warnings about many modes and separated classes, which the tables are about."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="a Jeffreys prior has many modes|the classes are separated")
        yield


def shown(prior: Shape) -> str:
    """Return the name of a prior in the tables."""
    if isinstance(prior, Laplace):
        return f"Laplace gamma={prior.gamma:g}"
    return f"Gaussian variance={prior.variance:g}" if isinstance(prior, Normal) else "Jeffreys"


@cache
def task_of(options: Options, weight: str) -> Task:
    """Reuters' largest topics with one of the weights."""
    known = {"raw tf": "raw", "log tf": "log", IDF: "log", "ltc": "ltc"}
    task = load(replace(options, categories=None), "r90", stem=None, weight=known[weight])
    labels = R10[: options.categories]
    columns = [task.labels.index(label) for label in labels]
    X, X_test = task.X, task.X_test
    if weight == IDF:
        idf = sparse.diags_array(np.log(X.shape[0] / task.document_frequency))
        X, X_test = (sparse.csr_matrix(side @ idf) for side in (X, X_test))
    corpus = f"reuters21578 (r90, {X.shape[0]:,}/{X_test.shape[0]:,}, {len(labels)} largest categories)"
    Y, Y_test = task.Y[:, columns], task.Y_test[:, columns]
    return replace(task, corpus=corpus, labels=labels, X=X, Y=Y, X_test=X_test, Y_test=Y_test)


@cache
def svm_f1(options: Options) -> list[float]:
    """Return F1 of LinearSVC, by topic and averaged."""
    from sklearn.svm import LinearSVC

    task = task_of(options, "ltc")
    machines = [LinearSVC(random_state=0).fit(task.X, y) for y in task.Y.T]
    return _f1(task, np.column_stack([machine.decision_function(task.X_test) > 0 for machine in machines]))


def _f1(task: Task, decided: NDArray[np.bool_]) -> list[float]:
    topics = [f_measure(task.Y_test[:, [c]], decided[:, [c]], "micro") for c in range(len(task.labels))]
    averages = [f_measure(task.Y_test, decided, "macro"), f_measure(task.Y_test, decided, "micro")]
    return [100.0 * float(value) for value in topics + averages]


def _table(
    name: str, models: Iterable[Model], options: Options, system: Callable[[Model], str] = lambda m: m.link.capitalize()
) -> Result:
    start, models, task = time.monotonic(), list(models), task_of(options, "log tf")
    result = Result(name, task.corpus)
    for model in track(models, name):
        _add_f1(result, system(model), str(model), task, F1[model], fitted(options, model).f1)
    result.seconds = time.monotonic() - start
    return result


def _add_f1(
    result: Result, system: str, setting: str, task: Task, paper: list[float], ours: list[float] | list[None]
) -> None:
    """Add one row per topic and two averages; the paper's averages only where there are as many topics as it has."""
    n = len(task.labels)
    averages = paper[-2:] if n == len(R10) else [None, None]
    metrics = [f"f1 {label}" for label in task.labels] + ["macro_f1", "micro_f1"]
    result.rows += [Row(system, setting, *row) for row in zip(metrics, [*paper[:n], *averages], ours)]


def _ratio(paper: list[int], ours: list[int]) -> float:
    return float(np.exp(np.mean(np.log(np.divide(paper[: len(ours)], ours)))))
