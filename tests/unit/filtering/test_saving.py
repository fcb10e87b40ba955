"""A saved filter continues exactly; filter files of format version 1 stay readable."""

from pathlib import Path

import pytest
from tests.unit.filtering.streams import made, run

from bayesift import TextClassifier
from bayesift.classify import load
from bayesift.errors import BadInput
from bayesift.filtering import Budget, Row, load_filter, save_filter
from bayesift.filtering.saving import filter_of, filter_state
from bayesift.model_file import read_model, write_model

FOLDER = Path(__file__).parent / "data"


@pytest.mark.parametrize("strategy", ["rel+ig", "target", "rnd"])
def test_a_saved_filter_goes_on_as_the_first_would(strategy, tmp_path):
    stream, rows, Y = made(strategy, budget=Budget(3) if strategy == "rel+ig" else None)
    shown = run(stream, rows, Y, end=150)
    stream.process("not answered", rows[0])
    save_filter(stream, tmp_path / "filter")
    save_filter(load_filter(tmp_path / "filter"), tmp_path / "again")
    assert (tmp_path / "filter").read_bytes() == (tmp_path / "again").read_bytes()
    other = load_filter(tmp_path / "filter")
    for it in (stream, other):
        it.withdraw(shown[0].topic, shown[0].document)
    first, second = (run(it, rows, Y, begin=150) for it in (stream, other))
    assert first == second
    assert first
    save_filter(stream, tmp_path / "a")
    save_filter(other, tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_kinds_of_problems_are_saved_and_may_be_missing(tmp_path):
    stream, rows, _ = made()
    for document, date in (("new", "2025-02-01"), ("old", "2025-01-01")):
        stream.process(document, rows[0], date)
    save_filter(stream, tmp_path / "filter")
    assert load_filter(tmp_path / "filter").problem_kinds == stream.problem_kinds
    state = filter_state(stream)
    del state["problem_kinds"]  # as in earlier versions
    assert filter_of(state, None).problem_kinds == {"with other problems": (1, stream.problems[0])}


def test_files_of_another_kind_are_refused(tmp_path):
    stream, _, _ = made()
    save_filter(stream, tmp_path / "filter")
    with pytest.raises(BadInput, match="holds a Filter, not a TextClassifier"):
        load(tmp_path / "filter")
    TextClassifier("categoriser").fit(["wheat rose", "oil fell"] * 9, ["grain", "crude"] * 9).save(tmp_path / "model")
    with pytest.raises(BadInput, match=r"holds a TextClassifier, not a Filter; bayesift\.load reads it"):
        load_filter(tmp_path / "model")


@pytest.mark.parametrize(
    ("learner", "p"),
    [
        ("perceptron", 0.962039008742955),
        ("flip-perceptron", 0.8810038327186177),
        ("diagonal-perceptron", 0.9512134420401995),
    ],
)
def test_a_filter_file_of_version_1_is_read(learner, p):
    loaded = load_filter(FOLDER / f"version-1-{learner}.filter")
    (outcome,) = loaded.process("d3", Row.of({0: 1.0, 2: 0.2}))
    assert (outcome.topic, outcome.kind, outcome.probability) == ("wheat", "delivered", pytest.approx(p, rel=1e-9))
    assert loaded.topics[0].profile.settings.min_statistic == pytest.approx(12.13)


def test_a_budget_of_version_1_is_read(tmp_path):
    stream, rows, Y = made("ig", budget=Budget(2))
    run(stream, rows, Y, end=60)
    assert stream.budget.threshold > 0.0
    save_filter(stream, tmp_path / "filter")
    state = read_model(tmp_path / "filter", {}, kind="Filter").model
    state["budget"]["bar"] = state["budget"].pop("threshold")
    write_model(tmp_path / "old", state, {}, kind="Filter", labels=[], training={})
    assert load_filter(tmp_path / "old").budget == stream.budget
