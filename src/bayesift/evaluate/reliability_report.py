"""Do a learner's probabilities mean what they say, label by label and over all: as a table, as JSON and as a picture.

Works on the probabilities (documents, labels) of any learner. ECE, maximal error and curve are those of `reliability`.
One histogram counts p in bins of equal width over [0, 1]; the other counts the confidence max(p, 1 - p), the belief
that the decision at 1/2 is right, in half as many over [1/2, 1].
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bayesift.arrays import FloatArray, LabelMatrix, as_labels, as_probabilities
from bayesift.errors import BadInput
from bayesift.evaluate.probability import brier_score
from bayesift.evaluate.reliability import BINS, reliability
from bayesift.evaluate.tables import Cell, Table
from bayesift.files import write_whole

if TYPE_CHECKING:
    from rich.console import Group

HEADER = ("label", "positives", "mean p", "share", "ECE", "maximal", "Brier", "confidence", "right")


@dataclass(frozen=True)
class Bin:
    """Decisions whose probability lies in (lower, upper]."""

    lower: float
    upper: float
    count: int
    mean_probability: float
    fraction_true: float


@dataclass(frozen=True)
class LabelReliability:
    """How well the probabilities of one label, or of all, fit what came true."""

    label: str
    decisions: int
    positives: int
    mean_probability: float
    expected_error: float
    maximal_error: float
    brier: float
    mean_confidence: float  # of max(p, 1 - p)
    accuracy: float  # of the decision at 1/2
    curve: tuple[Bin, ...]
    histogram: tuple[int, ...]  # of p, bins of equal width over [0, 1]
    confidence_histogram: tuple[int, ...]  # of max(p, 1 - p), over [1/2, 1]

    @classmethod
    def of(cls, label: str, truth: LabelMatrix, p: FloatArray, bins: int) -> LabelReliability:
        """Measure decisions, (documents, labels), together."""
        t, curve = as_labels(truth, "truth"), reliability(truth, p, bins)
        columns = (curve.lower, curve.upper, curve.count, curve.mean_probability, curve.fraction_true)
        sure = np.maximum(p, 1 - p)
        return cls(
            label,
            decisions=p.size,
            positives=t.nnz,
            mean_probability=float(p.mean()),
            expected_error=curve.expected_error,
            maximal_error=curve.maximal_error,
            brier=brier_score(t, p),
            mean_confidence=float(sure.mean()),
            accuracy=float(((p > 0.5) == t.toarray()).mean()),
            curve=tuple(Bin(*row) for row in zip(*(column.tolist() for column in columns))),
            histogram=_histogram(p, 0.0, bins),
            confidence_histogram=_histogram(sure, 0.5, max(1, bins // 2)),
        )

    def cells(self) -> list[Cell]:
        """One row of the table."""
        share = self.positives / self.decisions
        errors: list[Cell] = [self.expected_error, self.maximal_error, self.brier]
        return [self.label, self.positives, self.mean_probability, share, *errors, self.mean_confidence, self.accuracy]


@dataclass(frozen=True)
class ReliabilityReport:
    """How well probabilities fit, for all decisions together (`overall`) and for each label (`rows`).

    >>> report = ReliabilityReport.of([[1, 0], [1, 1]], [[0.9, 0.1], [0.7, 0.5]], labels=["corn", "wheat"], name="demo")
    >>> print(report.table.markdown())
    | label | positives | mean p |  share |    ECE | maximal |  Brier | confidence |  right |
    | :---- | --------: | -----: | -----: | -----: | ------: | -----: | ---------: | -----: |
    | all   |         3 | 0.5500 | 0.7500 | 0.2500 |  0.5000 | 0.0900 |     0.7500 | 0.7500 |
    | corn  |         2 | 0.8000 | 1.0000 | 0.2000 |  0.3000 | 0.0500 |     0.8000 | 1.0000 |
    | wheat |         1 | 0.3000 | 0.5000 | 0.3000 |  0.5000 | 0.1300 |     0.7000 | 0.5000 |
    """

    name: str
    documents: int
    bins: int
    overall: LabelReliability
    rows: tuple[LabelReliability, ...]

    @classmethod
    def of(
        cls,
        truth: LabelMatrix,
        probabilities: npt.ArrayLike,
        labels: Sequence[str] | None = None,
        *,
        bins: int = BINS,
        name: str = "reliability",
    ) -> ReliabilityReport:
        """Measure probabilities (documents, labels) against the truth."""
        t = as_labels(truth, "truth")
        p = as_probabilities(probabilities, t.shape, "probabilities").astype(np.float64)
        names = [str(c) for c in range(t.shape[1])] if labels is None else [str(label) for label in labels]
        if len(names) != t.shape[1]:
            raise BadInput(
                f"truth has {t.shape[1]} labels, but {len(names)} names came", remedy="give one name a column"
            )
        columns = t.tocsc()
        rows = tuple(LabelReliability.of(label, columns[:, [c]], p[:, [c]], bins) for c, label in enumerate(names))
        return cls(name, t.shape[0], bins, LabelReliability.of("all", t, p, bins), rows)

    @property
    def mean_expected_error(self) -> float:
        """The mean over labels of ECE: errors of one label do not make up for those of another."""
        return float(np.mean([row.expected_error for row in self.rows]))

    @property
    def table(self) -> Table:
        """One row for all decisions, then one a label."""
        title = f"{self.name}: {self.documents} documents, {len(self.rows)} labels"
        return Table(title, HEADER, [row.cells() for row in (self.overall, *self.rows)])

    @property
    def curve(self) -> Table:
        """The reliability curve of all decisions: one row a bin that is not empty."""
        rows = [
            (f"{b.lower:.2f}-{b.upper:.2f}", b.count, b.mean_probability, b.fraction_true) for b in self.overall.curve
        ]
        return Table("All decisions by probability", ("bin", "decisions", "mean p", "came true"), rows)

    def markdown(self) -> str:
        """Give the report as Markdown."""
        parts = (f"# {self.table.title}", self.table.markdown(), f"## {self.curve.title}", self.curve.markdown())
        return "\n\n".join(parts) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        return {"mean_expected_error": self.mean_expected_error} | asdict(self)

    def write_json(self, path: str | Path) -> None:
        """Write the report as JSON, whole or not at all."""
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        with write_whole(path) as out:
            out.write(text.encode())

    def write_markdown(self, path: str | Path) -> None:
        """Write the report as Markdown, whole or not at all."""
        with write_whole(path) as out:
            out.write(self.markdown().encode())

    def write_png(self, path: str | Path) -> None:
        """Draw the curve and histograms of all decisions, and small curves of the labels with most positives."""
        from bayesift.evaluate.reliability_plot import draw

        with write_whole(path) as out:
            draw(self, out)

    def __str__(self) -> str:
        return self.markdown()

    def __rich__(self) -> Group:
        from rich.console import Group

        return Group(self.table.rich(), self.curve.rich())


def _histogram(p: FloatArray, low: float, bins: int) -> tuple[int, ...]:
    """Count in bins open at their lower end, as `reliability` has them."""
    inner = np.linspace(low, 1, bins + 1)[1:-1]
    return tuple(np.bincount(np.searchsorted(inner, p.ravel()), minlength=bins).tolist())
