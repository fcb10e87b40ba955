"""Marks in a row: their number is limited, so that normalising takes time in proportion to the text."""

import json
import shutil
import subprocess

import pytest

from bayesift import TextClassifier
from bayesift.filtering.screening.records.identify import plain_title
from bayesift.integrations.javascript import javascript
from bayesift.text import TextVectorizer
from bayesift.text.marks import MOST, limit_marks
from bayesift.text.words import fold, split

PAIRS = ["\u0301\u0323", "\uff9e\u0323", "\U0001d165\u0301", "\u0903\u0301"]


@pytest.mark.parametrize("pair", PAIRS)
def test_a_word_keeps_the_first_30_marks_in_a_row(pair):
    assert limit_marks(f"e{pair * 5000}f{pair}") == f"e{pair * (MOST // 2)}f{pair}"
    assert len(fold("e" + pair * 5000)) < 3 * MOST
    assert limit_marks("e" + pair * (MOST // 2)) == "e" + pair * (MOST // 2)


def test_other_characters_in_a_row_stay():
    dashes = "\u2014" * 100
    assert limit_marks(dashes) == dashes
    assert limit_marks(f"{dashes}{PAIRS[0] * 20}{dashes}") == f"{dashes}{PAIRS[0] * 15}{dashes}"


def test_unseen_characters_do_not_part_a_run():
    assert fold("e" + "\u0301\u200d\u0323" * 5000) == fold("e" + "\u0301\u0323" * 5000)


def test_a_million_marks_are_read():
    marks = "\u0301\u0323" * 500_000
    model = TextClassifier().fit(["wheat harvest", "oil prices"] * 10, ["wheat", "oil"] * 10)
    assert model.predict([f"{marks} wheat {marks}"]).tolist() == ["wheat"]
    assert split(fold(f"{marks}wheat\u2014{marks}")) == ["wheat"]
    assert plain_title(f"Wheat{marks}") == "wheat"
    model.explain([f"wheat{marks} oil"])


def test_exported_javascript_has_the_same_words(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node: install Node.js")
    texts = [f"{'e' + pair * n}s wheat" for pair in PAIRS for n in (14, 15, 16, 40)] + ["oil and more oil"]
    model = TextClassifier(vectorizer=TextVectorizer(min_df=1)).fit(texts * 3, [("a",), ("b",)] * 24 + [("c",)] * 3)
    (tmp_path / "model.js").write_bytes(javascript(model))
    given, file = json.dumps(texts), json.dumps(str(tmp_path / "model.js"))
    code = f"console.log(JSON.stringify({given}.map(require({file}).classify)))"
    done = subprocess.run([node, "-e", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for row, found in zip(model.predict_proba(texts), json.loads(done.stdout), strict=True):
        assert list(found["probabilities"].values()) == pytest.approx(row.tolist(), abs=1e-6)
