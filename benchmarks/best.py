"""How accurate is the learner best, and in what time, against the default and LinearSVC with SCutFBR.1?

From texts to thresholds, then the labels of the test documents, one by one: Reuters R90 and OHSUMED-91, else the
docstrings. LinearSVC (C = 1, thresholds of three folds) has the terms of best. BOMC with one prior variance, and with
those that it learns halfway, shows what these cost. Times are the least of the runs; ratios are those to the default.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from _run import arguments, show
from bayesift import TextClassifier
from bayesift.arrays import label_matrix
from bayesift.classify.registry import vectorizer_of
from bayesift.corpora import Corpus, load_corpus
from bayesift.decide import SCutFBR, cross_validated_scores
from bayesift.errors import NotFound
from bayesift.evaluate import f_measure
from bayesift.experiments.comparators import svm, svm_scores
from bayesift.learn import BOMC, Ensemble


def corpora() -> list[Corpus]:
    """Those that are there."""
    found = []
    for name, split in (("reuters21578", "r90"), ("ohsumed91", "split20000")):
        try:
            corpus = load_corpus(name, split=split)
            corpus.split()
            found.append(corpus)
        except NotFound:
            continue
    return found or [load_corpus("docstrings")]


def ours(learner: str | BOMC) -> Callable[[Any, Any, list[str]], tuple[float, Any]]:
    """Seconds of training, and the labels of the test documents."""

    def run(train: Any, test: Any, labels: list[str]) -> tuple[float, Any]:
        start = time.perf_counter()
        model = TextClassifier(learner).fit(train)
        return time.perf_counter() - start, label_matrix(model.predict(test), labels)

    return run


def linear_svc(train: Any, test: Any, labels: list[str]) -> tuple[float, Any]:
    """Seconds of training, and the labels of the test documents."""
    start = time.perf_counter()
    vectorizer, Y = vectorizer_of(None, Ensemble()), label_matrix([d.labels or () for d in train], labels).toarray()
    X = vectorizer.fit_transform(train)
    model, held = svm().fit(X, Y), cross_validated_scores(svm_scores, X, Y, 3, 0)
    rule = SCutFBR().fit(held.scores, Y, held.folds)
    seconds = time.perf_counter() - start
    return seconds, rule.decide(model.decision_function(vectorizer.transform(test)))


def main() -> None:
    """Run all systems on all corpora that are there."""
    args = arguments(__doc__)
    rows: list[dict[str, Any]] = []
    for corpus in corpora():
        train, test = corpus.split()
        truth = label_matrix([d.labels or () for d in test], corpus.labels)
        systems = {
            "default": ours("multilabel"),
            "best": ours("best"),
            "LinearSVC + SCutFBR.1": linear_svc,
            "BOMC, one prior variance": ours(BOMC()),
            "BOMC, learned halfway": ours(BOMC(learned_variances=True)),
        }
        usual = 0.0
        for name, system in systems.items():
            runs = [system(train, test, corpus.labels) for _ in range(min(args.repeat, 2))]
            seconds, decided = min(run[0] for run in runs), runs[0][1]
            usual = usual or seconds
            f1 = {f"{kind} F1": 100.0 * f_measure(truth, decided, kind) for kind in ("micro", "macro")}
            rows.append(
                {"corpus": corpus.description.name, "system": name, **f1, "seconds": seconds, "ratio": seconds / usual}
            )
    show(rows, ["training from texts, two threads"], args.json)


if __name__ == "__main__":
    main()
