"""The tables of goutte2007 run on the real corpus and keep their promises."""

import json

import pytest

from bayesift.experiments import goutte2007


def test_the_published_table_is_whole():
    assert len(goutte2007.TABLE1) == 22
    for p, r, f in goutte2007.TABLE1:
        assert f == pytest.approx(2 * p * r / (p + r), abs=0.02)


def test_q_and_table1(run, tmp_path, corpus_folder, monkeypatch):
    data = corpus_folder("tmc2007").parent
    monkeypatch.setattr(goutte2007, "FOLDS", 3)
    monkeypatch.setattr(goutte2007, "STEPS", (4,))
    goutte2007._published.cache_clear()
    values = {}
    for name in ("goutte2007-q", "goutte2007-table1"):
        code, _, _ = run("reproduce", name, "--data", data, "--json", tmp_path / "r.json")
        assert code == 0
        result = json.loads((tmp_path / "r.json").read_text())
        assert any("500 binary words" in note for note in result["notes"])
        values |= {(row["setting"], row["metric"]): row["ours"] for row in result["rows"]}
    goutte2007._published.cache_clear()
    assert values["published (a, b)", "test Q"] > 1.64
    assert values["one threshold per category", "test Q"] > values["published (a, b)", "test Q"]
    assert 30 < values["micro average", "f1"] < 80
    assert len([key for key in values if key[1] == "f1"]) == 24
