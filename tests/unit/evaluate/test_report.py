"""Reports: what they hold, and how they look as JSON, as Markdown and on a terminal."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from bayesift import evaluate as ev
from bayesift.errors import BadInput
from bayesift.evaluate import Report

TRUTH = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])
GIVEN = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 0]])
P = np.array([[0.9, 0.2, 0.1], [0.4, 0.8, 0.1], [0.3, 0.7, 0.6], [0.1, 0.1, 0.2]])
LABELS = ["corn", "a|b [red]c[/red]", "never"]


def full() -> Report:
    return Report.of(TRUTH, GIVEN, P, confidences=P, labels=LABELS, name="demo")


def test_holds_what_the_functions_give():
    report = full()
    assert report.documents == 4
    assert [row.label for row in report.rows] == LABELS
    corn = report.rows[0]
    assert (corn.support, corn.predicted, corn.precision, corn.recall) == (2, 1, 1.0, 0.5)
    assert (corn.f1, corn.roc_area) == (pytest.approx(2 / 3), 1.0)
    errors = [ev.reliability(TRUTH[:, c], P[:, c]).expected_error for c in range(3)]
    assert [row.calibration_error for row in report.rows] == pytest.approx(errors)
    for average in ("micro", "macro", "example"):
        assert report.summary[f"{average} precision"] == ev.precision(TRUTH, GIVEN, average)
        assert report.summary[f"{average} recall"] == ev.recall(TRUTH, GIVEN, average)
        assert report.summary[f"{average} F1"] == ev.f_measure(TRUTH, GIVEN, average)
    assert report.summary["Hamming loss"] == 2 / 12
    assert report.summary["Q"] == ev.q_score(TRUTH, GIVEN, P)
    assert report.summary["log-evidence per decision"] == pytest.approx(ev.log_evidence(TRUTH, P).sum() / 12)
    assert report.summary["Brier score"] == ev.brier_score(TRUTH, P)
    curve = ev.reliability(TRUTH, P)
    assert report.summary["calibration error"] == pytest.approx(np.mean(errors))
    assert report.summary["pooled calibration error"] == curve.expected_error
    assert report.summary["pooled maximal calibration error"] == curve.maximal_error
    assert report.summary["macro ROC area"] == 1.0  # over the two labels that have one


def test_exact_match_and_accuracy():
    summary = full().summary
    assert summary["exact match"] == 0.5
    assert summary["label accuracy"] == pytest.approx(10 / 12)
    one = Report.of(np.eye(3)[[0, 1, 2, 2]], np.eye(3)[[0, 1, 1, 2]]).summary
    assert one["accuracy"] == one["exact match"] == one["micro F1"] == 0.75
    assert "accuracy" not in summary


def test_macro_f1_says_whether_labels_without_a_document_count():
    summary = full().summary  # the third label has no document
    assert summary["macro F1"] == pytest.approx((2 / 3 + 1) / 3)
    assert summary["macro F1 over labels with a document"] == pytest.approx((2 / 3 + 1) / 2)
    assert np.isnan(Report.of([[0]], [[0]]).summary["macro F1 over labels with a document"])


def test_roc_areas_compare_documents_of_one_fold():
    truth, scores = [1, 0, 1, 0], [0.2, 0.1, 0.9, 0.8]
    assert ev.roc_areas(truth, scores)[0] == 0.75
    assert ev.roc_areas(truth, scores, folds=[0, 0, 1, 1])[0] == 1.0
    assert np.isnan(ev.roc_areas([1, 1, 0, 0], scores, folds=[0, 0, 1, 1])[0])


def test_calibration_errors_of_labels_do_not_depend_on_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    p, truth = rng.random((40, 7)), rng.random((40, 7)) < 0.4
    whole = ev.label_errors(truth, p)
    assert whole == pytest.approx([ev.reliability(truth[:, c], p[:, c]).expected_error for c in range(7)])
    monkeypatch.setattr(sys.modules["bayesift.evaluate.reliability"], "CELLS", 100)  # two labels at a time
    assert np.array_equal(ev.label_errors(truth, p), whole)


def test_a_narrow_terminal_breaks_no_name():
    out = io.StringIO()
    names = ["a label with a rather long name indeed", "wide 東京", "c"]
    Console(file=out, width=80).print(Report.of(TRUTH, GIVEN, P, labels=names))
    lines = out.getvalue().splitlines()
    assert sum(line.startswith(names[0]) for line in lines) == 1
    widths = {cell_len(line) for line in lines[lines.index("Labels") + 1 :] if line}
    assert len(widths) == 1


def test_without_probabilities_they_are_not_spoken_of():
    report = Report.of(TRUTH, GIVEN)
    assert [row.label for row in report.rows] == ["0", "1", "2"]
    assert report.rows[0].roc_area is None
    assert not {"Q", "Brier score"} & set(report.summary)
    assert "ROC" not in report.markdown()


def test_empty_is_passed_on():
    nothing = np.zeros((2, 1), int)
    report = Report.of(nothing, nothing, empty=1)
    assert (report.rows[0].f1, report.summary["macro F1"], report.summary["micro precision"]) == (1, 1, 1)


def test_json(tmp_path):
    path = tmp_path / "report.json"
    p = P.copy()
    p[0, 0] = 0  # true and held impossible: log-evidence is -inf
    Report.of(TRUTH, GIVEN, p, labels=LABELS, name="Ünïcode").write_json(path)
    found = json.loads(path.read_text("utf-8"), parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert (found["name"], found["documents"]) == ("Ünïcode", 4)
    assert found["labels"][2]["roc_area"] is None
    assert found["labels"][0]["f1"] == pytest.approx(2 / 3)
    assert found["summary"]["log-evidence per decision"] is None
    assert found["summary"]["micro F1"] == pytest.approx(0.75)


def test_markdown(tmp_path):
    path = tmp_path / "report.md"
    report = full()
    report.write_markdown(path)
    text = path.read_text("utf-8")
    assert text == report.markdown()
    assert text.startswith("# demo: 4 documents, 3 labels\n")
    table = text.split("## Labels")[1].strip().splitlines()
    assert len({len(line) for line in table}) == 1
    assert table[3].startswith(r"| a\|b [red]c[/red] |")
    assert [cell.strip() for cell in table[4].strip("|").split("|")][-2] == "–"  # no ROC area


def test_a_terminal_shows_it_and_reads_no_markup_in_names():
    out = io.StringIO()
    Console(file=out, width=120).print(full())
    assert "demo: 4 documents, 3 labels" in out.getvalue()
    assert "a|b [red]c[/red]" in out.getvalue()
    assert "0.6667" in out.getvalue()


def test_names_must_fit():
    with pytest.raises(BadInput, match="3 labels, but 2 names"):
        Report.of(TRUTH, GIVEN, labels=["a", "b"])


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(BadInput, match="cannot write"):
        full().write_json(tmp_path / "no" / "such" / "folder.json")


def test_import_is_light():
    heavy = ("sklearn", "scipy.stats", "matplotlib", "numba", "rich")
    code = f"import sys, bayesift.evaluate; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
