"""What sparse models keep: for each label how many terms, and which, with their weights and deviations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesift.errors import BadInput
from bayesift.learn.per_label import PerLabel


@dataclass(frozen=True)
class KeptTerms:
    """The terms of one label whose weight is not zero, the weightiest first: (term, weight, standard deviation)."""

    label: str
    terms: tuple[tuple[str, float, float], ...]


def kept_terms(model: PerLabel, names: Sequence[str], labels: Sequence[str]) -> list[KeptTerms]:
    """The report of a fitted `PerLabel` of sparse learners; names are those of the columns it was fitted on.

    >>> from bayesift.learn import SparseLogistic
    >>> X, Y = [[2, 0, 1], [2, 0, 0], [0, 1, 1], [0, 0, 0]] * 10, [[1], [1], [0], [0]] * 10
    >>> model = PerLabel(SparseLogistic(), min_statistic=None).fit(X, Y)
    >>> print(markdown(kept_terms(model, ["wheat", "oil", "said"], ["grain"])))
    | label | kept | terms: weight ± deviation |
    | :-- | --: | :-- |
    | grain | 1 | wheat 2.46 ± 0.59 |
    """
    if len(names) < model.n_features_in_ or len(labels) != len(model.learners_):
        raise BadInput(
            f"{len(names)} names and {len(labels)} labels for {model.n_features_in_} columns and"
            f" {len(model.learners_)} labels",
            remedy="give one name a column and one a label",
        )
    report = []
    for label, terms, learner in zip(labels, model.terms_, model.learners_):
        weight, sd = learner.coef_[0], learner.coef_sd_[0]
        kept = np.flatnonzero(weight)
        order = kept[np.argsort(-np.abs(weight[kept]), kind="stable")]
        report.append(KeptTerms(label, tuple((str(names[terms[j]]), float(weight[j]), float(sd[j])) for j in order)))
    return report


def markdown(report: Sequence[KeptTerms], most: int = 10) -> str:
    """The report as a table, with the weightiest terms of each label."""
    lines = ["| label | kept | terms: weight ± deviation |", "| :-- | --: | :-- |"]
    for row in report:
        shown = ", ".join(f"{term} {weight:.2f} ± {sd:.2f}" for term, weight, sd in row.terms[:most])
        lines.append(f"| {row.label} | {len(row.terms)} | {shown} |")
    return "\n".join(lines)


def to_dict(report: Sequence[KeptTerms]) -> dict[str, Any]:
    """The report as JSON can hold it: {label: [[term, weight, sd], ...]}."""
    return {row.label: [list(term) for term in row.terms] for row in report}
