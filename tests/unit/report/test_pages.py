"""Pages hold what they should, stay whole, and are the same again."""

import io
import warnings

import numpy as np
import pytest
from scipy.special import expit, logit

from bayesift import Document, TextClassifier
from bayesift.classify import LabelClassifier
from bayesift.classify.evaluation import measure
from bayesift.classify.explanation import Explanations
from bayesift.errors import Notice
from bayesift.evaluate import counts as ev_counts
from bayesift.evaluate import f_measures
from bayesift.report import evaluation_page, explanation_page, learning_curve, terminal
from bayesift.report.confusion import matrix, pairs
from bayesift.report.evaluation_charts import SHIFTS, shifted_counts
from bayesift.report.page import table
from bayesift.text import TextVectorizer

TEXTS = ["wheat harvest", "corn crop wheat", "oil prices", "opec oil output", "oil wheat"] * 6
LABELS = [("grain",), ("grain",), ("crude",), ("crude",), ("crude", "grain")] * 6
DOCUMENTS = [Document(str(i), "Title", text, labels) for i, (text, labels) in enumerate(zip(TEXTS, LABELS))]


@pytest.fixture(scope="module")
def model():
    return TextClassifier().fit(DOCUMENTS)


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
    page = evaluation_page(model, measure(model, right), title="<i>x</i>").html()
    assert "Every document is right." in page
    assert "&lt;i&gt;x&lt;/i&gt;" in page
    assert "--training" in page  # how to get the learning curve
    assert evaluation_page(model, measure(model, right), title="<i>x</i>").html() == page


def test_a_learning_curve_ends_with_all_documents(model):
    curve = learning_curve(model, DOCUMENTS, DOCUMENTS)
    assert curve.documents[-1] == 30
    assert list(curve.documents) == sorted(curve.documents)
    assert curve.micro[-1] == pytest.approx(model.evaluate(DOCUMENTS).summary["micro F1"])


def test_labels_that_a_part_has_not_learned_are_not_noted(model):
    rare = [Document("rare", "Title", "gold mine", ("gold",))]
    training, test = [*DOCUMENTS, *rare], [*rare, Document("new", "Title", "copper mine", ("copper",))]
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", Notice)
        learning_curve(model, training, test)
    told = [str(note.message) for note in notes if "never learned" in str(note.message)]
    assert told == ["1 label was never learned and counts as missed, e.g. 'copper'"]  # by the model of all documents


def test_single_labels_have_a_page_too():
    documents = [d for d in DOCUMENTS if len(d.labels) == 1]
    model = TextClassifier().fit(documents, [d.labels[0] for d in documents])
    curve = learning_curve(model, documents, documents)
    page = evaluation_page(model, measure(model, documents), curve=curve).html()
    assert "Reliability" in page


def test_the_parts_of_an_explanation_add_up_in_every_form(model):
    from rich.console import Console

    entry = model.explain(DOCUMENTS[:1], ["grain"], max_terms=200)[0]
    for shown in (1, 2, 50):
        *parts, total = entry.amounts(shown)
        assert sum(part.mean for part in parts) == pytest.approx(total.mean)
        assert sum(part.sd**2 for part in parts) == pytest.approx(total.sd**2)
    page = explanation_page(Explanations([entry])).html()
    assert page.count("<mark") == 2  # the two words that speak, where they stand
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(terminal([entry]))
    assert "wheat" in console.export_text()


def test_a_page_vectorises_and_predicts_each_document_once(model, monkeypatch):
    """The hardest documents too: their explanations take the answers that were measured."""
    seen = {"rows": 0, "predicted": 0}
    transform, predict = TextVectorizer.transform, LabelClassifier.predict_proba

    def counted_transform(self, documents):
        found = transform(self, documents)
        seen["rows"] += found.shape[0]
        return found

    def counted_predict(self, X):
        seen["predicted"] += X.shape[0]
        return predict(self, X)

    monkeypatch.setattr(TextVectorizer, "transform", counted_transform)
    monkeypatch.setattr(LabelClassifier, "predict_proba", counted_predict)
    wrong = [Document(f"w{i}", "Title", "oil prices", ("grain", "gold")) for i in range(9)]
    page = evaluation_page(model, measure(model, DOCUMENTS + wrong)).html()
    assert seen == {"rows": 39, "predicted": 39}
    assert page.count("<details") == 8


def test_a_hard_document_has_an_id_and_a_link(model):
    documents = [Document("story <7>", "", "oil prices", ("grain", "gold")), *DOCUMENTS[:3]]
    page = evaluation_page(model, measure(model, documents)).html()
    assert '<details id="hardest-1">' in page
    assert '<a href="#hardest-1" title="link to this document">story &lt;7&gt;</a>' in page


def test_a_document_that_misses_unknown_labels_only_explains_its_most_probable_one(model):
    documents = [Document("x", "", "oil prices", ("crude", "gold")), *DOCUMENTS[:3]]
    page = evaluation_page(model, measure(model, documents)).html()
    assert "<h3>crude: predicted, p = " in page


def test_a_page_says_what_its_figures_leave_out(model):
    documents = [*DOCUMENTS[:2], Document("x", "", "wheat", ("corn", "grain"))]
    page = evaluation_page(model, measure(model, documents)).html()
    assert "1 label without a document here" in page  # crude
    for name in ("exact match", "label accuracy", "macro F1 over labels with a document", "mean confidence"):
        assert f"<span>{name}</span>" in page


def test_pairs_of_thousands_of_labels_are_counted_sparsely():
    """A dense table of 30,000 labels would take 7 GB."""
    truth, given = np.zeros((3, 30_000), bool), np.zeros((3, 30_000), bool)
    truth[:, [5, 29_999]] = given[:, [5, 7]] = True
    assert [(x.first, x.second, x.true, x.second_for_first) for x in pairs(truth, given)] == [
        (7, 29_999, 0, 3), (5, 29_999, 3, 0),
    ]  # fmt: skip


def test_the_chart_of_thresholds_has_the_f1_of_every_shift():
    rng = np.random.default_rng(0)
    p, truth, thresholds = rng.random((50, 7)), rng.random((50, 7)) < 0.3, rng.random(6)
    cut = logit(np.append(thresholds, 0.5))
    for shift, counts in zip(SHIFTS, shifted_counts(p, truth, thresholds), strict=True):
        assert f_measures(counts) == pytest.approx(f_measures(ev_counts(truth, p > expit(cut + shift))))


def test_the_terminal_shows_a_document_once_and_the_sign_of_every_bar(model):
    from rich.console import Console

    document = Document("x", "", "Refineries: exports of wheat, opec, WHEATS")
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(terminal(model.explain([document], ["grain", "crude"])))
    text = console.export_text()
    assert text.count("Refineries") == 1
    grain, crude = (text[text.index(f"{label}: ") :] for label in ("grain", "crude"))
    row = next(line for line in grain.splitlines() if line.startswith("opec"))
    assert row.index("█") < row.index("│")  # against
    row = next(line for line in crude.splitlines() if line.startswith("opec"))
    assert row.index("█") > row.index("│")  # for


def test_a_list_that_scrolls_says_so():
    assert "20 rows; the list scrolls" in table(("x",), [["a"]] * 20)
    assert "scrolls" not in table(("x",), [["a"]] * 3)
    assert "scrolls" not in table(("x",), [["a"]] * 20, tall=False)


def test_labels_that_are_never_confused_are_said_and_not_a_table():
    from bayesift.report.evaluation import _add_confusion
    from bayesift.report.page import Page

    page = Page("Evaluation", "")
    _add_confusion(page, np.array([[1, 0], [1, 1]], bool), np.array([[1, 0], [1, 0]], bool), ["wheat", "corn"])
    assert "No label was confused with another." in page.html()
    assert "missed \\ predicted" not in page.html()
