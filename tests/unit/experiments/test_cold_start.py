"""The cold start on a few topics, on the real corpora only; and Rocchio on its own."""

from dataclasses import replace

import numpy as np
from scipy import sparse

from bayesift.experiments import cold_start, parts_of
from bayesift.experiments.chai2002_filtering import STREAMS
from bayesift.experiments.cold_start import MEASURES, OURS, PUBLISHED, STARTS, rows_of_traces, setting_of, traces_of
from bayesift.experiments.cold_start_topics import DESCRIPTIONS, described
from bayesift.experiments.layouts import LAYOUTS
from bayesift.experiments.result import Options, Result, Row, read_result, store
from bayesift.experiments.rocchio import rocchio
from bayesift.filtering.simulate.simulation import Tally, Trace


def test_rocchio_learns_and_shows_as_many_as_wanted():
    rng = np.random.default_rng(0)
    A = rng.random((400, 30)) * (rng.random((400, 30)) < 0.2)
    truth = rng.random(400) < 0.1
    A[truth, :2] += 1.0
    A[truth, 2] += rng.random(truth.sum())
    X = sparse.csr_matrix(A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-9))
    start = sparse.csr_matrix(np.eye(30)[:1])
    hits, shown = rocchio(X, truth, [start], X, wanted=30)
    assert shown == 30
    assert hits > 20
    assert rocchio(X[:5], truth[:5], [start], X, wanted=30)[1] <= 5


def test_every_topic_has_a_statement_that_is_not_its_label():
    for name, topics in DESCRIPTIONS.items():
        assert all(text and text != topic for topic, text in described(name, list(topics), {}).items())
    assert described("reuters21578", ["wheat", "x"], {"wheat": "grain"}) == {"wheat": "grain", "x": "x"}


def test_the_tables_have_every_system_and_start():
    tables = LAYOUTS["cold-start"]
    systems = {*PUBLISHED, "Rocchio", *OURS}
    assert {row.system for row in tables[0].rows} == systems
    assert {column.metric for column in tables[0].columns} == set(MEASURES)
    assert len(tables) == 3 * len(STARTS) + 1


def test_a_topic_of_the_smallest_stream(corpus_folder, monkeypatch):
    monkeypatch.setattr(cold_start, "DRAWS", 2)
    setting = setting_of("reuters21578", Options(data=corpus_folder("reuters21578").parent, categories=1), "first")
    short = replace(
        setting, task=replace(setting.task, rows=setting.task.rows[:1500], documents=setting.task.documents[:1500])
    )
    for how in ("2 examples", "statement"):
        for system in ("Rocchio", "GP target"):
            traces = traces_of(short, how, system)
            assert [trace.tallies[0].shown for trace in traces] == [50, 50]
    (trace,) = traces_of(short, "statement", "Diagonal+rel+target")
    assert trace.tallies[0].shown > 0


def test_figures_are_means_over_the_draws():
    traces = [Trace("", [Tally("t", 20, delivered=50, delivered_relevant=hits)]) for hits in (5, 15)]
    found = {row.metric: row.ours for row in rows_of_traces("GP", "s", traces)}
    assert found["T9P"] == 20.0
    assert found["recall"] == 50.0
    assert found["shown"] == 50.0


def test_a_part_that_is_computed_again_replaces_its_own_rows_alone(tmp_path):
    def result(part, ours, seconds):
        row = Row("GP", f"{part}, statement", "T9P", None, ours)
        return Result("cold-start", "c", seconds, [row], parts={part: seconds})

    for part, ours, seconds in (("arxiv", 1.0, 5.0), ("arxiv whole", 2.0, 7.0), ("arxiv", 3.0, 9.0)):
        store(tmp_path, result(part, ours, seconds))
    stored = read_result(tmp_path / "cold-start.json")
    assert {row.setting: row.ours for row in stored.rows} == {"arxiv, statement": 3.0, "arxiv whole, statement": 2.0}
    assert stored.seconds == 16.0


def test_every_part_is_a_stream_or_the_whole_of_one():
    assert set(parts_of("cold-start")) == {*STREAMS, "arxiv whole"}
    assert parts_of("chai2002-table4") == ()
