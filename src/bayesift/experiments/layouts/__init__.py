"""The layout of every table in the results: the papers' own rows and columns, with ours beside them."""

from __future__ import annotations

from bayesift.experiments.layout import Layout
from bayesift.experiments.layouts import (
    chai2002,
    eyheramendy2003,
    few_labels,
    goutte2007,
    meaning,
    screening,
    zhang2010,
)

LAYOUTS: dict[str, list[Layout]] = {
    name: tables
    for paper in (chai2002, screening, meaning, eyheramendy2003, goutte2007, zhang2010, few_labels)
    for name, tables in paper.LAYOUTS.items()
}

__all__ = ["LAYOUTS"]
