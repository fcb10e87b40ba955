"""`RiverAdapter` beside river's own learners."""

from __future__ import annotations

from bayesift.experiments.layout import Layout, Line, lines

SYSTEMS = (
    "RiverAdapter", "BagOfWords | RiverAdapter", "BagOfWords | MultinomialNB", "BagOfWords | ComplementNB",
    "TFIDF | LogisticRegression",
)  # fmt: skip
METRICS = (
    Line("accuracy", metric="accuracy", digits=1),
    Line("log loss", metric="log loss", digits=2),
    Line("documents per second", metric="speed", digits=0),
)

LAYOUTS: dict[str, list[Layout]] = {
    "integrations-river": [
        Layout("One stream", lines("system", SYSTEMS), METRICS, Line("", setting="docstrings"), corner="learner")
    ],
}
