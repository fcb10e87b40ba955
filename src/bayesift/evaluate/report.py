"""How a model did: a table of the labels and a summary, as text, JSON, Markdown or in a notebook.

In JSON a number that does not exist (nan) or is not finite is null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bayesift.arrays import BoolCSR, LabelMatrix
from bayesift.display import Cell, Markup, Table, cards, notebook
from bayesift.errors import BadInput
from bayesift.evaluate.counts import Counts, as_label_pair, counts
from bayesift.evaluate.labels import exact_match, f_measures, hamming_loss, precisions, recalls
from bayesift.evaluate.probability import brier_score, log_evidence, q_score, roc_areas
from bayesift.evaluate.reliability import label_errors, reliability
from bayesift.files import write_whole

if TYPE_CHECKING:
    from rich.console import Group

PRESENT_F1 = "macro F1 over labels with a document"
MAIN = (  # measures that are shown large
    "micro F1", "macro F1", PRESENT_F1, "exact match", "label accuracy", "micro precision", "micro recall",
    "macro ROC area", "calibration error", "mean confidence",
)  # fmt: skip


@dataclass(frozen=True)
class LabelRow:
    """The measures of one label; the last two are None where no probabilities were given."""

    label: str
    support: int
    predicted: int
    precision: float
    recall: float
    f1: float
    roc_area: float | None = None
    calibration_error: float | None = None


@dataclass(frozen=True)
class Report:
    """The measures of a model on some documents: `print` shows them as tables, a notebook as HTML.

    >>> report = Report.of([[1, 0], [1, 1]], [[1, 0], [0, 1]], labels=["corn", "wheat"], name="demo")
    >>> report.summary["macro F1"], report.rows[0].recall
    (0.8333333333333333, 0.5)
    >>> print(report.table)
    Labels
    label  true  predicted  precision  recall      F1
    corn      2          1     1.0000  0.5000  0.6667
    wheat     1          1     1.0000  1.0000  1.0000
    """

    name: str
    documents: int
    rows: tuple[LabelRow, ...]
    summary: Mapping[str, float]

    @classmethod
    def of(
        cls,
        truth: LabelMatrix,
        predicted: LabelMatrix,
        probabilities: npt.ArrayLike | None = None,
        *,
        confidences: npt.ArrayLike | None = None,
        document_confidence: npt.ArrayLike | None = None,
        folds: npt.ArrayLike | None = None,
        labels: Sequence[str] | None = None,
        name: str = "report",
        empty: float = 0.0,
    ) -> Report:
        """Measure decided labels, and if given their probabilities and the confidence in them.

        confidences: in each decision, (documents, labels), for Q. document_confidence: in all labels of a document.
        folds: in cross-validation the fold of each document.
        """
        t, y = as_label_pair(truth, predicted)
        names = [str(c) for c in range(t.shape[1])] if labels is None else [str(label) for label in labels]
        if len(names) != t.shape[1]:
            raise BadInput(
                f"truth has {t.shape[1]} labels, but {len(names)} names came", remedy="give one name per column"
            )
        summary = _decisions(t, y, empty)
        extra: list[tuple[float, ...]] = [()] * len(names)
        if probabilities is not None:
            areas, errors = roc_areas(t, probabilities, folds), label_errors(t, probabilities)
            summary["macro ROC area"] = float(np.nanmean(areas)) if not np.isnan(areas).all() else math.nan
            summary["calibration error"] = float(errors.mean())
            summary |= _beliefs(t, probabilities)
            extra = list(zip(areas.tolist(), errors.tolist()))
        if confidences is not None:
            summary["Q"] = q_score(t, y, confidences)
        if document_confidence is not None:
            summary["mean confidence"] = float(np.asarray(document_confidence, np.float64).mean())
        c = counts(t, y)
        columns = (
            c.support,
            c.predicted,
            precisions(c, empty),
            recalls(c, empty),
            f_measures(c, empty=empty),
        )
        cells = zip(names, *(column.tolist() for column in columns))
        return cls(name, t.shape[0], tuple(LabelRow(*row, *more) for row, more in zip(cells, extra)), summary)

    @property
    def table(self) -> Table:
        """Return one row per label."""
        header = ["label", "true", "predicted", "precision", "recall", "F1"]
        rows: list[list[Cell]] = [
            [r.label, r.support, r.predicted, r.precision, r.recall, r.f1] for r in self.rows
        ]
        if any(r.roc_area is not None for r in self.rows):
            header += ["ROC", "ECE"]
            rows = [[*cells, r.roc_area, r.calibration_error] for cells, r in zip(rows, self.rows)]
        return Table("Labels", header, rows)

    @property
    def headline(self) -> str:
        """Return one line: the name, and how many documents and labels were measured."""
        return f"{self.name}: {self.documents} documents, {len(self.rows)} labels"

    @property
    def figures(self) -> list[tuple[str, str]]:
        """Return the main measures of the summary, each (name, value)."""
        s = self.summary
        return [(name, f"{s[name]:.3f}" if s[name] == s[name] else "–") for name in MAIN if name in s]

    @property
    def overview(self) -> Table:
        """Return one row per measure of the summary."""
        return Table(self.headline, ("measure", "value"), list(self.summary.items()))

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold: name, documents, summary and labels."""
        labels = [_finite(asdict(row)) for row in self.rows]
        return {
            "name": self.name,
            "documents": self.documents,
            "summary": _finite(self.summary),
            "labels": labels,
        }

    def markdown(self) -> str:
        """Return the report as Markdown."""
        over = self.overview
        return f"# {over.title}\n\n{over.markdown()}\n\n## Labels\n\n{self.table.markdown()}\n"

    def write_json(self, path: str | Path) -> None:
        """Write the report as JSON, whole or not at all."""
        _write(path, json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n")

    def write_markdown(self, path: str | Path) -> None:
        """Write the report as Markdown, whole or not at all."""
        _write(path, self.markdown())

    def __str__(self) -> str:
        return f"{self.overview}\n\n{self.table}"

    def _repr_html_(self) -> str:
        every = Markup(f"<details><summary>All measures</summary>{self.overview.html(tall=False)}</details>")
        return notebook(self.headline, "", cards(self.figures), self.table.html(), every)

    def __rich__(self) -> Group:
        from rich.console import Group

        return Group(self.overview.rich(), self.table.rich())


def _decisions(t: BoolCSR, y: BoolCSR, empty: float) -> dict[str, float]:
    by_label, by_document = counts(t, y), counts(t, y, per="document")
    entries: dict[str, Counts] = {"micro": by_label.pooled(), "macro": by_label, "example": by_document}
    summary = {}
    for average, c in entries.items():
        summary[f"{average} precision"] = float(precisions(c, empty).mean())
        summary[f"{average} recall"] = float(recalls(c, empty).mean())
        summary[f"{average} F1"] = float(f_measures(c, empty=empty).mean())
        if average == "macro":
            f1 = f_measures(c, empty=empty)[c.support > 0]
            summary[PRESENT_F1] = float(f1.mean()) if f1.size else math.nan
    summary["exact match"] = exact_match(t, y)
    if (by_document.support == 1).all() and (by_document.predicted == 1).all():
        summary["accuracy"] = summary["exact match"]
    loss = hamming_loss(t, y)
    return summary | {"label accuracy": 1.0 - loss, "Hamming loss": loss}


def _beliefs(t: BoolCSR, probabilities: npt.ArrayLike) -> dict[str, float]:
    curve = reliability(t, probabilities)
    return {
        "log-evidence per decision": float(log_evidence(t, probabilities).mean() / t.shape[0]),
        "Brier score": brier_score(t, probabilities),
        "pooled calibration error": curve.expected_error,
        "pooled maximal calibration error": curve.maximal_error,
    }


def _finite(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in values.items()}


def _write(path: str | Path, text: str) -> None:
    with write_whole(path) as out:
        out.write(text.encode())
