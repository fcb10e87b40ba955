"""Experiments inside other tools, on a few documents."""

import numpy as np
import pytest
from tests.unit.filtering.screening.records_of_two_kinds import records

from bayesift.experiments import asreview_plugin, river_stream
from bayesift.experiments.result import Options


@pytest.mark.parametrize("system", ["ELAS u4", "bayesift", "tfidf + bayesift_pool", "tfidf + bayesift_bomc"])
def test_every_system_finds_all_relevant_records(system, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # ASReview leaves a cache file where it is imported
    pytest.importorskip("asreview", reason="needs ASReview: pip install '.[asreview]'")
    texts, truth = records(40)
    loss, speed = asreview_plugin.simulate(system, texts, truth, [0, 1])
    assert 0.0 <= loss < 0.6
    assert speed > 0.0


def test_one_review_inside_asreview(tmp_path, monkeypatch, corpus_folder):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("asreview", reason="needs ASReview: pip install '.[asreview]'")
    monkeypatch.setattr(asreview_plugin, "SEEDS", 1)
    found = asreview_plugin.table(Options(corpus_folder("synergy").parent, categories=1))
    loss = {row.system: row.ours for row in found.rows if (row.setting, row.metric) == ("Donners_2021", "loss")}
    assert loss["bayesift"] < 0.15
    assert loss["bayesift"] < loss["ELAS u4"] + 0.03


def test_a_short_stream_beside_rivers_learners(monkeypatch):
    pytest.importorskip("river", reason="needs river: pip install '.[river]'")
    monkeypatch.setattr(river_stream, "DOCUMENTS", 60)
    found = river_stream.table(Options())
    accuracy = {row.system: row.ours for row in found.rows if row.metric == "accuracy"}
    assert len(accuracy) == 5
    assert accuracy["RiverAdapter"] > 50.0
    assert np.isfinite([row.ours for row in found.rows]).all()
