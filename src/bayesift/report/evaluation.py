"""The evaluation page: what a model gets right and wrong on judged documents, in one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from bayesift.classify import TextClassifier
from bayesift.classify.explain import explain_cells
from bayesift.classify.measured import Measured
from bayesift.classify.telling import thin_labels
from bayesift.evaluate import Counts, Report, f_measure, f_measures, reliability
from bayesift.evaluate.labels import Average
from bayesift.evaluate.report import PRESENT_F1
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
    model: TextClassifier, measured: Measured, *, title: str = "Evaluation", curve: LearningCurve | None = None
) -> Page:
    """Return a page about the model's answers on labelled documents (`bayesift.classify.measured.measure`)."""
    report = measured.report()
    p, given, truth = measured.probabilities, measured.decisions, measured.truth.toarray() > 0
    names = [row.label for row in report.rows]  # those learned, then those that were not
    learner, labels = type(model.classifier_.learner_).__name__, len(model.classes_)
    learned = f"{model.n_documents_:,} documents learned, {labels} labels, {learner}"
    page = Page(title, f"documents measured: {report.documents:,}; {learned}.")
    page.sections.append(cards(_figures(report)))
    charts = _charts(p, given, truth, model, curve)
    page.add("Curves", "How good, how well calibrated, and how much the choice of thresholds matters.", charts)
    thin = {str(label): why for label, why in thin_labels(model).items()}
    _add_labels(page, report, thin | dict.fromkeys(names[labels:], "never learned"), _unlikely(model, measured, truth))
    _add_confusion(page, truth, given, names)
    _add_hardest(page, model, measured, truth, names)
    return page


def _figures(report: Report) -> list[tuple[str, str]]:
    s = report.summary
    shown = ("micro F1", "macro F1", PRESENT_F1, "exact match", "label accuracy", "micro precision", "micro recall",
             "macro ROC area", "calibration error", "mean confidence")  # fmt: skip
    return [(name, f"{s[name]:.3f}" if s[name] == s[name] else "–") for name in shown if name in s]


def _unlikely(model: TextClassifier, measured: Measured, truth: Bools) -> str:
    """Return a sentence about labels that are given although they are less probable than not."""
    below = measured.decisions & (measured.probabilities < 0.5)
    if not below.any() or model.kind_ == "one":
        return ""
    n, right = int(below.sum()), int((below & truth).sum())
    why = "all documents were decided together" if measured.together else f"thresholds: {model.classifier_.rule_.aim}"
    given = int(measured.decisions.sum())
    return f"{n:,} of {given:,} labels were given at a probability below 1/2, {right:,} of them rightly ({why})."


def _charts(p: Floats, given: Bools, truth: Bools, model: TextClassifier, curve: LearningCurve | None) -> str:
    found = reliability(truth, p)
    learned = model.classifier_.thresholds_.size  # labels that were never learned come last
    charts = [
        line_chart(
            "Reliability",
            "Of all decisions with such a probability, the share that is true. On the dashed line p is right.",
            [Line("all decisions", found.mean_probability.tolist(), found.fraction_true.tolist(), dots=True)],
            "probability",
            x_range=(0.0, 1.0),
            diagonal=True,
        ),
        _threshold_chart(p, given, truth, model.classifier_.rule_.document_thresholds(p[:, :learned])),
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
    counts = _shifted(p, truth, thresholds)
    lines = [
        Line("micro F1", SHIFTS.tolist(), [float(f_measures(c.pooled())[0]) for c in counts]),
        Line("macro F1", SHIFTS.tolist(), [float(f_measures(c).mean()) for c in counts]),
    ]
    averages: tuple[Average, ...] = ("micro", "macro")
    marks = [Mark(0.0, f_measure(truth, given, average), f"chosen: {average} F1") for average in averages]
    caption = "All thresholds moved together, in log-odds: left gives more labels, right fewer. Dots: what was chosen."
    return line_chart("Thresholds", caption, lines, "shift of the thresholds", marks=marks)


def _shifted(p: Floats, truth: Bools, thresholds: Floats) -> list[Counts]:
    """Return the counts of all labels for each shift of the thresholds."""
    documents, labels = p.shape
    cut = np.full(p.shape, 0.5)
    cut[:, : thresholds.shape[-1]] = thresholds
    beyond = logit(np.clip(p, TINY, 1 - TINY)) - logit(np.clip(cut, TINY, 1 - TINY))
    cell = np.searchsorted(SHIFTS, beyond) + (SHIFTS.size + 1) * np.arange(labels)  # given for so many shifts
    size = labels * (SHIFTS.size + 1)

    def at_least(cells: NDArray[np.int64]) -> NDArray[np.int64]:
        found = np.bincount(cells, minlength=size).reshape(labels, -1)
        return np.asarray(found[:, :0:-1].cumsum(axis=1)[:, ::-1].T)  # (shifts, labels)

    tp, predicted, support = at_least(cell[truth]), at_least(cell.ravel()), truth.sum(axis=0)
    return [
        Counts(t, n - t, support - t, documents - support - n + t) for t, n in zip(tp, predicted)
    ]


def _add_labels(page: Page, report: Report, thin: dict[str, str], unlikely: str) -> None:
    rows: list[list[Cell]] = [
        [r.label, r.support, r.predicted, r.precision, r.recall, r.f1, r.roc_area, r.calibration_error]
        for r in sorted(report.rows, key=lambda r: -r.support)
    ]
    header = ("label", "true", "given", "precision", "recall", "F1", "ROC area", "ECE")
    parts = [table(header, rows)]
    absent = sum(r.support == 0 for r in report.rows)
    if absent:
        text = f"{absent:,} label{'' if absent == 1 else 's'} without a document here"
        parts.append(f"<p class=soft>{text}: F1 counts as 0 in macro F1.</p>")
    if unlikely:
        parts.append(f"<p class=soft>{escape(unlikely)}</p>")
    if thin:
        told = " ".join(f'<span class="tag miss">{escape(c)}: {escape(why)}</span>' for c, why in thin.items())
        parts.append(f"<h3 style='margin-top:1rem'>Labels with too little evidence</h3><p>{told}</p>")
    page.add("Labels", "One row per label, the most frequent first; a click on a heading sorts.", *parts)


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


def _add_hardest(page: Page, model: TextClassifier, measured: Measured, truth: Bools, names: Sequence[str]) -> None:
    p, given, documents = measured.probabilities, measured.decisions, measured.documents
    clipped = np.clip(p, TINY, 1 - TINY)
    loss = -np.log(np.where(truth, clipped, 1 - clipped))
    wrong = np.flatnonzero((truth != given).any(axis=1))
    hardest = wrong[np.argsort(-loss[wrong].sum(axis=1), kind="stable")][:HARDEST]
    learned = len(model.classes_)
    errors = np.where(truth != given, loss, -1.0)[hardest, :learned]  # only a label that was learned has weights
    worst = np.where(errors.max(axis=1) >= 0.0, errors.argmax(axis=1), p[hardest, :learned].argmax(axis=1)).tolist()
    assert measured.rows is not None
    entries = explain_cells(
        model, [documents[i] for i in hardest], measured.rows[hardest], p[hardest], given[hardest], enumerate(worst),
        COLOURED, together=measured.together,
    )  # fmt: skip
    parts = []
    for place, (i, entry) in enumerate(zip(hardest.tolist(), entries), 1):
        tags = [
            f'<span class="tag{"" if truth[i, c] and given[i, c] else " miss" if truth[i, c] else " wrong"}">'
            f"{escape(names[c])} {p[i, c]:.2f}</span>"
            for c in np.flatnonzero(truth[i] | given[i]).tolist()
        ]
        name = escape(str(getattr(documents[i], "id", i)))
        link = f'<a href="#hardest-{place}" title="link to this document">{name}</a>'
        head = f"<b>{escape(getattr(documents[i], 'title', ''))}</b> <small>{link}</small><br>{' '.join(tags)}"
        body = explanation_html(model, documents[i], entry)
        parts.append(f'<details id="hardest-{place}"><summary>{head}</summary>{body}</details>')
    text = "Where it was most surely wrong: missed labels in orange, wrong ones crossed out. Open one to see why."
    page.add("Hardest documents", text, *(parts or ["<p>Every document is right.</p>"]))
