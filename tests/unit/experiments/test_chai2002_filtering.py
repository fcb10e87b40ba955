"""The filtering tables run on a few topics and write what they promise; on the real corpora only."""

import json
from xml.etree import ElementTree

import pytest

from bayesift.experiments.chai2002_filtering import MEASURES, SYSTEMS, TABLE4, TABLE5, TREC9, _breakdown
from bayesift.experiments.figures import FIGURES
from bayesift.experiments.result import read_result
from bayesift.filtering import strategy_of


def test_every_system_has_a_strategy_and_the_published_ones_are_there():
    assert all(strategy_of(system.strategy) for system in SYSTEMS.values())
    assert set(TABLE4) <= set(SYSTEMS)
    assert set(TABLE5) <= set(SYSTEMS)
    assert MEASURES[0] == "total retrieved"
    assert all(len(figures) == len(MEASURES) for figures in (TABLE4 | TREC9).values())
    assert sum(sum(pair) for pair in TABLE5["Pptron+ig"].values()) == TABLE4["Pptron+ig"][0]
    assert sum(sum(pair) for pair in TABLE5["Pptron+rnd"].values()) == TABLE4["Pptron+rnd"][0]


def rows_of(run, path, name, data, categories):
    code, _, err = run("reproduce", name, "--categories", categories, "--data", data, "--json", path)
    assert code == 0, err
    result = json.loads(path.read_text())
    assert result["name"] == name
    assert all(set(row) == {"system", "setting", "metric", "paper", "ours"} for row in result["rows"])
    return result["rows"]


def test_theta_needs_no_corpus(run, tmp_path):
    path = tmp_path / "r.json"
    rows = rows_of(run, path, "chai2002-figure1", tmp_path, 1)
    assert len(rows) == 3
    assert all(row["paper"] == pytest.approx(row["ours"], abs=1e-4) for row in rows)
    (curve,) = read_result(path).curves
    assert dict(zip(curve.x, curve.y))[50.0] == rows[1]["ours"]
    assert curve.y == sorted(curve.y)
    ElementTree.fromstring(FIGURES["chai2002-figure1"](read_result(path)))


def test_the_breakdown_of_retrieved_documents():
    assert _breakdown(1, 3) == {"relevant": 1, "irrelevant": 3, "total": 4, "relevant, %": 25.0}
    assert _breakdown(0, 0)["relevant, %"] is None


def test_figure2_on_a_few_topics(run, tmp_path, corpus_folder):
    data = corpus_folder("arxiv").parent
    rows = rows_of(run, tmp_path / "r.json", "chai2002-figure2", data, 2)
    assert {row["system"] for row in rows} >= {"Pptron+ig", "Pptron+rel+ig"}
    assert all(row["ours"] > 10 for row in rows)
