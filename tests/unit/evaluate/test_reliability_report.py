"""The reliability report: its figures are those of `reliability`, and its three forms hold them."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import numpy as np
import pytest
from rich.console import Console

from bayesift.errors import BadInput
from bayesift.evaluate import ReliabilityReport, brier_score, reliability

RNG = np.random.default_rng(0)
P = RNG.random((500, 3)) ** 2
TRUTH = RNG.random(P.shape) < P * [1.0, 0.5, 0.0]
LABELS = ["corn", "a|b $x^2$ [red]", "never"]


def full() -> ReliabilityReport:
    return ReliabilityReport.of(TRUTH, P, LABELS, name="demo")


def test_figures_are_those_of_the_functions():
    report = full()
    for row, t, p in [(report.overall, TRUTH, P), *zip(report.rows, TRUTH.T, P.T)]:
        curve = reliability(t, p)
        assert (row.expected_error, row.maximal_error) == (curve.expected_error, curve.maximal_error)
        assert [b.count for b in row.curve] == curve.count.tolist()
        assert [b.fraction_true for b in row.curve] == curve.fraction_true.tolist()
        assert row.brier == brier_score(t, p)
        assert (row.positives, row.decisions) == (t.sum(), t.size)
        assert row.accuracy == pytest.approx(((p > 0.5) == t).mean())
        assert row.mean_confidence == pytest.approx(np.maximum(p, 1 - p).mean())
    assert [row.label for row in report.rows] == LABELS
    assert report.rows[0].expected_error < 0.06 < report.rows[1].expected_error < report.rows[2].expected_error
    assert report.mean_expected_error == pytest.approx(np.mean([row.expected_error for row in report.rows]))


def test_histograms_count_every_decision_once():
    row = ReliabilityReport.of([[1], [0], [1], [0]], [[0.0], [0.25], [0.5], [1.0]], bins=4).overall
    assert row.histogram == (2, 1, 0, 1)  # a bin holds its upper end
    assert row.confidence_histogram == (2, 2)  # 0.5 and 0.75; 1 and 1
    report = full()
    assert sum(report.overall.histogram) == sum(report.overall.confidence_histogram) == P.size
    assert report.overall.histogram == tuple(np.sum([r.histogram for r in report.rows], axis=0).tolist())


def test_json_holds_all_and_reads_back(tmp_path):
    path = tmp_path / "r.json"
    full().write_json(path)
    saved = json.loads(path.read_text())
    assert saved == json.loads(json.dumps(full().to_dict()))
    assert saved["overall"]["expected_error"] == full().overall.expected_error
    assert saved["rows"][1]["label"] == LABELS[1]
    assert saved["rows"][0]["curve"][0].keys() == {"lower", "upper", "count", "mean_probability", "fraction_true"}


def test_tables_on_a_terminal_and_as_markdown(tmp_path):
    out = io.StringIO()
    Console(file=out, width=120).print(full())
    text = out.getvalue()
    assert "[red]" in text
    assert f"{full().overall.expected_error:.4f}" in text
    full().write_markdown(tmp_path / "r.md")
    assert (tmp_path / "r.md").read_text() == str(full())
    assert str(full()).count("\n| ") == 4 + 2 + len(full().overall.curve) + 2


def test_png_is_a_picture_and_the_same_one_each_time(tmp_path):
    first, again, single = tmp_path / "a.png", tmp_path / "b.png", tmp_path / "c.png"
    full().write_png(first)
    full().write_png(again)
    assert first.read_bytes().startswith(b"\x89PNG")
    assert first.read_bytes() == again.read_bytes()
    ReliabilityReport.of(TRUTH[:, 0], P[:, 0]).write_png(single)
    height = [int.from_bytes(x.read_bytes()[20:24], "big") for x in (first, single)]
    assert height[0] > height[1]  # one label has no row of small panels


def test_a_failed_picture_leaves_the_old_one(tmp_path):
    with pytest.raises(BadInput, match="cannot write"):
        full().write_png(tmp_path / "no such folder" / "r.png")


def test_matplotlib_is_loaded_late():
    code = "import bayesift.evaluate, sys; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: ReliabilityReport.of(TRUTH, P, ["one"]), "3 labels, but 1 names"),
        (lambda: ReliabilityReport.of(TRUTH, P + 1), "between 0 and 1"),
        (lambda: ReliabilityReport.of(TRUTH, P[:, :2]), "shape"),
        (lambda: ReliabilityReport.of(TRUTH, P, bins=0), "at least 1"),
    ],
)
def test_bad_input(make, match):
    with pytest.raises(BadInput, match=match):
        make()
