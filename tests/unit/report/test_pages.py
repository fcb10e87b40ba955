"""Pages hold what they should, stay whole, and are the same again; charts are well-formed."""

import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from bayesift import Document, TextClassifier
from bayesift.report import evaluation_page, explanation_page, learning_curve, terminal
from bayesift.report.charts import Line, Mark, line_chart
from bayesift.report.confusion import matrix, pairs
from bayesift.report.explanation import amounts
from bayesift.report.page import table

TEXTS = ["wheat harvest", "corn crop wheat", "oil prices", "opec oil output", "oil wheat"] * 6
LABELS = [("grain",), ("grain",), ("crude",), ("crude",), ("crude", "grain")] * 6
DOCUMENTS = [Document(str(i), "Title", text, labels) for i, (text, labels) in enumerate(zip(TEXTS, LABELS))]


@pytest.fixture(scope="module")
def model():
    return TextClassifier().fit(DOCUMENTS)


def drawing(figure):
    return ET.fromstring(figure[figure.index("<svg") : figure.index("</svg>") + 6])


def test_a_chart_puts_points_where_they_belong():
    figure = line_chart("T", "c", [Line("a", [0, 1], [0.0, 1.0])], "x", marks=[Mark(0.5, 0.5, "here")], diagonal=True)
    svg = drawing(figure)
    (x1, y1), (x2, y2) = (map(float, p.split(",")) for p in svg.find("polyline").get("points").split())
    circle = svg.find("circle")
    assert float(circle.get("cx")) == pytest.approx((x1 + x2) / 2, abs=0.2)
    assert float(circle.get("cy")) == pytest.approx((y1 + y2) / 2, abs=0.2)
    assert x2 > x1
    assert y2 < y1  # up is more
    assert drawing(line_chart("T", "c", [Line("a", [], [])], "x")) is not None


def test_words_of_others_are_escaped():
    assert "<b>" not in table(("<b>",), [["<b>", None, float("nan"), 0.5]])
    assert "&lt;b&gt;" in table(("x",), [["<b>"]])


def test_confusion_counts():
    truth = np.array([[1, 0], [1, 0], [0, 1]], bool)
    given = np.array([[0, 1], [1, 0], [0, 1]], bool)
    chosen, counts = matrix(truth, given)
    found = {(a, b): counts[i, j] for i, a in enumerate(chosen) for j, b in enumerate(chosen)}
    assert found == {(0, 0): 1, (0, 1): 1, (1, 0): 0, (1, 1): 1}
    assert (pairs(truth, given)[0].first_for_second, pairs(truth, given)[0].second_for_first) == (1, 0)
    assert pairs(truth, truth) == []
    assert matrix(truth, truth)[0] == []


def test_a_page_that_is_all_right_says_so(model, tmp_path):
    right = [d for d, given in zip(DOCUMENTS, model.predict(DOCUMENTS)) if given == d.labels]
    page = evaluation_page(model, right, title="<i>x</i>").html()
    assert "Every document is right." in page
    assert "&lt;i&gt;x&lt;/i&gt;" in page
    assert "--training" in page  # how to get the learning curve
    assert evaluation_page(model, right, title="<i>x</i>").html() == page


def test_a_learning_curve_ends_with_all_documents(model):
    curve = learning_curve(model, DOCUMENTS, DOCUMENTS)
    assert curve.documents[-1] == 30
    assert list(curve.documents) == sorted(curve.documents)
    assert curve.micro[-1] == pytest.approx(model.evaluate(DOCUMENTS).summary["micro F1"])


def test_single_labels_have_a_page_too():
    documents = [d for d in DOCUMENTS if len(d.labels) == 1]
    model = TextClassifier().fit(documents, [d.labels[0] for d in documents])
    assert "Reliability" in evaluation_page(model, documents, curve=learning_curve(model, documents, documents)).html()


def test_the_parts_of_an_explanation_add_up_in_every_form(model):
    from rich.console import Console

    entry = model.explain(DOCUMENTS[:1], ["grain"], most=200)[0]
    for shown in (1, 2, 50):
        *parts, total = [part for _, part in amounts(entry, shown)]
        assert sum(part.mean for part in parts) == pytest.approx(total.mean)
        assert sum(part.sd**2 for part in parts) == pytest.approx(total.sd**2)
    page = explanation_page(model, DOCUMENTS, [entry]).html()
    assert page.count("<mark") == 2  # the two words that speak, where they stand
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(terminal(model, DOCUMENTS[0], entry))
    assert "wheat" in console.export_text()
