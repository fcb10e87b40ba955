"""The cold start on a few topics, on the real corpora only; and Rocchio on its own."""

import numpy as np
from scipy import sparse

from bayesift.experiments import parts_of
from bayesift.experiments.chai2002_filtering import STREAMS
from bayesift.experiments.cold_start import MEASURES, OURS, PUBLISHED, STARTS, stream_rows
from bayesift.experiments.cold_start_topics import DESCRIPTIONS, described
from bayesift.experiments.layouts import LAYOUTS
from bayesift.experiments.result import Options, Result, Row, read_result, store
from bayesift.experiments.rocchio import rocchio


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


def test_a_topic_of_the_smallest_stream(corpus_folder):
    data = corpus_folder("reuters21578").parent
    rows = stream_rows("reuters21578", Options(data=data, categories=1))
    found = {(row.system, row.setting, row.metric): row.ours for row in rows}
    for how in STARTS:
        assert found["GP, 50 whatever comes", f"reuters21578, {how}", "shown"] == 50
        assert found["Rocchio", f"reuters21578, {how}", "shown"] == 50


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
