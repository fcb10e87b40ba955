"""Results print as plain text and show themselves in a notebook; nothing in a name acts on either."""

import re

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context

from bayesift import Report, TextClassifier, TextVectorizer
from bayesift.classify.inputs import as_names
from bayesift.evaluate import compare
from bayesift.filtering import Filter, Outcome, Profile, Strategy
from bayesift.filtering.topic import Topic

EVIL = "<script>\x1b[31m"
TEXTS = ["wheat harvests", "corn crop wheat", "oil prices", "opec oil output", "oil wheat"] * 6
LABELS = [("grain",), ("grain",), ("crude",), ("crude",), ("crude", "grain")] * 6


@pytest.fixture(scope="module")
def model():
    found = TextClassifier(vectorizer=TextVectorizer(ngrams=2)).fit(TEXTS, LABELS)
    found.classes_ = as_names(["crude", EVIL])  # as in a file of an earlier version: nothing learns such a name now
    return found


@pytest.fixture(scope="module")
def shown(model):
    truth = np.array([[1, 0], [1, 1]])
    return {
        "report": Report.of(truth, truth, truth * 0.8, labels=["corn", EVIL], name=EVIL),
        "comparison": compare(truth, truth, truth, names=(EVIL, "b")),
        "explanation": model.explain([f"Oil prices {EVIL}"], [EVIL])[0],
        "explanations": model.explain([f"Oil prices {EVIL}", "wheat"], [EVIL, "crude"]),
        "classifier": model,
        "outcome": Outcome("asked", EVIL, EVIL, 0.6, 0.4, (0.3, 0.8), 0.1, np.array([3, 7]), np.array([0.5, -0.25])),
    }


NAMES = ["report", "comparison", "explanation", "explanations", "classifier", "outcome"]


@pytest.mark.parametrize("name", NAMES)
def test_text_is_plain_and_html_is_one_box(shown, name):
    text, html = str(shown[name]), shown[name]._repr_html_()
    assert "\x1b" not in text
    assert r"\x1b[31m" in text
    assert "object at 0x" not in text
    assert html.startswith('<div class="bayesift cell">')
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert html == shown[name]._repr_html_()


def test_a_document_is_shown_once_and_words_are_coloured_for_each_label(model):
    html = model.explain(["Oils and harvests"], [EVIL, "crude"])._repr_html_()
    assert html.count(">Oils</mark>") == 1
    shades = re.search(r'<mark style="([^"]*)" title="[^"]*">Oils', html)[1]
    assert re.fullmatch(r"--g0:0\.\d+;--f1:0\.\d+", shades)  # against the first label, for the second
    assert html.count('type="radio"') == 2
    assert html.count("checked>") == 1


def test_the_words_of_an_ngram_are_coloured_by_it(model):
    """`oil wheat` occurs in documents of both labels; alone its words speak for one of them."""
    found = model.explain(["Oil, wheats"], ["crude"], 50)[0]
    worth = {part.term: part.mean for part in found.words}
    assert set(worth) == {"oil", "wheat", "oil wheat"}
    amounts = {part.text: part.amount for part in found.text}
    assert amounts["Oil"] == pytest.approx(worth["oil"] + worth["oil wheat"])
    assert amounts["wheats"] == pytest.approx(worth["wheat"] + worth["oil wheat"])
    assert amounts[", "] == 0.0
    assert next(part.word for part in found.words if part.term == "oil wheat") == "Oil wheats"


def test_a_long_document_is_cut_with_an_ellipsis(model):
    found = model.explain(["wheat " * 2000], ["crude"])[0]
    assert "".join(part.text for part in found.text) == "wheat " * 2000
    [(zone, parts)] = found.shown()
    assert zone == "body"
    assert len("".join(part.text for part in parts)) < 1510
    assert parts[-1].text == " …"


def test_a_classifier_keeps_the_notebook_html_of_scikit_learn_until_it_is_fitted(model):
    unfitted = TextClassifier()
    assert "sk-top-container" in unfitted._repr_mimebundle_()["text/html"]
    assert str(unfitted) == repr(unfitted) == "TextClassifier()"
    assert model._repr_mimebundle_()["text/html"] == model._repr_html_()
    assert "30" in str(model).splitlines()[0]
    row = next(line for line in str(model).splitlines() if line.startswith("crude"))
    assert re.search(r"\boil\b.* 18$", row)
    with config_context(display="text"):
        assert not hasattr(model, "_repr_html_")
        assert set(model._repr_mimebundle_()) == {"text/plain"}


def test_topics_say_what_has_happened_to_them():
    training = sparse.csr_matrix(np.eye(6)[[0, 0, 1, 2, 3, 4]])
    topic = Filter([Profile.start("grain", training=training, relevant=[0, 1])], Strategy("none")).topics[0]
    assert isinstance(topic, Topic)
    assert re.fullmatch(r"topic grain: \d+ terms; 0 documents shown, .*; 0 unanswered", str(topic))
