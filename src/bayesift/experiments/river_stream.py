"""`RiverAdapter` beside river's own learners on one stream, by river's own `progressive_val_score`.

The stream is the docstrings of numpy, scipy and scikit-learn in a random order; the label of a document is its
package. Every learner predicts a document before it learns it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from bayesift.corpora import load_corpus
from bayesift.experiments.result import Options, Result, Row
from bayesift.integrations.extras import needed
from bayesift.integrations.river import RiverAdapter
from bayesift.progress import track

DOCUMENTS = 1000
NOTES = [
    f"The first {DOCUMENTS:,} documents of a random order of the docstrings, each predicted before it is learned; the"
    " label is the package. Log loss is in nats. Speed is documents per second of processor time, one thread.",
    "`RiverAdapter` learns texts, and features of `BagOfWords`. Naive Bayes and logistic regression are river's,"
    " with its default settings; logistic regression is one against the rest.",
]


def table(options: Options) -> Result:
    """Compute accuracy, log loss and speed of every learner along the stream."""
    start = time.monotonic()
    needed("river", "river")
    from river import evaluate, metrics

    result = Result("integrations-river", "docstrings", notes=list(NOTES))
    found = [d for d in load_corpus("docstrings").documents() if d.labels]
    random.Random(0).shuffle(found)
    stream = [(f"{d.title}\n{d.body}", (d.labels or ("",))[0]) for d in found[:DOCUMENTS]]
    learners = _learners()
    for name, make in track(learners.items(), "river", len(learners)):
        make().learn_one(*stream[0])  # compile first
        began = time.process_time()
        score = metrics.Accuracy() + metrics.CrossEntropy()
        evaluate.progressive_val_score(stream, make(), score)
        seconds = time.process_time() - began
        accuracy, loss = score.get()
        figures = {"accuracy": 100.0 * accuracy, "log loss": loss, "speed": len(stream) / seconds}
        result.rows += [Row(name, "docstrings", metric, None, float(value)) for metric, value in figures.items()]
    result.seconds = time.monotonic() - start
    return result


def _learners() -> dict[str, Callable[[], Any]]:
    from river import feature_extraction, linear_model, multiclass, naive_bayes

    def words() -> Any:
        return feature_extraction.BagOfWords(lowercase=True)

    def logistic() -> Any:
        return feature_extraction.TFIDF() | multiclass.OneVsRestClassifier(linear_model.LogisticRegression())

    return {
        "RiverAdapter": RiverAdapter,
        "BagOfWords | RiverAdapter": lambda: words() | RiverAdapter(),
        "BagOfWords | MultinomialNB": lambda: words() | naive_bayes.MultinomialNB(),
        "BagOfWords | ComplementNB": lambda: words() | naive_bayes.ComplementNB(),
        "TFIDF | LogisticRegression": logistic,
    }
