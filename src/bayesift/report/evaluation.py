"""The evaluation page: what a model gets right and wrong on judged documents, in one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from bayesift.classify import TextClassifier
from bayesift.classify.targets import label_matrix
from bayesift.classify.telling import thin_labels
from bayesift.corpora import Document
from bayesift.evaluate import Report, f_measure, reliability
from bayesift.evaluate.labels import Average
from bayesift.evaluate.tables import Cell
from bayesift.report import confusion
from bayesift.report.charts import Line, Mark, line_chart
from bayesift.report.explanation import COLOURED, explanation_html
from bayesift.report.learning import LearningCurve
from bayesift.report.page import Page, cards, table

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
SHIFTS = np.linspace(-4.0, 4.0, 33)  # of all thresholds, in log-odds
HARDEST = 8
TINY = 1e-6


def evaluation_page(
    model: TextClassifier,
    documents: Sequence[Document],
    *,
    together: bool = False,
    title: str = "Evaluation",
    curve: LearningCurve | None = None,
) -> Page:
    """Measure the model on judged documents and gather all in a page."""
    p, given = model.decisions(documents, together=together)
    report = model.evaluate(documents, [d.labels or () for d in documents], together=together)
    names = [row.label for row in report.rows]  # those learned, then those that were not
    wide = ((0, 0), (0, len(names) - p.shape[1]))
    p, given = np.pad(p, wide), np.pad(given, wide)
    truth = label_matrix([d.labels or () for d in documents], {name: c for c, name in enumerate(names)}).toarray() > 0
    learner, labels = type(model.classifier_.learner_).__name__, len(model.classes_)
    learned = f"{model.n_documents_:,} documents learned, {labels} labels, {learner}"
    page = Page(title, f"{len(documents):,} documents measured; {learned}.")
    page.sections.append(cards(_figures(report)))
    charts = _charts(p, given, truth, model, curve)
    page.add("Curves", "How good, how honest, and how much the choice of thresholds matters.", charts)
    thin = {str(label): why for label, why in thin_labels(model).items()}
    _add_labels(page, report, thin | dict.fromkeys(names[labels:], "never learned"))
    _add_confusion(page, truth, given, names)
    _add_hardest(page, model, documents, p, given, truth, names)
    return page


def _figures(report: Report) -> list[tuple[str, str]]:
    s = report.summary
    shown = ("micro F1", "macro F1", "micro precision", "micro recall", "macro ROC area", "calibration error")
    return [(name, f"{s[name]:.3f}" if s[name] == s[name] else "–") for name in shown if name in s]


def _charts(p: Floats, given: Bools, truth: Bools, model: TextClassifier, curve: LearningCurve | None) -> str:
    found = reliability(truth, p)
    charts = [
        line_chart(
            "Reliability",
            "Of all decisions with such a probability, the share that is true. The dashed line is honest.",
            [Line("all decisions", found.mean_probability.tolist(), found.fraction_true.tolist(), dots=True)],
            "probability",
            x_range=(0.0, 1.0),
            diagonal=True,
        ),
        _threshold_chart(p, given, truth, model.classifier_.thresholds_),
    ]
    if curve is not None and len(curve.documents) > 1:
        values = {"micro F1": curve.micro, "macro F1": curve.macro}
        lines = [Line(name, curve.documents, value, dots=True) for name, value in values.items()]
        caption = "The same settings with fewer documents to learn from. Where it still rises, more would help."
        charts.append(line_chart("Learning curve", caption, lines, "documents learned"))
    else:
        charts.append(
            "<figure><h3>Learning curve</h3><figcaption>Not computed: it needs the training documents."
            " <code>bayesift evaluate … --training DATA</code> draws it.</figcaption></figure>"
        )
    return f'<div class="charts">{"".join(charts)}</div>'


def _threshold_chart(p: Floats, given: Bools, truth: Bools, thresholds: Floats) -> str:
    """F1 as all thresholds move together; 0 is the rule's own choice."""
    cut = np.full(p.shape[1], 0.5)
    cut[: thresholds.size] = thresholds
    base = logit(np.clip(cut, TINY, 1 - TINY))
    lines, marks = [], []
    averages: tuple[Average, ...] = ("micro", "macro")
    for average in averages:
        values = [f_measure(truth, p > expit(base + shift), average) for shift in SHIFTS]
        lines.append(Line(f"{average} F1", SHIFTS.tolist(), values))
        marks.append(Mark(0.0, f_measure(truth, given, average), f"chosen: {average} F1"))
    caption = "All thresholds moved together, in log-odds: left gives more labels, right fewer. Dots: what was chosen."
    return line_chart("Thresholds", caption, lines, "shift of the thresholds", marks=marks)


def _add_labels(page: Page, report: Report, thin: dict[str, str]) -> None:
    rows: list[list[Cell]] = [
        [r.label, r.support, r.predicted, r.precision, r.recall, r.f1, r.roc_area, r.calibration_error]
        for r in sorted(report.rows, key=lambda r: -r.support)
    ]
    header = ("label", "true", "given", "precision", "recall", "F1", "ROC area", "ECE")
    parts = [table(header, rows)]
    if thin:
        told = " ".join(f'<span class="tag miss">{escape(c)}: {escape(why)}</span>' for c, why in thin.items())
        parts.append(f"<h3 style='margin-top:1rem'>Labels with too little evidence</h3><p>{told}</p>")
    page.add("Labels", "One row a label, the most frequent first; a click on a heading sorts.", *parts)


def _add_confusion(page: Page, truth: Bools, given: Bools, names: Sequence[str]) -> None:
    chosen, counts = confusion.matrix(truth, given)
    head = "<tr><th>missed \\ given</th>" + "".join(f"<th>{escape(names[c])}</th>" for c in chosen) + "</tr>"
    off = counts - np.diag(np.diag(counts)) if len(chosen) else counts
    largest = max(int(off.max(initial=0)), 1)
    body = []
    for i, c in enumerate(chosen):
        cells = []
        for j in range(len(chosen)):
            depth = 0.7 * counts[i, j] / largest if i != j else 0.0
            shade = f"background:rgba(var(--against),{depth:.2f})" if depth else ""
            text = f"<small>{counts[i, j]}</small>" if i == j else str(counts[i, j] or "")
            cells.append(f'<td class="heat" style="{shade}">{text}</td>')
        body.append(f"<tr><td>{escape(names[c])}</td>{''.join(cells)}</tr>")
    rows: list[list[Cell]] = [
        [f"{names[x.first]} + {names[x.second]}", x.true, x.given, x.first_for_second, x.second_for_first]
        for x in confusion.pairs(truth, given)
    ]
    page.add(
        "Labels taken for one another",
        "Documents that miss the label of the row and wrongly have that of the column; small figures are right.",
        f'<div class="scroll"><table>{head}{"".join(body)}</table></div>',
        "<h3 style='margin:1.2rem 0 .4rem'>Pairs that co-occur or are confused</h3>",
        table(("pair A + B", "both true", "both given", "A taken for B", "B taken for A"), rows),
    )


def _add_hardest(
    page: Page, model: TextClassifier, documents: Sequence[Document], p: Floats, given: Bools, truth: Bools,
    names: Sequence[str],
) -> None:  # fmt: skip
    clipped = np.clip(p, TINY, 1 - TINY)
    loss = -np.log(np.where(truth, clipped, 1 - clipped))
    wrong = np.flatnonzero((truth != given).any(axis=1))
    hardest = wrong[np.argsort(-loss[wrong].sum(axis=1), kind="stable")][:HARDEST]
    parts = []
    for i in hardest.tolist():
        worst = int(np.where(truth[i] != given[i], loss[i], -1.0).argmax())
        known = [model.classes_[worst]] if worst < len(model.classes_) else None
        entry = model.explain([documents[i]], known, most=COLOURED)[0]
        tags = [
            f'<span class="tag{"" if truth[i, c] and given[i, c] else " miss" if truth[i, c] else " wrong"}">'
            f"{escape(names[c])} {p[i, c]:.2f}</span>"
            for c in np.flatnonzero(truth[i] | given[i]).tolist()
        ]
        summary = f"<summary><b>{escape(documents[i].title or documents[i].id)}</b><br>{' '.join(tags)}</summary>"
        parts.append(f"<details>{summary}{explanation_html(model, documents[i], entry)}</details>")
    text = "Where it was most surely wrong: missed labels in orange, wrong ones crossed out. Open one to see why."
    page.add("Hardest documents", text, *(parts or ["<p>Every document is right.</p>"]))
