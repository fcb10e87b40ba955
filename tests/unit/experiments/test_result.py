"""Results are stored as JSON and read back; rows of slow systems outlive a run without them."""

import json

import pytest

from bayesift.errors import BadInput
from bayesift.experiments.result import Curve, Result, Row, read_result, store

SLOW = [Row("slow", "0.5", "f1", 1.0, 2.0), Row("quick", "against slow", "sign", ">", "~")]


def result(*rows, **fields):
    return Result("demo", "corpus", rows=list(rows), notes=["A note."], **fields)


def test_a_result_is_read_back_as_it_was_written(tmp_path):
    written = result(Row("a|b", "s", "m", None, 0.1 + 0.2), Row("a", "s", "sign", ">>", "~"), optional={"a": "today"})
    written.curves = [Curve("panel", "name", [0.0, 1.0], [0.5, 0.25])]
    written.write_json(tmp_path / "r.json")
    assert read_result(tmp_path / "r.json") == written
    rows = json.loads((tmp_path / "r.json").read_text())["rows"]
    assert all(set(row) == {"system", "setting", "metric", "paper", "ours"} for row in rows)


@pytest.mark.parametrize("text", ["", "{}", '{"name": 1}'])
def test_a_damaged_file_is_named(tmp_path, text):
    path = tmp_path / "r.json"
    path.write_text(text)
    with pytest.raises(BadInput, match="run the experiment again") as error:
        read_result(path)
    assert error.value.path == str(path)


def test_a_run_renews_its_rows_and_keeps_those_that_only_an_option_adds(tmp_path):
    others = Row("quick", "0.5", "f1", 1.0, 2.0), Row("gone", "0.5", "f1", 1.0, 2.0)
    store(tmp_path, result(*others, *SLOW, optional={"slow": "2026-01-02"}))
    store(tmp_path, result(Row("quick", "0.5", "f1", 1.0, 3.0)))
    found = read_result(tmp_path / "demo.json")
    assert found.rows == [Row("quick", "0.5", "f1", 1.0, 3.0), *SLOW]
    assert found.optional == {"slow": "2026-01-02"}


def test_a_run_with_the_option_replaces_them(tmp_path):
    store(tmp_path, result(*SLOW, optional={"slow": "2026-01-02"}))
    store(tmp_path, result(Row("slow", "0.5", "f1", 1.0, 9.0), optional={"slow": "2026-03-04"}))
    found = read_result(tmp_path / "demo.json")
    assert [row.ours for row in found.rows] == [9.0]
    assert found.optional == {"slow": "2026-03-04"}
