"""One table in every form: the same cells, aligned, escaped, and harmless on a terminal."""

import io
import re

import pytest
from rich.console import Console

from bayesift.display import Markup, Table, notebook, table_html
from bayesift.display.style import SHEET
from bayesift.terminal import width

ROWS = [("corn | <b>", 3, 0.5), ("東京", None, float("nan")), ("x\x1b[31m\ny", 10, 1)]
TABLE = Table("Title", ("label", "n", "F1"), ROWS)


def test_every_form_has_the_same_cells():
    plain = [re.split(r"  +", line.strip()) for line in str(TABLE).splitlines()[1:]]
    assert plain == [
        ["label", "n", "F1"], ["corn | <b>", "3", "0.5000"], ["東京", "–", "–"], [r"x\x1b[31m y", "10", "1"],
    ]  # fmt: skip
    console = Console(file=io.StringIO(), width=20, record=True)
    console.print(TABLE.rich(), soft_wrap=True)  # as the command line does
    assert console.export_text().rstrip() == str(TABLE)
    markdown = [[c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in TABLE.markdown().splitlines()]
    assert markdown[2:4] == [[r"corn \| <b>", "3", "0.5000"], ["東京", "–", "–"]]
    assert TABLE.tabs().splitlines()[1] == "corn | <b>\t3\t0.5000"
    cells = re.findall(r"<td[^>]*>(.*?)</td>", TABLE.html(), re.S)
    assert cells[:3] == ["corn | &lt;b&gt;", "3", "0.5000"]


def test_columns_are_aligned_by_what_a_terminal_shows():
    lines = str(TABLE).splitlines()[1:]
    assert len({width(line) for line in lines}) == 1


@pytest.mark.parametrize(("words", "rule"), [(1, ["l", "r", "r"]), (2, ["l", "l", "r"]), (-1, ["l", "l", "l"])])
def test_words_are_at_the_left_and_numbers_at_the_right(words, rule):
    table = Table("", ("a", "b", "c"), [("x", "y", "z")], words=words)
    marks = table.markdown().splitlines()[1].strip("| ").split(" | ")
    assert ["l" if mark.startswith(":") else "r" for mark in marks] == rule


def test_decimals_are_those_asked_for():
    assert Table("", ("a", "b"), [("x", 1 / 3)], decimals=2).tabs().endswith("\t0.33")


def test_only_markup_is_not_escaped():
    found = table_html(("<i>",), [["<b>"], [Markup("<b>x</b>")]])
    assert "<i>" not in found
    assert "<td>&lt;b&gt;</td>" in found
    assert "<td><b>x</b></td>" in found


def test_the_style_sheet_changes_nothing_outside_its_own_box():
    """Each rule outside `.bayesift{...}` has a selector that names it."""
    depth, outside, selector = 0, [], ""
    for c in SHEET:
        if c == "{":
            if depth == 0 or (depth == 1 and outside[-1].startswith("@media")):
                outside.append(selector.strip())
            depth, selector = depth + 1, ""
        elif c == "}":
            depth, selector = depth - 1, ""
        else:
            selector = "" if c == ";" else selector + c
    assert depth == 0
    assert all(".bayesift" in part for rule in outside if not rule.startswith("@media") for part in rule.split(","))


def test_what_a_notebook_shows_is_one_box_with_escaped_words():
    found = notebook("<T>", "<s>", "<p>")
    assert found.startswith('<div class="bayesift cell"><style>')
    assert found.endswith("<h1>&lt;T&gt;</h1><p class=soft>&lt;s&gt;</p>&lt;p&gt;</div>")
