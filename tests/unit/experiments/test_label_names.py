"""Names of labels: both ways on made documents; figures need the real corpora."""

import numpy as np
import pytest

from bayesift.corpora import Document
from bayesift.experiments.label_names import CORPORA, DIFFERENCE, NOT_READ, READ, compared, rows_of
from bayesift.experiments.layouts.label_names import LAYOUTS, SETTINGS

LABELS = ["wheat", "barley", "oats", "rye"]


@pytest.fixture(scope="module")
def documents():
    rng = np.random.default_rng(0)
    drawn = [LABELS[k] for k in rng.choice(4, 240, p=[0.4, 0.3, 0.27, 0.03])]
    fill = ["prices rose", "exports fell", "a good harvest", "stocks in May"]
    return [Document(str(i), "", f"{label} {fill[i % 4]}", (label,)) for i, label in enumerate(drawn)]


def test_both_ways_are_measured_on_the_same_documents(documents):
    found = compared(documents, 120, 0)
    assert set(found) == {READ, NOT_READ}
    assert found[READ] != found[NOT_READ]
    assert min(metrics["micro_f1"] for metrics in found.values()) > 80
    codes = {label: f"Q{c}" for c, label in enumerate(sorted(LABELS))}
    coded = [Document(d.id, "", d.body, (codes[d.labels[0]],)) for d in documents]
    without = compared(coded, 120, 0)
    assert without[READ] == without[NOT_READ] == found[NOT_READ]


def test_rows_have_differences_with_their_errors():
    rows = rows_of("x, all", [{READ: {"map": a}, NOT_READ: {"map": b}} for a, b in ((3.0, 1.0), (5.0, 2.0))])
    found = {(row.system, row.metric): row.ours for row in rows}
    assert found[READ, "map"] == 4.0
    assert found[DIFFERENCE, "map"] == 2.5
    assert found[DIFFERENCE, "map sd"] == pytest.approx(0.5)


def test_every_setting_has_a_line():
    sizes = [f"{corpus}, {'all' if n is None else f'{n:,}'}" for corpus, (*_, some) in CORPORA.items() for n in some]
    assert sizes == list(SETTINGS)
    assert len(LAYOUTS["label-names"][0].rows) == 3 * len(SETTINGS)
