"""A fitted classifier in a few lines, as text and in a notebook: what it has learned, and of which labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesift.classify.label_terms import label_terms
from bayesift.display import Cell, Table, cards, notebook

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

LABELS = 10  # the most frequent ones, which are listed
TERMS = 5  # per label


def summary(model: TextClassifier) -> str:
    """Return the summary as text."""
    figures = ", ".join(f"{value} {name}" for name, value in _figures(model))
    return f"{type(model).__name__}: {figures}\n{_how(model)}\n\n{_labels(model)}"


def summary_html(model: TextClassifier) -> str:
    """Return the summary for a notebook."""
    labels = _labels(model)
    return notebook(type(model).__name__, _how(model), cards(_figures(model)), labels.html(tall=False))


def _figures(model: TextClassifier) -> list[tuple[str, str]]:
    terms = model.vectorizer_.vocabulary_.n_columns
    numbers = {"documents learned": model.n_documents_, "labels": len(model.classes_), "terms": terms}
    return [(name, f"{n:,}") for name, n in numbers.items()]


def _how(model: TextClassifier) -> str:
    learner = type(model.classifier_.learner_).__name__
    weights = ", ".join(f"{name} {weight:g}" for name, weight in model.meaning_weights_.items())
    meaning = f" Weight of meaning beside words: {weights}." if weights else ""
    if model.kind_ == "one":
        return f"Learner {learner}; each document gets its most probable label.{meaning}"
    rule = model.classifier_.rule_
    return f"Learner {learner}; rule {type(rule).__name__}: {rule.aim}.{meaning}"


def _labels(model: TextClassifier) -> Table:
    """Return the most frequent labels with their most informative terms."""
    order = np.argsort(-model.label_documents_, kind="stable")[:LABELS].tolist()
    names = model.classes_.tolist()
    found = label_terms(model, [names[c] for c in order], TERMS)
    rows: list[list[Cell]] = [
        [str(entry.label), ", ".join(term.name for term in entry.positive) or "–", f"{entry.documents:,}"]
        for entry in found
    ]
    title = "Labels" if len(names) <= LABELS else f"The {LABELS} most frequent labels"
    return Table(title, ("label", "most informative terms", "documents"), rows, words=2)
