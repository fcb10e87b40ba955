"""Evaluation: measures on arrays, sign tests between two systems, and reports.

Label matrices are (documents, labels), dense or sparse, of 0 and 1; a vector is one label. Probabilities
are dense. `docs/reference/measures.md` defines each measure and its value for empty categories.
"""

from __future__ import annotations

from bayesift.evaluate.comparison import Comparison, compare
from bayesift.evaluate.counts import Counts, counts
from bayesift.evaluate.filtering import scaled_utility, t9p, t9u, t11su
from bayesift.evaluate.labels import (
    exact_match,
    f_measure,
    f_measures,
    hamming_loss,
    precision,
    precisions,
    recall,
    recalls,
)
from bayesift.evaluate.probability import brier_score, log_evidence, q_score, roc_areas
from bayesift.evaluate.ranking import (
    average_time_to_discovery,
    by_score,
    recall_at,
    recall_curve,
    recall_loss,
    work_saved,
)
from bayesift.evaluate.reliability import Reliability, label_errors, reliability
from bayesift.evaluate.report import LabelRow, Report
from bayesift.evaluate.sign_tests import SignTest, macro_sign_test, micro_sign_test, sign_test

__all__ = [
    "Comparison",
    "Counts",
    "LabelRow",
    "Reliability",
    "Report",
    "SignTest",
    "average_time_to_discovery",
    "brier_score",
    "by_score",
    "compare",
    "counts",
    "exact_match",
    "f_measure",
    "f_measures",
    "hamming_loss",
    "label_errors",
    "log_evidence",
    "macro_sign_test",
    "micro_sign_test",
    "precision",
    "precisions",
    "q_score",
    "recall",
    "recall_at",
    "recall_curve",
    "recall_loss",
    "recalls",
    "reliability",
    "roc_areas",
    "scaled_utility",
    "sign_test",
    "t9p",
    "t9u",
    "t11su",
    "work_saved",
]
