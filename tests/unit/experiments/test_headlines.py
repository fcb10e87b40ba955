"""The README's table comes from results, between its marks, and nothing else changes."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from bayesift.classify import LabelClassifier
from bayesift.errors import BadInput
from bayesift.evaluate import f_measure
from bayesift.experiments import headlines
from bayesift.experiments.result import Result, Row
from bayesift.experiments.zhang2010 import SYSTEMS

ROWS = [Row("Perceptron", "MaxF1", "micro_f1", 86.69, 86.4), Row("X", "y", "z", 1.0, 2.0)]
RESULT = Result("chai2002-table2", "c", rows=ROWS)


def test_the_table_is_put_between_the_marks(tmp_path):
    path = tmp_path / "README.md"
    path.write_text(f"before\n{headlines.BEGIN}\nold\n{headlines.END}\nafter\n")
    headlines.write(path, [RESULT])
    text = path.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "| chai2002-table2 | Perceptron | MaxF1 | micro_f1 | 86.69 | 86.40 |" in text
    assert "old" not in text
    assert "| X |" not in text


@pytest.mark.parametrize("text", ["no marks", f"{headlines.END} {headlines.BEGIN}", headlines.BEGIN])
def test_a_file_without_marks_is_left_alone(tmp_path, text):
    path = tmp_path / "README.md"
    path.write_text(text)
    with pytest.raises(BadInput, match="marks"):
        headlines.write(path, [RESULT])
    assert path.read_text() == text


def test_what_was_not_run_stays(tmp_path):
    path = tmp_path / "README.md"
    standing = "| zhang2010-f1 | ours | TMC2007 | micro_f1 | – | 65.00 |"
    path.write_text(f"{headlines.BEGIN}\n{standing}\n| gone | x | y | z | – | 1 |\n{headlines.END}\n")
    headlines.write(path, [RESULT])
    text = path.read_text()
    assert standing in text
    assert "| gone |" not in text
    assert RESULT.name in text


def sides():
    rng = np.random.default_rng(0)
    X = sparse.random(300, 30, density=0.15, random_state=0, format="csr")
    Y = ((X @ rng.normal(size=(30, 6))) + 0.3 * rng.normal(size=(300, 6)) > 0.4).astype(int)
    return X[:150], Y[:150], X[150:], Y[150:]


def test_what_the_readme_calls_ours_is_the_default():
    """`predict`, one document at a time; deciding all test documents at once is a row of its own."""
    X, Y, X_test, Y_test = sides()
    model = LabelClassifier(seed=0).fit(X, Y)
    assert SYSTEMS["ours"](X, Y, X_test, Y_test, 0)["macro_f1"] == 100 * f_measure(
        Y_test, model.predict(X_test), "macro"
    )
    assert SYSTEMS["ours, together"](X, Y, X_test, Y_test, 0)["macro_f1"] == 100 * f_measure(
        Y_test, model.decide(X_test), "macro"
    )
    shown = {system for name, system, _ in headlines.SHOWN if name == "zhang2010-f1"}
    assert shown == {"ours", "ours, together", "LIBLINEAR, SCutFBR.1"}
    assert shown <= set(SYSTEMS)


def test_the_readme_shows_what_the_results_say():
    """The same figure in both files, in every row."""
    root = Path(headlines.__file__).parents[3]
    readme = (root / "README.md").read_text("utf-8").partition(headlines.BEGIN)[2].partition(headlines.END)[0]
    rows = [line for line in readme.splitlines() if line.startswith(("| zhang2010-f1", "| chai2002-table2"))]
    sections = (root / "docs" / "RESULTS.md").read_text("utf-8").split("### ")
    by_name = {section.partition("\n")[0]: section for section in sections}
    assert len(rows) == 2 * len(headlines.SHOWN)
    for row in rows:
        experiment, _, rest = row.removeprefix("| ").partition(" | ")
        assert f"| {rest}" in by_name[experiment]
