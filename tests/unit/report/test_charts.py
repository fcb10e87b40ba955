"""Charts are well-formed, put points where they belong, and carry their colours when they stand alone."""

import xml.etree.ElementTree as ET

import pytest

from bayesift.report.charts import (
    Point,
    Series,
    bars,
    box_plot,
    five_numbers,
    heat_map,
    histogram,
    lines,
    reliability_curve,
    scatter,
    side_by_side,
)
from bayesift.report.charts.axis import Axis

NAN = float("nan")
RISING = Series("a <b>", [1, 10, 100], [0.0, 0.5, 1.0], error=[0.1, 0.1, 0.1], markers=True)
MARKED = [Point(1, 1, "<", named=True), Point(0, 1, "x", 1, "cross"), Point(0, 0, "y", 1, "ring")]
CHARTS = {
    "lines": lambda **options: lines([RISING, Series("b", [1, 100], [1, 0], low=[0, 0], high=[2, 2])], **options),
    "scatter": lambda **options: scatter([RISING], diagonal=True, **options),
    "reliability": lambda **options: reliability_curve([RISING], **options),
    "bars": lambda **options: bars(["x <y>", "z"], {"p": [1.0, -2.0], "q": [NAN, 1.0]}, **options),
    "boxes": lambda **options: box_plot({"x <y>": five_numbers([1.0, 2.0, 4.0])}, **options),
    "histogram": lambda **options: histogram([1.0, 2.0, 2.0, NAN], **options),
    "heat map": lambda **options: heat_map([0, 1], [0, 1], [[1, 2], [3, 4]], points=MARKED, **options),
}
EMPTY = {
    "lines": lambda: lines([Series("a", [], [])]),
    "bars": lambda: bars([], {}),
    "boxes": lambda: box_plot({}),
    "histogram": lambda: histogram([]),
}


def numbers(element, *names):
    return [float(element.get(name)) for name in names]


def points(svg):
    return [[tuple(map(float, p.split(","))) for p in line.get("points").split()] for line in svg.iter("polyline")]


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_a_chart_is_well_formed_and_its_texts_are_escaped(draw):
    svg = draw(title="T & T", x_label="<x>", y_label="<y>")
    root = ET.fromstring(svg)
    assert root.get("aria-label") == "T & T"
    assert "<x>" in [element.text for element in root.iter("text")]
    assert "NAN" not in svg.upper()
    assert "<style>" not in svg  # the page rules


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_a_chart_of_its_own_has_both_sets_of_colours_and_its_title(draw):
    svg = draw(title="Title", standalone=True)
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "prefers-color-scheme:dark" in svg
    assert ">Title</text>" in svg
    used = {name.split(")")[0] for name in svg.split("var(")[1:]}
    assert all(svg.count(f"{name}:") == 2 for name in used)  # each is set for light and for dark


@pytest.mark.parametrize("draw", EMPTY.values(), ids=EMPTY)
def test_a_chart_without_data_says_so(draw):
    assert ">no data</text>" in draw()


def test_points_are_where_they_belong():
    svg = ET.fromstring(lines([Series("a", [0, 1], [0.0, 1.0])], points=[Point(0.5, 0.5, "here")], diagonal=True))
    [[(x1, y1), (x2, y2)]] = points(svg)
    x, y = numbers(next(svg.iter("circle")), "cx", "cy")
    assert (x, y) == (pytest.approx((x1 + x2) / 2, abs=0.2), pytest.approx((y1 + y2) / 2, abs=0.2))
    assert x2 > x1
    assert y2 < y1  # up is more


def test_equal_ratios_are_equally_far_on_a_logarithmic_axis():
    svg = ET.fromstring(lines([Series("a", [1, 10, 100], [1, 2, 3])], x_log=True))
    [[(a, _), (b, _), (c, _)]] = points(svg)
    assert b - a == pytest.approx(c - b, abs=0.2)


def test_a_value_that_is_missing_leaves_a_gap():
    assert [len(run) for run in points(ET.fromstring(lines([Series("a", range(5), [1, 2, NAN, 3, 4])])))] == [2, 2]
    with_zero = lines([Series("a", [0, 1, 10], [1, 2, 3])], x_log=True)
    assert [len(run) for run in points(ET.fromstring(with_zero))] == [2]


def test_an_error_bar_reaches_from_y_minus_to_y_plus_the_error():
    y = [2.0, 6.0]
    svg = ET.fromstring(lines([Series("a", [0, 1], y, error=[2.0, 2.0], markers=True)], y_range=(0, 8)))
    circles = [numbers(c, "cx", "cy") for c in svg.iter("circle")]
    per_unit = (circles[0][1] - circles[1][1]) / 4.0
    bars = [numbers(line, "x1", "y1", "x2", "y2") for line in svg.find("svg").iter("line")]
    upright = [(x1, abs(y1 - y2)) for x1, y1, x2, y2 in bars if x1 == x2]
    assert upright == [(x, pytest.approx(4.0 * per_unit, abs=0.3)) for x, _ in circles]


def test_a_box_spans_its_quartiles():
    svg = ET.fromstring(box_plot({"a": [0.0, 2.0, 3.0, 6.0, 10.0]}, x_range=(0, 10)))
    box = next(r for r in svg.iter("rect"))
    whiskers = [numbers(line, "x1", "x2") for line in svg.find("svg").iter("line")]
    left, right = min(min(w) for w in whiskers), max(max(w) for w in whiskers)
    x, width = numbers(box, "x", "width")
    assert ((x - left) / (right - left), width / (right - left)) == (
        pytest.approx(0.2, abs=0.01), pytest.approx(0.4, abs=0.01),
    )  # fmt: skip


def test_bars_are_as_long_as_their_values_and_begin_at_zero():
    svg = ET.fromstring(bars(["a", "b", "c"], {"v": [1.0, -1.0, 2.0]}))
    (a, wa), (b, wb), (c, wc) = (numbers(r, "x", "width") for r in svg.iter("rect"))
    assert (wa, wc) == (pytest.approx(wb, abs=0.2), pytest.approx(2 * wa, abs=0.2))
    assert (a, b + wb) == (pytest.approx(c, abs=0.2), pytest.approx(c, abs=0.2))


def test_a_histogram_counts_every_value():
    svg = ET.fromstring(histogram([0.0, 0.1, 0.2, 0.9, 1.0], bins=2))
    assert [r.find("title").text for r in svg.iter("rect")] == ["0 to 0.5: 3", "0.5 to 1: 2"]


def test_the_strongest_cell_of_a_heat_map_is_its_maximum():
    svg = ET.fromstring(heat_map([0, 1], [0, 1], [[1, 2], [9, 4]]))
    cells = list(svg.find("svg").iter("rect"))
    assert max(cells, key=lambda r: float(r.get("fill-opacity"))).find("title").text == "0, 1: 9.0000"


def test_charts_side_by_side_are_one_drawing():
    one = lines([RISING], width=200, height=100)
    root = ET.fromstring(side_by_side([one] * 3, 2, title="all"))
    assert root.get("viewBox") == "0 0 400 200"
    assert [(p.get("x"), p.get("y")) for p in root if p.get("x")] == [("0", "0"), ("200", "0"), ("0", "100")]
    titled = ET.fromstring(side_by_side([one] * 3, 2, title="all", standalone=True))
    assert titled.get("viewBox") == "0 0 400 224"


@pytest.mark.parametrize(
    ("axis", "expected"),
    [
        (Axis.over([0.0, 1.0]), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (Axis.over([0, 48_000]), ["0", "10,000", "20,000", "30,000", "40,000"]),
        (Axis.over([0, 4_000_000]), ["0", "1M", "2M", "3M", "4M"]),
        (Axis.over([3.0, 3.0]), ["2", "3", "4"]),
        (Axis.over([0.003, 2.0], log=True), ["0.01", "0.1", "1"]),
        (Axis.over([-0.02, 0.02]), ["-0.02", "-0.01", "0.00", "0.01", "0.02"]),
    ],
)
def test_ticks_are_round_numbers(axis, expected):
    assert axis.labels() == expected


def test_labels_of_ticks_do_not_touch():
    svg = ET.fromstring(lines([Series("a", range(9), range(9))], x_ticks=[100, 101, 102], x_range=(0, 2000)))
    assert [e.text for e in svg.iter("text")].count("100") + [e.text for e in svg.iter("text")].count("101") == 1
