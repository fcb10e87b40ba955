"""Labels of a table that nobody can understand are named, not left out in silence."""

import warnings

import pytest

from bayesift.errors import Notice
from bayesift.filtering.screening.records import read_records


def read(tmp_path, *labels, column="included"):
    path = tmp_path / "records.csv"
    rows = "".join(f"Title {i},{label}\n" for i, label in enumerate(labels))
    path.write_text(f"title,{column}\n{rows}")
    return read_records(path).records


def test_a_label_that_is_not_understood_is_named(tmp_path):
    with pytest.warns(Notice, match=r"records\.csv:3: included 'oui'; write 1 or 0") as given:
        found = read(tmp_path, "1", "oui", "no", "", "-1", "NaN", "?")
    assert len(given) == 1
    assert [[one.decision for one in record.given] for record in found] == [
        ["include"], [], ["exclude"], [], [], [], ["maybe"]]  # fmt: skip


def test_of_many_the_first_are_named(tmp_path):
    with pytest.warns(Notice, match=r"'x0', .*:3: included 'x1', .*:4: included 'x2' and 7 more; write"):
        read(tmp_path, *(f"x{i}" for i in range(10)))


def test_labels_that_are_understood_are_no_reason_to_warn(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(tmp_path, "yes", "0", "1.0", "", "n/a", "maybe", column="asreview_label")
