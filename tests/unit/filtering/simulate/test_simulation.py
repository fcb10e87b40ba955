"""A stream against simulated judgements: what is shown, what is measured."""

import pytest
from tests.news import SUBJECTS, texts

from bayesift.corpora import read_documents
from bayesift.filtering import ProfileSettings, strategy_of
from bayesift.filtering.simulate.simulation import Judge, Tally, Trace, growth_curve, simulate
from bayesift.filtering.simulate.stream_task import prepare


@pytest.fixture
def task(tmp_path):
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join(texts()) + "\n")
    return prepare("news", read_documents(path), 0.3)


def run_once(task, name="rel+ig", **judge):
    strategy, again = strategy_of(name, horizon=len(task.rows))
    return simulate(task, list(SUBJECTS), strategy, ProfileSettings(again=again), judge=Judge(**judge))


def test_a_stream_is_filtered_and_measured(task):
    trace, loop = run_once(task)
    measured = trace.measures()
    assert measured["macro recall"] > 60
    assert measured["macro precision"] > 60
    assert measured["total retrieved"] == sum(t.shown for t in trace.tallies) == len(trace.shown)
    assert trace.moments[-1].documents == len(task.rows)
    assert trace.moments[-1].relevant_shown == measured["relevant retrieved"]
    assert [t.profile.counters.shown for t in loop.topics] == [t.shown for t in trace.tallies]
    assert not loop.waiting


def test_answers_that_are_late_missing_or_wrong(task):
    _, late = run_once(task, delay=30)
    _, silent = run_once(task, missing=1.0)
    assert all(t.profile.counters.relevant + t.profile.counters.irrelevant == 0 for t in silent.topics)
    answered = sum(t.profile.counters.relevant + t.profile.counters.irrelevant for t in late.topics)
    assert 0 < answered < sum(t.profile.counters.shown for t in late.topics)
    assert len(late.waiting) == sum(t.profile.counters.shown for t in late.topics) - answered
    honest, liar = run_once(task)[0].measures(), run_once(task, noise=0.5)[0].measures()
    assert liar["T9U"] < honest["T9U"]


def test_measures_of_given_tallies():
    trace = Trace("x", [Tally("a", 20, 10, 10, 8, 2), Tally("b", 10, 0, 0, 0, 0)])
    measured = trace.measures()
    assert measured["T9P"] == pytest.approx(100 * (10 / 50) / 2)
    assert measured["macro recall"] == pytest.approx(25.0)
    assert measured["asked relevant, %"] == pytest.approx(20.0)
    assert measured["zero returns"] == 1
    assert measured["T9U"] == pytest.approx((2 * 10 - 10) / 2)


def test_growth_is_the_mean_over_topics():
    at, terms = growth_curve([(0, 10), (1, 12), (1, 14)])
    assert at.tolist() == [0, 1]
    assert terms.tolist() == [10, 13]
    assert growth_curve([])[0].size == 0
