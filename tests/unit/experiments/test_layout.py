"""The cells of a table: the paper's figure, ours, the spread, and a mark beyond the slack."""

import pytest

from bayesift.experiments.layout import Layout, Line, Slack, lines
from bayesift.experiments.result import Result, Row


def cells(layout, *rows):
    return layout.table(Result("demo", "corpus", rows=list(rows))).rows


F1 = Line("F1", metric="f1", slack=Slack(below=0.5))
LAYOUT = Layout("caption", lines("system", ("a", "b")), (F1,), Line("", setting="s"), beyond=lines("system", ("c",)))


@pytest.mark.parametrize(
    ("ours", "cell"),
    [
        (80.0, "80.00 / 80.00"), (79.51, "80.00 / 79.51"), (79.49, "80.00 / 79.49 ▼"), (80.49, "80.00 / 80.49"),
        (80.51, "80.00 / 80.51 ▲"), (None, "80.00 / –"),
    ],
)  # fmt: skip
def test_a_cell_is_marked_beyond_the_slack(ours, cell):
    assert cells(LAYOUT, Row("a", "s", "f1", 80.0, ours)) == [["a", cell]]


@pytest.mark.parametrize(("ours", "mark"), [(15, ""), (16, "▲"), (7, ""), (6, "▼")])
def test_a_factor_is_allowed_either_way(ours, mark):
    assert Slack(factor=1.5).mark(10, ours) == mark


def test_signs_are_equal_or_not():
    layout = Layout("", lines("system", ("a", "b")), (Line("sign", metric="sign"),))
    rows = Row("a", "", "sign", ">> / ~", ">> / ~"), Row("b", "", "sign", ">> / ~", "> / ~")
    assert cells(layout, *rows) == [["a", ">> ~ / >> ~"], ["b", ">> ~ / > ~ ≠"]]
    assert layout.reading(Result("demo", "corpus", rows=list(rows))) == "1 of 2 figures are marked."


def test_a_row_beyond_the_paper_has_ours_alone():
    found = cells(LAYOUT, Row("c", "s", "f1", None, 3.0), Row("a", "s", "f1", 1.0, 1.0), Row("b", "s", "f1", None, 2.0))
    assert found == [["a", "1.00 / 1.00"], ["b", "– / 2.00"], ["c †", "3.00"]]


def test_without_any_figure_of_the_paper_a_cell_has_ours_and_its_deviation():
    rows = Row("a", "s", "f1", None, 2.0), Row("a", "s", "f1 sd", None, 0.125)
    assert cells(LAYOUT, *rows) == [["a", "2.00 ± 0.12"]]


def test_parts_of_a_key_are_joined():
    asked, number = Line("asked", setting="asked"), Line("n", metric="n", digits=0)
    layout = Layout("", (asked,), (number,), Line("", setting="arxiv"))
    assert layout.keys() == [("", "arxiv, asked", "n")]
    assert cells(layout, Row("", "arxiv, asked", "n", None, 1234.0)) == [["asked", "1,234"]]


def test_lines_without_figures_are_left_out_and_marks_are_counted():
    rows = Row("a", "s", "f1", 80.0, 70.0), Row("a", "other", "f1", 80.0, 70.0)
    result = Result("demo", "corpus", rows=list(rows))
    assert len(LAYOUT.table(result).rows) == 1
    assert LAYOUT.reading(result) == "Slack: F1 0.5 below, 0.5 above. 1 of 1 figures are marked."
    assert Layout("", LAYOUT.rows, lines("metric", ("f1",)), LAYOUT.where).reading(result) == ""
