"""The README's table comes from results, between its marks, and nothing else changes."""

import pytest

from bayesift.errors import BadInput
from bayesift.experiments import headlines
from bayesift.experiments.result import Result, Row

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
