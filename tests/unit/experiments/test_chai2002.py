"""The tables run on a few categories and write what they promise; on the real corpus only."""

import json

import pytest

from bayesift.experiments import EXPERIMENTS
from bayesift.experiments.chai2002 import TABLE2, TABLE3, TABLE3_ORDER


def test_the_published_tables_are_whole():
    assert all(set(rules) >= {"0.5", "MaxF1"} for rules in TABLE2.values())
    assert [len(row) for row in TABLE3] == list(range(len(TABLE3_ORDER) - 1, 0, -1))


def test_the_command_lists_experiments_and_refuses_others(run):
    code, out, _ = run("reproduce")
    assert code == 0
    assert all(name in out for name in EXPERIMENTS)
    code, _, err = run("reproduce", "chai2002-table99")
    assert code == 2
    assert "chai2002-table2" in err


def test_without_the_corpus_it_says_where_to_get_it(run, tmp_path):
    code, _, err = run("reproduce", "chai2002-table6", "--data", tmp_path)
    assert code == 2
    assert "bayesift corpus get reuters21578" in err


@pytest.mark.parametrize("name", ["chai2002-table2", "chai2002-table3", "chai2002-table6"])
def test_a_quick_look(run, tmp_path, corpus_folder, name):
    data = corpus_folder("reuters21578").parent
    code, out, _ = run("reproduce", name, "--categories", 3, "--data", data, "--json", tmp_path / "r.json")
    assert code == 0
    result = json.loads((tmp_path / "r.json").read_text())
    assert set(result) >= {"name", "corpus", "seconds", "rows"}
    assert result["name"] == name
    assert all(set(row) == {"system", "setting", "metric", "paper", "ours"} for row in result["rows"])
    f1 = [row["ours"] for row in result["rows"] if row["metric"] == "micro_f1" and row["setting"] == "MaxF1"]
    assert all(value > 85 for value in f1)
    assert "Perceptron" in out
