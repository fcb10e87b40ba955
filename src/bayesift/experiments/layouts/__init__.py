"""The layout of every table in the results: the papers' own rows and columns, with ours beside them."""

from __future__ import annotations

from bayesift.experiments.layout import Layout
from bayesift.experiments.layouts import (
    asreview_plugin,
    best,
    chai2002,
    cold_start,
    eyheramendy2003,
    few_labels,
    goutte2007,
    hierarchy,
    label_names,
    learners,
    meaning,
    online,
    river_stream,
    screening,
    screening_stop,
    wide_labels,
    zhang2010,
)

PAPERS = (
    chai2002,
    cold_start,
    screening,
    screening_stop,
    eyheramendy2003,
    goutte2007,
    zhang2010,
    learners,
    best,
    label_names,
    hierarchy,
    online,
    meaning,
    few_labels,
    asreview_plugin,
    river_stream,
    wide_labels,
)
LAYOUTS: dict[str, list[Layout]] = {name: tables for paper in PAPERS for name, tables in paper.LAYOUTS.items()}
