"""The evaluation page: what a model gets right and wrong on labelled documents, in one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from bayesift.classify import TextClassifier
from bayesift.classify.evaluation import Measured
from bayesift.classify.explain import explain_cells
from bayesift.classify.explanation import SHOWN
from bayesift.classify.explanation_html import document_html
from bayesift.classify.label_terms import weak_labels
from bayesift.display import Cell, Markup, cards, table_html, tags
from bayesift.display.html import paragraph
from bayesift.evaluate import Report
from bayesift.report import confusion
from bayesift.report.evaluation_charts import TINY, evaluation_charts
from bayesift.report.learning import LearningCurve
from bayesift.report.page import Page, table

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
HARDEST = 8


def evaluation_page(
    model: TextClassifier, measured: Measured, *, title: str = "Evaluation", curve: LearningCurve | None = None
) -> Page:
    """Return a page about the model's answers on labelled documents (`bayesift.classify.evaluation.measure`)."""
    report = measured.report()
    p, predicted, truth = measured.probabilities, measured.decisions, measured.truth.toarray() > 0
    names = [row.label for row in report.rows]  # those learned, then those that were not
    learner, labels = type(model.classifier_.learner_).__name__, len(model.classes_)
    learned = f"{model.n_documents_:,} documents learned, {labels:,} labels, {learner}"
    page = Page(title, f"Documents measured: {report.documents:,}. The model: {learned}.")
    page.sections.append(cards(report.figures))
    n_learned = model.classifier_.thresholds_.size
    thresholds = model.classifier_.rule_.document_thresholds(p[:, :n_learned])
    charts = evaluation_charts(p, predicted, truth, thresholds, curve)
    page.add("Curves", "Calibration, the effect of the thresholds, and the effect of more training documents.", charts)
    weak = {str(label): why for label, why in weak_labels(model).items()}
    _add_labels(page, report, weak | dict.fromkeys(names[labels:], "never learned"), _unlikely(model, measured, truth))
    _add_confusion(page, truth, predicted, names)
    _add_hardest(page, model, measured, truth, names)
    return page


def _unlikely(model: TextClassifier, measured: Measured, truth: Bools) -> str:
    """Return a sentence about labels that are predicted although they are less probable than not."""
    below = measured.decisions & (measured.probabilities < 0.5)
    if not below.any() or model.kind_ == "one":
        return ""
    n, right = int(below.sum()), int((below & truth).sum())
    why = "all documents were decided together" if measured.together else f"thresholds: {model.classifier_.rule_.aim}"
    predicted = int(measured.decisions.sum())
    return f"{n:,} of {predicted:,} predicted labels have a probability below 1/2, {right:,} of them are true ({why})."


def _add_labels(page: Page, report: Report, weak: dict[str, str], unlikely: str) -> None:
    rows: list[list[Cell]] = [
        [r.label, r.support, r.predicted, r.precision, r.recall, r.f1, r.roc_area, r.calibration_error]
        for r in sorted(report.rows, key=lambda r: -r.support)
    ]
    header = ("label", "true", "predicted", "precision", "recall", "F1", "ROC area", "ECE")
    parts = [table(header, rows)]
    absent = sum(r.support == 0 for r in report.rows)
    if absent:
        text = f"{absent:,} label{'' if absent == 1 else 's'} without a document here"
        parts.append(paragraph(f"{text}: F1 counts as 0 in macro F1."))
    parts.append(paragraph(unlikely))
    if weak:
        parts.append(Markup("<h3 style='margin-top:1rem'>Labels with too little evidence</h3>"))
        parts.append(tags((f"{label}: {why}" for label, why in weak.items()), "miss"))
    page.add("Labels", "One row per label, the most frequent first. Click a heading to sort.", *parts)


def _add_confusion(page: Page, truth: Bools, predicted: Bools, names: Sequence[str]) -> None:
    chosen, counts = confusion.matrix(truth, predicted)
    largest = max((int(n) for (i, j), n in np.ndenumerate(counts) if i != j), default=0)
    shaded = [[names[c], *(_heat(n, i == j, largest) for j, n in enumerate(counts[i]))] for i, c in enumerate(chosen)]
    heat = table_html(["missed \\ predicted", *(names[c] for c in chosen)], shaded, tall=False)
    none = "No label was confused with another."
    rows: list[list[Cell]] = [
        [f"{names[x.first]} + {names[x.second]}", x.true, x.predicted, x.first_for_second, x.second_for_first]
        for x in confusion.pairs(truth, predicted)
    ]
    page.add(
        "Labels confused with one another",
        "Documents that miss the label of the row and wrongly have the label of the column. Small figures are correct.",
        heat if largest else paragraph(none if shaded else "No document misses a label or has a wrong one."),
        Markup("<h3 style='margin:1.2rem 0 .4rem'>Pairs that co-occur or are confused</h3>"),
        table(("pair A + B", "both true", "both predicted", "A confused with B", "B confused with A"), rows)
        if rows
        else paragraph("No pairs."),
    )


def _heat(count: int, is_right: bool, largest: int) -> Markup:
    """Return a cell of the confusion matrix, shaded by its count."""
    if is_right:
        return Markup(f"<small>{count}</small>")
    depth = 0.7 * count / max(largest, 1)
    return Markup(f'<span class=heat style="background:rgba(var(--against),{depth:.2f})">{count or ""}</span>')


def _add_hardest(page: Page, model: TextClassifier, measured: Measured, truth: Bools, names: Sequence[str]) -> None:
    p, predicted, documents = measured.probabilities, measured.decisions, measured.documents
    clipped = np.clip(p, TINY, 1 - TINY)
    loss = -np.log(np.where(truth, clipped, 1 - clipped))
    wrong = np.flatnonzero((truth != predicted).any(axis=1))
    hardest = wrong[np.argsort(-loss[wrong].sum(axis=1), kind="stable")][:HARDEST]
    learned = len(model.classes_)
    errors = np.where(truth != predicted, loss, -1.0)[hardest, :learned]  # only a label that was learned has weights
    worst = np.where(errors.max(axis=1) >= 0.0, errors.argmax(axis=1), p[hardest, :learned].argmax(axis=1)).tolist()
    assert measured.rows is not None
    entries = explain_cells(
        model, [documents[i] for i in hardest], measured.rows[hardest], p[hardest], predicted[hardest],
        enumerate(worst), SHOWN, together=measured.together,
    )  # fmt: skip
    parts = []
    for place, (i, entry) in enumerate(zip(hardest.tolist(), entries), 1):
        tags = [
            f'<span class="tag{"" if truth[i, c] and predicted[i, c] else " miss" if truth[i, c] else " wrong"}">'
            f"{escape(names[c])} {p[i, c]:.2f}</span>"
            for c in np.flatnonzero(truth[i] | predicted[i]).tolist()
        ]
        name = escape(str(getattr(documents[i], "id", i)))
        link = f'<a href="#hardest-{place}" title="link to this document">{name}</a>'
        head = f"<b>{escape(getattr(documents[i], 'title', ''))}</b> <small>{link}</small><br>{' '.join(tags)}"
        body = document_html([entry])
        parts.append(Markup(f'<details id="hardest-{place}"><summary>{head}</summary>{body}</details>'))
    text = "The errors with the largest loss: missed labels in orange, wrong labels crossed out. Open one to see why."
    page.add("Hardest documents", text, *(parts or [paragraph("Every document is right.")]))
