"""The learner best beside the default and the strongest classical rule, and what each of its parts adds.

All corpora have one set of defaults. Of texts the default classifier has its own vectors (words, those of the title
twice) and best its own (pairs of words too), which LinearSVC gets as well; beside them best has the characters of
words. Both read the names of labels. A seed is an order of documents for ours, and a draw of 20,000 training documents
on the RCV1 sample; LinearSVC is trained for the first one. Seconds are those of training on vectors, to the last
threshold. What each part of best adds is measured on a third of the training documents, by models of the others: the
test documents choose nothing. The test documents of TMC2007 do not all come from where the training documents do, so
its figures are also those of each quarter, in the order of the corpus.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import normalize

from bayesift.arrays import label_matrix
from bayesift.classify import LabelClassifier
from bayesift.classify.registry import character_vectorizer_of, vectorizer_of
from bayesift.corpora import load_corpus
from bayesift.decide import SCutFBR, Threshold, cross_validated_scores
from bayesift.decide.confidence import confidence_in
from bayesift.evaluate import f_measure, q_score
from bayesift.evaluate.probability import log_evidence
from bayesift.evaluate.reliability import label_errors, reliability
from bayesift.experiments import parts_of
from bayesift.experiments.comparators import svm, svm_scores
from bayesift.experiments.layouts.best import IN_QUARTERS, LAYOUTS
from bayesift.experiments.result import Options, Result, Row
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.ensemble import Ensemble
from bayesift.learn.views import joined
from bayesift.progress import track

SEEDS = 5
HELD_OUT = 3  # one in so many training documents measures the ablation
QUARTERS = 4
TOP = 5  # labels of each document, the most probable ones, whose probabilities have a calibration error of their own
TEXTS = {  # name: corpus and split
    "Reuters R90": ("reuters21578", "r90"),
    "Reuters 9603": ("reuters21578", "modapte"),
    "OHSUMED-91": ("ohsumed91", "split20000"),
    "docstrings": ("docstrings", None),
}
ABLATION: dict[str, dict[str, Any] | BOMC | None] = {  # settings of the ensemble; None is the default classifier
    "BOMC, one prior variance": BOMC(),
    "BOMC, learned halfway": BOMC(learned_variances=True),
    "default classifier, same vectors": None,
    "plain": {"members": ("plain",)},
    "learned": {"members": ("learned",)},
    "characters": {"members": ("characters",)},
    "nearest": {"members": ("nearest",)},
    "shared": {"members": ("shared",)},
    "learned + nearest": {"members": ("learned", "nearest")},
    "all but characters": {"members": ("learned", "nearest", "shared")},
    "all, terms not scaled": {"scaled": False},
    "all, names of labels not read": {"names": None},
    "all": {},
}
NOTES = [
    "predict decides each document on its own; together: all test documents at once; rule 0.5: labels that are more"
    " probable than not, which is the rule for Q. ECE: the mean over labels of the"
    f" expected calibration error. ECE@{TOP}: that of the {TOP} most probable labels of each document. Log loss: the"
    " mean over documents of the sum over labels. Macro F1*: over the labels that a test document has. The"
    " F1 of a label that is absent from the test documents is 0, whatever is decided.",
    "The last quarter of TMC2007's test documents, and the very last of its training documents, are of another kind:"
    " they have about one label each, spread evenly over all labels, and the same words.",
    f"Means over {SEEDS} seeds (LinearSVC: the first); seconds: the median, with two threads. Members: BOMC and the"
    " default classifier on the terms of best, with prior variances as named, the default with the names of labels;"
    " each row after them is an ensemble of the members named, trained on two thirds of the training documents,"
    " calibrated and decided (predict) as the whole is, and measured on the other third. Characters and names need"
    " texts: RCV1 and TMC2007 have vectors alone.",
]
Metrics = dict[str, float]


class Sides(NamedTuple):
    """Vectors and labels of both sides: those of the default classifier, then those of best, and its characters."""

    words: tuple[Any, Any]
    terms: tuple[Any, Any]
    Y: Any
    Y_test: Any
    characters: tuple[Any, Any] | None = None
    names: Any = None  # of labels, read as documents: terms, with the characters after them
    names_in_words: Any = None  # the same of the default's words

    def of_best(self) -> tuple[Any, Any]:
        """Return the vectors of the ensemble: terms, with the characters after them."""
        if self.characters is None:
            return self.terms
        return joined(self.terms[0], self.characters[0]), joined(self.terms[1], self.characters[1])

    def ensemble(self, **settings: Any) -> Ensemble:
        """Return an ensemble for these vectors."""
        views = None if self.characters is None else (self.terms[0].shape[1], self.characters[0].shape[1])
        return Ensemble(**{"views": views, "names": self.names} | settings)


def table(options: Options) -> Result:
    """Compute F1, Q, calibration and seconds of every system, and the ablation; `options.part` is a corpus."""
    result = Result("best", ", ".join(parts_of("best")), notes=list(NOTES))
    for part in parts_of("best") if options.part is None else (options.part,):
        start = time.monotonic()
        sides = _sides(part, options)
        found = [measured(sides(seed), seed) for seed in track(range(SEEDS), part)]
        for system, metrics in found[0].items():
            for metric in metrics:
                values = [each[system][metric] for each in found if system in each]
                value = float(np.median(values) if metric == "seconds" else np.mean(values))
                result.rows.append(Row(system, part, metric, None, value))
        for system, metrics in ablation(held_out(sides(0))):
            result.rows += [Row(system, f"{part}, members", metric, None, value) for metric, value in metrics.items()]
        if part == IN_QUARTERS:
            _add_quarters(result, part, [by_quarter(sides(seed), seed) for seed in track(range(SEEDS), "quarters")])
        result.parts[part] = time.monotonic() - start
    shown = {key for layout in LAYOUTS["best"] for key in layout.keys()}  # noqa: SIM118
    result.rows = [row for row in result.rows if row.key in shown]
    result.seconds = sum(result.parts.values())
    return result


def _add_quarters(result: Result, part: str, found: list[dict[tuple[str, int], Metrics]]) -> None:
    for (system, quarter), metrics in found[0].items():
        for metric in metrics:
            value = float(np.mean([each[system, quarter][metric] for each in found]))
            result.rows.append(Row(system, f"{part}, quarter {quarter}", metric, None, value))


def _sides(part: str, options: Options) -> Callable[[int], Sides]:
    """Return the sides of a corpus for a seed."""
    if part == "RCV1 sample":
        vectors = load_corpus("rcv1", data=options.data).vectors()

        def drawn(seed: int) -> Sides:
            train, test = vectors.draw(train=20_000, seed=seed)
            return Sides((train.X, test.X), (train.X, test.X), train.Y, test.Y.toarray())

        return drawn
    if part == "TMC2007":
        train, test = load_corpus("tmc2007", split="competition", data=options.data).vectors().split()
        both = normalize(train.X), normalize(test.X)
        tmc = Sides(both, both, train.Y, test.Y.toarray())
        return lambda seed: tmc
    name, split = TEXTS[part]
    corpus = load_corpus(name, split=split, data=options.data)
    learned, held = corpus.split()
    Y, Y_test = (label_matrix([d.labels or () for d in side], corpus.labels) for side in (learned, held))
    pairs, names = [], []
    terms = vectorizer_of(None, Ensemble())
    for vectorizer in (vectorizer_of(None, None), terms, character_vectorizer_of(Ensemble(), terms)):
        assert vectorizer is not None
        pairs.append((vectorizer.fit_transform(learned), vectorizer.transform(held)))
        names.append(vectorizer.transform([{"title": label} for label in corpus.labels]))
    text = Sides(pairs[0], pairs[1], Y, Y_test.toarray(), pairs[2], joined(names[1], names[2]), names[0])
    return lambda seed: text


def measured(sides: Sides, seed: int) -> dict[str, Metrics]:
    """Return the metrics of every system; the comparator has one seed."""
    default = _ours(LabelClassifier(seed=seed, names=sides.names_in_words), *sides.words, sides)
    best = _ours(LabelClassifier(sides.ensemble(seed=seed), seed=seed), *sides.of_best(), sides)
    found = {f"default, {how}": metrics for how, metrics in default.items()}
    found |= {f"best, {how}": metrics for how, metrics in best.items()}
    return found | ({"LinearSVC + SCutFBR.1": _comparator(sides, seed)} if seed == 0 else {})


def by_quarter(sides: Sides, seed: int) -> dict[tuple[str, int], Metrics]:
    """Return the metrics of the default and of best on each quarter of the test documents, in their order."""
    default, best = LabelClassifier(seed=seed, names=sides.names_in_words), sides.ensemble(seed=seed)
    models = ("default", default, sides.words), ("best", LabelClassifier(best, seed=seed), sides.of_best())
    found = {}
    for name, model, (X, X_test) in models:
        p = model.fit(X, sides.Y).predict_proba(X_test)
        for how, rule in (("predict", None), ("rule 0.5", Threshold())):
            labels = model.labels_of(p, rule)
            for k, some in enumerate(np.array_split(np.arange(len(p)), QUARTERS), start=1):
                truth = sides.Y_test[some]
                metrics = decided(truth, labels[some], p[some]) | reliable(truth, p[some])
                found[f"{name}, {how}", k] = metrics | {"labels": float(truth.sum(axis=1).mean())}
    return found


def held_out(sides: Sides) -> Sides:
    """Return the training documents alone: two thirds to learn and one to measure."""
    n = sides.Y.shape[0]
    held = np.random.default_rng(0).permutation(n) < n // HELD_OUT
    words, terms, characters = (
        None if side is None else (side[0][~held], side[0][held])
        for side in (sides.words, sides.terms, sides.characters)
    )
    assert words is not None
    assert terms is not None
    return Sides(words, terms, sides.Y[~held], sides.Y[held].toarray(), characters, sides.names)


def ablation(sides: Sides) -> Iterator[tuple[str, Metrics]]:
    """Yield the metrics of the ensemble with some of its members, on its vectors, without the seconds."""
    for system, settings in ABLATION.items():
        if sides.characters is None and ("characters" in system or "names" in system):
            continue
        learner = sides.ensemble(**settings) if isinstance(settings, dict) else settings
        rows = sides.of_best() if isinstance(settings, dict) else sides.terms
        names = None if sides.names is None else sides.names[:, : rows[0].shape[1]]
        found = _ours(LabelClassifier(learner, names=names if settings is None else None), *rows, sides)["predict"]
        yield system, {metric: value for metric, value in found.items() if metric != "seconds"}


def _ours(model: LabelClassifier, X: Any, X_test: Any, sides: Sides) -> dict[str, Metrics]:
    """Return the metrics of a classifier that decides document by document, all together, and at 1/2."""
    start = time.perf_counter()
    model.fit(X, sides.Y)
    seconds, p = time.perf_counter() - start, model.predict_proba(X_test)
    truth = sides.Y_test
    shared = reliable(truth, p) | {"seconds": seconds}
    rules = {"predict": None, "together": model.rule_together(), "rule 0.5": Threshold()}
    return {how: decided(truth, model.labels_of(p, rule), p) | shared for how, rule in rules.items()}


def decided(truth: Any, labels: NDArray[np.bool_], p: NDArray[np.float64]) -> Metrics:
    """Return F1 and Q of decisions."""
    return f1_of(truth, labels) | {"q": q_score(truth, labels, confidence_in(labels, p))}


def f1_of(truth: Any, labels: NDArray[np.bool_]) -> Metrics:
    """Return F1 of decisions, macro F1 also over the labels that a test document has, and how many are absent."""
    f1 = {f"{kind}_f1": 100.0 * f_measure(truth, labels, kind) for kind in ("micro", "macro")}
    present = np.asarray(truth).any(axis=0)
    found = f_measure(truth[:, present], labels[:, present], "macro")
    return f1 | {"macro_f1_present": 100.0 * found, "absent": float((~present).sum())}


def reliable(truth: Any, p: NDArray[np.float64]) -> Metrics:
    """Return the calibration errors, in percent, and the log loss of probabilities."""
    top = np.argsort(-p, axis=1, kind="stable")[:, :TOP]
    true, probable = (np.take_along_axis(np.asarray(a), top, 1).reshape(-1, 1) for a in (truth, p))
    return {
        "ece": 100.0 * float(np.mean(label_errors(truth, p))),
        "ece_top": 100.0 * reliability(true, probable).expected_error,
        "log_loss": -float(log_evidence(truth, p).sum()) / len(p),
    }


def _comparator(sides: Sides, seed: int) -> Metrics:
    """Return the metrics of LinearSVC with thresholds from three folds, whose seconds count too."""
    (X, X_test), Y = sides.terms, sides.Y.toarray()
    start = time.perf_counter()
    model, held = svm().fit(X, Y), cross_validated_scores(svm_scores, X, Y, 3, seed)
    rule = SCutFBR().fit(held.scores, Y, held.folds)
    seconds = time.perf_counter() - start
    labels = rule.decide(model.decision_function(X_test))
    return f1_of(sides.Y_test, labels) | {"seconds": seconds}
