"""Screening beside ASReview, on one review."""

import json

import numpy as np
import pytest
from tests.unit.filtering.screening.records_of_two_kinds import records

from bayesift.experiments.asreview_peer import elas_u4


def test_the_peer_reads_every_record(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # ASReview leaves a cache file where it is imported
    pytest.importorskip("asreview")
    texts, truth = records(40)
    order = elas_u4(texts, truth, [0, 1])
    assert order.size == 38
    assert order.sum() == truth.sum() - 1
    assert np.flatnonzero(order).mean() < 19


def test_one_review(run, tmp_path, corpus_folder, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("asreview")
    monkeypatch.setattr("bayesift.experiments.screening.SEEDS", 1)
    path, data = tmp_path / "r.json", corpus_folder("synergy").parent
    code, _, err = run("reproduce", "screening-synergy", "--categories", 1, "--data", data, "--json", path)
    assert code == 0, err
    rows = json.loads(path.read_text())["rows"]
    found = {(row["system"], row["metric"]): row["ours"] for row in rows if row["setting"] == "Donners_2021"}
    assert found["PoolRanker", "ATD"] < 0.15
    assert found["ELAS u4", "WSS@95"] > 0.4
